//! Days and times as ISO 8601 writes them.

use arrow::array::Date32Array;
use chrono::{NaiveDate, Weekday};

use super::values::{micros, moment, takes_time};
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let to_iso8601 = doc(
        "to_iso8601(time)",
        "A date or timestamp in ISO 8601 format.",
        "select to_iso8601(timestamp '2024-02-29 12:34:56')",
    )
    .udf(1..=1, takes_time("to_iso8601", DataType::Utf8), |args, _| format(&args[0]));
    let from_iso8601_date = doc(
        "from_iso8601_date(text)",
        "The date in an ISO 8601 string: 2024-02-29, the week 2024-W09 or 2024-W09-4, or the day of the year 2024-060.",
        "select from_iso8601_date('2024-W09-4')",
    )
    .fallible()
    .udf(
        1..=1,
        takes(
            [is_text],
            "Expected a string such as '2024-02-29' \
                                             here.",
            DataType::Date32,
        ),
        |args, _| {
            map_rows::<Date32Array, _, _>(text_of(&args[0])?, |text| {
                let day =
                    day(text.trim()).ok_or_else(|| invalid(format!("'{text:.60}' is not a valid ISO 8601 date.")))?;
                Ok(day.signed_duration_since(NaiveDate::default()).num_days() as i32)
            })
        },
    );
    [to_iso8601, from_iso8601_date]
}

fn format(array: &ArrayRef) -> Result<ArrayRef> {
    let is_day = matches!(array.data_type(), DataType::Date32 | DataType::Date64);
    let zone = if matches!(array.data_type(), DataType::Timestamp(_, Some(_))) { "Z" } else { "" };
    map_rows::<StringArray, _, _>(micros(array)?, |time| {
        let moment = moment(time)?;
        Ok(match (is_day, time.rem_euclid(1_000)) {
            (true, _) => moment.format("%Y-%m-%d").to_string(),
            (false, 0) => format!("{}{zone}", moment.format("%Y-%m-%dT%H:%M:%S%.3f")),
            (false, _) => format!("{}{zone}", moment.format("%Y-%m-%dT%H:%M:%S%.6f")),
        })
    })
}

/// A day by month, week or year; the first day where none is written.
fn day(text: &str) -> Option<NaiveDate> {
    let mut parts = text.split('-');
    let number = |part: &str, length: usize| {
        let digits = part.len() == length && part.bytes().all(|sign| sign.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let year = number(parts.next()?, 4)? as i32;
    let (second, third) = (parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    match (second, third) {
        (None, _) => NaiveDate::from_ymd_opt(year, 1, 1),
        (Some(week), day) if week.starts_with('W') => {
            let day = day.map_or(Some(1), |day| number(day, 1)).filter(|day| (1..=7).contains(day))?;
            let day = Weekday::try_from(day as u8 - 1).ok()?;
            NaiveDate::from_isoywd_opt(year, number(&week[1..], 2)?, day)
        }
        (Some(day), None) if day.len() == 3 => NaiveDate::from_yo_opt(year, number(day, 3)?),
        (Some(month), day) => {
            let day = day.map_or(Some(1), |day| number(day, 2))?;
            NaiveDate::from_ymd_opt(year, number(month, 2)?, day)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_iso_8601() {
        let date = |year, month, day| NaiveDate::from_ymd_opt(year, month, day);
        assert_eq!(day("2020-05-11"), date(2020, 5, 11));
        assert_eq!(day("2020-W10"), date(2020, 3, 2));
        assert_eq!(day("2020-W10-7"), date(2020, 3, 8));
        assert_eq!(day("2020-123"), date(2020, 5, 2));
        assert_eq!((day("2020"), day("2020-05")), (date(2020, 1, 1), date(2020, 5, 1)));
        for wrong in
            ["", "20", "2020-", "2020-W", "2020-W54", "2020-W10-8", "2020-366-1", "2021-366", "2020-5-11", "2020-é"]
        {
            assert_eq!(day(wrong), None, "{wrong}");
        }
    }
}
