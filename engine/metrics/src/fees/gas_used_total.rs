//! Gas used, total.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const GAS_USED_TOTAL: Metric = Metric {
    category: Category::Fees,
    name: "gas-used-total",
    aliases: &[],
    title: Both { en: "Gas used, total", zh: "Gas 用量总计" },
    definition: Both {
        en: "Gas that all transactions of the period used.", zh: "周期内全部交易使用的 Gas。"
    },
    formula: "sum(receipt_gas_used)",
    unit: "gas",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, sum(receipt_gas_used) as v from transactions group by 1",
    value: |period, _| Some(period.gas.sum),
};
