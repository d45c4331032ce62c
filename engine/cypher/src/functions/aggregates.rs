//! Aggregates. Null values are ignored.

use crate::values::{Arithmetic, Value, ValueType, arithmetic, as_f64, order};
use quarry_types::{Error, ErrorCode, Result};

/// An aggregate function.
#[derive(Debug)]
pub(crate) struct Aggregator {
    pub name: &'static str,
    pub arguments: usize,
    /// Whether `f(*)` counts rows.
    pub takes_star: bool,
    /// Whether its result is the same when a value is repeated.
    pub ignores_duplicates: bool,
    /// The type of its result; `Any` if that depends on the arguments.
    pub returns: ValueType,
    pub start: fn() -> Accumulator,
}

impl PartialEq for Aggregator {
    fn eq(&self, other: &Aggregator) -> bool {
        self.name == other.name
    }
}

const fn aggregator(name: &'static str, ignores_duplicates: bool, start: fn() -> Accumulator) -> Aggregator {
    Aggregator { name, arguments: 1, takes_star: false, ignores_duplicates, returns: ValueType::Any, start }
}

pub(super) const AGGREGATORS: &[Aggregator] = &[
    Aggregator {
        takes_star: true,
        returns: ValueType::Integer,
        ..aggregator("count", false, || Accumulator::Count(0))
    },
    aggregator("sum", false, || Accumulator::Sum(Value::Int(0))),
    aggregator("avg", false, || Accumulator::Average { sum: Value::Int(0), count: 0 }),
    aggregator("min", true, || Accumulator::Extreme { best: Value::Null, largest: false }),
    aggregator("max", true, || Accumulator::Extreme { best: Value::Null, largest: true }),
    Aggregator { returns: ValueType::List, ..aggregator("collect", false, || Accumulator::Collect(Vec::new())) },
    aggregator("stDev", false, || Accumulator::Deviation { count: 0, mean: 0.0, squares: 0.0, sample: true }),
    aggregator("stDevP", false, || Accumulator::Deviation { count: 0, mean: 0.0, squares: 0.0, sample: false }),
    Aggregator { arguments: 2, ..aggregator("percentileCont", false, || percentile(true)) },
    Aggregator { arguments: 2, ..aggregator("percentileDisc", false, || percentile(false)) },
];

fn percentile(continuous: bool) -> Accumulator {
    Accumulator::Percentile { values: Vec::new(), at: None, continuous }
}

/// The state of an aggregate for one group.
#[derive(Debug, Clone)]
pub(crate) enum Accumulator {
    Count(i64),
    Sum(Value),
    Average {
        sum: Value,
        count: i64,
    },
    Extreme {
        best: Value,
        largest: bool,
    },
    Collect(Vec<Value>),
    /// Welford's running mean and sum of squares.
    Deviation {
        count: i64,
        mean: f64,
        squares: f64,
        sample: bool,
    },
    Percentile {
        values: Vec<Value>,
        at: Option<f64>,
        continuous: bool,
    },
}

impl Accumulator {
    /// Adds the arguments of one row; returns the bytes that it keeps.
    pub fn add(&mut self, arguments: &[Value]) -> Result<usize> {
        let Some(value) = arguments.first() else {
            // count(*)
            if let Accumulator::Count(count) = self {
                *count += 1;
            }
            return Ok(0);
        };
        if value.is_null() {
            return Ok(0);
        }
        match self {
            Accumulator::Count(count) => *count += 1,
            Accumulator::Sum(sum) => {
                let added = arithmetic(Arithmetic::Add, sum, value);
                *sum = added.unwrap_or_else(|| Err(super::wrong("sum", "numbers", value)))?;
            }
            Accumulator::Average { sum, count } => {
                // Means are floats: a sum of floats can't overflow.
                *sum = Value::Float(number("avg", sum)? + number("avg", value)?);
                *count += 1;
            }
            Accumulator::Extreme { best, largest } => {
                let decided = order(value, best);
                if best.is_null() || (if *largest { decided.is_gt() } else { decided.is_lt() }) {
                    *best = value.clone();
                }
            }
            Accumulator::Collect(values) => {
                values.push(value.clone());
                return Ok(size_of::<Value>() + value.size());
            }
            Accumulator::Deviation { count, mean, squares, .. } => {
                let value = number("stDev", value)?;
                *count += 1;
                let before = value - *mean;
                *mean += before / *count as f64;
                *squares += before * (value - *mean);
            }
            Accumulator::Percentile { values, at, .. } => {
                number("percentile", value)?;
                let place = arguments.get(1).and_then(as_f64).filter(|place| (0.0..=1.0).contains(place));
                let message = "A percentile must be a number from 0.0 to 1.0.";
                *at = Some(place.ok_or_else(|| Error::new(ErrorCode::InvalidQuery, message))?);
                values.push(value.clone());
                return Ok(size_of::<Value>() + value.size());
            }
        }
        Ok(0)
    }

    pub fn finish(self) -> Value {
        match self {
            Accumulator::Count(count) => Value::Int(count),
            Accumulator::Sum(sum) => sum,
            Accumulator::Average { count: 0, .. } => Value::Null,
            Accumulator::Average { sum, count } => Value::Float(as_f64(&sum).unwrap_or(f64::NAN) / count as f64),
            Accumulator::Extreme { best, .. } => best,
            Accumulator::Collect(values) => Value::list(values),
            Accumulator::Deviation { count, squares, sample, .. } => {
                let degrees = count - i64::from(sample);
                Value::Float(if degrees <= 0 { 0.0 } else { (squares / degrees as f64).sqrt() })
            }
            Accumulator::Percentile { mut values, at, continuous } => {
                let Some(at) = at else { return Value::Null };
                values.sort_by(order);
                let last = values.len() - 1;
                if continuous {
                    let place = at * last as f64;
                    let below = as_f64(&values[place.floor() as usize]).unwrap_or(f64::NAN);
                    let above = as_f64(&values[place.ceil() as usize]).unwrap_or(f64::NAN);
                    return Value::Float(below + (above - below) * place.fract());
                }
                let place = (at * values.len() as f64).ceil() as usize;
                values.swap_remove(place.saturating_sub(1).min(last))
            }
        }
    }
}

fn number(function: &str, value: &Value) -> Result<f64> {
    as_f64(value).ok_or_else(|| super::wrong(function, "numbers", value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, rows: &[&[Value]]) -> Value {
        let aggregator = AGGREGATORS.iter().find(|one| one.name == name).unwrap();
        let mut state = (aggregator.start)();
        for row in rows {
            state.add(row).unwrap();
        }
        state.finish()
    }

    #[test]
    fn nothing_sums_to_zero_and_has_no_mean() {
        assert_eq!(run("sum", &[&[Value::Null]]), Value::Int(0));
        assert!(run("avg", &[]).is_null());
        assert!(run("max", &[&[Value::Null]]).is_null());
    }

    #[test]
    fn percentiles_choose_or_interpolate() {
        let rows: Vec<Vec<Value>> = [10, 20, 30].map(|n| vec![Value::Int(n), Value::Float(0.25)]).into();
        let rows: Vec<&[Value]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(run("percentileDisc", &rows), Value::Int(10));
        assert_eq!(run("percentileCont", &rows), Value::Float(15.0));
    }

    #[test]
    fn a_sum_of_more_than_64_bits_is_an_error() {
        let mut sum = Accumulator::Sum(Value::Int(i64::MAX));
        assert_eq!(sum.add(&[Value::Int(1)]).unwrap_err().code, ErrorCode::Arithmetic);
    }
}
