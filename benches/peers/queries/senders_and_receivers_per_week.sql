-- Distinct senders and distinct receivers of each week.
select date_trunc('week', block_timestamp) as week,
  count(distinct from_address) as senders,
  count(distinct to_address) as receivers
from transactions
group by 1
order by 1
