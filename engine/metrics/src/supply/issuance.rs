//! Net issuance.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::ether::moves;

pub(super) const ISSUANCE: Metric = Metric {
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
    needs: |_| true,
    sql: concat!(
        "with ",
        moves!(),
        " select t, to_eth(sum(wei)) as v from moves where {circulates} \
         group by t"
    ),
    value: |period, standing| standing.circulating.checked_sub(period.circulating_before),
};
