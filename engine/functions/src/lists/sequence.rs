//! `sequence(first, last, step)` of numbers, days and times, and BigQuery's names for it.

use arrow::array::{Date32Array, TimestampMicrosecondArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::cast_with_options;
use arrow::datatypes::{IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
use chrono::{DateTime, Months};
use datafusion::common::format::DEFAULT_CAST_OPTIONS;

use super::build::{list_array, list_field, list_item};
use crate::prelude::*;

/// Most items of all lists of one batch.
const MAX_ITEMS: usize = 10_000_000;
const DAY: i64 = 86_400_000_000;

const SEQUENCE_DOC: Doc = Doc {
    signature: "sequence(first, last, step)",
    text: "A list of the numbers, dates or timestamps from the first to the last. Dates and timestamps step by an interval, one day by default.",
    example: "select sequence(date '2024-01-01', date '2024-01-31', interval '7' day)",
};

const GENERATE_DOC: Doc = Doc {
    signature: "generate_array(first, last, step)",
    text: "The same as sequence, but the list is empty if the step leads away from the last element.",
    example: "select generate_array(1, 10, 3)",
};

/// The meaning of a step that leads away from the last item: an error in Trino, no items in BigQuery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Away {
    Error,
    Empty,
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        SEQUENCE_DOC.udf(2..=3, sequence_field, |args, to| sequence(args, to, Away::Error)),
        GENERATE_DOC
            .udf(2..=3, sequence_field, |args, to| sequence(args, to, Away::Empty))
            .with_aliases(["generate_date_array", "generate_timestamp_array"]),
    ]
}

fn sequence_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let types: Vec<&DataType> = args.arg_fields.iter().map(|field| field.data_type()).collect();
    let whole = |data_type: &DataType| data_type.is_integer() || data_type.is_null();
    if types.iter().all(|data_type| whole(data_type)) {
        return Ok(list_field("list", DataType::Int64));
    }
    let step = types.get(2).is_none_or(|step| matches!(step, DataType::Interval(_)));
    let times = types[..2]
        .iter()
        .all(|end| matches!(end, DataType::Date32 | DataType::Timestamp(..) | DataType::Null) || is_text(end));
    if !step || !times {
        return Err(invalid("sequence expects two integers, or two dates or timestamps and an interval."));
    }
    // Texts are days, as BigQuery's dates are.
    let days = types[..2].iter().all(|end| !matches!(end, DataType::Timestamp(..)));
    let zone = types[..2].iter().find_map(|end| match end {
        DataType::Timestamp(_, zone) => Some(zone.clone()),
        _ => None,
    });
    let item = if days { DataType::Date32 } else { DataType::Timestamp(TimeUnit::Microsecond, zone.flatten()) };
    Ok(list_field("list", item))
}

/// Lists that grow row by row, up to a limit of items.
#[derive(Default)]
struct Lists {
    items: Vec<i64>,
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl Lists {
    fn add(&mut self, list: Option<Items>) -> Result<()> {
        let before = self.items.len();
        self.valid.push(list.is_some());
        let too_many = || refuse(ErrorCode::TooComplex, format!("A sequence may have at most {MAX_ITEMS} items."));
        // Refused before any is made: ten million take a while.
        if list.as_ref().is_some_and(|list| list.at_least() > (MAX_ITEMS - before) as i128) {
            return Err(too_many());
        }
        for item in list.into_iter().flatten() {
            if self.items.len() == MAX_ITEMS {
                return Err(too_many());
            }
            self.items.push(item);
        }
        self.lengths.push(self.items.len() - before);
        Ok(())
    }

    fn finish(self, to: &DataType) -> Result<ArrayRef> {
        let items: ArrayRef = match list_item(to)?.data_type() {
            DataType::Date32 => {
                let days = self.items.into_iter().map(|time| time.div_euclid(DAY) as i32);
                Arc::new(Date32Array::from_iter_values(days))
            }
            DataType::Timestamp(_, zone) => {
                Arc::new(TimestampMicrosecondArray::from(self.items).with_timezone_opt(zone.clone()))
            }
            _ => Arc::new(Int64Array::from(self.items)),
        };
        list_array(to, OffsetBuffer::from_lengths(self.lengths), items, Some(NullBuffer::from(self.valid)))
    }
}

/// Whole numbers, or times in microseconds.
fn numbers(array: &ArrayRef, to: &DataType) -> Result<Int64Array> {
    let typed = cast_with_options(array, to, &DEFAULT_CAST_OPTIONS);
    Ok(int64s(&typed.map_err(|_| invalid("A string is not a valid date; write it as 2024-03-01."))?)?)
}

fn sequence(args: &[ArrayRef], to: &FieldRef, away: Away) -> Result<ArrayRef> {
    let item = list_item(to.data_type())?.data_type();
    let number_type = match item {
        DataType::Date32 => DataType::Timestamp(TimeUnit::Microsecond, None),
        other => other.clone(),
    };
    let (first, last) = (numbers(&args[0], &number_type)?, numbers(&args[1], &number_type)?);
    // Without a step Trino counts down when it must; BigQuery has no items then.
    let usual = |size: i64| {
        first.iter().zip(&last).map(move |(first, last)| if away == Away::Error && first > last { -size } else { size })
    };
    let steps: Vec<Option<Step>> = match (item, args.get(2)) {
        (DataType::Int64, Some(steps)) => numbers(steps, item)?.iter().map(|step| step.map(Step::Number)).collect(),
        (DataType::Int64, None) => usual(1).map(|step| Some(Step::Number(step))).collect(),
        (_, Some(steps)) => interval_steps(steps)?,
        (_, None) => usual(DAY).map(|micros| Some(Step::Time { months: 0, micros })).collect(),
    };
    let within_days = |step: &Step| matches!(step, Step::Time { micros, .. } if micros % DAY != 0);
    if *item == DataType::Date32 && steps.iter().flatten().any(within_days) {
        return Err(invalid(
            "A sequence of dates must step by whole days; cast the first one to a timestamp to step by hours.",
        ));
    }
    let mut lists = Lists::default();
    for ((first, last), step) in first.iter().zip(&last).zip(steps) {
        lists.add(match (first, last, step) {
            (Some(first), Some(last), Some(step)) => Some(Items::new(first, last, step, away)?),
            _ => None,
        })?;
    }
    lists.finish(to.data_type())
}

/// The distance of an item from the one before.
#[derive(Debug, Clone, Copy)]
enum Step {
    Number(i64),
    Time { months: i64, micros: i64 },
}

fn interval_steps(array: &ArrayRef) -> Result<Vec<Option<Step>>> {
    let intervals = cast_with_options(array, &DataType::Interval(IntervalUnit::MonthDayNano), &DEFAULT_CAST_OPTIONS)?;
    let step = |interval: IntervalMonthDayNano| Step::Time {
        months: interval.months.into(),
        micros: i64::from(interval.days) * DAY + interval.nanoseconds / 1_000,
    };
    Ok(intervals.as_primitive::<IntervalMonthDayNanoType>().iter().map(|interval| interval.map(step)).collect())
}

/// The items from one end to the other.
#[derive(Debug)]
struct Items {
    first: i64,
    last: i64,
    step: Step,
    forward: bool,
    index: i64,
}

impl Items {
    /// An error for a step that leads nowhere.
    fn new(first: i64, last: i64, step: Step, away: Away) -> Result<Items> {
        let (months, rest) = match step {
            Step::Number(step) => (0, step),
            Step::Time { months, micros } => (months, micros),
        };
        if months.signum() * rest.signum() < 0 {
            return Err(invalid("The months and the days of a step must have the same sign."));
        }
        let forward = months.signum() + rest.signum();
        if forward == 0 {
            return Err(invalid("The step of a sequence can't be zero."));
        }
        let leads_away = if forward > 0 { first > last } else { first < last };
        if leads_away && away == Away::Error {
            return Err(invalid("The step of a sequence leads away from its end."));
        }
        Ok(Items { first, last, step, forward: forward > 0, index: 0 })
    }

    /// A lower bound of the number of items, as months differ in length.
    fn at_least(&self) -> i128 {
        let longest = match self.step {
            Step::Number(step) => i128::from(step),
            Step::Time { months, micros } => i128::from(months) * i128::from(31 * DAY) + i128::from(micros),
        };
        let distance = i128::from(self.last) - i128::from(self.first);
        (distance / longest + 1).max(0)
    }
}

impl Iterator for Items {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        // An item out of range is beyond the last one.
        let item = item(self.first, self.step, self.index)?;
        self.index += 1;
        let inside = if self.forward { item <= self.last } else { item >= self.last };
        inside.then_some(item)
    }
}

fn item(first: i64, step: Step, index: i64) -> Option<i64> {
    match step {
        Step::Number(step) => i64::try_from(i128::from(first) + i128::from(step) * i128::from(index)).ok(),
        Step::Time { months, micros } => {
            let by = months.checked_mul(index)?;
            let moved = match by {
                0 => first,
                by => {
                    let time = DateTime::from_timestamp_micros(first)?;
                    let by_months = Months::new(u32::try_from(by.unsigned_abs()).ok()?);
                    let moved =
                        if by < 0 { time.checked_sub_months(by_months) } else { time.checked_add_months(by_months) };
                    moved?.timestamp_micros()
                }
            };
            moved.checked_add(micros.checked_mul(index)?)
        }
    }
}
