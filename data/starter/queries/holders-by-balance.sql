-- Addresses that hold at least so much ether now
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
select t.step, count(*) as addresses
from balances b
join (values
    (1, 'more than 0', cast(1 as decimal(38, 0))),
    (2, '0.1 ETH', cast('100000000000000000' as decimal(38, 0))),
    (3, '1 ETH', cast('1000000000000000000' as decimal(38, 0))),
    (4, '10 ETH', cast('10000000000000000000' as decimal(38, 0))),
    (5, '100 ETH', cast('100000000000000000000' as decimal(38, 0))),
    (6, '1,000 ETH', cast('1000000000000000000000' as decimal(38, 0))),
    (7, '10,000 ETH', cast('10000000000000000000000' as decimal(38, 0)))
) as t(place, step, least) on b.wei >= t.least
group by t.place, t.step
order by t.place
