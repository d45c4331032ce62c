//! Ether transfers.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const TRANSFER_COUNT: Metric = Metric {
    category: Category::Transactions,
    name: "transfer-count",
    aliases: &[],
    title: Both { en: "Ether transfers", zh: "以太币转账数" },
    definition: Both { en: "Successful transactions that carried ether.", zh: "携带以太币的成功交易。" },
    formula: "count(transactions) where value > 0 and receipt_status is not 0",
    unit: "transactions",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from transactions where value > 0 and \
          (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.transfers.into()),
};
