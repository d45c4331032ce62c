//! D6: users of a DApp that behave like bots.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "D6",
    name: "dapp-bot",
    category: Category::DappMonthlyReport,
    version: 1,
    title: Both { en: "Automated DApp user", zh: "自动化 DApp 用户" },
    text: Both {
        en: "The rule of likely bots (A11), inside the transactions to one DApp in the month: many and fast, very many and steady, or many of which nearly all fail.",
        zh: "在当月发往某一 DApp 的交易内应用疑似机器人规则（A11）：多而快、极多而持续，或多且几乎全部失败。",
    },
    value: Both { en: "transactions", zh: "交易数" },
    labels: &["dapp-bot"],
    inputs: &[MONTH, DAPP, CONTRACT],
    parameters: &BOT_LIMITS,
    source: "duneanalytics/spellbook, likely bots",
    steps: &[],
    rows: Rows::Labels(
        "select address, 'dapp-bot' as label, 'EOA' as label_type, n as value, name as entity, failed, seconds
from (
  select t.from_address as address, d.name, count(*) as n,
    sum(case when t.receipt_status = 0 then 1 else 0 end) as failed,
    date_diff('second', min(t.block_timestamp), max(t.block_timestamp)) as seconds
  from transactions t join labels.dapps d on d.address = t.to_address
  where t.block_timestamp >= cast({{from}} as timestamp) and t.block_timestamp < cast({{to}} as timestamp)
    [[and d.name = {{dapp}}]] [[and d.address = {{contract}}]]
  group by t.from_address, d.name) u
where n >= {{many}} and (n * 3600 >= {{fast_per_hour}} * seconds or failed > n * {{failed_share}})
  or n >= {{very_many}} and n * 3600 >= {{steady_per_hour}} * seconds",
    ),
};
