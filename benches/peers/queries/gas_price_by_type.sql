-- Median price paid per gas, by day and transaction type.
select date_trunc('day', block_timestamp) as day, transaction_type,
  median(cast(receipt_effective_gas_price as double)) as wei_per_gas, count(*) as transactions
from transactions
group by 1, 2
order by 1, 2
