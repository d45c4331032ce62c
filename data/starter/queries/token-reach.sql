-- Tokens by how many people and how many transfers they have
select coalesce(c.symbol, substr(cast(t.token_address as varchar), 1, 10)) as token, count(*) as transfers, count(distinct t.to_address) as receivers, count(distinct t.from_address) as senders
from token_transfers t
left join contracts c on c.address = t.token_address
where t.standard = 'erc20'
group by t.token_address, 1
order by transfers desc, token
limit 100
