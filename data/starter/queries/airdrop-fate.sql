-- What recipients of airdrops did with their tokens: got them, moved them on, and moved them all to one address
with drops as (
    select token_address, from_address, value, count(distinct to_address) as recipients,
        min(block_timestamp) as first, max(block_timestamp) as last
    from token_transfers
    where standard = 'erc20' and from_address <> '0x0000000000000000000000000000000000000000'
    group by 1, 2, 3
    having count(distinct to_address) >= 200
)
, got as (
    select distinct t.token_address, t.to_address as who, t.value
    from token_transfers t
    join drops d on d.token_address = t.token_address and d.from_address = t.from_address and d.value = t.value
), moved as (
    select g.token_address, g.who, count(distinct t.to_address) as receivers
    from got g
    join token_transfers t on t.token_address = g.token_address and t.from_address = g.who
    group by 1, 2
)
select step, recipients from (
    select 1 as place, 'received' as step, count(*) as recipients from got
    union all select 2, 'moved some on', count(*) from moved
    union all select 3, 'to one address only', count(*) from moved where receivers = 1
) as steps
order by place
