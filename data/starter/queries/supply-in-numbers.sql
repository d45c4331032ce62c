-- Supply in numbers: what was burned, paid to proposers as rewards and withdrawn by validators, in ether
select
    (select sum(gas_used * cast(coalesce(base_fee_per_gas, 0) as decimal(38, 0))) / 1e18 from blocks) as burned,
    (select sum(value_decimal) / 1e18 from traces where trace_type = 'reward') as rewards,
    (select sum(amount) / 1e9 from withdrawals) as withdrawn
