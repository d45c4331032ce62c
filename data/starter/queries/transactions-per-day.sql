-- Transactions of each day, and how many of them failed
select
    cast(date_trunc('day', block_timestamp) as date) as day,
    sum(case when receipt_status = 1 then 1 else 0 end) as succeeded,
    sum(case when receipt_status = 0 then 1 else 0 end) as failed
from transactions
group by 1
order by 1
