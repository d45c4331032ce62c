-- Addresses that sent and received on each day
select
    cast(date_trunc('day', block_timestamp) as date) as day,
    count(distinct from_address) as senders,
    count(distinct to_address) as receivers
from transactions
where receipt_status = 1
group by 1
order by 1
