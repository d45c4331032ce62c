//! M4: senders of their first transaction.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "M4",
    name: "newcomer",
    category: Category::MonthlyReport,
    version: 1,
    title: Both { en: "Newcomer of the month", zh: "当月新用户" },
    text: Both {
        en: "The first transaction that the account ever sent, as far as the lake reaches back, lies in the month.",
        zh: "账户在数据湖范围内的首笔交易发生在当月。",
    },
    value: Both { en: "transactions in the month", zh: "当月交易数" },
    labels: &["newcomer"],
    inputs: &[MONTH],
    parameters: &[],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "select from_address as address, 'newcomer' as label, 'EOA' as label_type, count(*) as value,
  min(block_timestamp) as first_sent, min(nonce) as first_nonce
from transactions where block_timestamp < cast({{to}} as timestamp)
group by from_address having min(block_timestamp) >= cast({{from}} as timestamp)",
    ),
};
