-- The addresses with the most ether
select b.address, case when c.address is null then 'account' else 'contract' end as kind, eth_balance / 1e18 as eth
from ethereum.balances b
left join (select distinct address from contracts) c on c.address = b.address
order by eth desc, b.address
limit 100
