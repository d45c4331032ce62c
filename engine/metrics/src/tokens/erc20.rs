//! ERC-20 transfers.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const ERC20_TRANSFERS: Metric = Metric {
    category: Category::Tokens,
    name: "erc20-transfers",
    aliases: &[],
    title: Both { en: "ERC-20 transfers", zh: "ERC-20 转账" },
    definition: Both { en: "Transfers of ERC-20 tokens.", zh: "ERC-20 代币的转账次数。" },
    formula: "count(token_transfers) where standard = 'erc20'",
    unit: "transfers",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["token_transfers"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from token_transfers where standard = \
          'erc20' group by 1",
    value: |period, _| Some(period.fungible_moves.into()),
};
