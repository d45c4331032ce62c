-- Collections by transfers
select
    t.token_address as collection,
    max(c.name) as name,
    t.standard,
    count(*) as transfers,
    count(distinct t.token_id) as tokens,
    count(distinct t.to_address) as owners
from token_transfers t
left join contracts c on c.address = t.token_address
where t.standard <> 'erc20'
group by 1, 3
order by transfers desc, collection
limit 50
