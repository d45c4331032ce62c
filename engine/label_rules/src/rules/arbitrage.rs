//! A12: circular trades on decentralized exchanges.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A12",
    name: "arbitrage",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Arbitrage", zh: "套利" },
    text: Both {
        en: "One transaction with at least two Swap events on different pools whose first token in is the last token out. The tokens of a pool are those of the event that made it. Contracts that many people call are routers and do not count.",
        zh: "一笔交易在不同池中有至少两个 Swap 事件，首个投入的代币即最后得到的代币；池的代币取自其创建事件；许多人调用的合约视为路由，不计。",
    },
    value: Both { en: "arbitrage transactions", zh: "套利交易数" },
    labels: &["arbitrage-bot", "arbitrage-contract"],
    inputs: &[START, END],
    parameters: &[ROUTER_SENDERS],
    source: "ours, after Dune's dex.atomic_arbitrages",
    steps: &[
        step("pools", "<pools>"),
        step("routers", "<routers>"),
        step(
            "legs",
            "select s.transaction_hash, s.log_index, s.pool, case when s.in0 > 0 then p.token0 else p.token1 end as paid,
case when s.out0 > 0 then p.token0 else p.token1 end as got,
row_number() over (partition by s.transaction_hash order by s.log_index rows unbounded preceding) as place,
count(*) over (partition by s.transaction_hash) as legs
from (<swaps>) s join (<pools>) p on p.pool = s.pool",
        ),
        step(
            "circles",
            "select t.from_address, t.to_address, f.transaction_hash, f.legs, f.paid as token, t.block_timestamp
from (<legs>) f join (<legs>) l on l.transaction_hash = f.transaction_hash and l.place = l.legs
join transactions t on t.hash = f.transaction_hash
where f.place = 1 and f.legs >= 2 and l.got = f.paid and l.pool <> f.pool and t.to_address not in (<routers>)",
        ),
    ],
    rows: Rows::Labels(
        "select from_address as address, 'arbitrage-bot' as label, 'EOA' as label_type, count(*) as value,
  min(to_address) as counterpart, min(token) as token, max(block_timestamp) as last_at, min(transaction_hash) as one_of_them
from (<circles>) c group by from_address
union all
select to_address, 'arbitrage-contract', 'CONTRACT', count(*), min(from_address), min(token), max(block_timestamp),
  min(transaction_hash)
from (<circles>) c group by to_address",
    ),
};
