//! Transactions and the ether that they transfer.

use crate::metric::{Both, Category, Form, Kind, Metric};

pub(super) const ALL: [&Metric; 3] = [&TRANSACTION_COUNT, &TRANSFER_COUNT, &TRANSFER_VOLUME_TOTAL];

const TRANSACTION_COUNT: Metric = Metric {
    category: Category::Transactions,
    name: "transaction-count",
    aliases: &["count"],
    title: Both { en: "Transactions", zh: "交易数" },
    definition: Both {
        en: "Transactions in the blocks of the period, failed ones too.",
        zh: "周期内区块中的交易，含失败交易。",
    },
    formula: "count(transactions)",
    unit: "transactions",
    kind: Kind::Sum,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from transactions group by 1",
    value: |period, _| Some(period.transactions.into()),
    ..Metric::BASE
};

const TRANSFER_COUNT: Metric = Metric {
    category: Category::Transactions,
    name: "transfer-count",
    title: Both { en: "Ether transfers", zh: "以太币转账数" },
    definition: Both { en: "Successful transactions that carried ether.", zh: "携带以太币的成功交易。" },
    formula: "count(transactions) where value > 0 and receipt_status is not 0",
    unit: "transactions",
    kind: Kind::Sum,
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(*) as v from transactions where value > 0 and \
          (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.transfers.into()),
    ..Metric::BASE
};

const TRANSFER_VOLUME_TOTAL: Metric = Metric {
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
    sql: "select date_trunc('{unit}', block_timestamp) as t, to_eth(sum(value)) as v from transactions where \
          (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.volume),
    ..Metric::BASE
};
