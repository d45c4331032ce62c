//! Gas price, mean.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::number;

pub(super) const GAS_PRICE_MEAN: Metric = Metric {
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
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, avg(coalesce(receipt_effective_gas_price, gas_price)) / \
          1000000000 as v from transactions group by 1",
    value: |period, _| number::mean(period.prices.sum, period.prices.count, 0),
};
