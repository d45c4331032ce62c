//! Times as the clocks of a time zone show them.

use std::sync::Arc;

use arrow::array::timezone::Tz;
use arrow::array::{ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, TimeUnit};
use chrono::{Offset, TimeZone};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::convert::{times, utc};
use super::{beyond, micros, moment, time_needed};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const SECOND: i64 = 1_000_000;

const AT_DOC: Doc = Doc {
    signature: "at_timezone(time, zone)",
    text: "What the clocks of a time zone show at a time; a zone is a name such as Europe/Berlin or an offset such as +05:30.",
    example: "select at_timezone(timestamp '2024-07-01 12:00:00', 'Europe/Berlin')",
};
const FROM_DOC: Doc = Doc {
    signature: "from_unixtime(seconds, zone)",
    text: "The time a number of seconds after 1970-01-01 00:00:00 UTC; with a time zone, what its clocks show.",
    example: "select from_unixtime(1704067200)",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "at_timezone",
            2..=2,
            Some(AT_DOC),
            |args| {
                time_needed("at_timezone", args.arg_fields[0].data_type())?;
                zone_needed("at_timezone", &args.arg_fields[1])
            },
            |args, _| clocks(micros(&args[0])?, &args[1]),
        ),
        Simple::udf(
            "from_unixtime",
            1..=2,
            Some(FROM_DOC),
            |args| {
                let from = args.arg_fields[0].data_type();
                if !(from.is_numeric() || from.is_null()) {
                    return Err(invalid("from_unixtime takes a number of seconds."));
                }
                args.arg_fields.get(1).map_or_else(|| Ok(utc()), |zone| zone_needed("from_unixtime", zone))
            },
            |args, _| {
                let rows = of_seconds(&args[0])?;
                match args.get(1) {
                    None => Ok(times(rows)),
                    Some(zones) => clocks(rows, zones),
                }
            },
        ),
    ]
}

/// Microseconds of a number of seconds, with its fraction.
fn of_seconds(seconds: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let exact = cast_with_options(seconds, &DataType::Decimal128(38, 6), &options).map_err(|_| beyond())?;
    let micros = |micros: i128| {
        let micros = i64::try_from(micros).map_err(|_| beyond())?;
        moment(micros).map(|_| micros)
    };
    exact.as_primitive::<Decimal128Type>().iter().map(|row| row.map(micros).transpose()).collect()
}

fn zone_needed(name: &str, zone: &FieldRef) -> Result<FieldRef> {
    if !is_text(zone.data_type()) && !zone.data_type().is_null() {
        return Err(invalid(format!("The time zone of {name} is a text such as 'Europe/Berlin'.")));
    }
    Ok(Arc::new(Field::new(name, DataType::Timestamp(TimeUnit::Microsecond, None), true)))
}

/// What the clocks of each row's zone show at its time.
fn clocks(rows: Vec<Option<i64>>, zones: &ArrayRef) -> Result<ArrayRef> {
    let mut known: Option<(&str, Tz)> = None;
    let mut shown = Vec::with_capacity(rows.len());
    for (time, name) in rows.into_iter().zip(text_of(zones)?) {
        let (Some(time), Some(name)) = (time, name) else {
            shown.push(None);
            continue;
        };
        let zone = match known {
            Some((same, zone)) if same == name => zone,
            _ => name.parse::<Tz>().map_err(|_| invalid(format!("There is no time zone {name}.")))?,
        };
        known = Some((name, zone));
        let ahead = zone.offset_from_utc_datetime(&moment(time)?).fix().local_minus_utc();
        shown.push(Some(time.checked_add(i64::from(ahead) * SECOND).ok_or_else(beyond)?));
    }
    Ok(Arc::new(TimestampMicrosecondArray::from(shown)))
}
