//! `to_date` and `to_timestamp` as PostgreSQL, Snowflake, Trino and DuckDB have them: of a text, of a text by a pattern
//! (`YYYY-MM-DD HH24:MI`, or strftime's), of seconds since 1970.

use arrow::datatypes::{Decimal256Type, i256};

use super::format::{java, parsed};
use super::to_char::postgres;
use super::values::{beyond, in_calendar, is_time, micros, times_of, utc_type};
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let to_date = doc(
        "to_date(text, pattern)",
        "The date of a string or timestamp, parsed with a PostgreSQL (YYYY-MM-DD) or strftime (%Y-%m-%d) pattern if one is given.",
        "select to_date('29.02.2024', 'DD.MM.YYYY')",
    )
    .fallible().udf(
        1..=2,
        |args| {
            check_arguments(args, "to_date", is_time(args.arg_fields[0].data_type()))?;
            returns(DataType::Date32)(args)
        },
        |args, to| Ok(times_of(read(args)?, to.data_type())),
    );
    let to_timestamp = doc(
        "to_timestamp(text or seconds, pattern)",
        "The timestamp in a string, parsed with a PostgreSQL (YYYY-MM-DD HH24:MI) or strftime (%Y-%m-%d %H:%M) pattern if one is given, or the timestamp a number of seconds after 1970-01-01 00:00:00.",
        "select to_timestamp('29.02.2024 12:34', 'DD.MM.YYYY HH24:MI')",
    )
    .fallible().udf(
        1..=2,
        |args| {
            let from = args.arg_fields[0].data_type();
            check_arguments(args, "to_timestamp", is_time(from) || from.is_numeric())?;
            returns(utc_type())(args)
        },
        |args, to| match args[0].data_type().is_numeric() {
            true => Ok(times_of(micros_of_seconds(&args[0])?, to.data_type())),
            false => Ok(times_of(read(args)?, to.data_type())),
        },
    );
    [to_date, to_timestamp]
}

fn check_arguments(args: &ReturnFieldArgs, name: &str, is_known: bool) -> Result<()> {
    match is_known && (args.arg_fields.len() == 1 || passes(args, &[is_text])) {
        true => Ok(()),
        false => {
            Err(invalid(format!("{name} expects a timestamp, or a string and the pattern that it is written in.")))
        }
    }
}

fn read(args: &[ArrayRef]) -> Result<Vec<Option<i64>>> {
    match args.get(1) {
        Some(pattern) => parsed(&args[0], pattern, java_or_postgres),
        None => micros(&args[0]),
    }
}

/// In Java's patterns the case of a letter distinguishes months and minutes, in PostgreSQL's it does not.
fn java_or_postgres(pattern: &str) -> Result<String> {
    let is_java = pattern.contains("mm") && pattern.contains("MM") || pattern.contains('\'');
    if is_java { java(pattern) } else { postgres(pattern) }
}

/// Microseconds of numbers of seconds, which may have a fraction; digits behind microseconds are rounded.
fn micros_of_seconds(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    if array.data_type().is_floating() {
        let micros = |seconds: f64| match (seconds * 1e6).round() {
            micros if micros.abs() < 9e18 => in_calendar(micros as i64),
            _ => Err(beyond()),
        };
        return float64s(array)?.iter().map(|seconds| seconds.map(micros).transpose()).collect();
    }
    let exact = strict_cast(array, &DataType::Decimal256(76, 6)).map_err(|_| beyond())?;
    let micros = |micros: i256| {
        let micros = micros.to_i128().and_then(|micros| i64::try_from(micros).ok()).ok_or_else(beyond)?;
        in_calendar(micros)
    };
    exact.as_primitive::<Decimal256Type>().iter().map(|seconds| seconds.map(micros).transpose()).collect()
}

#[cfg(test)]
mod tests {
    use super::java_or_postgres;

    #[test]
    fn patterns_of_several_kinds() {
        for (pattern, wanted) in [
            ("YYYY-MM-DD HH24:MI:SS", "%Y-%m-%d %H:%M:%S"),
            ("yyyy-mm-dd hh24:mi", "%Y-%m-%d %H:%M"),
            ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S"),
            ("yyyy-MM-dd'T'HH:mm", "%Y-%m-%dT%H:%M"),
            ("%d/%m/%y", "%d/%m/%y"),
        ] {
            assert_eq!(java_or_postgres(pattern).unwrap(), wanted);
        }
    }
}
