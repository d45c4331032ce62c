//! The chain's tables under Flipside's names, such as `ethereum.core.fact_transactions`. Amounts are in ether and gwei instead of
//! wei; nothing is rounded.

use super::View;
use super::columns::{
    BLOCK_HASH, BLOCK_NUMBER, BLOCK_TIMESTAMP, BLOCKCHAIN, DECIMALS, OWN_NAME, OWN_SYMBOL, TX_HASH, TX_POSITION,
};
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

/// The schema, in the catalog `ethereum`.
pub(super) const CORE: &str = "core";

pub(super) const ORIGIN_FROM: Column = opt("origin_from_address", Address, "Sender of the transaction.");
pub(super) const ORIGIN_TO: Column =
    opt("origin_to_address", Address, "Receiver of the transaction; null when it created a contract.");
pub(super) const ORIGIN_FUNCTION: Column =
    opt("origin_function_signature", Bytes, "First 4 bytes of the transaction's input: the function it called.");
const TX_SUCCEEDED: Column = opt("tx_succeeded", Bool, "Whether the transaction succeeded.");
const TX_STATUS: Column = opt("tx_status", Text, "`SUCCESS` or `FAIL`, of the transaction.");

/// Joins the transaction of a row `r`. The planner drops the join if its columns are not used.
macro_rules! with_transaction {
    () => {
        " as r left join (select block_timestamp, block_number, transaction_index, \
           from_address as origin_from_address, to_address as origin_to_address, \
           bytearray_substring(input, 1, 4) as origin_function_signature, receipt_status = 1 as tx_succeeded, \
           arrow_cast(case receipt_status when 1 then 'SUCCESS' when 0 then 'FAIL' end, 'Utf8View') as tx_status \
           from ethereum.transactions) as x \
           on x.block_timestamp = r.block_timestamp and x.block_number = r.block_number \
           and x.transaction_index = r.transaction_index"
    };
}
pub(super) use with_transaction;

pub(super) const BLOCKS: View = View {
    schema: CORE,
    name: "fact_blocks",
    doc: "One row per block.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_HASH,
        BLOCK_TIMESTAMP,
        col("network", Text, "Always `mainnet`."),
        BLOCKCHAIN,
        col("tx_count", Int64, "Number of its transactions."),
        opt("size", Int64, "Size of the encoded block.").unit("bytes"),
        col("miner", Address, "Address that receives the tips of the block."),
        col("extra_data", Bytes, "Data written into the block by the proposer."),
        opt("parent_hash", Hash, "Hash of the parent block."),
        col("gas_used", Int64, "Gas used by the block's transactions.").unit("gas"),
        opt("gas_limit", Int64, "Maximum gas its transactions may use in total.").unit("gas"),
        opt("base_fee_per_gas", Int64, "Amount burned by the block per unit of gas.").unit("wei"),
        opt("difficulty", Wei, "Difficulty of the block; 0 since proof of stake."),
        opt("total_difficulty", Wei, "Sum of the difficulties up to this block."),
        opt("sha3_uncles", Hash, "Hash of the list of its uncles."),
        opt("nonce", Bytes, "Proof-of-work nonce of the block."),
        opt("receipts_root", Hash, "Root of the trie of its receipts."),
        opt("state_root", Hash, "Root of the state after the block."),
        opt("transactions_root", Hash, "Root of the trie of its transactions."),
        opt("logs_bloom", Bytes, "Bloom filter of its logs."),
        opt("withdrawals_root", Hash, "Root of the trie of its withdrawals."),
        opt("blob_gas_used", Int64, "Gas used by its blobs.").unit("gas"),
        opt("excess_blob_gas", Int64, "Running total of blob gas above the target.").unit("gas"),
        col("hash", Hash, "Hash of the block."),
    ],
    sql: "select number as block_number, hash as block_hash, timestamp as block_timestamp, \
          arrow_cast('mainnet', 'Utf8View') as network, arrow_cast('ethereum', 'Utf8View') as blockchain, \
          transaction_count as tx_count, size, miner, extra_data, parent_hash, gas_used, gas_limit, base_fee_per_gas, \
          difficulty, total_difficulty, sha3_uncles, nonce, receipts_root, state_root, transactions_root, logs_bloom, \
          withdrawals_root, blob_gas_used, excess_blob_gas, hash from ethereum.blocks",
};

pub(super) const TRANSACTIONS: View = View {
    schema: CORE,
    name: "fact_transactions",
    doc: "One row per transaction, with amounts in ether and prices in gwei.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        BLOCK_HASH,
        col("tx_hash", Hash, "Hash of the transaction."),
        col("nonce", Int64, "Number of transactions the sender had sent before."),
        col("position", Int64, "Index of the transaction in the block."),
        TX_POSITION,
        ORIGIN_FUNCTION,
        col("from_address", Address, "Sender of the transaction."),
        opt("to_address", Address, "Receiver of the transaction; null when it created a contract."),
        opt("value", Decimal, "Amount sent, in ether.").unit("ether"),
        opt("eth_value", Decimal, "Amount sent, in ether.").unit("ether"),
        opt("value_precise", Decimal, "Amount sent, in ether.").unit("ether"),
        col("value_precise_raw", Wei, "Amount sent, in wei.").unit("wei"),
        opt("tx_fee", Decimal, "Fee in ether, without the blob fee.").unit("ether"),
        opt("tx_fee_precise", Decimal, "Fee in ether, without the blob fee.").unit("ether"),
        opt("gas_price", Decimal, "Price paid per unit of gas.").unit("gwei"),
        col("gas_limit", Int64, "Maximum gas it may use.").unit("gas"),
        opt("gas_used", Int64, "Gas it used.").unit("gas"),
        opt("cumulative_gas_used", Int64, "Gas used in the block up to and including this transaction.").unit("gas"),
        opt("effective_gas_price", Decimal, "Price paid per unit of gas.").unit("gwei"),
        opt("max_fee_per_gas", Decimal, "Maximum price offered per unit of gas; null before EIP-1559.").unit("gwei"),
        opt("max_priority_fee_per_gas", Decimal, "Maximum tip offered per unit of gas; null before EIP-1559.")
            .unit("gwei"),
        col("input_data", Bytes, "Call data, or the init code of a creation."),
        opt("status", Text, "`SUCCESS` or `FAIL`, of the transaction."),
        TX_STATUS,
        TX_SUCCEEDED,
        col("tx_type", Int64, "0 legacy, 1 access list, 2 dynamic fee, 3 blob, 4 set code."),
        opt("chain_id", Int64, "Chain the signature is bound to; null for old legacy transactions."),
        opt("r", Uint256, "r of the signature."),
        opt("s", Uint256, "s of the signature."),
        opt("v", Uint256, "v of the signature as it travels in the transaction."),
    ],
    sql: "with t as (select *, cast(to_eth(value) as decimal(76,18)) as ether, \
            cast(to_eth(cast(receipt_gas_used * coalesce(receipt_effective_gas_price, gas_price) as decimal(38,0))) \
              as decimal(76,18)) as fee, \
            cast(to_gwei(coalesce(receipt_effective_gas_price, gas_price)) as decimal(76,18)) as paid, \
            arrow_cast(case receipt_status when 1 then 'SUCCESS' when 0 then 'FAIL' end, 'Utf8View') as told \
          from ethereum.transactions) \
          select block_number, block_timestamp, block_hash, hash as tx_hash, nonce, transaction_index as position, \
            transaction_index as tx_position, bytearray_substring(input, 1, 4) as origin_function_signature, \
            from_address, to_address, ether as value, ether as eth_value, ether as value_precise, \
            value as value_precise_raw, fee as tx_fee, fee as tx_fee_precise, paid as gas_price, gas as gas_limit, \
            receipt_gas_used as gas_used, receipt_cumulative_gas_used as cumulative_gas_used, \
            paid as effective_gas_price, cast(to_gwei(max_fee_per_gas) as decimal(76,18)) as max_fee_per_gas, \
            cast(to_gwei(max_priority_fee_per_gas) as decimal(76,18)) as max_priority_fee_per_gas, input as input_data, \
            told as status, told as tx_status, receipt_status = 1 as tx_succeeded, transaction_type as tx_type, \
            chain_id, r, s, v from t",
};

pub(super) const LOGS: View = View {
    schema: CORE,
    name: "fact_event_logs",
    doc: "One row per log.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        BLOCK_HASH,
        TX_HASH,
        TX_POSITION,
        col("event_index", Int64, "Index of the log among the logs of the block."),
        col("contract_address", Address, "Contract that emitted it."),
        opt("topics", Json, "The topics as JSON; the first one is `topics[0]`."),
        opt("topic_0", Hash, "Hash of the event's signature."),
        opt("topic_1", Hash, "First indexed argument."),
        opt("topic_2", Hash, "Second indexed argument."),
        opt("topic_3", Hash, "Third indexed argument."),
        col("data", Bytes, "Non-indexed arguments."),
        col("event_removed", Bool, "Always false: logs removed by a reorg are not in the table."),
        ORIGIN_FROM,
        ORIGIN_TO,
        ORIGIN_FUNCTION,
        TX_SUCCEEDED,
        TX_STATUS,
    ],
    sql: concat!(
        "select r.block_number, r.block_timestamp, r.block_hash, r.transaction_hash as tx_hash, \
           r.transaction_index as tx_position, log_index as event_index, address as contract_address, \
           json_of_items(to_json(topic0), to_json(topic1), to_json(topic2), to_json(topic3)) as topics, \
           topic0 as topic_0, topic1 as topic_1, topic2 as topic_2, topic3 as topic_3, data, false as event_removed, \
           origin_from_address, origin_to_address, origin_function_signature, tx_succeeded, tx_status \
         from ethereum.logs",
        with_transaction!()
    ),
};

pub(super) const TRACES: View = View {
    schema: CORE,
    name: "fact_traces",
    doc: "One row per call, creation, destruction and reward, if the node provides traces.",
    columns: &[
        BLOCK_NUMBER,
        BLOCK_TIMESTAMP,
        opt("tx_hash", Hash, "Transaction that caused it."),
        opt("tx_position", Int64, "Index of the transaction in the block."),
        col("trace_index", Int64, "Index of the trace in the block."),
        opt("from_address", Address, "Caller."),
        opt("to_address", Address, "Callee or created contract."),
        opt("input", Bytes, "Call data, or the init code of a creation."),
        opt("output", Bytes, "Return data of the call, or the code of a creation."),
        opt("type", Text, "`CALL`, `DELEGATECALL`, `STATICCALL`, `CREATE`, `SUICIDE` and so on."),
        opt(
            "trace_address",
            Text,
            "Path of the call, with its parts joined by underscores; `ORIGIN` for the first one.",
        ),
        col("sub_traces", Int64, "Number of direct subcalls."),
        opt("value", Decimal, "Amount sent, in ether.").unit("ether"),
        opt("value_precise", Decimal, "Amount sent, in ether.").unit("ether"),
        opt("value_precise_raw", Wei, "Amount sent, in wei.").unit("wei"),
        opt("gas", Int64, "Gas it may use.").unit("gas"),
        opt("gas_used", Int64, "Gas it used.").unit("gas"),
        ORIGIN_FROM,
        ORIGIN_TO,
        ORIGIN_FUNCTION,
        col("trace_succeeded", Bool, "Whether this call and all of its callers succeeded."),
        opt("trace_status", Text, "`SUCCESS` or `FAIL`, of this call."),
        opt("error_reason", Text, "Reason for the failure."),
        TX_SUCCEEDED,
        TX_STATUS,
    ],
    sql: concat!(
        "select r.block_number, r.block_timestamp, r.transaction_hash as tx_hash, \
           r.transaction_index as tx_position, trace_index, from_address, to_address, input, output, \
           arrow_cast(upper(coalesce(call_type, trace_type)), 'Utf8View') as type, \
           arrow_cast(case when cardinality(trace_address) = 0 then 'ORIGIN' \
             else array_join(trace_address, '_') end, 'Utf8View') as trace_address, \
           subtraces as sub_traces, cast(to_eth(value_decimal) as decimal(76,18)) as value, \
           cast(to_eth(value_decimal) as decimal(76,18)) as value_precise, value_decimal as value_precise_raw, \
           gas, gas_used, origin_from_address, origin_to_address, origin_function_signature, \
           status = 1 as trace_succeeded, \
           arrow_cast(case status when 1 then 'SUCCESS' else 'FAIL' end, 'Utf8View') as trace_status, \
           error as error_reason, tx_succeeded, tx_status \
         from ethereum.traces",
        with_transaction!()
    ),
};

pub(super) const CONTRACTS: View = View {
    schema: CORE,
    name: "dim_contracts",
    doc: "One row per contract, with the symbol, name and decimals that it returns, if they were read.",
    columns: &[
        col("address", Address, "The contract."),
        OWN_SYMBOL,
        OWN_NAME,
        DECIMALS,
        col("created_block_number", Int64, "Height of the block."),
        col("created_block_timestamp", Time, "Time of the block, UTC."),
        col("created_tx_hash", Hash, "Transaction that created it."),
        opt("creator_address", Address, "Contract or account that created it."),
    ],
    // A contract may be destroyed and created again at the same address: the last one counts.
    sql: "select address, symbol, name, decimals, block_number as created_block_number, \
          block_timestamp as created_block_timestamp, transaction_hash as created_tx_hash, \
          coalesce(factory_address, creator_address) as creator_address from (select *, \
          row_number() over (partition by address order by block_number desc, create_index desc) as place \
          from ethereum.contracts) where place = 1",
};
