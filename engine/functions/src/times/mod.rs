//! Functions of dates, times and lengths of time as Trino, BigQuery and Snowflake write them. All times are UTC.

mod bucket;
mod convert;
mod difference;
mod durations;
mod epoch;
mod format;
pub(super) mod interval_length;
pub(super) mod interval_scaled;
mod iso;
mod months;
pub mod now;
mod parts;
mod precision;
mod read;
mod shift;
mod template;
pub mod time_text;
mod trunc;
mod unit;
mod utc;
mod values;
mod weekdays;
mod zone;

use datafusion::logical_expr::ScalarUDF;

pub use precision::ROUND_TIME;
use values::{DAY, beyond, day_of, in_micros, is_time, micros, moment, time_needed, times_of, whole};

/// All of them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let families = [shift::udfs(), difference::udfs(), parts::udfs(), format::udfs(), convert::udfs(), zone::udfs()];
    families
        .into_iter()
        .chain([
            bucket::udfs(),
            iso::udfs(),
            precision::udfs(),
            months::udfs(),
            read::udfs(),
            template::udfs(),
            weekdays::udfs(),
            durations::udfs(),
            vec![epoch::udf()],
            utc::udfs().into(),
        ])
        .flatten()
        .collect()
}
