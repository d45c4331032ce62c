//! `transactions`: one row per transaction with its receipt, and all that is needed to recompute its hash and sender.

use super::column::{ColumnType::*, col, opt};
use super::synonym::synonym;
use super::table_def::TableDef;

pub(super) static DEF: TableDef = TableDef {
    name: "transactions",
    doc: "One row per transaction, with the fields of its receipt. Fields that an imported file lacks are null.",
    columns: &[
        col("hash", Hash, "Keccak-256 of the signed transaction.").with_bloom().uncompressed(),
        col("nonce", Int64, "Number of transactions the sender had sent before."),
        col("transaction_index", Int64, "Index in the block, starting at 0."),
        col("from_address", Address, "Sender, recovered from the signature.").with_bloom().uncompressed(),
        opt("to_address", Address, "Receiver; null when the transaction creates a contract.")
            .with_bloom()
            .uncompressed(),
        col("value", Wei, "Amount sent, in wei.").unit("wei"),
        col("gas", Int64, "Maximum gas the transaction may use.").unit("gas"),
        col("gas_price", Wei, "Wei per gas: as signed for types 0 and 1, the effective price otherwise.")
            .unit("wei per gas"),
        col("input", Bytes, "Call data, or the init code of a creation."),
        opt("receipt_cumulative_gas_used", Int64, "Gas used in the block up to and including this transaction.")
            .unit("gas"),
        opt("receipt_gas_used", Int64, "Gas used by this transaction.").unit("gas"),
        opt("receipt_contract_address", Address, "Contract that was created, if any.").with_bloom(),
        opt("receipt_root", Hash, "State root after the transaction; only before Byzantium."),
        opt("receipt_status", Int64, "1 success, 0 failure; null before Byzantium."),
        opt("receipt_effective_gas_price", Wei, "Wei per gas actually paid.").unit("wei per gas"),
        opt("receipt_blob_gas_used", Int64, "Blob gas used; only type 3.").unit("blob gas"),
        opt("receipt_blob_gas_price", Wei, "Wei per blob gas; only type 3.").unit("wei per blob gas"),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block.").with_dictionary().uncompressed(),
        opt("max_fee_per_gas", Wei, "Maximum wei per gas the sender pays; types 2 to 4.").unit("wei per gas"),
        opt("max_priority_fee_per_gas", Wei, "Maximum wei per gas as a tip; types 2 to 4.").unit("wei per gas"),
        opt("max_fee_per_blob_gas", Wei, "Maximum wei per blob gas; only type 3.").unit("wei per blob gas"),
        col("transaction_type", Int64, "0 legacy, 1 access list, 2 dynamic fee, 3 blob, 4 set code."),
        opt("chain_id", Int64, "Chain the signature is bound to; null for old legacy transactions."),
        opt("access_list", AccessList, "Addresses and storage keys declared in advance; types 1 to 4."),
        opt("authorization_list", AuthorizationList, "EIP-7702 authorizations; only type 4."),
        opt("blob_versioned_hashes", ListHash, "Hashes of the blobs; only type 3."),
        opt("y_parity", Int32, "Parity of the signature's point, 0 or 1."),
        opt("v", Uint256, "v of the signature as it travels in the transaction."),
        opt("r", Uint256, "r of the signature.").uncompressed(),
        opt("s", Uint256, "s of the signature.").uncompressed(),
        opt("base_fee_per_gas", Int64, "Base fee of the block in wei per gas; null before London.").unit("wei per gas"),
    ],
    sort: &["block_number", "transaction_index"],
    time: "block_timestamp",
    synonyms: &[
        synonym("block_time", "block_timestamp"),
        synonym("block_date", "cast(block_timestamp as date)"),
        synonym("index", "transaction_index"),
        synonym("from", "from_address"),
        synonym("to", "to_address"),
        synonym("gas_limit", "gas"),
        synonym("gas_used", "receipt_gas_used"),
        synonym("effective_gas_price", "receipt_effective_gas_price"),
        synonym("priority_fee_per_gas", "max_priority_fee_per_gas"),
        synonym("cumulative_gas_used", "receipt_cumulative_gas_used"),
        synonym("contract_address", "receipt_contract_address"),
        synonym("data", "input"),
        synonym("success", "receipt_status = 1"),
        synonym(
            "type",
            "case transaction_type when 0 then 'Legacy' when 1 then 'AccessList' when 2 then 'DynamicFee' when 3 then 'Blob' when 4 then 'SetCode' end",
        ),
        synonym("tx_hash", "hash"),
        synonym("transaction_hash", "hash"),
    ],
};
