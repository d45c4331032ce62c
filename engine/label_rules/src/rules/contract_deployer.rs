//! B2: deployers of contracts.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B2",
    name: "contract-deployer",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Contract deployer", zh: "合约部署者" },
    text: Both {
        en: "Sender of a successful transaction without a receiver, unless the sender is a contract.",
        zh: "发送了成功的无接收方交易的地址，自身是合约者除外。",
    },
    value: Both { en: "contracts deployed", zh: "部署的合约数" },
    labels: &["contract-deployer"],
    inputs: &[START, END],
    parameters: &[],
    source: "duneanalytics/spellbook contract_deployers",
    steps: &[],
    rows: Rows::Labels(
        "select from_address as address, 'contract-deployer' as label, 'EOA' as label_type, count(*) as value,
  min(block_timestamp) as first_deployed, max(block_timestamp) as last_deployed,
  min(receipt_contract_address) as one_of_them
from transactions
where to_address is null and coalesce(receipt_status, 1) = 1
  and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  and from_address not in (select address from contracts)
group by from_address",
    ),
};
