-- The addresses with the most ether
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
select b.address, case when c.address is null then 'account' else 'contract' end as kind, wei / 1e18 as eth
from balances b
left join (select distinct address from contracts) c on c.address = b.address
order by eth desc, b.address
limit 100
