//! Balances of ether, under BigQuery's name.

use super::View;
use quarry_lake::tables::column::{ColumnType::*, col};

pub(super) const BALANCES: View = View {
    schema: "ethereum",
    name: "balances",
    doc: "One row per address that ever received or sent ether, with its balance at the head of the lake: calls, rewards, \
          fees, tips and withdrawals since the lake's first block. Negative if the lake begins later than the chain.",
    columns: &[col("address", Address, "The address."), col("eth_balance", Wei, "Balance of the address.").unit("wei")],
    // Blocks without traces have the values of their transactions.
    sql: "with calls as (select from_address, to_address, value_decimal as wei, trace_type from ethereum.traces \
          where status = 1 and value_decimal > 0 \
          and coalesce(call_type, '') not in ('delegatecall', 'staticcall', 'callcode')), \
          untraced as (select from_address, coalesce(to_address, receipt_contract_address) as to_address, value as wei \
          from ethereum.transactions where value > 0 and (receipt_status is distinct from 0) \
          and block_number not in (select block_number from ethereum.traces where trace_type <> 'reward')), \
          moves as (\
          select to_address as address, wei from calls union all \
          select from_address, -wei from calls where trace_type <> 'reward' union all \
          select to_address, wei from untraced union all select from_address, -wei from untraced union all \
          select from_address, cast(-(coalesce(receipt_gas_used, 0) * coalesce(receipt_effective_gas_price, gas_price) \
          + coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0)) as decimal(38, 0)) \
          from ethereum.transactions union all \
          select b.miner, cast(coalesce(t.receipt_gas_used, 0) * (coalesce(t.receipt_effective_gas_price, t.gas_price) \
          - coalesce(b.base_fee_per_gas, 0)) as decimal(38, 0)) \
          from ethereum.transactions t join ethereum.blocks b on b.number = t.block_number union all \
          select address, cast(amount as decimal(38, 0)) * 1000000000 from ethereum.withdrawals) \
          select address, sum(wei) as eth_balance from moves where address is not null group by address",
};
