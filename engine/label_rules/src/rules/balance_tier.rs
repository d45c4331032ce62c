//! B5: tiers by ETH balance.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B5",
    name: "balance-tier",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Balance tier and whale", zh: "余额等级与巨鲸" },
    text: Both {
        en: "Balance at the end date: received less sent and fees, with withdrawals, rewards and tips. The highest tier of 0.1, 1, 10, 100, 1,000 and 10,000 ETH that it reaches; a whale holds the given amount besides.",
        zh: "截止日余额：收入减支出与手续费，并计提款、奖励与小费；取达到的最高等级（0.1、1、10、100、1,000、10,000 ETH），达到给定数额者另为巨鲸。",
    },
    value: Both { en: "balance in wei", zh: "余额（wei）" },
    labels: &["balance-0.1", "balance-1", "balance-10", "balance-100", "balance-1k", "balance-10k", "whale"],
    inputs: &[END],
    parameters: &[ether("whale_eth", "1000", "1", "10000000", "ETH that make a whale", "构成巨鲸的 ETH 数额")],
    source: "ours; the tiers are Glassnode's",
    steps: &[step("people", "select address, sum(wei) as wei from (<flows>) f
where address is not null and address not in (<contracts>)
group by address having sum(wei) >= 100000000000000000")],
    rows: Rows::Labels(
        "select address, case when wei >= 10000000000000000000000 then 'balance-10k' when wei >= 1000000000000000000000 then 'balance-1k'
  when wei >= 100000000000000000000 then 'balance-100' when wei >= 10000000000000000000 then 'balance-10'
  when wei >= 1000000000000000000 then 'balance-1' else 'balance-0.1' end as label,
  'EOA' as label_type, wei as value, cast({{to}} as timestamp) as before
from (<people>) p
union all
select address, 'whale', 'EOA', wei, cast({{to}} as timestamp) from (<people>) p where wei >= {{whale_eth}}",
    ),
};
