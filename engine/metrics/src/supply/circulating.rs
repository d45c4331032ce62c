//! Circulating supply.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::ether::moves;

pub(super) const CIRCULATING_SUPPLY: Metric = Metric {
    category: Category::Supply,
    name: "circulating-supplying",
    aliases: &["circulating-supply"],
    title: Both { en: "Circulating supply", zh: "流通供应量" },
    definition: Both {
        en: "Ether of all addresses at the end of the period, but for what the beacon chain's deposit contract holds: rewards and withdrawals less what was burned and deposited, since the first block of the lake. What a genesis block gave away is not in it.",
        zh: "周期结束时除信标链存款合约外全部地址持有的以太币：自数据湖首个区块起，奖励与提款减去销毁与存入质押的部分，不含创世分配。",
    },
    formula: "sum of wei over all moves of addresses other than the deposit contract / 10^18",
    unit: "ETH",
    kind: Kind::State,
    scale: 18,
    form: Form::Text,
    sources: &["traces", "transactions", "blocks", "withdrawals"],
    needs: |_| true,
    sql: concat!(
        "with ",
        moves!(),
        " select t, to_eth(sum(sum(wei)) over (order by t rows between unbounded preceding and current row)) as v \
         from moves where {circulates} \
         group by t"
    ),
    value: |_, standing| Some(standing.circulating),
};
