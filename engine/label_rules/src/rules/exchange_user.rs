//! B9: recipients of payments from an exchange.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B9",
    name: "exchange-user",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Exchange user", zh: "交易所用户" },
    text: Both {
        en: "An account that received ETH from an address labeled `exchange`.",
        zh: "从标记为 `exchange` 的地址收到过 ETH 的账户。",
    },
    value: Both { en: "payments received", zh: "收到的付款次数" },
    labels: &["exchange-user"],
    inputs: &[START, END],
    parameters: &[],
    source: "duneanalytics/spellbook cex_users",
    steps: &[step("contracts", "<contracts>"), step("exchanges", "<exchanges>")],
    rows: Rows::Labels(
        "select p.to_address as address, 'exchange-user' as label, 'EOA' as label_type, count(*) as value,
  min(e.exchange) as entity, sum(p.value) as wei, min(p.block_timestamp) as first_paid,
  max(p.block_timestamp) as last_paid, count(distinct e.exchange) as exchanges
from (<payments>) p join (<exchanges>) e on e.address = p.from_address
where p.block_timestamp >= cast({{from}} as timestamp) and p.block_timestamp < cast({{to}} as timestamp)
  and p.to_address not in (select address from (<exchanges>) x) and p.to_address not in (<contracts>)
group by p.to_address",
    ),
};
