//! M5: minters, traders and collectors of NFTs.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "M5",
    name: "nft-role",
    category: Category::MonthlyReport,
    version: 1,
    title: Both { en: "NFT minter, trader, collector", zh: "NFT 铸造者、交易者、收藏者" },
    text: Both {
        en: "Minter: received a token from the zero address in the month. Trader: bought or sold one for money in the month. Collector: holds tokens of at least the given number of collections at the end of the month. Accounts only; with a collection, minters and traders of that one.",
        zh: "铸造者：当月从零地址收到代币；交易者：当月有偿买入或卖出；收藏者：月末持有给定数量以上的系列。仅限外部账户；指定系列时只看该系列的铸造者与交易者。",
    },
    value: Both { en: "tokens minted, trades, or collections held", zh: "铸造数、交易数或持有系列数" },
    labels: &["nft-minter", "nft-trader", "nft-collector"],
    inputs: &[MONTH, NFT],
    parameters: &[whole("collections", 10, 1, 1_000, "Collections of a collector", "收藏者持有的系列数")],
    source: "ours, after Dune's labels of NFT users",
    steps: &[],
    rows: Rows::Labels(
        "with minted as (
    select to_address as address, 'nft-minter' as label, count(*) as n, count(distinct token_address) as collections
    from token_transfers where standard = 'erc721' and from_address = '0x0000000000000000000000000000000000000000'
      and block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
      [[and token_address = {{nft}}]] group by to_address),
traded as (
    select address, 'nft-trader' as label, count(*) as n, count(distinct collection) as collections from (
      select seller as address, collection from (<sales>) s union all select buyer, collection from (<sales>) b) t
    group by address),
owned as (
    select to_address as address, token_address, 1 as n from token_transfers
    where standard = 'erc721' and block_timestamp < cast({{to}} as timestamp)
    union all select from_address, token_address, -1 from token_transfers
    where standard = 'erc721' and block_timestamp < cast({{to}} as timestamp)),
collected as (
    select address, 'nft-collector' as label, count(*) as n, count(*) as collections from (
      select address, token_address from owned group by address, token_address having sum(n) > 0) h
    where address <> '0x0000000000000000000000000000000000000000'
    group by address having count(*) >= {{collections}})
select address, label, 'EOA' as label_type, n as value, collections
from (select * from minted union all select * from traded union all select * from collected) r
where address not in (<contracts>)",
    ),
};
