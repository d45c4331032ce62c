//! A9: traders on decentralized exchanges.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A9",
    name: "dex-trader",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "DEX trader", zh: "DEX 交易者" },
    text: Both {
        en: "Sender of a transaction with a Swap event of Uniswap's second or third form; tiers of 1, 10, 100 and 1,000 such transactions.",
        zh: "发送过含 Uniswap V2 或 V3 形式 Swap 事件的交易；按 1、10、100、1,000 笔分级。",
    },
    value: Both { en: "transactions with swaps", zh: "含兑换的交易数" },
    labels: &["dex-trader", "dex-trader-10", "dex-trader-100", "dex-trader-1000"],
    inputs: &[START, END, CONTRACT],
    parameters: &[],
    source: "duneanalytics/spellbook dex traders; the tiers are ours",
    steps: &[],
    rows: Rows::Labels(
        "select address, case when n >= 1000 then 'dex-trader-1000' when n >= 100 then 'dex-trader-100'
  when n >= 10 then 'dex-trader-10' else 'dex-trader' end as label, 'EOA' as label_type, n as value, pools, swaps,
  first_swap, last_swap
from (
  select t.from_address as address, count(distinct t.hash) as n, count(distinct l.address) as pools, count(*) as swaps,
    min(t.block_timestamp) as first_swap, max(t.block_timestamp) as last_swap
  from logs l join transactions t on t.hash = l.transaction_hash
  where l.topic0 in ('0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
      '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67')
    and l.block_timestamp >= cast({{from}} as timestamp) and l.block_timestamp < cast({{to}} as timestamp)
    [[and l.address = {{contract}}]]
  group by t.from_address) s",
    ),
};
