//! Addresses: who takes part, and who holds how much.

use crate::ether::moves;
use crate::metric::{Both, Category, Kind, Metric};

pub(super) const ALL: [&Metric; 11] = [
    &NEW,
    &ACTIVE,
    &SENDING,
    &RECEIVING,
    &NON_ZERO,
    &AT_LEAST_0_1,
    &AT_LEAST_1,
    &AT_LEAST_10,
    &AT_LEAST_100,
    &AT_LEAST_1K,
    &AT_LEAST_10K,
];

const NEW: Metric = Metric {
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
    sql: "select date_trunc('{unit}', first) as t, count(*) as v from (select a, min(block_timestamp) as first from \
          (select from_address as a, block_timestamp from transactions where (receipt_status is distinct from 0) union \
          all select to_address, block_timestamp from transactions where (receipt_status is distinct from 0) and \
          to_address is not null) as seen group by a) as firsts group by 1",
    value: |period, _| Some(period.new_addresses.into()),
    ..Metric::BASE
};

const ACTIVE: Metric = Metric {
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
    sql: "select t, count(distinct a) as v from (select date_trunc('{unit}', block_timestamp) as t, from_address as a \
          from transactions where (receipt_status is distinct from 0) union all select date_trunc('{unit}', \
          block_timestamp), to_address from transactions where (receipt_status is distinct from 0)) as seen group by t",
    value: |period, _| Some(period.active_addresses.into()),
    ..Metric::BASE
};

const SENDING: Metric = Metric {
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
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(distinct from_address) as v from transactions where \
          value > 0 and (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.senders.into()),
    ..Metric::BASE
};

const RECEIVING: Metric = Metric {
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
    sql: "select date_trunc('{unit}', block_timestamp) as t, count(distinct to_address) as v from transactions where \
          value > 0 and (receipt_status is distinct from 0) group by 1",
    value: |period, _| Some(period.receivers.into()),
    ..Metric::BASE
};

macro_rules! holders {
    ($name:ident, $tier:literal, $path:literal, $aliases:expr, $least:literal, $title:expr, $en:literal, $zh:literal) => {
        const $name: Metric = Metric {
            category: Category::Address,
            name: $path,
            aliases: $aliases,
            title: $title,
            definition: Both {
                en: concat!(
                    "Addresses, contracts among them, that hold ",
                    $en,
                    " at the end of the period: what they received less what they sent and paid in fees, with rewards, tips \
                     and withdrawals, since the first block of the lake."
                ),
                zh: concat!(
                    "周期结束时持有",
                    $zh,
                    "的地址（含合约）：自数据湖首个区块起，收入减去支出与手续费，并计入奖励、小费与提款。"
                ),
            },
            formula: concat!("count of addresses whose sum of wei over all moves up to the end of the period >= ", $least),
            unit: "addresses",
            kind: Kind::State,
            sources: &["traces", "transactions", "blocks", "withdrawals"],
            sql: concat!(
                "with ",
                moves!(),
                " select t, sum(sum(step)) over (order by t rows between unbounded preceding and current row) as v \
                 from (select t, case when balance >= ",
                $least,
                " then 1 else 0 end - case when lag(balance) over (partition by a order by t) >= ",
                $least,
                " then 1 else 0 end as step from (select t, a, sum(wei) over (partition by a order by t rows between \
                 unbounded preceding and current row) as balance from (select t, a, sum(wei) as wei from moves group \
                 by t, a) as sums) as balances) as steps group by t"
            ),
            value: |_, standing| Some(standing.holders[$tier].into()),
            ..Metric::BASE
        };
    };
}

holders!(
    NON_ZERO,
    0,
    "non-zero-balance",
    &["non-zero", "non-zero-balances", "nonzero"],
    "1",
    Both { en: "Addresses with a balance", zh: "非零余额地址" },
    "more than 0 ETH",
    "大于 0 ETH"
);
holders!(
    AT_LEAST_0_1,
    1,
    "balance-0.1",
    &["min-0.1", "balance-gte-0.1"],
    "100000000000000000",
    Both { en: "Addresses with 0.1 ETH or more", zh: "余额至少 0.1 ETH 的地址" },
    "at least 0.1 ETH",
    "至少 0.1 ETH"
);
holders!(
    AT_LEAST_1,
    2,
    "balance-1",
    &["min-1", "balance-gte-1"],
    "1000000000000000000",
    Both { en: "Addresses with 1 ETH or more", zh: "余额至少 1 ETH 的地址" },
    "at least 1 ETH",
    "至少 1 ETH"
);
holders!(
    AT_LEAST_10,
    3,
    "balance-10",
    &["min-10", "balance-gte-10"],
    "10000000000000000000",
    Both { en: "Addresses with 10 ETH or more", zh: "余额至少 10 ETH 的地址" },
    "at least 10 ETH",
    "至少 10 ETH"
);
holders!(
    AT_LEAST_100,
    4,
    "balance-100",
    &["min-100", "balance-gte-100"],
    "100000000000000000000",
    Both { en: "Addresses with 100 ETH or more", zh: "余额至少 100 ETH 的地址" },
    "at least 100 ETH",
    "至少 100 ETH"
);
holders!(
    AT_LEAST_1K,
    5,
    "balance-1k",
    &["min-1k", "balance-gte-1k"],
    "1000000000000000000000",
    Both { en: "Addresses with 1,000 ETH or more", zh: "余额至少 1,000 ETH 的地址" },
    "at least 1,000 ETH",
    "至少 1,000 ETH"
);
holders!(
    AT_LEAST_10K,
    6,
    "balance-10k",
    &["min-10k", "balance-gte-10k"],
    "10000000000000000000000",
    Both { en: "Addresses with 10,000 ETH or more", zh: "余额至少 10,000 ETH 的地址" },
    "at least 10,000 ETH",
    "至少 10,000 ETH"
);
