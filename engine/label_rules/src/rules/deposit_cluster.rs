//! A2: customers with a common deposit address.

use super::exchange_deposit::DEPOSIT_LIMITS;
use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A2",
    name: "deposit-cluster",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Deposit cluster", zh: "充值聚类" },
    text: Both {
        en: "Customers who share a deposit address (A1), directly or over others, are one entity; it is named by its smallest address.",
        zh: "直接或间接共用充值地址（A1）的客户视为同一实体，以其最小地址命名。",
    },
    value: Both { en: "addresses of the entity", zh: "实体的地址数" },
    labels: &["deposit-cluster"],
    inputs: &[START, END],
    parameters: &DEPOSIT_LIMITS,
    source: "F. Victor, Address Clustering Heuristics for Ethereum (FC 2020), deposit address reuse",
    steps: &[step("contracts", "<contracts>"), step("exchanges", "<exchanges>"), step("deposits", "<deposits>")],
    rows: Rows::Groups {
        label: "deposit-cluster",
        label_type: "EOA",
        pairs: "select distinct customer as a, deposit as b from (<deposits>) p
where deposit not in (
  select p.from_address from (<payments>) p join (<exchanges>) x on x.address = p.to_address
  group by p.from_address having count(distinct x.exchange) > 1)",
    },
};
