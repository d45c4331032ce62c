//! B7: the largest holders of a token.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "B7",
    name: "top-holder",
    category: Category::Basic,
    version: 1,
    title: Both { en: "Top holder", zh: "头部持有者" },
    text: Both {
        en: "Net balance of the token at the end date: among the first ranks, or at least the given share of all that is held.",
        zh: "截止日的代币净余额：名次靠前，或达到给定的持有份额。",
    },
    value: Both { en: "share of what is held, in per cent", zh: "持有份额（百分比）" },
    labels: &["top-holder"],
    inputs: &[required(Field::ContractAddress), END],
    parameters: &[
        whole("ranks", 100, 1, 10_000, "Ranks that count", "计入的名次"),
        fraction("share", "0.01", "0.0001", "1", "Share that counts at any rank", "不计名次的份额"),
    ],
    source: "ours",
    steps: &[],
    rows: Rows::Labels(
        "with moved as (
    select to_address as address, int256(value) as amount from token_transfers
    where token_address = {{contract}} and block_timestamp < cast({{to}} as timestamp)
    union all
    select from_address, -int256(value) from token_transfers
    where token_address = {{contract}} and block_timestamp < cast({{to}} as timestamp)),
held as (
    select address, sum(amount) as balance from moved
    where address <> '0x0000000000000000000000000000000000000000' group by address having sum(amount) > 0),
whole as (select sum(balance) as supply from held),
ranked as (
    select address, balance, supply, row_number() over (order by balance desc, address rows unbounded preceding) as rank from held cross join whole)
select r.address, 'top-holder' as label,
  case when c.address is null then 'EOA' else 'CONTRACT' end as label_type,
  cast(cast(r.balance as double) / cast(r.supply as double) * 100 as decimal(38, 6)) as value,
  {{contract}} as token, r.balance, r.rank
from ranked r left join (<contracts>) c on c.address = r.address
where r.rank <= {{ranks}} or cast(r.balance as double) >= cast(r.supply as double) * {{share}}",
    ),
};
