-- Ether received minus sent minus fees: the hundred largest.
select who, sum(wei) as balance
from (
  select to_address as who, value as wei from transactions where receipt_status = 1 and to_address is not null
  union all
  select from_address, -value from transactions where receipt_status = 1
  union all
  select from_address, -cast(receipt_effective_gas_price * receipt_gas_used as decimal(38, 0)) from transactions
) as movements
group by who
order by balance desc, who
limit 100
