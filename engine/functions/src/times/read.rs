//! `to_date` and `to_timestamp` as PostgreSQL, Snowflake, Trino and DuckDB have them: of a text, of a text by a pattern
//! (`YYYY-MM-DD HH24:MI`, or strftime's), of seconds since 1970.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Date32Array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Decimal256Type, Field, Float64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::convert::{times, utc};
use super::format::{java, parsed};
use super::template::translated;
use super::{DAY, beyond, is_time, micros, moment};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;

const DATE_DOC: Doc = Doc {
    signature: "to_date(text, pattern)",
    text: "The day of a text or a time, by a pattern of PostgreSQL (YYYY-MM-DD) or of strftime (%Y-%m-%d) where one is given.",
    example: "select to_date('29.02.2024', 'DD.MM.YYYY')",
};
const TIME_DOC: Doc = Doc {
    signature: "to_timestamp(text or seconds, pattern)",
    text: "The time that a text says, by a pattern of PostgreSQL (YYYY-MM-DD HH24:MI) or of strftime (%Y-%m-%d %H:%M) where one is given, or that lies so many seconds after 1970-01-01 00:00:00.",
    example: "select to_timestamp('29.02.2024 12:34', 'DD.MM.YYYY HH24:MI')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "to_date",
            1..=2,
            Some(DATE_DOC),
            |args| {
                taken(args, "to_date", is_time(args.arg_fields[0].data_type()))?;
                Ok(Arc::new(Field::new("date", DataType::Date32, true)))
            },
            |args, _| {
                let days = read(args)?.into_iter().map(|time| time.map(|time| time.div_euclid(DAY) as i32));
                Ok(Arc::new(days.collect::<Date32Array>()))
            },
        ),
        Simple::udf(
            "to_timestamp",
            1..=2,
            Some(TIME_DOC),
            |args| {
                let from = args.arg_fields[0].data_type();
                taken(args, "to_timestamp", is_time(from) || from.is_numeric())?;
                Ok(utc())
            },
            |args, _| match args[0].data_type().is_numeric() {
                true => Ok(times(seconds(&args[0])?)),
                false => Ok(times(read(args)?)),
            },
        ),
    ]
}

fn taken(args: &ReturnFieldArgs, name: &str, takes: bool) -> Result<()> {
    let with_pattern = args.arg_fields.get(1).is_none_or(|pattern| {
        let readable = |data_type: &DataType| is_text(data_type) || data_type.is_null();
        readable(pattern.data_type()) && readable(args.arg_fields[0].data_type())
    });
    match takes && with_pattern {
        true => Ok(()),
        false => Err(invalid(format!("{name} takes a time, or a text and the pattern that it is written in."))),
    }
}

fn read(args: &[ArrayRef]) -> Result<Vec<Option<i64>>> {
    match args.get(1) {
        Some(pattern) => parsed(&args[0], pattern, pattern_of),
        None => micros(&args[0]),
    }
}

/// Java tells months from minutes by the case of their letter, PostgreSQL does not.
fn pattern_of(pattern: &str) -> Result<String> {
    let of_java = pattern.contains("mm") && pattern.contains("MM") || pattern.contains('\'');
    if of_java { java(pattern) } else { translated(pattern) }
}

/// Microseconds of numbers of seconds, which may have a fraction; what lies behind microseconds is rounded.
fn seconds(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let checked = |micros: i64| moment(micros).map(|_| micros);
    if array.data_type().is_floating() {
        let options = CastOptions { safe: false, ..CastOptions::default() };
        let doubles = cast_with_options(array, &DataType::Float64, &options)?;
        let micros = |seconds: f64| match (seconds * 1e6).round() {
            micros if micros.abs() < 9e18 => checked(micros as i64),
            _ => Err(beyond()),
        };
        return doubles.as_primitive::<Float64Type>().iter().map(|number| number.map(micros).transpose()).collect();
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let exact = cast_with_options(array, &DataType::Decimal256(76, 6), &options).map_err(|_| beyond())?;
    let micros = exact.as_primitive::<Decimal256Type>().iter();
    micros
        .map(|number| {
            number
                .map(|number| {
                    number.to_i128().and_then(|micros| i64::try_from(micros).ok()).ok_or_else(beyond).and_then(checked)
                })
                .transpose()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::pattern_of;

    #[test]
    fn patterns_of_several_kinds() {
        for (pattern, wanted) in [
            ("YYYY-MM-DD HH24:MI:SS", "%Y-%m-%d %H:%M:%S"),
            ("yyyy-mm-dd hh24:mi", "%Y-%m-%d %H:%M"),
            ("yyyy-MM-dd HH:mm:ss", "%Y-%m-%d %H:%M:%S"),
            ("yyyy-MM-dd'T'HH:mm", "%Y-%m-%dT%H:%M"),
            ("%d/%m/%y", "%d/%m/%y"),
        ] {
            assert_eq!(pattern_of(pattern).unwrap(), wanted);
        }
    }
}
