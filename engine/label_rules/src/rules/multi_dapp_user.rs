//! D4: users of several DApps of a type.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "D4",
    name: "multi-dapp-user",
    category: Category::DappMonthlyReport,
    version: 1,
    title: Both { en: "Multi-DApp user", zh: "多 DApp 用户" },
    text: Both {
        en: "Used at least the given number of DApps of one type in the month.",
        zh: "当月使用过同一类型的 DApp 达到给定数量。",
    },
    value: Both { en: "DApps of the type", zh: "该类型的 DApp 数" },
    labels: &["multi-dapp-user"],
    inputs: &[MONTH],
    parameters: &[whole("dapps", 3, 2, 100, "DApps of one type", "同类型 DApp 数")],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "select t.from_address as address, 'multi-dapp-user' as label, 'EOA' as label_type,
  count(distinct d.name) as value, d.dapp_type as entity, count(*) as transactions,
  array_sort(array_agg(distinct d.name)) as dapps
from transactions t join labels.dapps d on d.address = t.to_address
where t.block_timestamp >= cast({{from}} as timestamp) and t.block_timestamp < cast({{to}} as timestamp)
group by t.from_address, d.dapp_type having count(distinct d.name) >= {{dapps}}",
    ),
};
