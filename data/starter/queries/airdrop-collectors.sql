-- Addresses that many recipients of one airdrop sent their tokens to
with drops as (
    select token_address, from_address, value, count(distinct to_address) as recipients,
        min(block_timestamp) as first, max(block_timestamp) as last
    from token_transfers
    where standard = 'erc20' and from_address <> '0x0000000000000000000000000000000000000000'
    group by 1, 2, 3
    having count(distinct to_address) >= 200
)
, got as (
    select distinct t.token_address, t.to_address as who
    from token_transfers t
    join drops d on d.token_address = t.token_address and d.from_address = t.from_address and d.value = t.value
), handed as (
    select t.token_address, t.from_address, t.to_address
    from token_transfers t
    join got g on g.token_address = t.token_address and g.who = t.from_address
    group by 1, 2, 3
), collectors as (
    select token_address, to_address from handed group by 1, 2 having count(*) between 10 and 60 order by count(*) desc, 1, 2 limit 8
)
select h.from_address as recipient, h.to_address as collector, coalesce(c.symbol, 'token') as token
from handed h
join collectors k on k.token_address = h.token_address and k.to_address = h.to_address
left join contracts c on c.address = h.token_address
order by 2, 1
limit 200
