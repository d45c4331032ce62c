-- Transfers of the busiest tokens by week
with busiest as (
    select token_address from token_transfers where standard = 'erc20' group by 1 order by count(*) desc, 1 limit 10
)
select cast(date_trunc('week', t.block_timestamp) as date) as week, coalesce(c.symbol, substr(cast(t.token_address as varchar), 1, 10)) as token, count(*) as transfers
from token_transfers t
join busiest b on b.token_address = t.token_address
left join contracts c on c.address = t.token_address
group by 1, 2
order by 1, 2
