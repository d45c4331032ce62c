//! A16: owners that approve another externally owned account for their tokens.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A16",
    name: "self-authorised",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Self-authorized pair", zh: "自我授权对" },
    text: Both {
        en: "An ERC-20 Approval of more than nothing to an account without code that serves at most the given number of owners and is no exchange: owner and spender are likely one person.",
        zh: "向无代码账户授予非零 ERC-20 额度，且该账户服务的所有者不超过给定数量、并非交易所：所有者与支出者很可能是同一人。",
    },
    value: Both { en: "owners of the spender", zh: "支出者的所有者数" },
    labels: &["self-authorised-owner", "self-authorised-spender"],
    inputs: &[START, END, CONTRACT],
    parameters: &[whole("max_owners", 10, 1, 1_000, "Most owners of one spender", "同一支出者的最多所有者数")],
    source: "F. Victor, Address Clustering Heuristics for Ethereum (FC 2020), self-authorization; the limit is ours",
    steps: &[
        step("contracts", "<contracts>"),
        step("exchanges", "<exchanges>"),
        step(
            "pairs",
            "select distinct abi_address(topic1) as owner, abi_address(topic2) as spender, address as token
from logs where topic0 = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
  and topic2 is not null and topic3 is null and uint256(abi_word(data, 0)) > 0
  and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
  [[and address = {{contract}}]]",
        ),
        step(
            "served",
            "select p.spender, count(distinct p.owner) as owners from (<pairs>) p
where p.spender not in (<contracts>) and p.owner not in (<contracts>) and p.owner <> p.spender
  and p.spender not in (select address from (<exchanges>) x)
  and p.spender <> '0x0000000000000000000000000000000000000000'
group by p.spender having count(distinct p.owner) <= {{max_owners}}",
        ),
    ],
    rows: Rows::Labels(
        "select p.owner as address, 'self-authorised-owner' as label, 'EOA' as label_type, max(s.owners) as value,
  cast(min(p.spender) as varchar) as entity, min(p.token) as token
from (<pairs>) p join (<served>) s on s.spender = p.spender
where p.owner not in (<contracts>) group by p.owner
union all
select p.spender, 'self-authorised-spender', 'EOA', max(s.owners), cast(p.spender as varchar), min(p.token)
from (<pairs>) p join (<served>) s on s.spender = p.spender group by p.spender",
    ),
};
