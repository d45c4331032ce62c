-- Median and 95th percentile of the price per gas, hour by hour.
select date_trunc('hour', block_timestamp) as hour,
  median(cast(gas_price as double)) as middle,
  {percentile95:cast(gas_price as double)} as high
from transactions
group by 1
order by 1
