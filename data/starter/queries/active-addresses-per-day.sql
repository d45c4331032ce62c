-- Addresses that sent and received
select
    date_trunc({{resolution}}, block_timestamp) as time,
    count(distinct from_address) as senders,
    count(distinct to_address) as receivers
from transactions
where receipt_status = 1
group by 1
order by 1
