//! Addresses by what they hold: one metric for each balance that has to be reached.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::ether::moves;

macro_rules! holders {
    ($name:ident, $tier:literal, $path:literal, $aliases:expr, $least:literal, $title:expr, $en:literal, $zh:literal) => {
        pub(super) const $name: Metric = Metric {
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
            scale: 0,
            form: Form::Number,
            sources: &["traces", "transactions", "blocks", "withdrawals"],
            needs: |_| true,
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
