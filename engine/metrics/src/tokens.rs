//! Tokens.

use crate::metric::{Both, Category, Kind, Metric};

pub(super) const ALL: [&Metric; 5] = [&TRANSFERS, &ERC20_TRANSFERS, &NFT_TRANSFERS, &ACTIVE_TOKENS, &NEW_CONTRACTS];

const TRANSFERS: Metric = Metric {
    category: Category::Tokens,
    name: "transfers",
    aliases: &["transfer-count"],
    title: Both { en: "Token transfers", zh: "代币转账" },
    definition: Both {
        en: "Tokens moved: ERC-20, ERC-721 and each item of an ERC-1155 transfer.",
        zh: "代币转账次数：ERC-20、ERC-721 以及 ERC-1155 转账中的每一项。",
    },
    formula: "count(token_transfers)",
    unit: "transfers",
    kind: Kind::Sum,
    sources: &["token_transfers"],
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from token_transfers group by 1",
    value: |period, _| Some((period.fungible_moves + period.unique_moves).into()),
    ..Metric::BASE
};

const ERC20_TRANSFERS: Metric = Metric {
    category: Category::Tokens,
    name: "erc20-transfers",
    title: Both { en: "ERC-20 transfers", zh: "ERC-20 转账" },
    definition: Both { en: "Transfers of ERC-20 tokens.", zh: "ERC-20 代币的转账次数。" },
    formula: "count(token_transfers) where standard = 'erc20'",
    unit: "transfers",
    kind: Kind::Sum,
    sources: &["token_transfers"],
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from token_transfers where standard = \
          'erc20' group by 1",
    value: |period, _| Some(period.fungible_moves.into()),
    ..Metric::BASE
};

const NFT_TRANSFERS: Metric = Metric {
    category: Category::Tokens,
    name: "nft-transfers",
    title: Both { en: "NFT transfers", zh: "NFT 转账" },
    definition: Both {
        en: "Transfers of ERC-721 tokens and of each item of ERC-1155 transfers.",
        zh: "ERC-721 代币的转账以及 ERC-1155 转账中的每一项。",
    },
    formula: "count(token_transfers) where standard in ('erc721', 'erc1155')",
    unit: "transfers",
    kind: Kind::Sum,
    sources: &["token_transfers"],
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from token_transfers where standard in \
          ('erc721', 'erc1155') group by 1",
    value: |period, _| Some(period.unique_moves.into()),
    ..Metric::BASE
};

const ACTIVE_TOKENS: Metric = Metric {
    category: Category::Tokens,
    name: "active-tokens",
    aliases: &["active"],
    title: Both { en: "Active tokens", zh: "活跃代币" },
    definition: Both {
        en: "Token contracts of which something moved; each counts once in a period.",
        zh: "有转账发生的代币合约，每个合约在一个周期内只计一次。",
    },
    formula: "count(distinct token_address)",
    unit: "contracts",
    kind: Kind::Distinct,
    sources: &["token_transfers"],
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(distinct token_address) as v from token_transfers \
          group by 1",
    value: |period, _| Some(period.active_tokens.into()),
    ..Metric::BASE
};

const NEW_CONTRACTS: Metric = Metric {
    category: Category::Tokens,
    name: "new-contracts",
    title: Both { en: "New contracts", zh: "新建合约" },
    definition: Both {
        en: "Contracts made by transactions and by other contracts. Known only where the lake has traces.",
        zh: "由交易或其他合约创建的合约；仅在数据湖包含调用轨迹时可知。",
    },
    formula: "count(contracts)",
    unit: "contracts",
    kind: Kind::Sum,
    sources: &["contracts"],
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from contracts group by 1",
    value: |period, _| Some(period.contracts.into()),
    ..Metric::BASE
};
