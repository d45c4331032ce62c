//! D5: contracts of a DApp.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "D5",
    name: "dapp-contract",
    category: Category::DappMonthlyReport,
    version: 1,
    title: Both { en: "DApp contract", zh: "DApp 合约" },
    text: Both {
        en: "Contract of the registry of DApps, with its DApp's type.",
        zh: "DApp 登记表中的合约及其 DApp 类型。",
    },
    value: Both { en: "transactions received in the month", zh: "当月收到的交易数" },
    labels: &[
        "dapp-games",
        "dapp-finance",
        "dapp-betting",
        "dapp-market",
        "dapp-social",
        "dapp-others",
        "dapp-utilities",
        "dapp-high-risk",
    ],
    inputs: &[MONTH, DAPP, CONTRACT],
    parameters: &[],
    source: "the registry of DApps",
    steps: &[],
    rows: Rows::Labels(
        "select d.address, concat('dapp-', d.dapp_type) as label, 'DAPP' as label_type, coalesce(t.n, 0) as value,
  d.name as entity, coalesce(t.users, 0) as users
from labels.dapps d left join (
  select to_address, count(*) as n, count(distinct from_address) as users from transactions
  where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  group by to_address) t on t.to_address = d.address
where true [[and d.name = {{dapp}}]] [[and d.address = {{contract}}]]",
    ),
};
