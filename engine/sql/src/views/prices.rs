//! Prices in dollars from the reserves of pools on the chain itself: by minute, hour and day, and the newest of each token, under
//! Dune's names.

use super::View;
use super::columns::{BLOCKCHAIN, DECIMALS, SYMBOL};
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, opt};

/// The queries that compute ether's price. `in_dollars` has a row for each minute in which a Uniswap V2 pool of ether and a dollar
/// token changed, and `held` the reserves of the pools with ether.
macro_rules! ether_in_dollars {
    () => {
        "created as ( \
            select abi_address(abi_word(data, 0)) as pool, abi_address(topic1) as token0, abi_address(topic2) as token1, \
              row_number() over (partition by abi_word(data, 0) order by block_number, log_index) as place \
            from ethereum.logs \
            where topic0 = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9' and {factories} \
          ), ether as ({ether}), dollars as ({dollars}), \
          pools as ( \
            select pool, address as ether, token0 = address as ether_first, \
              case when token0 = address then token1 else token0 end as token \
            from created join ether on token0 = address or token1 = address where place = 1 \
          ), states as ( \
            select date_trunc('minute', block_timestamp) as minute, address as pool, \
              last_value(data order by block_number, log_index) as data \
            from ethereum.logs \
            where topic0 = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1' \
            group by 1, 2 \
          ), held as ( \
            select minute, ether, token, \
              cast(uint256(abi_word(data, case when ether_first then 0 else 1 end)) as decimal(76,0)) as ether_held, \
              cast(uint256(abi_word(data, case when ether_first then 1 else 0 end)) as decimal(76,0)) as token_held \
            from states join pools on states.pool = pools.pool \
          ), in_dollars as ( \
            select minute, ether, sum(token_held * cast('1' || repeat('0', 18 - decimals) as decimal(38,0))) \
              / sum(ether_held) as price \
            from held join dollars on token = address where ether_held > 0 group by 1, 2 ) "
    };
}
pub(super) use ether_in_dollars;

pub(super) const USD: View = View {
    schema: "prices",
    name: "usd",
    doc: "One row per token and minute in which its Uniswap V2 pool with ether (for ether, its pool with a dollar token) changed.",
    columns: &[
        opt("minute", Time, "Start of the minute, UTC."),
        BLOCKCHAIN,
        CONTRACT,
        SYMBOL,
        DECIMALS,
        opt(
            "price",
            Decimal,
            "US dollars per whole token at the end of the minute, from the reserves of all its pools.",
        )
        .unit("USD"),
    ],
    // Reserves at the end of a minute. Ether in dollars is the ratio of the sums over its pools with dollar tokens. A token's price
    // is based on the newest price of ether up to its minute.
    sql: concat!(
        "with ",
        ether_in_dollars!(),
        ", in_ether as ( \
            select minute, token, symbol, decimals, sum(ether_held) as ether_held, \
              sum(token_held) * cast('1' || repeat('0', 18 - decimals) as decimal(38,0)) as token_held \
            from held join tokens.erc20 on token = contract_address \
            where token_held > 0 and decimals between 0 and 18 \
              and token not in (select address from dollars where address is not null) \
            group by 1, 2, 3, 4 \
          ), line as ( \
            select minute, token, symbol, decimals, ether_held, token_held, \
              last_value(price) ignore nulls over (order by minute, token nulls first \
                rows between unbounded preceding and current row) as ether_price \
            from ( \
              select minute, token, symbol, decimals, ether_held, token_held, null as price from in_ether \
              union all select minute, null, null, null, null, null, price from in_dollars) \
          ) \
          select minute, arrow_cast('ethereum', 'Utf8View') as blockchain, ether as contract_address, \
            arrow_cast('WETH', 'Utf8View') as symbol, arrow_cast(18, 'Int32') as decimals, price from in_dollars \
          union all \
          select minute, arrow_cast('ethereum', 'Utf8View'), token, symbol, decimals, \
            ether_held * ether_price / token_held \
          from line where token is not null and ether_price is not null"
    ),
};

const CONTRACT: Column = opt("contract_address", Address, "The token.");
const PRICE: Column = opt("price", Decimal, "US dollars per whole token at the end of the period.").unit("USD");
const COLUMNS: &[Column] = &[
    BLOCKCHAIN,
    CONTRACT,
    SYMBOL,
    DECIMALS,
    opt("timestamp", Time, "Start of the period, UTC."),
    PRICE,
    opt("source", Text, "Always `pools`: the reserves of pools on the chain."),
];

macro_rules! last {
    ($by:literal) => {
        concat!(
            "select arrow_cast('ethereum', 'Utf8View') as blockchain, contract_address, symbol, decimals, ",
            $by,
            " as timestamp, last_value(price order by minute) as price, arrow_cast('pools', 'Utf8View') as source \
             from prices.usd group by 2, 3, 4, 5"
        )
    };
}

pub(super) const MINUTE: View = View {
    schema: "prices",
    name: "minute",
    doc: "One row per token and minute in which a pool that prices it changed.",
    columns: COLUMNS,
    sql: "select blockchain, contract_address, symbol, decimals, minute as timestamp, price, \
          arrow_cast('pools', 'Utf8View') as source from prices.usd",
};

pub(super) const HOUR: View = View {
    schema: "prices",
    name: "hour",
    doc: "One row per token and hour in which a pool that prices it changed.",
    columns: COLUMNS,
    sql: last!("date_trunc('hour', minute)"),
};

pub(super) const DAY: View = View {
    schema: "prices",
    name: "day",
    doc: "One row per token and day on which a pool that prices it changed.",
    columns: COLUMNS,
    sql: last!("date_trunc('day', minute)"),
};

pub(super) const LATEST: View = View {
    schema: "prices",
    name: "latest",
    doc: "One row per token with its latest price.",
    columns: COLUMNS,
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, contract_address, symbol, decimals, \
          max(minute) as timestamp, last_value(price order by minute) as price, arrow_cast('pools', 'Utf8View') as source \
          from prices.usd group by 2, 3, 4",
};
