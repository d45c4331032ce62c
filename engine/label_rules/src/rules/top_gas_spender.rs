//! M2: the largest payers of gas fees.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "M2",
    name: "top-gas-spender",
    category: Category::MonthlyReport,
    version: 1,
    title: Both { en: "Top gas spender", zh: "Gas 消费头部用户" },
    text: Both {
        en: "Fees of all transactions of the month, without blob gas; the account ranks among the first 1, 5 or 10 per cent of all that paid fees.",
        zh: "当月全部交易的手续费（不含 blob）；在付过手续费的账户中位列前 1%、5% 或 10%。",
    },
    value: Both { en: "fees in wei", zh: "手续费（wei）" },
    labels: &["top-gas-spender-1", "top-gas-spender-5", "top-gas-spender-10"],
    inputs: &[MONTH],
    parameters: &[],
    source: "duneanalytics/spellbook, with percent_rank in place of its quotient",
    steps: &[],
    rows: Rows::Labels(
        "select address, case when place <= 0.01 then 'top-gas-spender-1' when place <= 0.05 then 'top-gas-spender-5' else 'top-gas-spender-10' end as label,
  'EOA' as label_type, wei as value, cast(place as decimal(9, 6)) as percent_rank, transactions
from (select address, wei, transactions, percent_rank() over (order by wei desc) as place from (
  select from_address as address, count(*) as transactions, sum(receipt_gas_used * receipt_effective_gas_price) as wei
  from transactions where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  group by from_address) s where wei > 0) r
where place <= 0.1",
    ),
};
