//! Sending addresses.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const SENDING: Metric = Metric {
    category: Category::Address,
    name: "sending",
    aliases: &["sending-addresses"],
    title: Both { en: "Sending addresses", zh: "发送地址" },
    definition: Both {
        en: "Addresses that sent ether with a successful transaction; each counts once in a period.",
        zh: "通过成功交易发送过以太币的地址，每个地址在一个周期内只计一次。",
    },
    formula: "count(distinct from_address) where value > 0 and receipt_status is not 0",
    unit: "addresses",
    kind: Kind::Distinct,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(distinct from_address) as v from transactions where \
          value > 0 and (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.senders.into()),
};
