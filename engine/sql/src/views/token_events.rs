//! Transfers and approvals of tokens as decoded events, under Dune's names.

use super::View;
use super::columns::{FROM, TO};
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, col, opt};

const TOKEN: Column = col("contract_address", Address, "Token contract.");
const CONTRACT: Column = col("contract_address", Address, "Contract that emitted it.");
const MOVED_BY: Column = opt("operator", Address, "Address that moved it.");
const OWNER: Column = opt("owner", Address, "Owner of the tokens.");
const OPERATOR: Column = opt("operator", Address, "Address that may transfer all of the owner's tokens.");
const APPROVED: Column = opt("approved", Bool, "Whether the operator is approved from now on.");

/// The columns of an event: the contract, where the event is, and its arguments.
macro_rules! columns {
    ($contract:expr, $($argument:expr),+ $(,)?) => {
        &[
            $contract,
            col("evt_tx_hash", Hash, "Transaction that caused it."),
            col("evt_tx_index", Int64, "Index of the transaction in the block."),
            col("evt_index", Int64, "Index of the log among the logs of the block."),
            col("evt_block_time", Time, "Time of the block, UTC."),
            col("evt_block_number", Int64, "Height of the block."),
            opt("evt_block_date", Date, "Day of the block, UTC."),
            $($argument),+
        ]
    };
}

/// The query of an event: its contract, its arguments, and the rows of a table.
macro_rules! event {
    ($contract:literal, $arguments:literal, $rows:expr) => {
        concat!(
            "select ",
            $contract,
            " as contract_address, transaction_hash as evt_tx_hash, transaction_index as evt_tx_index, \
             log_index as evt_index, block_timestamp as evt_block_time, block_number as evt_block_number, \
             cast(block_timestamp as date) as evt_block_date, ",
            $arguments,
            " from ",
            $rows
        )
    };
}

/// The same event has an amount in its data for ERC-20, and an id in a topic for ERC-721.
macro_rules! approval {
    ($condition:literal) => {
        concat!(
            "ethereum.logs where topic0 = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925' and ",
            $condition
        )
    };
}

/// The event is the same for ERC-721 and ERC-1155: it belongs to the standard of its contract.
macro_rules! approval_for_all {
    ($standard:literal) => {
        event!(
            "address",
            "abi_address(topic1) as owner, abi_address(topic2) as operator, uint256(abi_word(data, 0)) <> 0 as approved",
            concat!(
                "ethereum.logs where topic0 = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31' \
                 and topic2 is not null and topic3 is null and address in (select address from ethereum.contracts where ",
                $standard,
                ")"
            )
        )
    };
}

pub(super) const ERC20_TRANSFER: View = View {
    schema: "erc20_ethereum",
    name: "evt_transfer",
    doc: "One row per ERC-20 Transfer event.",
    columns: columns![
        TOKEN,
        FROM,
        TO,
        opt("value", Uint256, "Amount in the token's smallest unit.").unit("smallest unit"),
    ],
    sql: event!(
        "token_address",
        "from_address as \"from\", to_address as \"to\", value",
        "ethereum.token_transfers where standard = 'erc20'"
    ),
};

pub(super) const ERC20_APPROVAL: View = View {
    schema: "erc20_ethereum",
    name: "evt_approval",
    doc: "One row per ERC-20 Approval event.",
    columns: columns![
        CONTRACT,
        OWNER,
        opt("spender", Address, "Address that may transfer the tokens."),
        opt("value", Uint256, "Approved amount in the token's smallest unit.").unit("smallest unit"),
    ],
    sql: event!(
        "address",
        "abi_address(topic1) as owner, abi_address(topic2) as spender, uint256(abi_word(data, 0)) as value",
        approval!("topic2 is not null and topic3 is null")
    ),
};

pub(super) const ERC721_TRANSFER: View = View {
    schema: "erc721_ethereum",
    name: "evt_transfer",
    doc: "One row per ERC-721 Transfer event.",
    columns: columns![TOKEN, FROM, TO, opt("tokenid", Uint256, "Id of the token.")],
    sql: event!(
        "token_address",
        "from_address as \"from\", to_address as \"to\", token_id as tokenid",
        "ethereum.token_transfers where standard = 'erc721'"
    ),
};

pub(super) const ERC721_APPROVAL: View = View {
    schema: "erc721_ethereum",
    name: "evt_approval",
    doc: "One row per ERC-721 Approval event.",
    columns: columns![
        CONTRACT,
        OWNER,
        opt("approved", Address, "Address that may transfer the token; the zero address for none."),
        opt("tokenid", Uint256, "Id of the token."),
    ],
    sql: event!(
        "address",
        "abi_address(topic1) as owner, abi_address(topic2) as approved, uint256(topic3) as tokenid",
        approval!("topic3 is not null")
    ),
};

pub(super) const ERC721_APPROVAL_FOR_ALL: View = View {
    schema: "erc721_ethereum",
    name: "evt_approvalforall",
    doc: "One row per ApprovalForAll event of a contract whose code is ERC-721.",
    columns: columns![CONTRACT, OWNER, OPERATOR, APPROVED],
    sql: approval_for_all!("is_erc721"),
};

pub(super) const ERC1155_TRANSFER_SINGLE: View = View {
    schema: "erc1155_ethereum",
    name: "evt_transfersingle",
    doc: "One row per ERC-1155 TransferSingle event.",
    columns: columns![
        TOKEN,
        MOVED_BY,
        FROM,
        TO,
        opt("id", Uint256, "Id of the token."),
        opt("value", Uint256, "Amount.").unit("smallest unit"),
    ],
    sql: event!(
        "address",
        "abi_address(topic1) as operator, abi_address(topic2) as \"from\", abi_address(topic3) as \"to\", \
         uint256(abi_word(data, 0)) as id, uint256(abi_word(data, 1)) as value",
        "ethereum.logs \
         where topic0 = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62' and topic3 is not null"
    ),
};

pub(super) const ERC1155_TRANSFER_BATCH: View = View {
    schema: "erc1155_ethereum",
    name: "evt_transferbatch",
    doc: "One row per ERC-1155 TransferBatch event.",
    columns: columns![
        TOKEN,
        MOVED_BY,
        FROM,
        TO,
        opt("ids", ListUint256, "Ids of the tokens."),
        opt("values", ListUint256, "Amounts, in the order of the ids.").unit("smallest unit"),
    ],
    sql: event!(
        "address",
        "abi_address(topic1) as operator, abi_address(topic2) as \"from\", abi_address(topic3) as \"to\", \
         abi_words(data, 0) as ids, abi_words(data, 1) as \"values\"",
        "ethereum.logs \
         where topic0 = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb' and topic3 is not null"
    ),
};

pub(super) const ERC1155_APPROVAL_FOR_ALL: View = View {
    schema: "erc1155_ethereum",
    name: "evt_approvalforall",
    doc: "One row per ApprovalForAll event of a contract whose code is ERC-1155.",
    columns: ERC721_APPROVAL_FOR_ALL.columns,
    sql: approval_for_all!("is_erc1155"),
};
