//! A15: traders of NFTs with a profit.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A15",
    name: "smart-nft-trader",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Smart NFT trader", zh: "聪明 NFT 交易者" },
    text: Both {
        en: "Sold at least the given number of tokens of the given number of collections, spent at least the given ETH on them, gained, and ranks among the given share of all sellers by realized gain: what sold tokens brought less what they had cost, at the last purchase before the sale; minted ones cost their part of the mint.",
        zh: "卖出不少于给定数量的代币与系列，购入花费不少于给定 ETH，有盈利，且已实现收益在全部卖家中位列给定比例之内：售价减成本（卖出前最近一次买入价；铸造者计铸造费分摊）。",
    },
    value: Both { en: "realized return in per cent", zh: "已实现回报率（百分比）" },
    labels: &["smart-nft-trader"],
    inputs: &[START, END, NFT],
    parameters: &[
        whole("min_sold", 10, 1, 10_000, "Fewest tokens sold", "最少卖出数"),
        whole("min_collections", 3, 1, 1_000, "Fewest collections", "最少系列数"),
        ether("min_spent_eth", "1", "0", "10000", "Least ETH spent", "最少花费（ETH）"),
        fraction("top_share", "0.03", "0.0001", "1", "Share of sellers that ranks", "计入的卖家比例"),
    ],
    source: "Nansen's smart NFT traders as published; the floor-price test is left out",
    steps: &[
        step("contracts", "<contracts>"),
        step("sales", "<sales>"),
        step(
            "costs",
            "select n.to_address as owner, n.token_address as collection, n.token_id, n.block_number, n.log_index,
t.value / count(*) over (partition by n.transaction_hash) as price
from token_transfers n join transactions t on t.hash = n.transaction_hash
where n.standard = 'erc721' and n.block_timestamp < cast({{to}} as timestamp)
  and n.to_address in (select seller from (<sales>) s)",
        ),
        step(
            "deals",
            "select s.seller, s.collection, s.token_id, s.price as brought, c.price as cost,
row_number() over (partition by s.collection, s.token_id, s.seller, s.block_number, s.log_index
  order by c.block_number desc, c.log_index desc rows unbounded preceding) as place
from (<sales>) s left join (<costs>) c on c.owner = s.seller and c.collection = s.collection and c.token_id = s.token_id
  and (c.block_number < s.block_number or c.block_number = s.block_number and c.log_index < s.log_index)",
        ),
    ],
    rows: Rows::Labels(
        "with sellers as (
    select seller, count(*) as sold, count(distinct collection) as collections, sum(brought) as brought,
      sum(coalesce(cost, 0)) as spent
    from (<deals>) d where place = 1 and seller not in (<contracts>) group by seller),
ranked as (
    select s.*, cast(brought - spent as double) / nullif(cast(spent as double), 0) as gain,
      percent_rank() over (order by brought - spent desc) as place
    from sellers s)
select seller as address, 'smart-nft-trader' as label, 'EOA' as label_type, cast(gain * 100 as decimal(38, 2)) as value,
  sold, collections, brought as brought_wei, spent as spent_wei, cast(place as decimal(9, 6)) as percent_rank
from ranked
where sold >= {{min_sold}} and collections >= {{min_collections}} and spent >= {{min_spent_eth}} and spent > 0
  and brought > spent and place <= {{top_share}}",
    ),
};
