//! All movements of ether as a query, for metrics of balances and supply.

/// A table expression `moves` with the columns `t`, `a` (the address) and `wei`: calls, rewards, fees, tips and
/// withdrawals; for blocks without traces, the values of transactions.
macro_rules! moves {
    () => {
        "moves as ( select date_trunc('{unit}', block_timestamp) as t, from_address as a, -value_decimal as wei from \
         traces where status = 1 and value_decimal > 0 and trace_type <> 'reward' and coalesce(call_type, '') not in \
         ('delegatecall', 'staticcall', 'callcode') and from_address is not null union all select \
         date_trunc('{unit}', block_timestamp), to_address, value_decimal from traces where status = 1 and \
         value_decimal > 0 and coalesce(call_type, '') not in ('delegatecall', 'staticcall', 'callcode') and \
         to_address is not null union all select date_trunc('{unit}', block_timestamp), from_address, -value from \
         transactions where value > 0 and (receipt_status is distinct from 0) and block_number not in (select \
         block_number from traces where trace_type <> 'reward') union all select date_trunc('{unit}', \
         block_timestamp), coalesce(to_address, receipt_contract_address), value from transactions where value > 0 \
         and (receipt_status is distinct from 0) and block_number not in (select block_number from traces where \
         trace_type <> 'reward') union all select date_trunc('{unit}', block_timestamp), from_address, \
         cast(-(coalesce(receipt_gas_used, 0) * coalesce(receipt_effective_gas_price, gas_price) + \
         coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0)) as decimal(38, 0)) from transactions union all \
         select date_trunc('{unit}', timestamp), miner, cast(coalesce(receipt_gas_used, 0) * \
         (coalesce(receipt_effective_gas_price, gas_price) - coalesce(b.base_fee_per_gas, 0)) as decimal(38, 0)) from \
         transactions as s join blocks as b on s.block_number = b.number union all select date_trunc('{unit}', \
         block_timestamp), address, cast(amount as decimal(38, 0)) * 1000000000 from withdrawals)"
    };
}

pub(super) use moves;
