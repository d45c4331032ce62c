//! New contracts.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const NEW_CONTRACTS: Metric = Metric {
    category: Category::Tokens,
    name: "new-contracts",
    aliases: &[],
    title: Both { en: "New contracts", zh: "新建合约" },
    definition: Both {
        en: "Contracts made by transactions and by other contracts. Known only where the lake has traces.",
        zh: "由交易或其他合约创建的合约；仅在数据湖包含调用轨迹时可知。",
    },
    formula: "count(contracts)",
    unit: "contracts",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["contracts"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from contracts group by 1",
    value: |period, _| Some(period.contracts.into()),
};
