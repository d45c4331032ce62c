//! Contracts and tokens, under the names of Dune and BigQuery.

use super::View;
use super::columns::{BLOCKCHAIN, OWN_NAME, OWN_SYMBOL};
use quarry_lake::tables::column::{ColumnType::*, col, opt};

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
        col("code", Bytes, "Deployed code."),
    ],
    sql: "select block_timestamp as block_time, block_number, transaction_hash as tx_hash, address, \
          coalesce(factory_address, creator_address) as \"from\", bytecode as code from ethereum.contracts",
};

pub(super) const ERC20: View = View {
    schema: "tokens",
    name: "erc20",
    doc: "One row per ERC-20 contract, with the symbol, name and decimals that it returns, if they were read.",
    columns: &[
        BLOCKCHAIN,
        col("contract_address", Address, "The token."),
        OWN_SYMBOL,
        OWN_NAME,
        opt("decimals", Int32, "The result of `decimals()`."),
    ],
    // A contract may be destroyed and created again at the same address: the last one counts.
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, address as contract_address, symbol, name, decimals \
          from (select address, symbol, name, decimals, is_erc20, \
          row_number() over (partition by address order by block_number desc, create_index desc) as place \
          from ethereum.contracts) where place = 1 and is_erc20",
};

pub(super) const NFT: View = View {
    schema: "tokens",
    name: "nft",
    doc: "One row per ERC-721 or ERC-1155 contract, with the symbol and name that it returns, if they were read.",
    columns: &[
        BLOCKCHAIN,
        col("contract_address", Address, "The token."),
        OWN_SYMBOL,
        OWN_NAME,
        opt("standard", Text, "`erc721` or `erc1155`."),
    ],
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, address as contract_address, symbol, name, \
          arrow_cast(case when is_erc721 then 'erc721' else 'erc1155' end, 'Utf8View') as standard \
          from (select address, symbol, name, is_erc721, is_erc1155, \
          row_number() over (partition by address order by block_number desc, create_index desc) as place \
          from ethereum.contracts) where place = 1 and (is_erc721 or is_erc1155)",
};

pub(super) const TOKENS: View = View {
    schema: "ethereum",
    name: "tokens",
    doc: "One row per ERC-20 contract created, with the symbol, name and decimals that it returns, if they were read.",
    columns: &[
        col("address", Address, "The token."),
        OWN_SYMBOL,
        OWN_NAME,
        opt("decimals", Int32, "The result of `decimals()`."),
        col("block_timestamp", Time, "Time of the block, UTC."),
        col("block_number", Int64, "Height of the block."),
        col("block_hash", Hash, "Hash of the block."),
    ],
    sql: "select address, symbol, name, decimals, block_timestamp, block_number, block_hash \
          from ethereum.contracts where is_erc20",
};
