//! M1: accounts by regularity of use.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "M1",
    name: "regular-user",
    category: Category::MonthlyReport,
    version: 1,
    title: Both { en: "Daily, weekly, monthly user", zh: "日活、周活、月活用户" },
    text: Both {
        en: "Days of the month on which the account sent a transaction: at least the given number for a daily user, for a weekly user, and one for a monthly user. Each account has its highest label only.",
        zh: "当月发送过交易的天数：达到给定天数为日活用户或周活用户，至少一天为月活用户；每个账户只取最高一级。",
    },
    value: Both { en: "active days", zh: "活跃天数" },
    labels: &["daily-user", "weekly-user", "monthly-user"],
    inputs: &[MONTH],
    parameters: &[
        whole("daily_days", 20, 1, 31, "Active days of a daily user", "日活用户的活跃天数"),
        whole("weekly_days", 4, 1, 31, "Active days of a weekly user", "周活用户的活跃天数"),
    ],
    source: "Dune's trader frequencies, as days of a month",
    steps: &[],
    rows: Rows::Labels(
        "select address, case when days >= {{daily_days}} then 'daily-user' when days >= {{weekly_days}} then 'weekly-user'
  else 'monthly-user' end as label, 'EOA' as label_type, days as value, transactions
from (select from_address as address, count(distinct date_trunc('day', block_timestamp)) as days, count(*) as transactions
  from transactions where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  group by from_address) a",
    ),
};
