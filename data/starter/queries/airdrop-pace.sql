-- Recipients of airdrops over time
with drops as (
    select token_address, from_address, value, count(distinct to_address) as recipients,
        min(block_timestamp) as first, max(block_timestamp) as last
    from token_transfers
    where standard = 'erc20' and from_address <> '0x0000000000000000000000000000000000000000'
    group by 1, 2, 3
    having count(distinct to_address) >= 200
)
select date_trunc({{resolution}}, t.block_timestamp) as time,
    coalesce(c.symbol, substr(cast(t.token_address as varchar), 1, 10)) as token,
    count(distinct t.to_address) as recipients
from token_transfers t
join drops d on d.token_address = t.token_address and d.from_address = t.from_address and d.value = t.value
left join contracts c on c.address = t.token_address
group by 1, 2
order by 1, 2
