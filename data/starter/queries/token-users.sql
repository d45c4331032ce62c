-- Addresses that moved tokens, and tokens that moved
select
    date_trunc({{resolution}}, block_timestamp) as time,
    count(distinct from_address) as senders,
    count(distinct to_address) as receivers,
    count(distinct token_address) as tokens
from token_transfers
group by 1
order by 1
