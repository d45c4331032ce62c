//! Every day, hour and so on of the chain in the lake, under Dune's names: to fill gaps by a join.

use super::View;
use quarry_lake::tables::Column;
use quarry_lake::tables::column::{ColumnType::*, opt};

const COLUMNS: &[Column] = &[opt("timestamp", Time, "Start of the period, UTC.")];

macro_rules! calendar {
    ($constant:ident, $name:literal, $unit:literal, $step:literal, $doc:literal) => {
        pub(super) const $constant: View = View {
            schema: "utils",
            name: $name,
            doc: $doc,
            columns: COLUMNS,
            sql: concat!(
                "select unnest(sequence(date_trunc('",
                $unit,
                "', first), last, interval '",
                $step,
                "')) as timestamp from (select min(timestamp) as first, max(timestamp) as last from ethereum.blocks)"
            ),
        };
    };
}

calendar!(MINUTES, "minutes", "minute", "1 minute", "One row per minute from the lake's first block to its last.");
calendar!(HOURS, "hours", "hour", "1 hour", "One row per hour from the lake's first block to its last.");
calendar!(DAYS, "days", "day", "1 day", "One row per day from the lake's first block to its last.");
calendar!(WEEKS, "weeks", "week", "7 day", "One row per week from the lake's first block to its last.");
calendar!(MONTHS, "months", "month", "1 month", "One row per month from the lake's first block to its last.");
calendar!(QUARTERS, "quarters", "quarter", "3 month", "One row per quarter from the lake's first block to its last.");
calendar!(YEARS, "years", "year", "1 year", "One row per year from the lake's first block to its last.");
