//! Who lets whom move tokens, as decoded events under Dune's names.

use super::View;
use super::columns::{
    EVENT_CONTRACT, EVENT_DATE, EVENT_INDEX, EVENT_NUMBER, EVENT_TIME, EVENT_TX_HASH, EVENT_TX_INDEX,
};
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, opt};

const OWNER: Column = opt("owner", Address, "Whose tokens they are.");
const OPERATOR: Column = opt("operator", Address, "Who may move all of them.");
const APPROVED: Column = opt("approved", Bool, "Whether it may from now on.");

/// The columns that every event has.
macro_rules! event {
    () => {
        "select address as contract_address, transaction_hash as evt_tx_hash, transaction_index as evt_tx_index, \
         log_index as evt_index, block_timestamp as evt_block_time, block_number as evt_block_number, \
         cast(block_timestamp as date) as evt_block_date, "
    };
}

/// The same event says an amount for ERC-20, in its data, and an id for ERC-721, in a topic.
macro_rules! approval {
    () => {
        " from ethereum.logs where topic0 = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925' "
    };
}

macro_rules! approval_for_all {
    () => {
        concat!(
            event!(),
            "abi_address(topic1) as owner, abi_address(topic2) as operator, uint256(abi_word(data, 0)) <> 0 as approved \
             from ethereum.logs where topic0 = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31' \
             and topic2 is not null and topic3 is null"
        )
    };
}

pub(super) const ERC20: View = View {
    schema: "erc20_ethereum",
    name: "evt_approval",
    doc: "One row per ERC-20 Approval event.",
    columns: &[
        EVENT_CONTRACT,
        EVENT_TX_HASH,
        EVENT_TX_INDEX,
        EVENT_INDEX,
        EVENT_TIME,
        EVENT_NUMBER,
        EVENT_DATE,
        OWNER,
        opt("spender", Address, "Who may move them."),
        opt("value", Uint256, "How much of them, in the token's smallest unit.").unit("smallest unit"),
    ],
    sql: concat!(
        event!(),
        "abi_address(topic1) as owner, abi_address(topic2) as spender, uint256(abi_word(data, 0)) as value",
        approval!(),
        "and topic2 is not null and topic3 is null"
    ),
};

pub(super) const ERC721: View = View {
    schema: "erc721_ethereum",
    name: "evt_approval",
    doc: "One row per ERC-721 Approval event.",
    columns: &[
        EVENT_CONTRACT,
        EVENT_TX_HASH,
        EVENT_TX_INDEX,
        EVENT_INDEX,
        EVENT_TIME,
        EVENT_NUMBER,
        EVENT_DATE,
        OWNER,
        opt("approved", Address, "Who may move it; the zero address when nobody may any more."),
        opt("tokenid", Uint256, "Id of the token."),
    ],
    sql: concat!(
        event!(),
        "abi_address(topic1) as owner, abi_address(topic2) as approved, uint256(topic3) as tokenid",
        approval!(),
        "and topic3 is not null"
    ),
};

/// The event is the same for ERC-721 and ERC-1155: what the contract is tells which it belongs to.
pub(super) const ERC721_ALL: View = View {
    schema: "erc721_ethereum",
    name: "evt_approvalforall",
    doc: "One row per ApprovalForAll event of a contract that is ERC-721 by its code.",
    columns: &[
        EVENT_CONTRACT,
        EVENT_TX_HASH,
        EVENT_TX_INDEX,
        EVENT_INDEX,
        EVENT_TIME,
        EVENT_NUMBER,
        EVENT_DATE,
        OWNER,
        OPERATOR,
        APPROVED,
    ],
    sql: concat!(approval_for_all!(), " and address in (select address from ethereum.contracts where is_erc721)"),
};

pub(super) const ERC1155_ALL: View = View {
    schema: "erc1155_ethereum",
    name: "evt_approvalforall",
    doc: "One row per ApprovalForAll event of a contract that is ERC-1155 by its code.",
    columns: ERC721_ALL.columns,
    sql: concat!(approval_for_all!(), " and address in (select address from ethereum.contracts where is_erc1155)"),
};
