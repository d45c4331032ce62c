-- Tips in a block by proposer, in gwei: the ten with the most blocks
with tips as (
    select b.number, b.miner,
        sum(t.receipt_gas_used * (t.receipt_effective_gas_price - coalesce(b.base_fee_per_gas, 0))) / 1e9 as gwei
    from transactions t join blocks b on b.number = t.block_number
    group by 1, 2
), largest as (
    select miner from blocks group by 1 order by count(*) desc, 1 limit 10
)
select substr(cast(t.miner as varchar), 1, 10) as proposer, t.gwei
from tips t join largest l on l.miner = t.miner
order by 1, 2
