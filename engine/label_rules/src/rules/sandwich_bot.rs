//! A10: sandwich attackers.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A10",
    name: "sandwich-bot",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Sandwich bot", zh: "三明治机器人" },
    text: Both {
        en: "Two trades in one block and one pool, from the same sender to the same contract, in opposite directions, the second sells exactly what the first bought, and at least one transaction lies between. Contracts that many people call are routers and do not count.",
        zh: "同一区块、同一池中的两笔交易，发送人与合约相同、方向相反，后者恰好卖出前者所买数额，且其间至少有一笔交易；许多人调用的合约视为路由，不计。",
    },
    value: Both { en: "sandwiches", zh: "三明治次数" },
    labels: &["sandwich-bot", "sandwich-contract"],
    inputs: &[START, END],
    parameters: &[
        ROUTER_SENDERS,
        whole("min_between", 2, 1, 1_000, "Smallest distance of the two transactions in the block", "两笔交易在区块中的最小距离"),
    ],
    source: "duneanalytics/spellbook dex.sandwiches",
    steps: &[
        step("routers", "<routers>"),
        step("swaps", "<swaps>"),
        step(
            "trades",
            "select s.*, t.from_address, t.to_address from (<swaps>) s join transactions t on t.hash = s.transaction_hash
where t.to_address not in (<routers>)",
        ),
        step(
            "pieces",
            "select f.from_address, f.to_address, f.pool, f.block_number, f.transaction_hash
from (<trades>) f join (<trades>) b on b.block_number = f.block_number and b.pool = f.pool
  and b.from_address = f.from_address and b.to_address = f.to_address
where b.transaction_index >= f.transaction_index + {{min_between}}
  and (f.out0 > 0 and f.in1 > 0 and b.in0 = f.out0 and b.out1 > 0
    or f.out1 > 0 and f.in0 > 0 and b.in1 = f.out1 and b.out0 > 0)",
        ),
    ],
    rows: Rows::Labels(
        "select from_address as address, 'sandwich-bot' as label, 'EOA' as label_type, count(distinct transaction_hash) as value,
  count(distinct pool) as pools, min(to_address) as counterpart, max(block_number) as last_block, min(transaction_hash) as one_of_them
from (<pieces>) p group by from_address
union all
select to_address, 'sandwich-contract', 'CONTRACT', count(distinct transaction_hash), count(distinct pool), min(from_address),
  max(block_number), min(transaction_hash)
from (<pieces>) p group by to_address",
    ),
};
