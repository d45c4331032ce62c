//! A3: senders and recipients of airdrops.

use super::prelude::*;

/// The limits of an airdrop.
pub(super) const AIRDROP_LIMITS: [Parameter; 2] = [
    whole("min_recipients", 1_000, 2, 1_000_000, "Fewest recipients of an airdrop", "空投的最少接收者数"),
    whole("max_gap", 2, 0, 10_000, "Largest median of blocks between two transfers", "相邻转移区块间隔中位数的上限"),
];

pub(super) const RULE: Rule = Rule {
    id: "A3",
    name: "airdrop",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Airdrop distributor and recipient", zh: "空投分发者与接收者" },
    text: Both {
        en: "One source sends the same amount of one token to at least the given number of recipients; the median of blocks between two transfers is at most the given one.",
        zh: "同一来源将同一代币的相同数额发给不少于给定数量的接收者；相邻转移的区块间隔中位数不超过给定值。",
    },
    value: Both { en: "recipients, or airdrops received", zh: "接收者数，或收到的空投数" },
    labels: &["airdrop-distributor", "airdrop-recipient"],
    inputs: &[START, END, CONTRACT],
    parameters: &AIRDROP_LIMITS,
    source: "F. Victor, Address Clustering Heuristics for Ethereum (FC 2020), airdrops",
    steps: &[step("contracts", "<contracts>"), step("airdrops", "<airdrops>")],
    rows: Rows::Labels(
        "with given as (
    select source as address, count(distinct recipient) as n, array_sort(array_agg(distinct token_address)) as tokens,
      min(received_at) as first_at, max(received_at) as last_at from (<airdrops>) r group by source)
select g.address, 'airdrop-distributor' as label, case when c.address is null then 'EOA' else 'CONTRACT' end as label_type,
  g.n as value, g.tokens, g.first_at, g.last_at
from given g left join (<contracts>) c on c.address = g.address
union all
select recipient, 'airdrop-recipient', 'EOA', count(*), array_sort(array_agg(distinct token_address)), min(received_at),
  max(received_at)
from (<airdrops>) r where recipient not in (<contracts>) group by recipient",
    ),
};
