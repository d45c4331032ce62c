-- Contracts that used the most gas
select
    t.to_address as contract,
    max(c.name) as name,
    count(*) as transactions,
    sum(t.receipt_gas_used) as gas_used
from transactions t
join contracts c on c.address = t.to_address
group by 1
order by gas_used desc, contract
limit 50
