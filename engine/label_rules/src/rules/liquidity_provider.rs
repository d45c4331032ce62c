//! A13: providers of liquidity, and those that move it to a competing pool.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A13",
    name: "liquidity-provider",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Liquidity provider, vampire migrator", zh: "流动性提供者与吸血鬼迁移者" },
    text: Both {
        en: "Provider: received shares of a pool from the zero address. Migrator: sent a transaction that burned shares of a pool and, within the given days, one that minted shares of another pool of the same two tokens. With a contract: providers of that pool, and those who left it.",
        zh: "提供者：从零地址收到池份额；迁移者：先发送了销毁某池份额的交易，并在给定天数内发送了铸造另一同币对池份额的交易。指定合约时只看该池的提供者与离开者。",
    },
    value: Both { en: "times shares were minted, or moves", zh: "铸造份额次数或迁移次数" },
    labels: &["liquidity-provider", "vampire-migrator"],
    inputs: &[START, END, CONTRACT],
    parameters: &[whole("days", 7, 1, 365, "Days between leaving and entering", "离开与进入之间的天数")],
    source: "ours; the seven days are those of the SushiSwap migration",
    steps: &[
        step("contracts", "<contracts>"),
        step("pools", "<pools>"),
        step(
            "changes",
            "select t.from_address as who, l.address as pool, p.token0, p.token1, l.block_timestamp as at,
case when l.topic0 = '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496' then 1 else 0 end as left_it
from logs l join (<pools>) p on p.pool = l.address join transactions t on t.hash = l.transaction_hash
where l.topic0 in ('0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
    '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f')
  and l.block_timestamp >= cast({{from}} as timestamp) and l.block_timestamp < cast({{to}} as timestamp)",
        ),
    ],
    rows: Rows::Labels(
        "select m.to_address as address, 'liquidity-provider' as label, 'EOA' as label_type, count(*) as value,
  count(distinct m.token_address) as pools, min(m.token_address) as one_of_them, cast(null as varchar) as rival,
  min(m.block_timestamp) as first_at, max(m.block_timestamp) as last_at
from token_transfers m join (<pools>) p on p.pool = m.token_address
where m.from_address = '0x0000000000000000000000000000000000000000'
  and m.to_address <> '0x0000000000000000000000000000000000000000' and m.to_address not in (<contracts>)
  and m.block_timestamp >= cast({{from}} as timestamp) and m.block_timestamp < cast({{to}} as timestamp)
  [[and m.token_address = {{contract}}]]
group by m.to_address
union all
select l.who, 'vampire-migrator', 'EOA', count(*), count(distinct l.pool), min(l.pool),
  cast(min(e.pool) as varchar), min(l.at), max(e.at)
from (<changes>) l join (<changes>) e on e.who = l.who and e.token0 = l.token0 and e.token1 = l.token1
where l.left_it = 1 and e.left_it = 0 and e.pool <> l.pool and e.at >= l.at and e.at <= l.at + interval '{{days}}' day
  [[and l.pool = {{contract}}]]
group by l.who",
    ),
};
