-- Gas of each day, and how full the blocks were
select
    cast(date_trunc('day', timestamp) as date) as day,
    sum(gas_used) as gas_used,
    100.0 * sum(gas_used) / sum(gas_limit) as percent_full
from blocks
group by 1
order by 1
