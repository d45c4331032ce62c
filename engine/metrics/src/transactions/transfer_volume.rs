//! Ether transferred, total.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const TRANSFER_VOLUME_TOTAL: Metric = Metric {
    category: Category::Transactions,
    name: "transfer-volume-total",
    aliases: &["transfer-volume"],
    title: Both { en: "Ether transferred, total", zh: "以太币转账总额" },
    definition: Both {
        en: "Ether that successful transactions carried. Ether moved inside contracts is not in it.",
        zh: "成功交易携带的以太币，不含合约内部转账。",
    },
    formula: "sum(value) / 10^18 where receipt_status is not 0",
    unit: "ETH",
    kind: Kind::Sum,
    scale: 18,
    form: Form::Text,
    sources: &["transactions"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', block_timestamp) as t, to_eth(sum(value)) as v from transactions where \
          (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.volume),
};
