//! A6: new wallets that were funded by one address.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A6",
    name: "batch-funded",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Batch-funded wallets", zh: "批量注资钱包" },
    text: Both {
        en: "One funder gives the first ETH to at least the given number of new accounts within the given days. Exchanges and contracts are no funders; what a contract hands out counts for who called it.",
        zh: "同一注资者在给定天数内向不少于给定数量的新账户提供首笔 ETH；交易所与合约不算注资者，经合约分发者归于调用人。",
    },
    value: Both { en: "wallets of the funder", zh: "该注资者的钱包数" },
    labels: &["batch-funded", "batch-funder"],
    inputs: &[EOA, START, END],
    parameters: &[
        whole("min_wallets", 10, 2, 100_000, "Fewest wallets of one funder", "同一注资者的最少钱包数"),
        whole("days", 30, 1, 3_650, "Days within which they are funded", "注资天数"),
    ],
    source: "HasciDB, batch wallets; the limits are ours",
    steps: &[
        step("contracts", "<contracts>"),
        step("exchanges", "<exchanges>"),
        step(
            "first",
            "select to_address as wallet, payer as funder, block_timestamp as at, value from (
select p.*, row_number() over (partition by to_address order by block_number, transaction_index, step
rows unbounded preceding) as place
from (<payments>) p) f
where place = 1 and payer <> to_address
and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
[[and payer = {{eoa}}]]",
        ),
        step(
            "counted",
            "select f.*, count(*) over (partition by funder order by at
range between interval '{{days}}' day preceding and current row) as n
from (<first>) f
where wallet not in (<contracts>) and funder not in (select address from (<exchanges>) x)
and funder not in (<contracts>)",
        ),
    ],
    rows: Rows::Labels(
        "with groups as (
    select funder, max(n) as most, count(*) as wallets, min(at) as first_at, max(at) as last_at from (<counted>) c
    group by funder having max(n) >= {{min_wallets}})
select c.wallet as address, 'batch-funded' as label, 'EOA' as label_type, g.wallets as value,
  cast(c.funder as varchar) as entity, c.value as wei, c.at as first_at, c.at as last_at
from (<counted>) c join groups g on g.funder = c.funder
union all
select funder, 'batch-funder', 'EOA', wallets, cast(funder as varchar), null, first_at, last_at from groups",
    ),
};
