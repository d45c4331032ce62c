//! A14: wash traders of NFTs.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A14",
    name: "wash-trader",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "NFT wash trader", zh: "NFT 洗售交易者" },
    text: Both {
        en: "Four signs on sales for money: the buyer is the seller; a token goes from one to another and back; one account buys the same token at least the given number of times; buyer and seller got their first ETH from the same account, which is no exchange and no contract.",
        zh: "有偿交易的四种迹象：买方即卖方；同一代币在两者间往返；同一账户多次买入同一代币；买卖双方的首笔 ETH 来自同一账户（交易所与合约除外）。",
    },
    value: Both { en: "suspicious trades", zh: "可疑交易数" },
    labels: &["wash-trader"],
    inputs: &[START, END, NFT],
    parameters: &[whole("same_token", 3, 2, 1_000, "Purchases of the same token by one account", "同一账户买入同一代币的次数")],
    source: "duneanalytics/spellbook nft.wash_trades",
    steps: &[
        step("contracts", "<contracts>"),
        step("exchanges", "<exchanges>"),
        step("sales", "<sales>"),
        step(
            "funders",
            "select wallet, funder from (
select to_address as wallet, payer as funder,
  row_number() over (partition by to_address order by block_number, transaction_index, step rows unbounded preceding) as place
from (<payments>) p
where to_address in (select seller from (<sales>) s) or to_address in (select buyer from (<sales>) s)) f
where place = 1 and funder <> wallet and funder not in (<contracts>)
  and funder not in (select address from (<exchanges>) x)",
        ),
        step(
            "signs",
            "select collection, token_id, seller, buyer, 'buyer is seller' as sign, block_number, log_index
from (<sales>) s where seller = buyer
union all
select s.collection, s.token_id, s.seller, s.buyer, 'back and forth', s.block_number, s.log_index
from (<sales>) s join (<sales>) b on b.collection = s.collection and b.token_id = s.token_id and b.seller = s.buyer
  and b.buyer = s.seller
where s.seller <> s.buyer
union all
select s.collection, s.token_id, s.seller, s.buyer, 'same token again', s.block_number, s.log_index
from (<sales>) s join (
  select collection, token_id, buyer from (<sales>) o group by collection, token_id, buyer
  having count(*) >= {{same_token}}) o
  on o.collection = s.collection and o.token_id = s.token_id and o.buyer = s.buyer
union all
select s.collection, s.token_id, s.seller, s.buyer, 'same funder', s.block_number, s.log_index
from (<sales>) s join (<funders>) a on a.wallet = s.seller join (<funders>) b on b.wallet = s.buyer
where a.funder = b.funder and s.seller <> s.buyer",
        ),
    ],
    rows: Rows::Labels(
        "select address, 'wash-trader' as label, 'EOA' as label_type, count(distinct block_number * 1000000 + log_index) as value,
  array_sort(array_agg(distinct sign)) as signs, min(collection) as collection, min(other) as counterpart
from (
  select seller as address, buyer as other, sign, collection, block_number, log_index from (<signs>) s
  union all select buyer, seller, sign, collection, block_number, log_index from (<signs>) b) w
where address not in (<contracts>)
group by address",
    ),
};
