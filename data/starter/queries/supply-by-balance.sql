-- Who holds the ether: shares of all of it by the size of the balance, people and contracts apart
select
    case when c.address is null then 'accounts' else 'contracts' end as kind,
    case
        when eth_balance < 1e18 then 'under 1 ETH'
        when eth_balance < 1e19 then '1 to 10 ETH'
        when eth_balance < 1e20 then '10 to 100 ETH'
        when eth_balance < 1e21 then '100 to 1,000 ETH'
        else '1,000 ETH and more'
    end as size,
    sum(eth_balance) / 1e18 as eth
from ethereum.balances b
left join (select distinct address from contracts) c on c.address = b.address
where eth_balance > 0
group by 1, 2
order by 1, 2
