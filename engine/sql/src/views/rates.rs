//! The prices of `prices.usd` by minute, hour and day, and the newest of each token, under Dune's names.

use super::View;
use super::columns::{BLOCKCHAIN, DECIMALS, SYMBOL};
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, opt};

const CONTRACT: Column = opt("contract_address", Address, "The token.");
const PRICE: Column = opt("price", Decimal, "Dollars per whole token at the end of that time.").unit("USD");
const COLUMNS: &[Column] = &[
    BLOCKCHAIN,
    CONTRACT,
    SYMBOL,
    DECIMALS,
    opt("timestamp", Time, "Start of that time, UTC."),
    PRICE,
    opt("source", Text, "Always `pools`: what the pools on the chain held."),
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
    doc: "One row per token and minute in which a pool that tells its price changed.",
    columns: COLUMNS,
    sql: "select blockchain, contract_address, symbol, decimals, minute as timestamp, price, \
          arrow_cast('pools', 'Utf8View') as source from prices.usd",
};

pub(super) const HOUR: View = View {
    schema: "prices",
    name: "hour",
    doc: "One row per token and hour in which a pool that tells its price changed.",
    columns: COLUMNS,
    sql: last!("date_trunc('hour', minute)"),
};

pub(super) const DAY: View = View {
    schema: "prices",
    name: "day",
    doc: "One row per token and day on which a pool that tells its price changed.",
    columns: COLUMNS,
    sql: last!("date_trunc('day', minute)"),
};

pub(super) const LATEST: View = View {
    schema: "prices",
    name: "latest",
    doc: "One row per token with its newest price.",
    columns: COLUMNS,
    sql: "select arrow_cast('ethereum', 'Utf8View') as blockchain, contract_address, symbol, decimals, \
          max(minute) as timestamp, last_value(price order by minute) as price, arrow_cast('pools', 'Utf8View') as source \
          from prices.usd group by 2, 3, 4",
};
