-- Mean, lowest and highest base fee, in gwei
select
    date_trunc({{resolution}}, timestamp) as time,
    avg(base_fee_per_gas) / 1e9 as mean_gwei,
    min(base_fee_per_gas) / 1e9 as lowest_gwei,
    max(base_fee_per_gas) / 1e9 as highest_gwei
from blocks
group by 1
order by 1
