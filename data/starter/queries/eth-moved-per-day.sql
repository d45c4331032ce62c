-- Ether that successful transactions carried
select
    date_trunc({{resolution}}, block_timestamp) as time,
    sum(value) / 1e18 as eth
from transactions
where receipt_status = 1
group by 1
order by 1
