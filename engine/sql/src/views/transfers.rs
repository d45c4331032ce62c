//! Token transfers as decoded events, under Dune's names.

use super::View;
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

const CONTRACT: Column = col("contract_address", Address, "Token contract.");
const TX_HASH: Column = col("evt_tx_hash", Hash, "Transaction that caused it.");
const TX_INDEX: Column = col("evt_tx_index", Int64, "Place of the transaction in the block.");
const INDEX: Column = col("evt_index", Int64, "Place of its log among the logs of the block.");
const TIME: Column = col("evt_block_time", Time, "Time of the block, UTC.");
const NUMBER: Column = col("evt_block_number", Int64, "Height of the block.");
const DATE: Column = opt("evt_block_date", Date, "Day of the block, UTC.");
const FROM: Column = opt("from", Address, "Giver; the zero address for a mint.");
const TO: Column = opt("to", Address, "Receiver; the zero address for a burn.");

pub(super) const ERC20: View = View {
    schema: "erc20_ethereum",
    name: "evt_transfer",
    doc: "One row per ERC-20 Transfer event.",
    columns: &[
        CONTRACT,
        TX_HASH,
        TX_INDEX,
        INDEX,
        TIME,
        NUMBER,
        DATE,
        FROM,
        TO,
        opt("value", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
    ],
    sql: "select token_address as contract_address, transaction_hash as evt_tx_hash, \
          transaction_index as evt_tx_index, log_index as evt_index, block_timestamp as evt_block_time, \
          block_number as evt_block_number, cast(block_timestamp as date) as evt_block_date, \
          from_address as \"from\", to_address as \"to\", value \
          from ethereum.token_transfers where standard = 'erc20'",
};

pub(super) const ERC721: View = View {
    schema: "erc721_ethereum",
    name: "evt_transfer",
    doc: "One row per ERC-721 Transfer event.",
    columns: &[
        CONTRACT,
        TX_HASH,
        TX_INDEX,
        INDEX,
        TIME,
        NUMBER,
        DATE,
        FROM,
        TO,
        opt("tokenid", Uint256, "Id of the token."),
    ],
    sql: "select token_address as contract_address, transaction_hash as evt_tx_hash, \
          transaction_index as evt_tx_index, log_index as evt_index, block_timestamp as evt_block_time, \
          block_number as evt_block_number, cast(block_timestamp as date) as evt_block_date, \
          from_address as \"from\", to_address as \"to\", token_id as tokenid \
          from ethereum.token_transfers where standard = 'erc721'",
};

const OPERATOR: Column = opt("operator", Address, "Who moved it.");

pub(super) const ERC1155_SINGLE: View = View {
    schema: "erc1155_ethereum",
    name: "evt_transfersingle",
    doc: "One row per ERC-1155 TransferSingle event.",
    columns: &[
        CONTRACT,
        TX_HASH,
        TX_INDEX,
        INDEX,
        TIME,
        NUMBER,
        DATE,
        OPERATOR,
        FROM,
        TO,
        opt("id", Uint256, "Id of the token."),
        opt("value", Uint256, "Amount.").unit("smallest unit"),
    ],
    sql: "select address as contract_address, transaction_hash as evt_tx_hash, transaction_index as evt_tx_index, \
          log_index as evt_index, block_timestamp as evt_block_time, block_number as evt_block_number, \
          cast(block_timestamp as date) as evt_block_date, abi_address(topic1) as operator, \
          abi_address(topic2) as \"from\", abi_address(topic3) as \"to\", \
          uint256(abi_word(data, 0)) as id, uint256(abi_word(data, 1)) as value \
          from ethereum.logs \
          where topic0 = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62' and topic3 is not null",
};

pub(super) const ERC1155_BATCH: View = View {
    schema: "erc1155_ethereum",
    name: "evt_transferbatch",
    doc: "One row per ERC-1155 TransferBatch event.",
    columns: &[
        CONTRACT,
        TX_HASH,
        TX_INDEX,
        INDEX,
        TIME,
        NUMBER,
        DATE,
        OPERATOR,
        FROM,
        TO,
        opt("ids", ListUint256, "Ids of the tokens."),
        opt("values", ListUint256, "Amounts, in the order of the ids.").unit("smallest unit"),
    ],
    sql: "select address as contract_address, transaction_hash as evt_tx_hash, transaction_index as evt_tx_index, \
          log_index as evt_index, block_timestamp as evt_block_time, block_number as evt_block_number, \
          cast(block_timestamp as date) as evt_block_date, abi_address(topic1) as operator, \
          abi_address(topic2) as \"from\", abi_address(topic3) as \"to\", \
          abi_words(data, 0) as ids, abi_words(data, 1) as \"values\" \
          from ethereum.logs \
          where topic0 = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb' and topic3 is not null",
};
