//! M6: fee recipients of blocks by income.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "M6",
    name: "miner-rank",
    category: Category::MonthlyReport,
    version: 1,
    title: Both { en: "Miner rank", zh: "矿工排名" },
    text: Both {
        en: "Fee recipients of the month's blocks, ranked by blocks and by the priority fees they received.",
        zh: "当月区块的手续费接收者，按区块数与所得优先费排名。",
    },
    value: Both { en: "rank by blocks", zh: "区块数名次" },
    labels: &["miner-rank"],
    inputs: &[MONTH],
    parameters: &[whole("ranks", 100, 1, 10_000, "Ranks that are listed", "列出的名次")],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "with mined as (
    select miner, count(*) as blocks from blocks
    where timestamp >= cast({{from}} as timestamp) and timestamp < cast({{to}} as timestamp) group by miner),
earned as (
    select b.miner, sum(t.receipt_gas_used * (t.receipt_effective_gas_price - coalesce(b.base_fee_per_gas, 0))) as fees
    from transactions t join blocks b on b.number = t.block_number
    where t.block_timestamp >= cast({{from}} as timestamp) and t.block_timestamp < cast({{to}} as timestamp) group by b.miner),
ranked as (
    select m.miner, m.blocks, coalesce(e.fees, 0) as fees, rank() over (order by m.blocks desc) as by_blocks,
      rank() over (order by coalesce(e.fees, 0) desc) as by_fees
    from mined m left join earned e on e.miner = m.miner)
select miner as address, 'miner-rank' as label, 'MINER' as label_type, by_blocks as value, blocks, fees as fees_wei, by_fees
from ranked where by_blocks <= {{ranks}} or by_fees <= {{ranks}}",
    ),
};
