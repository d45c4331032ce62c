-- Airdrops as a tree: token, giver, and what recipients did
with drops as (
    select token_address, from_address, value, count(distinct to_address) as recipients,
        min(block_timestamp) as first, max(block_timestamp) as last
    from token_transfers
    where standard = 'erc20' and from_address <> '0x0000000000000000000000000000000000000000'
    group by 1, 2, 3
    having count(distinct to_address) >= 200
)
, got as (
    select distinct t.token_address, d.from_address as giver, t.to_address as who
    from token_transfers t
    join drops d on d.token_address = t.token_address and d.from_address = t.from_address and d.value = t.value
), moved as (
    select distinct t.token_address, t.from_address as who
    from token_transfers t
    join got g on g.token_address = t.token_address and g.who = t.from_address
)
select
    'airdrops' as root,
    coalesce(c.symbol, substr(cast(g.token_address as varchar), 1, 10)) as token,
    substr(cast(g.giver as varchar), 1, 10) as giver,
    case when m.who is null then 'kept' else 'moved on' end as fate,
    count(*) as recipients
from got g
left join moved m on m.token_address = g.token_address and m.who = g.who
left join contracts c on c.address = g.token_address
group by 1, 2, 3, 4
order by 2, 3, 4
