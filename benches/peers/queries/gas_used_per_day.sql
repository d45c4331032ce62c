-- Gas of each day: total, mean and exact median of a transaction.
select date_trunc('day', block_timestamp) as day,
  sum(receipt_gas_used) as gas,
  avg(cast(receipt_gas_used as double)) as mean,
  median(cast(receipt_gas_used as double)) as middle
from transactions
group by 1
order by 1
