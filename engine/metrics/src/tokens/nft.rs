//! NFT transfers.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const NFT_TRANSFERS: Metric = Metric {
    category: Category::Tokens,
    name: "nft-transfers",
    aliases: &[],
    title: Both { en: "NFT transfers", zh: "NFT 转账" },
    definition: Both {
        en: "Transfers of ERC-721 tokens and of each item of ERC-1155 transfers.",
        zh: "ERC-721 代币的转账以及 ERC-1155 转账中的每一项。",
    },
    formula: "count(token_transfers) where standard in ('erc721', 'erc1155')",
    unit: "transfers",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["token_transfers"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from token_transfers where standard in \
          ('erc721', 'erc1155') group by 1",
    value: |period, _| Some(period.unique_moves.into()),
};
