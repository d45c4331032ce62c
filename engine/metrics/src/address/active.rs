//! Active addresses.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const ACTIVE: Metric = Metric {
    category: Category::Address,
    name: "active",
    aliases: &["active-addresses"],
    title: Both { en: "Active addresses", zh: "活跃地址" },
    definition: Both {
        en: "Addresses that sent or received a successful transaction; each counts once in a period.",
        zh: "成功发送或接收过交易的地址，每个地址在一个周期内只计一次。",
    },
    formula: "count(distinct address) over from_address and to_address where receipt_status is not 0",
    unit: "addresses",
    kind: Kind::Distinct,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select t, count(distinct a) as v from (select date_trunc('{unit}', block_timestamp) as t, from_address as a \
          from transactions where (receipt_status is distinct from 0) union all select date_trunc('{unit}', \
          block_timestamp), to_address from transactions where (receipt_status is distinct from 0)) as seen group by t",
    value: |period, _| Some(period.active_addresses.into()),
};
