//! A4: recipients of an airdrop that pass it on to one of them.

use super::airdrop::AIRDROP_LIMITS;
use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A4",
    name: "multi-airdrop",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Multi-airdrop entity", zh: "多重空投实体" },
    text: Both {
        en: "At least the given number of recipients of an airdrop (A3) send the same amount of its token to the same account afterwards: they and the collector are one entity.",
        zh: "空投（A3）的多个接收者随后向同一账户发送相同数额的该代币：它们与收集者为同一实体。",
    },
    value: Both { en: "recipients that hand on the same amount", zh: "转出相同数额的接收者数" },
    labels: &["multi-airdrop-entity", "airdrop-collector"],
    inputs: &[START, END, CONTRACT],
    parameters: &[
        AIRDROP_LIMITS[0],
        AIRDROP_LIMITS[1],
        whole("min_aggregations", 2, 2, 10_000, "Fewest recipients of one entity", "同一实体的最少接收者数"),
    ],
    source: "F. Victor, Address Clustering Heuristics for Ethereum (FC 2020), multiple airdrop participation",
    steps: &[step("contracts", "<contracts>"), step("airdrops", "<airdrops>"), step("exchanges", "<exchanges>"), step("handed", "select distinct a.recipient, m.token_address, m.to_address as collector, m.value as amount
from (<airdrops>) a join (<moves>) m on m.token_address = a.token_address and m.from_address = a.recipient
where m.block_timestamp >= a.received_at and m.to_address <> a.source and a.recipient not in (<contracts>)
and m.to_address not in (<contracts>)
and m.to_address not in (select address from (<exchanges>) x)
and m.to_address <> '0x0000000000000000000000000000000000000000'")],
    rows: Rows::Labels(
        "with entities as (
    select token_address, collector, amount, count(*) as n from (<handed>)
    group by token_address, collector, amount having count(*) >= {{min_aggregations}})
select h.recipient as address, 'multi-airdrop-entity' as label, 'EOA' as label_type, max(e.n) as value,
  cast(min(e.collector) as varchar) as entity, min(e.token_address) as token, max(e.amount) as amount
from (<handed>) h join entities e on e.token_address = h.token_address and e.collector = h.collector and e.amount = h.amount
group by h.recipient
union all
select collector, 'airdrop-collector', 'EOA', sum(n), cast(collector as varchar), min(token_address),
  max(amount)
from entities group by collector",
    ),
};
