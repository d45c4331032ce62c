-- Base fees that were burned, in ether
select
    date_trunc({{resolution}}, timestamp) as time,
    sum(cast(base_fee_per_gas as decimal(38, 0)) * gas_used) / 1e18 as eth
from blocks
group by 1
order by 1
