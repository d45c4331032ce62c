-- Withdrawals of validators, and ether withdrawn
select
    date_trunc({{resolution}}, block_timestamp) as time,
    sum(amount) / 1e9 as eth,
    count(*) as withdrawals
from withdrawals
group by 1
order by 1
