-- What proposers earned: blocks, tips and rewards, in ether
with tips as (
    select b.miner, sum(t.receipt_gas_used * (t.receipt_effective_gas_price - coalesce(b.base_fee_per_gas, 0))) / 1e18 as eth
    from transactions t join blocks b on b.number = t.block_number
    group by 1
), rewards as (
    select to_address as miner, sum(value_decimal) / 1e18 as eth from traces where trace_type = 'reward' group by 1
), made as (
    select miner, count(*) as blocks, sum(gas_used) as gas_used from blocks group by 1
)
select m.miner as proposer, m.blocks, m.gas_used, coalesce(t.eth, 0) as tips_eth, coalesce(r.eth, 0) as rewards_eth
from made m
left join tips t on t.miner = m.miner
left join rewards r on r.miner = m.miner
order by m.blocks desc, proposer
limit 100
