//! A5: recipients of an airdrop with similar behavior.

use super::airdrop::AIRDROP_LIMITS;
use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A5",
    name: "airdrop-hunter",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Airdrop hunter", zh: "空投猎人" },
    text: Both {
        en: "A behavior is a contract, a selector and a day (UTC). The similarity of two recipients of an airdrop (A3) is the number of behaviors they share from the first to the last day of its receipts, without those that more than the given share of recipients have. At least 2, 5 or 8 with somebody else, and a balance below the given ETH at the end date.",
        zh: "行为指合约、函数选择器与日期（UTC）。空投（A3）接收者两两相似度为领取首日至末日间共有的行为数，不计超过给定比例接收者都有的行为；与他人相似度达到 2、5 或 8，且截止日余额低于给定 ETH。",
    },
    value: Both { en: "largest similarity", zh: "最大相似度" },
    labels: &["airdrop-hunter-2", "airdrop-hunter-5", "airdrop-hunter-8"],
    inputs: &[START, END, CONTRACT],
    parameters: &[
        AIRDROP_LIMITS[0],
        AIRDROP_LIMITS[1],
        fraction(
            "common_share",
            "0.05",
            "0.0001",
            "0.5",
            "Share of recipients from which a behavior is common",
            "行为视为普遍的接收者比例",
        ),
        ether("max_balance_eth", "0.1", "0.0001", "1000", "ETH below which the balance must be", "余额上限（ETH）"),
    ],
    source: "ours; docs/labels.md says why",
    steps: &[
        step("airdrops", "<airdrops>"),
        step(
            "behaviors",
            "with drops as (
select token_address, source, amount, count(*) as recipients, date_trunc('day', min(received_at)) as first_day,
date_trunc('day', max(received_at)) + interval '1' day as after_day
from (<airdrops>) r group by token_address, source, amount)
select distinct d.token_address, d.source, d.amount, d.recipients, r.recipient, t.to_address as contract,
bytearray_substring(t.input, 1, 4) as selector, date_trunc('day', t.block_timestamp) as day
from drops d join (<airdrops>) r on r.token_address = d.token_address and r.source = d.source and r.amount = d.amount
join transactions t on t.from_address = r.recipient
where t.block_timestamp >= d.first_day and t.block_timestamp < d.after_day
and t.to_address is not null and bytearray_length(t.input) >= 4",
        ),
        step(
            "kept",
            "with rare as (
select token_address, source, amount, contract, selector, day from (<behaviors>) b
group by token_address, source, amount, contract, selector, day
having count(*) > 1 and count(*) <= max(recipients) * {{common_share}})
select b.token_address, b.source, b.amount, b.recipient, b.contract, b.selector, b.day
from (<behaviors>) b join rare r on r.token_address = b.token_address and r.source = b.source and r.amount = b.amount
and r.contract = b.contract and r.selector = b.selector and r.day = b.day",
        ),
        step(
            "best",
            "with pairs as (
select x.token_address, x.recipient as address, y.recipient as other, count(*) as similarity
from (<kept>) x join (<kept>) y on y.token_address = x.token_address and y.source = x.source and y.amount = x.amount
and y.contract = x.contract and y.selector = x.selector and y.day = x.day and y.recipient <> x.recipient
group by x.token_address, x.source, x.amount, x.recipient, y.recipient having count(*) >= 2)
select address, max(similarity) as similarity, count(distinct other) as alike, min(other) as one_of_them,
min(token_address) as token from pairs group by address",
        ),
    ],
    rows: Rows::Labels(
        "with poor as (
    select f.address, sum(f.wei) as wei from (<flows>) f join (<best>) b on b.address = f.address group by f.address
    having sum(f.wei) < {{max_balance_eth}})
select b.address, case when b.similarity >= 8 then 'airdrop-hunter-8' when b.similarity >= 5 then 'airdrop-hunter-5'
  else 'airdrop-hunter-2' end as label, 'EOA' as label_type, b.similarity as value, b.alike, b.one_of_them, b.token,
  p.wei as balance_wei
from (<best>) b join poor p on p.address = b.address",
    ),
};
