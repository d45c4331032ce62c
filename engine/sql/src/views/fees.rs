//! The fees of transactions, under Dune's name.

use super::View;
use super::columns::{
    BLOCK_DATE, BLOCK_MONTH, BLOCK_NUMBER, BLOCK_TIME, BLOCKCHAIN, TX_FROM, TX_HASH, TX_INDEX, TX_TO,
};
use quarry_lake::tables::column::{ColumnType::*, col, opt};

pub(super) const FEES: View = View {
    schema: "gas",
    name: "fees",
    doc: "One row per transaction with its fees.",
    columns: &[
        BLOCKCHAIN,
        BLOCK_MONTH,
        BLOCK_DATE,
        BLOCK_TIME,
        BLOCK_NUMBER,
        TX_HASH,
        TX_INDEX,
        TX_FROM,
        TX_TO,
        col("gas_price", Wei, "Price paid per unit of gas.").unit("wei"),
        opt("gas_used", Int64, "Gas it used.").unit("gas"),
        col("currency_symbol", Text, "Always `ETH`."),
        opt("tx_fee", Decimal, "Fee including the blob fee, in ether.").unit("ether"),
        opt("tx_fee_usd", Decimal, "The fee in US dollars; null if no pool prices ether in that hour.").unit("USD"),
        opt("tx_fee_raw", Wei, "Fee including the blob fee.").unit("wei"),
        opt("base_fee_raw", Wei, "Part of the fee that is burned.").unit("wei"),
        opt("priority_fee_raw", Wei, "Part of the fee that the proposer receives.").unit("wei"),
        opt("blob_fee_raw", Wei, "Part of the fee that is burned for blobs; null if there are none.").unit("wei"),
        opt("block_proposer", Address, "Address that receives the tips of the block."),
        opt("max_fee_per_gas", Wei, "Maximum price offered per unit of gas; null before EIP-1559.").unit("wei"),
        opt("max_priority_fee_per_gas", Wei, "Maximum tip offered per unit of gas; null before EIP-1559.").unit("wei"),
        opt("base_fee_per_gas", Int64, "Amount burned by the block per unit of gas.").unit("wei"),
        col("gas_limit", Int64, "Maximum gas it may use.").unit("gas"),
        opt("gas_limit_usage", Decimal, "Share of the gas limit that was used, in percent.").unit("percent"),
        col("tx_type", Int64, "0 legacy, 1 access list, 2 dynamic fee, 3 blob, 4 set code."),
    ],
    sql: "with ether as ({ether}), hours as ( \
            select date_trunc('hour', minute) as hour, last_value(price order by minute) as price from prices.usd \
            where contract_address in (select address from ether) group by 1 \
          ), paid as ( \
            select t.*, coalesce(receipt_effective_gas_price, gas_price) as price_paid, \
              cast(receipt_gas_used * coalesce(receipt_effective_gas_price, gas_price) \
                + coalesce(receipt_blob_gas_used * receipt_blob_gas_price, 0) as decimal(38, 0)) as fee \
            from ethereum.transactions as t \
          ) \
          select arrow_cast('ethereum', 'Utf8View') as blockchain, \
            cast(date_trunc('month', block_timestamp) as date) as block_month, \
            cast(block_timestamp as date) as block_date, block_timestamp as block_time, block_number, paid.hash as tx_hash, \
            transaction_index as tx_index, from_address as tx_from, to_address as tx_to, \
            cast(price_paid as decimal(38, 0)) as gas_price, \
            receipt_gas_used as gas_used, arrow_cast('ETH', 'Utf8View') as currency_symbol, \
            cast(to_eth(fee) as decimal(76, 18)) as tx_fee, \
            case when hours.price < 1000000000000000000.0 then \
              cast(cast(to_eth(fee) as decimal(57, 18)) * hours.price as decimal(76, 18)) end as tx_fee_usd, \
            fee as tx_fee_raw, \
            cast(receipt_gas_used * coalesce(paid.base_fee_per_gas, 0) as decimal(38, 0)) as base_fee_raw, \
            cast(receipt_gas_used * (price_paid - coalesce(paid.base_fee_per_gas, 0)) as decimal(38, 0)) as priority_fee_raw, \
            cast(receipt_blob_gas_used * receipt_blob_gas_price as decimal(38, 0)) as blob_fee_raw, \
            b.miner as block_proposer, max_fee_per_gas, max_priority_fee_per_gas, paid.base_fee_per_gas, \
            gas as gas_limit, \
            cast(cast(receipt_gas_used as decimal(38, 0)) * 100 / nullif(gas, 0) as decimal(76, 18)) as gas_limit_usage, \
            transaction_type as tx_type \
          from paid left join ethereum.blocks as b on b.timestamp = paid.block_timestamp and b.number = paid.block_number \
            left join hours on hours.hour = date_trunc('hour', block_timestamp)",
};
