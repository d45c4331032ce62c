-- Ether in circulation since the first block: rewards and withdrawals less what was burned
with flows as (
    select date_trunc({{resolution}}, block_timestamp) as time, value_decimal as wei
    from traces where trace_type = 'reward'
    union all
    select date_trunc({{resolution}}, block_timestamp), cast(amount as decimal(38, 0)) * 1000000000
    from withdrawals
    union all
    select date_trunc({{resolution}}, block_timestamp), cast(-(receipt_gas_used * cast(coalesce(base_fee_per_gas, 0)
        as decimal(38, 0)) + coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0)) as decimal(38, 0))
    from transactions
)
select time, sum(sum(wei)) over (order by time) / 1e18 as eth
from flows
group by 1
order by 1
