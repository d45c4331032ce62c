//! D1: users of a DApp.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "D1",
    name: "dapp-user",
    category: Category::DappMonthlyReport,
    version: 1,
    title: Both { en: "DApp user", zh: "DApp 用户" },
    text: Both {
        en: "Sender of a transaction to a contract of the DApp in the month. Without a name and without a contract: of every DApp of the registry.",
        zh: "当月向该 DApp 的合约发送过交易的地址；不指定名称与合约时为登记的全部 DApp。",
    },
    value: Both { en: "transactions", zh: "交易数" },
    labels: &["dapp-user"],
    inputs: &[MONTH, DAPP, CONTRACT],
    parameters: &[],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "select t.from_address as address, 'dapp-user' as label, 'EOA' as label_type, count(*) as value, d.name as entity,
  count(distinct date_trunc('day', t.block_timestamp)) as days, sum(t.value) as wei
from transactions t join labels.dapps d on d.address = t.to_address
where t.block_timestamp >= cast({{from}} as timestamp) and t.block_timestamp < cast({{to}} as timestamp)
  [[and d.name = {{dapp}}]] [[and d.address = {{contract}}]]
group by t.from_address, d.name",
    ),
};
