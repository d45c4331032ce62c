//! Functions of dates, times and lengths of time as Trino, BigQuery and Snowflake write them. All times are UTC.

mod bucket;
mod convert;
mod date_trunc;
mod difference;
mod durations;
mod format;
mod from_parts;
mod intervals;
mod iso;
mod months;
pub mod now;
mod parts;
mod precision;
mod shift;
pub mod time_of_text;
pub mod time_text;
mod to_char;
mod to_timestamp;
mod unit;
mod values;
mod weekdays;
mod zone;

use datafusion::logical_expr::ScalarUDF;

pub use intervals::{interval_length, interval_part, interval_times};
pub use precision::ROUND_TIME;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![precision::udf(), to_char::udf()];
    all.extend(bucket::udfs());
    all.extend(convert::udfs());
    all.extend(date_trunc::udfs());
    all.extend(difference::udfs());
    all.extend(durations::udfs());
    all.extend(format::udfs());
    all.extend(from_parts::udfs());
    all.extend(iso::udfs());
    all.extend(months::udfs());
    all.extend(parts::udfs());
    all.extend(to_timestamp::udfs());
    all.extend(shift::udfs());
    all.extend(weekdays::udfs());
    all.extend(zone::udfs());
    all
}
