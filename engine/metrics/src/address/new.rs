//! New addresses.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const NEW: Metric = Metric {
    category: Category::Address,
    name: "new",
    aliases: &["new-addresses"],
    title: Both { en: "New addresses", zh: "新增地址" },
    definition: Both {
        en: "Addresses that sent or received a successful transaction for the first time in the lake. A contract made by a transaction does not count until one is sent to it.",
        zh: "在数据湖中首次成功发送或接收交易的地址。由交易创建的合约，在首次被调用前不计入。",
    },
    formula: "count of addresses whose min(block_timestamp) over from_address and to_address, where receipt_status is not 0, lies in the period",
    unit: "addresses",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', first) as t, count(*) as v from (select a, min(block_timestamp) as first from \
          (select from_address as a, block_timestamp from transactions where (receipt_status is distinct from 0) union \
          all select to_address, block_timestamp from transactions where (receipt_status is distinct from 0) and \
          to_address is not null) as seen group by a) as firsts group by 1",
    value: |period, _| Some(period.new_addresses.into()),
};
