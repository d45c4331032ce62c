//! Gas and its price.

use crate::metric::{Both, Category, Kind, Metric};
use crate::number;

pub(super) const ALL: [&Metric; 5] =
    [&GAS_USED_TOTAL, &GAS_USED_MEAN, &GAS_USED_MEDIAN, &GAS_PRICE_MEAN, &GAS_PRICE_MEDIAN];

const GAS_USED_TOTAL: Metric = Metric {
    category: Category::Fees,
    name: "gas-used-total",
    title: Both { en: "Gas used, total", zh: "Gas 用量总计" },
    definition: Both {
        en: "Gas that all transactions of the period used.", zh: "周期内全部交易使用的 Gas。"
    },
    formula: "sum(receipt_gas_used)",
    unit: "gas",
    kind: Kind::Sum,
    sql: "select date_trunc('{unit}', block_timestamp) as t, sum(receipt_gas_used) as v from transactions group by 1",
    value: |period, _| Some(period.gas.sum),
    ..Metric::BASE
};

const GAS_USED_MEAN: Metric = Metric {
    category: Category::Fees,
    name: "gas-used-mean",
    title: Both { en: "Gas used, mean", zh: "Gas 用量均值" },
    definition: Both {
        en: "Mean gas that a transaction of the period used.", zh: "周期内每笔交易平均使用的 Gas。"
    },
    formula: "avg(receipt_gas_used)",
    unit: "gas",
    kind: Kind::Mean,
    scale: 6,
    sql: "select date_trunc('{unit}', block_timestamp) as t, avg(receipt_gas_used) as v from transactions where \
          receipt_gas_used is not null group by 1",
    value: |period, _| number::mean(period.gas.sum, period.gas.count, 6),
    ..Metric::BASE
};

const GAS_USED_MEDIAN: Metric = Metric {
    category: Category::Fees,
    name: "gas-used-median",
    title: Both { en: "Gas used, median", zh: "Gas 用量中位数" },
    definition: Both {
        en: "Median gas that a transaction of the period used; of an even count, the mean of the two in the middle.",
        zh: "周期内单笔交易 Gas 用量的中位数；总数为偶数时取中间两个的平均。",
    },
    formula: "median(receipt_gas_used)",
    unit: "gas",
    kind: Kind::Mean,
    scale: 1,
    sql: "select t, avg(x) as v from (select date_trunc('{unit}', block_timestamp) as t, receipt_gas_used as x, \
          row_number() over (partition by date_trunc('{unit}', block_timestamp) order by receipt_gas_used) as place, \
          count(*) over (partition by date_trunc('{unit}', block_timestamp)) as n from transactions where \
          receipt_gas_used is not null) as ranked where 2 * place between n and n + 2 group by t",
    value: |period, _| period.gas.median_tenths(),
    ..Metric::BASE
};

const GAS_PRICE_MEAN: Metric = Metric {
    category: Category::Fees,
    name: "transaction-gas-price-mean",
    aliases: &["gas-price-mean"],
    title: Both { en: "Gas price, mean", zh: "Gas 价格均值" },
    definition: Both {
        en: "Mean price per gas that transactions of the period paid, each transaction with the same weight.",
        zh: "周期内交易实际支付的 Gas 价格均值，每笔交易权重相同。",
    },
    formula: "avg(receipt_effective_gas_price) / 10^9",
    unit: "gwei",
    kind: Kind::Mean,
    scale: 9,
    sql: "select date_trunc('{unit}', block_timestamp) as t, avg(coalesce(receipt_effective_gas_price, gas_price)) / \
          1000000000 as v from transactions group by 1",
    value: |period, _| number::mean(period.prices.sum, period.prices.count, 0),
    ..Metric::BASE
};

const GAS_PRICE_MEDIAN: Metric = Metric {
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
    sql: "select t, avg(x) / 1000000000 as v from (select date_trunc('{unit}', block_timestamp) as t, \
          coalesce(receipt_effective_gas_price, gas_price) as x, row_number() over (partition by date_trunc('{unit}', \
          block_timestamp) order by coalesce(receipt_effective_gas_price, gas_price)) as place, count(*) over \
          (partition by date_trunc('{unit}', block_timestamp)) as n from transactions where true) as ranked where 2 * \
          place between n and n + 2 group by t",
    value: |period, _| period.prices.median_tenths(),
    ..Metric::BASE
};
