-- Base fees that were burned on each day, in ether
select
    cast(date_trunc('day', timestamp) as date) as day,
    sum(cast(base_fee_per_gas as decimal(38, 0)) * gas_used) / 1e18 as eth
from blocks
group by 1
order by 1
