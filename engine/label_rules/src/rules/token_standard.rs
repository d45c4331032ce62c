//! B3: token contracts by standard.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B3",
    name: "token-standard",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Token standard", zh: "代币标准" },
    text: Both {
        en: "Transfer events with three topics are ERC-20, with four ERC-721; TransferSingle and TransferBatch are ERC-1155.",
        zh: "三个主题的 Transfer 事件为 ERC-20，四个为 ERC-721；TransferSingle 与 TransferBatch 为 ERC-1155。",
    },
    value: Both { en: "transfers", zh: "转移次数" },
    labels: &["erc20-token", "erc721-collection", "erc1155-collection"],
    inputs: &[START, END, CONTRACT],
    parameters: &[],
    source: "EIP-20, EIP-721, EIP-1155",
    steps: &[],
    rows: Rows::Labels(
        "select token_address as address,
  case standard when 'erc20' then 'erc20-token' when 'erc721' then 'erc721-collection' else 'erc1155-collection' end as label,
  case standard when 'erc20' then 'TOKEN' else 'NFT' end as label_type,
  count(*) as value, count(distinct to_address) as receivers, min(block_timestamp) as first_transfer,
  max(block_timestamp) as last_transfer
from token_transfers
where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  [[and token_address = {{contract}}]]
group by token_address, standard",
    ),
};
