//! Transactions.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const TRANSACTION_COUNT: Metric = Metric {
    category: Category::Transactions,
    name: "transaction-count",
    aliases: &["count"],
    title: Both { en: "Transactions", zh: "交易数" },
    definition: Both {
        en: "Transactions in the blocks of the period, failed ones too.",
        zh: "周期内区块中的交易，含失败交易。",
    },
    formula: "count(transactions)",
    unit: "transactions",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from transactions group by 1",
    value: |period, _| Some(period.transactions.into()),
};
