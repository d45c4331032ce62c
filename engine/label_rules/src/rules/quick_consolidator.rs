//! A8: recipients that forward an airdrop at once.

use super::airdrop::AIRDROP_LIMITS;
use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A8",
    name: "quick-consolidator",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Quick consolidator", zh: "快速归集者" },
    text: Both {
        en: "Sends at least the given share of an airdrop (A3) to one account within the given days of its receipt. Contracts do not count as receivers: tokens are sold and staked there.",
        zh: "在收到空投（A3）后给定天数内，将不少于给定比例发送给同一账户；合约不算接收者（出售与质押）。",
    },
    value: Both { en: "share handed on, in per cent", zh: "转出比例（百分比）" },
    labels: &["quick-consolidator"],
    inputs: &[START, END, CONTRACT],
    parameters: &[
        AIRDROP_LIMITS[0],
        AIRDROP_LIMITS[1],
        fraction("share", "0.5", "0.01", "1", "Share of the airdrop that is handed on", "转出的空投比例"),
        whole("days", 30, 1, 3_650, "Days after the receipt", "收到后的天数"),
    ],
    source: "HasciDB, rapid consolidation",
    steps: &[step("contracts", "<contracts>"), step("airdrops", "<airdrops>")],
    rows: Rows::Labels(
        "with sums as (
    select a.recipient, a.token_address, m.to_address as receiver, cast(a.amount as double) as amount,
      sum(cast(m.value as double)) as handed, max(m.block_timestamp) as at
    from (<airdrops>) a join (<moves>) m on m.token_address = a.token_address and m.from_address = a.recipient
    where m.block_timestamp >= a.received_at and m.block_timestamp < a.received_at + interval '{{days}}' day
      and a.recipient not in (<contracts>) and m.to_address not in (<contracts>)
    group by a.recipient, a.token_address, a.source, a.amount, m.to_address)
select recipient as address, 'quick-consolidator' as label, 'EOA' as label_type,
  cast(max(handed / amount) * 100 as decimal(38, 2)) as value,
  cast(min(receiver) as varchar) as entity, min(token_address) as token, max(at) as last_handed_on
from sums where handed >= amount * {{share}}
group by recipient",
    ),
};
