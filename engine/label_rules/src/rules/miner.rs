//! B4: miners and pools, by the fee recipients of blocks.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B4",
    name: "miner",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Miner and pool", zh: "矿工与矿池" },
    text: Both {
        en: "Fee recipient of a block. One with at least the given share of the period's blocks is a pool.",
        zh: "区块的手续费接收者；所占区块份额达到给定比例者为矿池。",
    },
    value: Both { en: "blocks", zh: "区块数" },
    labels: &["miner", "miner-pool"],
    inputs: &[START, END],
    parameters: &[fraction("pool_share", "0.01", "0.0001", "1", "Share of the blocks that makes a pool", "构成矿池的区块份额")],
    source: "duneanalytics/spellbook miners; the share is ours",
    steps: &[],
    rows: Rows::Labels(
        "with mined as (
    select miner, count(*) as blocks, min(number) as first_block, max(number) as last_block
    from blocks where timestamp >= cast({{from}} as timestamp) and timestamp < cast({{to}} as timestamp) group by miner),
whole as (select sum(blocks) as blocks from mined)
select m.miner as address, case when m.blocks >= w.blocks * {{pool_share}} then 'miner-pool' else 'miner' end as label,
  'MINER' as label_type, m.blocks as value, w.blocks as blocks_of_period, m.first_block, m.last_block
from mined m cross join whole w",
    ),
};
