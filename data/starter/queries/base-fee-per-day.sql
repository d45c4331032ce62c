-- Mean, lowest and highest base fee of each day, in gwei
select
    cast(date_trunc('day', timestamp) as date) as day,
    avg(base_fee_per_gas) / 1e9 as mean_gwei,
    min(base_fee_per_gas) / 1e9 as lowest_gwei,
    max(base_fee_per_gas) / 1e9 as highest_gwei
from blocks
group by 1
order by 1
