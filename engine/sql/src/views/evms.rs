//! The chain's tables under the names of Dune's tables of all chains.

use super::View;
use super::columns::{BLOCK_DATE, BLOCK_HASH, BLOCK_NUMBER, BLOCK_TIME, BLOCKCHAIN, TX_HASH, TX_INDEX};
use quarry_lake::tables::column::{ColumnType::*, col, opt};

pub(super) const BLOCKS: View = View {
    schema: "evms",
    name: "blocks",
    doc: "One row per block.",
    columns: &[
        BLOCKCHAIN,
        col("time", Time, "Time of the block, UTC."),
        opt("date", Date, "Day of the block, UTC."),
        col("number", Int64, "Height of the block."),
        col("hash", Hash, "Hash of the block."),
        opt("parent_hash", Hash, "Hash of the parent block."),
        col("miner", Address, "Address that receives the tips of the block."),
        opt("base_fee_per_gas", Int64, "Amount burned by the block per unit of gas.").unit("wei"),
        opt("gas_limit", Int64, "Maximum gas its transactions may use.").unit("gas"),
        col("gas_used", Int64, "Gas used by the block's transactions.").unit("gas"),
        opt("size", Int64, "Size of the encoded block.").unit("bytes"),
        opt("difficulty", Wei, "Difficulty of the block; 0 since proof of stake."),
        opt("total_difficulty", Wei, "Sum of the difficulties up to this block."),
        opt("nonce", Bytes, "Proof-of-work nonce of the block."),
    ],
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, timestamp as time, cast(timestamp as date) as date, \
          number, hash, parent_hash, miner, base_fee_per_gas, gas_limit, gas_used, size, difficulty, total_difficulty, \
          nonce from ethereum.blocks",
};

pub(super) const TRANSACTIONS: View = View {
    schema: "evms",
    name: "transactions",
    doc: "One row per transaction, with the fields of its receipt. Fields that an imported file lacks are null.",
    columns: &[
        BLOCKCHAIN,
        BLOCK_TIME,
        BLOCK_DATE,
        BLOCK_NUMBER,
        BLOCK_HASH,
        col("hash", Hash, "Hash of the transaction."),
        col("index", Int64, "Index of the transaction in the block."),
        col("from", Address, "Sender of the transaction."),
        opt("to", Address, "Receiver of the transaction; null when it created a contract."),
        col("value", Wei, "Amount sent, in wei.").unit("wei"),
        col("data", Bytes, "Call data, or the init code of a creation."),
        col("nonce", Int64, "Number of transactions the sender had sent before."),
        col("gas_limit", Int64, "Maximum gas it may use.").unit("gas"),
        opt("gas_used", Int64, "Gas it used.").unit("gas"),
        col("gas_price", Wei, "Price paid per unit of gas.").unit("wei"),
        opt("max_fee_per_gas", Wei, "Maximum price offered per unit of gas; null before EIP-1559.").unit("wei"),
        opt("max_priority_fee_per_gas", Wei, "Maximum tip offered per unit of gas; null before EIP-1559.").unit("wei"),
        opt("success", Bool, "Whether the transaction succeeded."),
        opt("type", Text, "`Legacy`, `AccessList`, `DynamicFee`, `Blob` or `SetCode`."),
    ],
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, block_timestamp as block_time, \
          cast(block_timestamp as date) as block_date, block_number, block_hash, hash, transaction_index as \"index\", \
          from_address as \"from\", to_address as \"to\", value, input as data, nonce, gas as gas_limit, \
          receipt_gas_used as gas_used, gas_price, max_fee_per_gas, max_priority_fee_per_gas, \
          receipt_status = 1 as success, \
          arrow_cast(case transaction_type when 0 then 'Legacy' when 1 then 'AccessList' when 2 then 'DynamicFee' \
            when 3 then 'Blob' when 4 then 'SetCode' end, 'Utf8View') as type from ethereum.transactions",
};

pub(super) const LOGS: View = View {
    schema: "evms",
    name: "logs",
    doc: "One row per log.",
    columns: &[
        BLOCKCHAIN,
        BLOCK_TIME,
        BLOCK_DATE,
        BLOCK_NUMBER,
        BLOCK_HASH,
        col("contract_address", Address, "Contract that emitted it."),
        opt("topic0", Hash, "Hash of the event's signature."),
        opt("topic1", Hash, "First indexed argument."),
        opt("topic2", Hash, "Second indexed argument."),
        opt("topic3", Hash, "Third indexed argument."),
        col("data", Bytes, "Non-indexed arguments."),
        TX_HASH,
        col("index", Int64, "Index of the log among the logs of the block."),
        TX_INDEX,
    ],
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, block_timestamp as block_time, \
          cast(block_timestamp as date) as block_date, block_number, block_hash, address as contract_address, topic0, \
          topic1, topic2, topic3, data, transaction_hash as tx_hash, log_index as \"index\", transaction_index as tx_index \
          from ethereum.logs",
};
