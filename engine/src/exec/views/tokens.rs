//! What the contracts table tells, under Dune's names.

use super::View;
use crate::lake::tables::column::{ColumnType::*, col, opt};

pub(super) const CREATION_TRACES: View = View {
    schema: "ethereum",
    name: "creation_traces",
    doc: "One row per contract created.",
    columns: &[
        col("block_time", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("tx_hash", Hash, "Transaction that created it."),
        col("address", Address, "The contract."),
        col("from", Address, "Contract or account that created it."),
        col("code", Bytes, "Code that was deployed."),
    ],
    sql: "select block_timestamp as block_time, block_number, transaction_hash as tx_hash, address, \
          coalesce(factory_address, creator_address) as \"from\", bytecode as code from ethereum.contracts",
};

pub(super) const ERC20: View = View {
    schema: "tokens",
    name: "erc20",
    doc: "One row per ERC-20 contract, with what it answers about itself where it was asked.",
    columns: &[
        col("blockchain", Text, "Always `ethereum`."),
        col("contract_address", Address, "The token."),
        opt("symbol", Text, "What `symbol()` answers."),
        opt("name", Text, "What `name()` answers."),
        opt("decimals", Int32, "What `decimals()` answers."),
    ],
    // A contract may be destroyed and created again at the same address: the last one counts.
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, address as contract_address, symbol, name, decimals \
          from (select address, symbol, name, decimals, is_erc20, \
          row_number() over (partition by address order by block_number desc, create_index desc) as place \
          from ethereum.contracts) where place = 1 and is_erc20",
};
