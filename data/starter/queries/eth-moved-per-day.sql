-- Ether that successful transactions carried on each day
select
    cast(date_trunc('day', block_timestamp) as date) as day,
    sum(value) / 1e18 as eth
from transactions
where receipt_status = 1
group by 1
order by 1
