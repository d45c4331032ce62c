//! Gas price, median.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const GAS_PRICE_MEDIAN: Metric = Metric {
    category: Category::Fees,
    name: "transaction-gas-price-median",
    aliases: &["gas-price-median"],
    title: Both { en: "Gas price, median", zh: "Gas 价格中位数" },
    definition: Both {
        en: "Median price per gas that transactions of the period paid; of an even count, the mean of the two in the middle.",
        zh: "周期内交易实际支付的 Gas 价格中位数；总数为偶数时取中间两个的平均。",
    },
    formula: "median(receipt_effective_gas_price) / 10^9",
    unit: "gwei",
    kind: Kind::Mean,
    scale: 10,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select t, avg(x) / 1000000000 as v from (select date_trunc('{unit}', block_timestamp) as t, \
          coalesce(receipt_effective_gas_price, gas_price) as x, row_number() over (partition by date_trunc('{unit}', \
          block_timestamp) order by coalesce(receipt_effective_gas_price, gas_price)) as place, count(*) over \
          (partition by date_trunc('{unit}', block_timestamp)) as n from transactions where true) as ranked where 2 * \
          place between n and n + 2 group by t",
    value: |period, _| period.prices.median_tenths(),
};
