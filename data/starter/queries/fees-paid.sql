-- Fees: burned, and paid to proposers, in ether
select
    date_trunc({{resolution}}, block_timestamp) as time,
    sum(cast(receipt_gas_used as decimal(38, 0)) * coalesce(base_fee_per_gas, 0)) / 1e18 as burned,
    sum(receipt_gas_used * (receipt_effective_gas_price - coalesce(base_fee_per_gas, 0))) / 1e18 as tips
from transactions
group by 1
order by 1
