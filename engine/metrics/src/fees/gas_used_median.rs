//! Gas used, median.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const GAS_USED_MEDIAN: Metric = Metric {
    category: Category::Fees,
    name: "gas-used-median",
    aliases: &[],
    title: Both { en: "Gas used, median", zh: "Gas 用量中位数" },
    definition: Both {
        en: "Median gas that a transaction of the period used; of an even count, the mean of the two in the middle.",
        zh: "周期内单笔交易 Gas 用量的中位数；总数为偶数时取中间两个的平均。",
    },
    formula: "median(receipt_gas_used)",
    unit: "gas",
    kind: Kind::Mean,
    scale: 1,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select t, avg(x) as v from (select date_trunc('{unit}', block_timestamp) as t, receipt_gas_used as x, \
          row_number() over (partition by date_trunc('{unit}', block_timestamp) order by receipt_gas_used) as place, \
          count(*) over (partition by date_trunc('{unit}', block_timestamp)) as n from transactions where \
          receipt_gas_used is not null) as ranked where 2 * place between n and n + 2 group by t",
    value: |period, _| period.gas.median_tenths(),
};
