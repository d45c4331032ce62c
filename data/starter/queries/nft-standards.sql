-- NFTs by standard and collection
select t.standard, coalesce(c.name, c.symbol, substr(cast(t.token_address as varchar), 1, 10)) as collection, count(*) as transfers
from token_transfers t
left join contracts c on c.address = t.token_address
where t.standard <> 'erc20'
group by 1, 2
order by 1, transfers desc, 2
