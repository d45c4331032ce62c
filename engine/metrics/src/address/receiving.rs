//! Receiving addresses.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const RECEIVING: Metric = Metric {
    category: Category::Address,
    name: "receiving",
    aliases: &["receiving-addresses"],
    title: Both { en: "Receiving addresses", zh: "接收地址" },
    definition: Both {
        en: "Addresses that received ether from a successful transaction; each counts once in a period. Ether moved inside contracts is not in it.",
        zh: "通过成功交易接收过以太币的地址，每个地址在一个周期内只计一次，不含合约内部转账。",
    },
    formula: "count(distinct to_address) where value > 0 and receipt_status is not 0",
    unit: "addresses",
    kind: Kind::Distinct,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(distinct to_address) as v from transactions where \
          value > 0 and (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.receivers.into()),
};
