//! `blocks`: one row per block, every field of the header (so that a lake can recompute the block hash).

use super::column::{ColumnType::*, col, opt};
use super::synonym::synonym;
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "blocks",
    doc: "One row per block, with every field of its header. Fields that an imported file lacks are null.",
    columns: &[
        col("timestamp", Time, "Time of the block, UTC."),
        col("number", Int64, "Height of the block."),
        col("hash", Hash, "Keccak-256 of the header.").with_bloom(),
        opt("parent_hash", Hash, "Hash of the parent block."),
        opt("nonce", Bytes, "Proof-of-work nonce, 8 bytes; zero since the Merge."),
        opt("mix_hash", Hash, "Proof-of-work mix hash; the beacon chain's randomness since the Merge."),
        opt("sha3_uncles", Hash, "Hash of the list of uncles."),
        opt("logs_bloom", Bytes, "Bloom filter over the addresses and topics of the block's logs, 256 bytes."),
        opt("transactions_root", Hash, "Root of the trie of transactions."),
        opt("state_root", Hash, "Root of the state trie after the block."),
        opt("receipts_root", Hash, "Root of the trie of receipts."),
        col("miner", Address, "Address that receives the priority fees: the miner, or the proposer's fee recipient.")
            .with_bloom(),
        opt("difficulty", Wei, "Proof-of-work difficulty; 0 since the Merge. A plain number, not wei."),
        opt("total_difficulty", Wei, "Sum of difficulties up to this block, where the source reports it."),
        opt("size", Int64, "Size of the block in bytes (RLP).").unit("bytes"),
        col("extra_data", Bytes, "Up to 32 bytes chosen by the block's builder."),
        opt("gas_limit", Int64, "Maximum gas the block may use.").unit("gas"),
        col("gas_used", Int64, "Gas used by its transactions.").unit("gas"),
        col("transaction_count", Int64, "Number of transactions."),
        opt("base_fee_per_gas", Int64, "EIP-1559 base fee in wei per gas; null before London.").unit("wei per gas"),
        opt("withdrawals_root", Hash, "Root of the trie of withdrawals; null before Shanghai."),
        opt("blob_gas_used", Int64, "Blob gas used; null before Cancun.").unit("blob gas"),
        opt("excess_blob_gas", Int64, "Running excess of blob gas; null before Cancun.").unit("blob gas"),
        opt("parent_beacon_block_root", Hash, "Root of the parent beacon block; null before Cancun."),
        opt("requests_hash", Hash, "Commitment to the execution layer requests; null before Prague."),
        opt("block_access_list_hash", Hash, "Hash of the block's access list; null before Amsterdam."),
        opt("slot_number", Int64, "Slot of the beacon chain; null before Amsterdam."),
    ],
    sort: &["number"],
    time: "timestamp",
    synonyms: &[
        synonym("time", "timestamp"),
        synonym("date", "cast(timestamp as date)"),
        synonym("block_time", "timestamp"),
        synonym("block_timestamp", "timestamp"),
        synonym("block_number", "number"),
        synonym("block_hash", "hash"),
        synonym("uncles_hash", "sha3_uncles"),
    ],
};
