-- Airdrops: one giver, one token, the same amount to 200 addresses or more
with drops as (
    select token_address, from_address, value, count(distinct to_address) as recipients,
        min(block_timestamp) as first, max(block_timestamp) as last
    from token_transfers
    where standard = 'erc20' and from_address <> '0x0000000000000000000000000000000000000000'
    group by 1, 2, 3
    having count(distinct to_address) >= 200
)
select first, last, d.token_address as token, max(c.symbol) as symbol, d.from_address as giver,
    d.recipients, d.value / power(10, max(coalesce(c.decimals, 0))) as amount_each
from drops d
left join contracts c on c.address = d.token_address
group by first, last, d.token_address, d.from_address, d.recipients, d.value
order by recipients desc, token
