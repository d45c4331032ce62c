-- Gas used, and how full the blocks were
select
    date_trunc({{resolution}}, timestamp) as time,
    sum(gas_used) as gas_used,
    100.0 * sum(gas_used) / sum(gas_limit) as percent_full
from blocks
group by 1
order by 1
