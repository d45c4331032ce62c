//! Lists counted up: `sequence(first, last, step)` of numbers, days and times, and BigQuery's names for it.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Date32Array, Int64Array, ListArray, TimestampMicrosecondArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type, IntervalMonthDayNanoType, IntervalUnit, TimeUnit};
use chrono::{DateTime, Months};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::ErrorCode;
use quarry_types::byte_columns::is_text;
use quarry_types::{invalid, refuse};

/// Most items of all lists of one batch.
const MOST: usize = 10_000_000;
const DAY: i64 = 86_400_000_000;

const SEQUENCE_DOC: Doc = Doc {
    signature: "sequence(first, last, step)",
    text: "A list from the first to the last number, day or time; days and times step by an interval, a day without one.",
    example: "select sequence(date '2024-01-01', date '2024-01-31', interval '7' day)",
};

const GENERATE_DOC: Doc = Doc {
    signature: "generate_array(first, last, step)",
    text: "As sequence; the list is empty when the step leads away from the last item.",
    example: "select generate_array(1, 10, 3)",
};

/// What a step is that leads away from the last item: an error in Trino, no items in BigQuery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Away {
    Error,
    Empty,
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("sequence", 2..=3, Some(SEQUENCE_DOC), sequence_field, |args, to| sequence(args, to, Away::Error)),
        Simple::udf("generate_array", 2..=3, Some(GENERATE_DOC), sequence_field, |args, to| {
            sequence(args, to, Away::Empty)
        })
        .with_aliases(["generate_date_array", "generate_timestamp_array"]),
    ]
}

fn list_of(item: DataType) -> FieldRef {
    Arc::new(Field::new("list", DataType::List(Arc::new(Field::new_list_field(item, true))), true))
}

fn sequence_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let types: Vec<&DataType> = args.arg_fields.iter().map(|field| field.data_type()).collect();
    let whole = |data_type: &DataType| data_type.is_integer() || data_type.is_null();
    if types.iter().all(|data_type| whole(data_type)) {
        return Ok(list_of(DataType::Int64));
    }
    let step = types.get(2).is_none_or(|step| matches!(step, DataType::Interval(_)));
    let times = types[..2]
        .iter()
        .all(|end| matches!(end, DataType::Date32 | DataType::Timestamp(..) | DataType::Null) || is_text(end));
    if !step || !times {
        return Err(invalid("sequence takes two whole numbers, or two times and an interval between them."));
    }
    // Texts are days, as BigQuery's dates are.
    let days = types[..2].iter().all(|end| !matches!(end, DataType::Timestamp(..)));
    let zone = types[..2].iter().find_map(|end| match end {
        DataType::Timestamp(_, zone) => Some(zone.clone()),
        _ => None,
    });
    Ok(list_of(match days {
        true => DataType::Date32,
        false => DataType::Timestamp(TimeUnit::Microsecond, zone.flatten()),
    }))
}

/// Lists that grow row by row, up to a limit of items.
#[derive(Default)]
struct Lists {
    items: Vec<i64>,
    lengths: Vec<usize>,
    valid: Vec<bool>,
}

impl Lists {
    fn add(&mut self, list: Option<Counted>) -> Result<()> {
        let before = self.items.len();
        self.valid.push(list.is_some());
        let too_many = || refuse(ErrorCode::TooComplex, format!("A sequence may have at most {MOST} items."));
        // Before any is made: ten million take a while.
        if list.as_ref().is_some_and(|list| list.at_least() > (MOST - before) as i128) {
            return Err(too_many());
        }
        for item in list.into_iter().flatten() {
            if self.items.len() == MOST {
                return Err(too_many());
            }
            self.items.push(item);
        }
        self.lengths.push(self.items.len() - before);
        Ok(())
    }

    fn finish(self, to: &DataType) -> Result<ArrayRef> {
        let DataType::List(item) = to else { return Err(invalid("A sequence is a list.")) };
        let values: ArrayRef = match item.data_type() {
            DataType::Date32 => {
                let days = self.items.into_iter().map(|time| time.div_euclid(DAY) as i32);
                Arc::new(Date32Array::from_iter_values(days))
            }
            DataType::Timestamp(_, zone) => {
                Arc::new(TimestampMicrosecondArray::from(self.items).with_timezone_opt(zone.clone()))
            }
            _ => Arc::new(Int64Array::from(self.items)),
        };
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        Ok(Arc::new(ListArray::try_new(item.clone(), offsets, values, Some(NullBuffer::from(self.valid)))?))
    }
}

fn numbers(array: &ArrayRef, to: &DataType) -> Result<Vec<Option<i64>>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let typed = cast_with_options(array, to, &options).map_err(|_| invalid("A text is no date such as 2024-03-01."))?;
    let numbers = cast_with_options(&typed, &DataType::Int64, &options)?;
    Ok(numbers.as_primitive::<Int64Type>().iter().collect())
}

fn sequence(args: &[ArrayRef], to: &FieldRef, away: Away) -> Result<ArrayRef> {
    let mut lists = Lists::default();
    let item = match to.data_type() {
        DataType::List(item) => item.data_type().clone(),
        other => other.clone(),
    };
    if item == DataType::Int64 {
        let (first, last) = (numbers(&args[0], &item)?, numbers(&args[1], &item)?);
        let steps = args.get(2).map(|steps| numbers(steps, &item)).transpose()?;
        for (row, (first, last)) in first.into_iter().zip(last).enumerate() {
            let step = match &steps {
                Some(steps) => steps[row],
                // Without a step Trino counts down when it must; BigQuery has no items then.
                None => first.zip(last).map(|(first, last)| match away {
                    Away::Error if first > last => -1,
                    _ => 1,
                }),
            };
            lists.add(match (first, last, step) {
                (Some(first), Some(last), Some(step)) => Some(counted(first, last, Step::Number(step), away)?),
                _ => None,
            })?;
        }
        return lists.finish(to.data_type());
    }
    let zone = match &item {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    };
    let moment = DataType::Timestamp(TimeUnit::Microsecond, zone);
    let (first, last) = (numbers(&args[0], &moment)?, numbers(&args[1], &moment)?);
    let steps = match args.get(2) {
        Some(steps) => steps_of(steps)?,
        None => first.iter().zip(&last).map(|ends| Some(day_between(ends, away))).collect(),
    };
    let of_days = |step: &Step| matches!(step, Step::Time { micros, .. } if micros % DAY != 0);
    if item == DataType::Date32 && steps.iter().flatten().any(of_days) {
        return Err(invalid("Days step by whole days; cast the first one to a timestamp to step by hours."));
    }
    for ((first, last), step) in first.into_iter().zip(last).zip(steps) {
        lists.add(match (first, last, step) {
            (Some(first), Some(last), Some(step)) => Some(counted(first, last, step, away)?),
            _ => None,
        })?;
    }
    lists.finish(to.data_type())
}

/// What one item is further than the one before.
#[derive(Debug, Clone, Copy)]
enum Step {
    Number(i64),
    Time { months: i64, micros: i64 },
}

fn steps_of(array: &ArrayRef) -> Result<Vec<Option<Step>>> {
    let intervals = cast_with_options(
        array,
        &DataType::Interval(IntervalUnit::MonthDayNano),
        &CastOptions { safe: false, ..CastOptions::default() },
    )?;
    let step = |interval: arrow::datatypes::IntervalMonthDayNano| Step::Time {
        months: interval.months.into(),
        micros: i64::from(interval.days) * DAY + interval.nanoseconds / 1_000,
    };
    Ok(intervals.as_primitive::<IntervalMonthDayNanoType>().iter().map(|interval| interval.map(step)).collect())
}

/// The step of days where none is given: Trino counts down when it must.
fn day_between((first, last): (&Option<i64>, &Option<i64>), away: Away) -> Step {
    let back = away == Away::Error && first > last;
    Step::Time { months: 0, micros: if back { -DAY } else { DAY } }
}

/// The items from one end to the other.
#[derive(Debug)]
struct Counted {
    first: i64,
    last: i64,
    step: Step,
    forward: bool,
    index: i64,
}

/// The items from one end to the other; a step that leads nowhere is an error.
fn counted(first: i64, last: i64, step: Step, away: Away) -> Result<Counted> {
    let (months, rest) = match step {
        Step::Number(step) => (0, step),
        Step::Time { months, micros } => (months, micros),
    };
    if months.signum() * rest.signum() < 0 {
        return Err(invalid("The months and the days of a step must lead the same way."));
    }
    let forward = months.signum() + rest.signum();
    if forward == 0 {
        return Err(invalid("The step of a sequence can't be zero."));
    }
    let leads_away = if forward > 0 { first > last } else { first < last };
    if leads_away && away == Away::Error {
        return Err(invalid("The step of a sequence leads away from its last item."));
    }
    Ok(Counted { first, last, step, forward: forward > 0, index: 0 })
}

impl Counted {
    /// How many items there are; no more than there are where months have several lengths.
    fn at_least(&self) -> i128 {
        let longest = match self.step {
            Step::Number(step) => i128::from(step),
            Step::Time { months, micros } => i128::from(months) * i128::from(31 * DAY) + i128::from(micros),
        };
        let way = i128::from(self.last) - i128::from(self.first);
        (way / longest + 1).max(0)
    }
}

impl Iterator for Counted {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        // What is beyond the numbers there are is beyond the last one too.
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
