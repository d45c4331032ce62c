//! M3: the largest senders of ETH.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "M3",
    name: "top-volume",
    category: Category::MonthlyReport,
    version: 1,
    title: Both { en: "Top volume", zh: "转账额头部用户" },
    text: Both {
        en: "ETH of all successful transactions of the month; the account ranks among the first 1, 5 or 10 per cent of all that sent ETH.",
        zh: "当月全部成功交易发送的 ETH；在发送过 ETH 的账户中位列前 1%、5% 或 10%。",
    },
    value: Both { en: "wei sent", zh: "发送额（wei）" },
    labels: &["top-volume-1", "top-volume-5", "top-volume-10"],
    inputs: &[MONTH],
    parameters: &[],
    source: "duneanalytics/spellbook, with percent_rank in place of its quotient",
    steps: &[],
    rows: Rows::Labels(
        "select address, case when place <= 0.01 then 'top-volume-1' when place <= 0.05 then 'top-volume-5' else 'top-volume-10' end as label,
  'EOA' as label_type, wei as value, cast(place as decimal(9, 6)) as percent_rank, transactions
from (select address, wei, transactions, percent_rank() over (order by wei desc) as place from (
  select from_address as address, count(*) as transactions, sum(case when coalesce(receipt_status, 1) = 1 then value else 0 end) as wei
  from transactions where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  group by from_address) s where wei > 0) r
where place <= 0.1",
    ),
};
