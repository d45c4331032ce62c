//! A1: deposit addresses of exchanges.

use super::prelude::*;

/// The limits of the rules on deposit addresses.
pub(super) const DEPOSIT_LIMITS: [Parameter; 2] = [
    whole("blocks", 10_000, 1, 1_000_000, "Blocks within which a deposit is passed on", "充值转出的区块范围"),
    ether("gap_eth", "0.01", "0", "1", "ETH that the address may keep of a deposit", "每笔充值可留存的 ETH"),
];

pub(super) const RULE: Rule = Rule {
    id: "A1",
    name: "exchange-deposit",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Exchange deposit address", zh: "交易所充值地址" },
    text: Both {
        en: "Passes what it is paid on to an address labeled `exchange`, within the given blocks and less at most the given ETH; pays one exchange only; neither it nor the payer is a miner, and it holds no code.",
        zh: "将收到的付款在给定区块内转给标记为 `exchange` 的地址，差额不超过给定 ETH；只付给一家交易所；自身与付款人均非矿工，且不是合约。",
    },
    value: Both { en: "deposits passed on", zh: "转出的充值笔数" },
    labels: &["exchange-deposit"],
    inputs: &[START, END],
    parameters: &DEPOSIT_LIMITS,
    source: "F. Victor, Address Clustering Heuristics for Ethereum (FC 2020), and its code etherclust; one exchange only: duneanalytics/spellbook",
    steps: &[step("contracts", "<contracts>"), step("exchanges", "<exchanges>"), step("deposits", "<deposits>")],
    rows: Rows::Labels(
        "select deposit as address, 'exchange-deposit' as label, 'EOA' as label_type,
  count(distinct transaction_hash) as value, max(exchange) as entity, count(distinct customer) as customers,
  min(customer) as one_of_them
from (<deposits>) p
where deposit not in (
  select p.from_address from (<payments>) p join (<exchanges>) x on x.address = p.to_address
  group by p.from_address having count(distinct x.exchange) > 1)
group by deposit",
    ),
};
