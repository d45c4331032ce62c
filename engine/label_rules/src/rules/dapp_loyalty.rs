//! D3: new, returning and lost users of a DApp.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "D3",
    name: "dapp-loyalty",
    category: Category::DappMonthlyReport,
    version: 1,
    title: Both { en: "New, retained, returning, lost user", zh: "新增、留存、回流、流失用户" },
    text: Both {
        en: "New: used the DApp in the month and never before. Retained: in the month and the one before. Returning: in the month and earlier, but not in the one before. Lost: in the month before, but not in the month.",
        zh: "新增：当月首次使用；留存：当月与上月均使用；回流：当月使用，更早用过但上月未用；流失：上月使用而当月未用。",
    },
    value: Both {
        en: "transactions in the month, or in the one before for who was lost",
        zh: "当月交易数；流失用户为上月交易数",
    },
    labels: &["dapp-new-user", "dapp-retained-user", "dapp-returning-user", "dapp-lost-user"],
    inputs: &[MONTH, DAPP, CONTRACT],
    parameters: &[],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "select address, case when now = 0 then 'dapp-lost-user' when last > 0 then 'dapp-retained-user'
  when earlier > 0 then 'dapp-returning-user' else 'dapp-new-user' end as label,
  'EOA' as label_type, case when now = 0 then last else now end as value, name as entity,
  now as this_month, last as month_before, earlier
from (
  select t.from_address as address, d.name,
    sum(case when t.block_timestamp >= cast({{from}} as timestamp) then 1 else 0 end) as now,
    sum(case when t.block_timestamp < cast({{from}} as timestamp)
      and t.block_timestamp >= cast({{from}} as timestamp) - interval '1' month then 1 else 0 end) as last,
    sum(case when t.block_timestamp < cast({{from}} as timestamp) - interval '1' month then 1 else 0 end) as earlier
  from transactions t join labels.dapps d on d.address = t.to_address
  where t.block_timestamp < cast({{to}} as timestamp) [[and d.name = {{dapp}}]] [[and d.address = {{contract}}]]
  group by t.from_address, d.name) u
where now > 0 or last > 0",
    ),
};
