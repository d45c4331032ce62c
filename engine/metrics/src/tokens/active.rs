//! Active tokens.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const ACTIVE_TOKENS: Metric = Metric {
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
    scale: 0,
    form: Form::Number,
    sources: &["token_transfers"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(distinct token_address) as v from token_transfers \
          group by 1",
    value: |period, _| Some(period.active_tokens.into()),
};
