-- Tokens with the most transfers and holders that moved them
select
    t.token_address as token,
    max(c.symbol) as symbol,
    count(*) as transfers,
    count(distinct t.from_address) as senders,
    count(distinct t.to_address) as receivers
from token_transfers t
left join contracts c on c.address = t.token_address
where t.standard = 'erc20'
group by 1
order by transfers desc, token
limit 50
