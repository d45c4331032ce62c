//! Functions that make and truncate dates, times and durations.

mod construct;
mod truncate;

use super::{Arguments, Function, TEXTS, function};
use crate::values::temporal::{Measure, Temporal, between};
use crate::values::{Map, Value, ValueType, invalid};
use construct::{TemporalType, construct, from_epoch};
use quarry_types::Result;

/// The functions of a type: its constructor, under four names, and the one that truncates to a unit.
macro_rules! functions_of_type {
    ($name:literal, $type:expr) => {{
        const fn constructor(name: &'static str) -> Function {
            let call = |args: &Arguments<'_>| match args.values.first() {
                None => Ok($type.utc(args.context.now).into()),
                Some(from) => construct($type, from).map(Value::from),
            };
            function(name, 0, 1, call).typed(&[], ValueType::Temporal)
        }
        &[
            constructor($name),
            constructor(concat!($name, ".transaction")),
            constructor(concat!($name, ".statement")),
            constructor(concat!($name, ".realtime")),
            function(concat!($name, ".truncate"), 1, 3, |args| truncate($type, args))
                .typed(&[TEXTS], ValueType::Temporal),
        ]
    }};
}

/// The duration between two times, in some units.
macro_rules! measure {
    ($name:literal, $measure:expr) => {
        function($name, 2, 2, |args| {
            Ok(Temporal::Duration(between($measure, args.temporal(0)?, args.temporal(1)?)?).into())
        })
    };
}

pub(super) const DATE: &[Function] = functions_of_type!("date", TemporalType::Date);
pub(super) const LOCAL_TIME: &[Function] = functions_of_type!("localtime", TemporalType::LocalTime);
pub(super) const TIME: &[Function] = functions_of_type!("time", TemporalType::Time);
pub(super) const LOCAL_DATE_TIME: &[Function] = functions_of_type!("localdatetime", TemporalType::LocalDateTime);
pub(super) const DATE_TIME: &[Function] = functions_of_type!("datetime", TemporalType::DateTime);

pub(super) const OTHERS: &[Function] = &[
    function("duration", 1, 1, |args| construct(TemporalType::Duration, &args.values[0]).map(Value::from)),
    function("datetime.fromepoch", 1, 2, |args| {
        let nanoseconds = if args.values.len() > 1 { args.integer(1)? } else { 0 };
        from_epoch(args.integer(0)?, nanoseconds).map(Value::from)
    }),
    function("datetime.fromepochmillis", 1, 1, |args| {
        let millis = args.integer(0)?;
        from_epoch(millis.div_euclid(1_000), millis.rem_euclid(1_000) * 1_000_000).map(Value::from)
    }),
    measure!("duration.between", Measure::All),
    measure!("duration.inMonths", Measure::Months),
    measure!("duration.inDays", Measure::Days),
    measure!("duration.inSeconds", Measure::Seconds),
];

fn truncate(to: TemporalType, args: &Arguments<'_>) -> Result<Value> {
    let Value::Text(unit) = &args.values[0] else { return Err(args.wrong(0, "a unit")) };
    let now = to.utc(args.context.now);
    let from = if args.values.len() > 1 { args.temporal(1)? } else { &now };
    let none = Map::new();
    let fields = match args.values.get(2) {
        None => &none,
        Some(Value::Map(map)) => &**map,
        Some(_) => return Err(invalid("The fields to set must be a map.".to_string())),
    };
    truncate::truncate(to, unit, from, fields).map(Value::from)
}
