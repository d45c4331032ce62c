//! Supply of ether.

use crate::ether::moves;
use crate::metric::{Both, Category, Form, Kind, Metric};

pub(super) const ALL: [&Metric; 2] = [&CIRCULATING_SUPPLY, &ISSUANCE];

const CIRCULATING_SUPPLY: Metric = Metric {
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
    sql: concat!(
        "with ",
        moves!(),
        " select t, to_eth(sum(sum(wei)) over (order by t rows between unbounded preceding and current row)) as v \
         from moves where {circulates} \
         group by t"
    ),
    value: |_, standing| Some(standing.circulating),
    ..Metric::BASE
};

const ISSUANCE: Metric = Metric {
    category: Category::Supply,
    name: "issuance",
    aliases: &["net-issuance"],
    title: Both { en: "Net issuance", zh: "净增发量" },
    definition: Both {
        en: "Ether that came into circulation in the period less what left it: block and uncle rewards and withdrawals of validators, less base and blob fees burned and deposits of validators. Negative when more was burned.",
        zh: "周期内进入流通与退出流通的以太币之差：区块与叔块奖励及验证者提款，减去销毁的基础费用与 Blob 费用以及验证者存款；销毁更多时为负。",
    },
    formula: "circulating supply at the end of the period - circulating supply before it",
    unit: "ETH",
    kind: Kind::Sum,
    scale: 18,
    form: Form::Text,
    sources: &["traces", "transactions", "blocks", "withdrawals"],
    sql: concat!(
        "with ",
        moves!(),
        " select t, to_eth(sum(wei)) as v from moves where {circulates} \
         group by t"
    ),
    value: |period, standing| standing.circulating.checked_sub(period.circulating_before),
    ..Metric::BASE
};
