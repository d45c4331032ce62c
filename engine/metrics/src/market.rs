//! Market capitalization.

use alloy_primitives::U256;
use quarry_lake::KnownContracts;

use crate::ether::moves;
use crate::metric::{Both, Category, Form, Kind, Metric};
use crate::period::ChainState;

pub(super) const ALL: [&Metric; 1] = [&MARKET_CAP];

const MARKET_CAP: Metric = Metric {
    category: Category::Market,
    name: "market-cap",
    aliases: &["marketcap"],
    title: Both { en: "Market capitalization", zh: "市值" },
    definition: Both {
        en: "Circulating supply in dollars at the end of the period. The price of ether is read on the chain: what the \
             Uniswap V2 pools of WETH with dollar tokens (USDC, USDT, DAI; SushiSwap's too) hold of dollars, divided by \
             what they hold of ether, by their newest Sync events. Null before the first of them.",
        zh: "周期结束时以美元计的流通供应量。以太币价格取自链上：WETH 与美元代币（USDC、USDT、DAI，含 SushiSwap）的 \
             Uniswap V2 池按最新 Sync 事件所持美元之和除以所持以太币之和；首个此类事件之前为空。",
    },
    formula: "circulating supply * sum(dollar reserves) / sum(WETH reserves)",
    unit: "USD",
    kind: Kind::State,
    scale: 2,
    form: Form::Text,
    sources: &["logs", "contracts", "traces", "transactions", "blocks", "withdrawals"],
    needs: KnownContracts::price_ether,
    sql: concat!(
        "with ",
        moves!(),
        ", created as (select abi_address(abi_word(data, 0)) as pool, abi_address(topic1) as token0, \
         abi_address(topic2) as token1, row_number() over (partition by abi_word(data, 0) order by \
         block_number, log_index) as place from logs where topic0 = \
         '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9' and {factories}), states as \
         (select date_trunc('{unit}', block_timestamp) as t, address as pool, last_value(data order by \
         block_number, log_index) as data from logs where topic0 = \
         '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1' group by 1, 2), held as (select \
         t, states.pool as pool, cast(uint256(abi_word(data, case when token0 = weth.address then 1 else 0 \
         end)) as double) / power(cast(10 as double), decimals) as dollars, cast(uint256(abi_word(data, case \
         when token0 = weth.address then 0 else 1 end)) as double) / power(cast(10 as double), 18) as ether \
         from states join created on states.pool = created.pool cross join ({ether}) as weth cross join \
         ({dollars}) as dollars where place = 1 and (token0 = weth.address and token1 = dollars.address or \
         token1 = weth.address and token0 = dollars.address)), changes as (select t, 0 as eth, dollars - \
         coalesce(lag(dollars) over (partition by pool order by t), 0) as dollars, ether - \
         coalesce(lag(ether) over (partition by pool order by t), 0) as ether from held union all select t, \
         cast(wei as double) / 1e18, 0, 0 from moves where \
         {circulates}) select t, eth * dollars / ether as v from (select t, sum(sum(eth)) over (order by t rows between \
         unbounded preceding and current row) as eth, sum(sum(dollars)) over (order by t rows between \
         unbounded preceding and current row) as dollars, sum(sum(ether)) over (order by t rows between \
         unbounded preceding and current row) as ether from changes group by t) as running where ether > 0"
    ),
    value: |_, standing| cents(standing),
};

/// In cents, rounded down; nothing without a price.
fn cents(standing: &ChainState) -> Option<i128> {
    let (dollars, ether) = standing.reserves?;
    let circulating = U256::from(u128::try_from(standing.circulating).ok()?);
    // Dollars have 18 digits after the point, as ether has.
    let above = circulating.checked_mul(dollars)?.checked_mul(U256::from(100))?;
    let below = ether.checked_mul(U256::from(10).pow(U256::from(18)))?;
    i128::try_from(u128::try_from(above.checked_div(below)?).ok()?).ok()
}
