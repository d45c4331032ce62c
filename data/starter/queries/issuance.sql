-- Ether that came into circulation and left it: rewards, withdrawals of validators, fees burned
with flows as (
    select date_trunc({{resolution}}, block_timestamp) as time, 'rewards' as flow, value_decimal as wei
    from traces where trace_type = 'reward'
    union all
    select date_trunc({{resolution}}, block_timestamp), 'withdrawals', cast(amount as decimal(38, 0)) * 1000000000
    from withdrawals
    union all
    select date_trunc({{resolution}}, timestamp), 'burned',
        -gas_used * cast(coalesce(base_fee_per_gas, 0) as decimal(38, 0))
    from blocks
)
select time, flow, sum(wei) / 1e18 as eth
from flows
group by 1, 2
order by 1, 2
