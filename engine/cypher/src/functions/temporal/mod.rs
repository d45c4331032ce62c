//! Functions that make and cut dates, times and durations.

mod build;
mod duration;
mod truncate;

use std::sync::Arc;

use super::{Context, Function, TEXTS, plain, whole, wrong};
use crate::value::temporal::{Measure, Temporal, between};
use crate::value::{Map, Value, ValueType, invalid};
use build::{Type, from_epoch, from_value};
use quarry_types::Result;
use truncate::truncate;

/// A constructor: of its argument, or of this moment.
macro_rules! make {
    ($name:literal, $type:expr) => {
        plain($name, 0, 1, |context, values| construct($type, context, values)).typed(&[], ValueType::Temporal)
    };
}

/// A function that cuts to a unit.
macro_rules! cut {
    ($name:literal, $type:expr) => {
        plain($name, 1, 3, |context, values| cut($type, context, values)).typed(&[TEXTS], ValueType::Temporal)
    };
}

/// The duration between two moments.
macro_rules! measure {
    ($name:literal, $measure:expr) => {
        plain($name, 2, 2, |_, values| {
            let (from, to) = (temporal($name, &values[0])?, temporal($name, &values[1])?);
            Ok(value(Temporal::Duration(between($measure, from, to)?)))
        })
    };
}

pub(super) const FUNCTIONS: &[Function] = &[
    make!("date", Type::Date),
    make!("date.transaction", Type::Date),
    make!("date.statement", Type::Date),
    make!("date.realtime", Type::Date),
    make!("localtime", Type::LocalTime),
    make!("localtime.transaction", Type::LocalTime),
    make!("localtime.statement", Type::LocalTime),
    make!("localtime.realtime", Type::LocalTime),
    make!("time", Type::Time),
    make!("time.transaction", Type::Time),
    make!("time.statement", Type::Time),
    make!("time.realtime", Type::Time),
    make!("localdatetime", Type::LocalDateTime),
    make!("localdatetime.transaction", Type::LocalDateTime),
    make!("localdatetime.statement", Type::LocalDateTime),
    make!("localdatetime.realtime", Type::LocalDateTime),
    make!("datetime", Type::DateTime),
    make!("datetime.transaction", Type::DateTime),
    make!("datetime.statement", Type::DateTime),
    make!("datetime.realtime", Type::DateTime),
    plain("duration", 1, 1, |_, values| from_value(Type::Duration, &values[0]).map(value)),
    plain("datetime.fromepoch", 1, 2, |_, values| {
        let nanoseconds = values.get(1).map_or(Ok(0), |rest| whole("datetime.fromepoch", rest))?;
        from_epoch(whole("datetime.fromepoch", &values[0])?, nanoseconds).map(value)
    }),
    plain("datetime.fromepochmillis", 1, 1, |_, values| {
        let millis = whole("datetime.fromepochmillis", &values[0])?;
        from_epoch(millis.div_euclid(1_000), millis.rem_euclid(1_000) * 1_000_000).map(value)
    }),
    cut!("date.truncate", Type::Date),
    cut!("localtime.truncate", Type::LocalTime),
    cut!("time.truncate", Type::Time),
    cut!("localdatetime.truncate", Type::LocalDateTime),
    cut!("datetime.truncate", Type::DateTime),
    measure!("duration.between", Measure::All),
    measure!("duration.inMonths", Measure::Months),
    measure!("duration.inDays", Measure::Days),
    measure!("duration.inSeconds", Measure::Seconds),
];

fn value(temporal: Temporal) -> Value {
    Value::Temporal(Arc::new(temporal))
}

fn temporal<'v>(function: &str, value: &'v Value) -> Result<&'v Temporal> {
    match value {
        Value::Temporal(one) => Ok(one),
        other => Err(wrong(function, "a date or a time", other)),
    }
}

fn construct(to: Type, context: &Context<'_>, values: &[Value]) -> Result<Value> {
    let made = values.first().map_or_else(|| Ok(to.now(context.now)), |one| from_value(to, one))?;
    Ok(value(made))
}

fn cut(to: Type, context: &Context<'_>, values: &[Value]) -> Result<Value> {
    let Value::Text(unit) = &values[0] else { return Err(wrong("truncate", "a unit", &values[0])) };
    let now = to.now(context.now);
    let of = values.get(1).map_or(Ok(&now), |one| temporal("truncate", one))?;
    let none = Map::new();
    let fields = match values.get(2) {
        None => &none,
        Some(Value::Map(map)) => &**map,
        Some(_) => return Err(invalid("The fields to set are a map.".to_string())),
    };
    truncate(to, unit, of, fields).map(value)
}
