-- Transactions, and how many of them failed
select
    date_trunc({{resolution}}, block_timestamp) as time,
    sum(case when receipt_status = 1 then 1 else 0 end) as succeeded,
    sum(case when receipt_status = 0 then 1 else 0 end) as failed
from transactions
group by 1
order by 1
