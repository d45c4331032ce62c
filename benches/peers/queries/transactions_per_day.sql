-- Transactions of each day.
select date_trunc('day', block_timestamp) as day, count(*) as transactions
from transactions
group by 1
order by 1
