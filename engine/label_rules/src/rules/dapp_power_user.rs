//! D2: the most active users of a DApp.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "D2",
    name: "dapp-power-user",
    category: Category::DappMonthlyReport,
    version: 1,
    title: Both { en: "DApp power user", zh: "DApp 重度用户" },
    text: Both {
        en: "Among the first 1, 5 or 10 per cent of the DApp's users of the month by transactions, with at least the given number of them.",
        zh: "当月该 DApp 用户中，按交易数位列前 1%、5% 或 10%，且达到最少交易数。",
    },
    value: Both { en: "transactions", zh: "交易数" },
    labels: &["dapp-power-user-1", "dapp-power-user-5", "dapp-power-user-10"],
    inputs: &[MONTH, DAPP, CONTRACT],
    parameters: &[whole(
        "min_transactions",
        2,
        1,
        1_000_000,
        "Fewest transactions that count as much use",
        "视为重度使用的最少交易数",
    )],
    source: "ours, after Dune's usage percentiles",
    steps: &[],
    rows: Rows::Labels(
        "select address, case when place <= 0.01 then 'dapp-power-user-1' when place <= 0.05 then 'dapp-power-user-5'
  else 'dapp-power-user-10' end as label, 'EOA' as label_type, n as value, name as entity,
  cast(place as decimal(9, 6)) as percent_rank
from (select address, name, n, percent_rank() over (partition by name order by n desc) as place from (
  select t.from_address as address, d.name, count(*) as n
  from transactions t join labels.dapps d on d.address = t.to_address
  where t.block_timestamp >= cast({{from}} as timestamp) and t.block_timestamp < cast({{to}} as timestamp)
    [[and d.name = {{dapp}}]] [[and d.address = {{contract}}]]
  group by t.from_address, d.name) u) r
where place <= 0.1 and n >= {{min_transactions}}",
    ),
};
