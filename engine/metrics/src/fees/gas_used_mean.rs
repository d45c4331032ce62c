//! Gas used, mean.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::number;

pub(super) const GAS_USED_MEAN: Metric = Metric {
    category: Category::Fees,
    name: "gas-used-mean",
    aliases: &[],
    title: Both { en: "Gas used, mean", zh: "Gas 用量均值" },
    definition: Both {
        en: "Mean gas that a transaction of the period used.", zh: "周期内每笔交易平均使用的 Gas。"
    },
    formula: "avg(receipt_gas_used)",
    unit: "gas",
    kind: Kind::Mean,
    scale: 6,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, avg(receipt_gas_used) as v from transactions where \
          receipt_gas_used is not null group by 1",
    value: |period, _| number::mean(period.gas.sum, period.gas.count, 6),
};
