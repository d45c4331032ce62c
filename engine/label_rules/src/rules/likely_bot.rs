//! A11: addresses that behave like bots.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A11",
    name: "likely-bot",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Likely bot", zh: "疑似机器人" },
    text: Both {
        en: "Many transactions at a fast pace, very many at a steady one, or many of which nearly all failed; the pace counts from the first to the last transaction of the period.",
        zh: "多笔且节奏快、极多笔且节奏持续、或多笔且几乎全部失败；节奏按期间内首末两笔之间计算。",
    },
    value: Both { en: "transactions", zh: "交易数" },
    labels: &["likely-bot"],
    inputs: &[START, END],
    parameters: &BOT_LIMITS,
    source: "duneanalytics/spellbook, likely bots",
    steps: &[],
    rows: Rows::Labels(
        "select address, 'likely-bot' as label, 'EOA' as label_type, n as value, failed, seconds, first_sent, last_sent
from (
  select from_address as address, count(*) as n, sum(case when receipt_status = 0 then 1 else 0 end) as failed,
    date_diff('second', min(block_timestamp), max(block_timestamp)) as seconds,
    min(block_timestamp) as first_sent, max(block_timestamp) as last_sent
  from transactions
  where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  group by from_address) u
where n >= {{many}} and (n * 3600 >= {{fast_per_hour}} * seconds or failed > n * {{failed_share}})
  or n >= {{very_many}} and n * 3600 >= {{steady_per_hour}} * seconds",
    ),
};
