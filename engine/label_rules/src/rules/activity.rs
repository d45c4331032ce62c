//! B6: new, active and dormant addresses.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B6",
    name: "activity",
    category: Category::Basic,
    version: 1,
    title: Both { en: "New, active, dormant", zh: "新增、活跃、休眠" },
    text: Both {
        en: "Active: sent a transaction in the period. New: the first one it ever sent lies in the period. Dormant: the last one lies more than the given number of days before the end.",
        zh: "活跃：期间内发送过交易；新增：首笔交易在期间内；休眠：最后一笔交易距截止日超过给定天数。",
    },
    value: Both { en: "transactions in the period, or days of silence", zh: "期间内交易数，或沉默天数" },
    labels: &["new-account", "active-account", "dormant-account"],
    inputs: &[START, END],
    parameters: &[whole("dormant_days", 365, 1, 10_000, "Days of silence", "沉默天数")],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "with seen as (
    select from_address as address, min(block_timestamp) as first_sent, max(block_timestamp) as last_sent,
      sum(case when block_timestamp >= cast({{from}} as timestamp) then 1 else 0 end) as transactions
    from transactions where block_timestamp < cast({{to}} as timestamp) group by 1)
select address, 'active-account' as label, 'EOA' as label_type, transactions as value, first_sent, last_sent
from seen where transactions > 0
union all
select address, 'new-account', 'EOA', transactions, first_sent, last_sent
from seen where first_sent >= cast({{from}} as timestamp)
union all
select address, 'dormant-account', 'EOA', date_diff('day', last_sent, cast({{to}} as timestamp)), first_sent, last_sent
from seen where last_sent < cast({{to}} as timestamp) - interval '{{dormant_days}}' day",
    ),
};
