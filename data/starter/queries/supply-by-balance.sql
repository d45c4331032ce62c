-- Who holds the ether: shares of all of it by the size of the balance, people and contracts apart
with moves as (
    select to_address as address, value_decimal as wei from traces
    where status = 1 and value_decimal > 0 and coalesce(call_type, 'call') in ('call', 'create', 'create2')
    union all
    select from_address, -value_decimal from traces
    where status = 1 and value_decimal > 0 and coalesce(call_type, 'call') in ('call', 'create', 'create2')
      and from_address is not null
    union all
    select address, cast(amount as decimal(38, 0)) * 1000000000 from withdrawals
    union all
    select from_address, cast(-(receipt_gas_used * receipt_effective_gas_price
        + coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0)) as decimal(38, 0)) from transactions
    union all
    select b.miner, cast(t.receipt_gas_used * (t.receipt_effective_gas_price - coalesce(b.base_fee_per_gas, 0))
        as decimal(38, 0))
    from transactions t join blocks b on b.number = t.block_number
), balances as (
    select address, sum(wei) as wei from moves where address is not null group by 1
)
select
    case when c.address is null then 'accounts' else 'contracts' end as kind,
    case
        when wei < 1e18 then 'under 1 ETH'
        when wei < 1e19 then '1 to 10 ETH'
        when wei < 1e20 then '10 to 100 ETH'
        when wei < 1e21 then '100 to 1,000 ETH'
        else '1,000 ETH and more'
    end as size,
    sum(wei) / 1e18 as eth
from balances b
left join (select distinct address from contracts) c on c.address = b.address
where wei > 0
group by 1, 2
order by 1, 2
