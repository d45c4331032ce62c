//! Token transfers.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const TRANSFERS: Metric = Metric {
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
    scale: 0,
    form: Form::Number,
    sources: &["token_transfers"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from token_transfers group by 1",
    value: |period, _| Some((period.fungible_moves + period.unique_moves).into()),
};
