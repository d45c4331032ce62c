//! Functions of the language: one list of scalar ones, one of aggregates.

mod aggregates;
mod convert;
mod elements;
mod lists;
mod maths;
mod temporal;
mod texts;

use std::time::SystemTime;

use super::plan::ValueType;
use super::store::PropertyGraph;
use super::value::Value;
use quarry_types::{Error, ErrorCode, Result};

pub(super) use aggregates::{Accumulator, Aggregator};
pub(super) use convert::text_of;

/// What a function may look at beside its arguments.
pub(super) struct Context<'a> {
    pub graph: &'a dyn PropertyGraph,
    /// When the query began: one moment for all its rows.
    pub now: SystemTime,
}

/// A function of one row.
#[derive(Debug)]
pub(super) struct Function {
    pub name: &'static str,
    /// Fewest and most arguments.
    pub least: usize,
    pub most: usize,
    /// Types it accepts for each argument; checked before the run. Further arguments are not checked.
    pub takes: &'static [&'static [ValueType]],
    /// The type of its result; `Any` if that depends on the arguments.
    pub returns: ValueType,
    /// Whether each call returns a different value, as `rand()` does.
    pub volatile: bool,
    /// Whether it is called although an argument is null; others answer null then.
    pub sees_null: bool,
    pub call: fn(&Context<'_>, &[Value]) -> Result<Value>,
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

/// A function whose result is null when an argument is.
const fn plain(
    name: &'static str,
    least: usize,
    most: usize,
    call: fn(&Context<'_>, &[Value]) -> Result<Value>,
) -> Function {
    Function { name, least, most, takes: &[], returns: ValueType::Any, volatile: false, sees_null: false, call }
}

impl Function {
    /// The same function with the types of its arguments and of its result.
    const fn typed(mut self, takes: &'static [&'static [ValueType]], returns: ValueType) -> Function {
        self.takes = takes;
        self.returns = returns;
        self
    }
}

/// Types that functions accept for an argument.
const NUMBERS: &[ValueType] = &[ValueType::Integer, ValueType::Float];
const INTEGERS: &[ValueType] = &[ValueType::Integer];
const TEXTS: &[ValueType] = &[ValueType::Text];
const LISTS: &[ValueType] = &[ValueType::List];
const LISTS_OR_TEXTS: &[ValueType] = &[ValueType::List, ValueType::Text];

const GROUPS: &[&[Function]] = &[
    convert::FUNCTIONS,
    elements::FUNCTIONS,
    lists::FUNCTIONS,
    maths::FUNCTIONS,
    temporal::FUNCTIONS,
    texts::FUNCTIONS,
];

/// A scalar function by its name, in any case.
pub(super) fn function(name: &str) -> Option<&'static Function> {
    GROUPS.iter().flat_map(|group| group.iter()).find(|function| function.name.eq_ignore_ascii_case(name))
}

/// An aggregate by its name, in any case.
pub(super) fn aggregator(name: &str) -> Option<&'static Aggregator> {
    aggregates::AGGREGATORS.iter().find(|one| one.name.eq_ignore_ascii_case(name))
}

/// The names of all functions, for suggestions and documentation.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let scalar = GROUPS.iter().flat_map(|group| group.iter()).map(|function| function.name);
    scalar.chain(aggregates::AGGREGATORS.iter().map(|one| one.name))
}

/// The error of an argument of the wrong type.
fn wrong(function: &str, expected: &str, value: &Value) -> Error {
    let message = format!("{function} takes {expected}, not a value of type {}.", value.type_name());
    Error::new(ErrorCode::InvalidQuery, message)
}

/// The error of an argument that makes no sense.
pub(crate) fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidQuery, message)
}

/// A whole number as an argument.
fn whole(function: &str, value: &Value) -> Result<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        other => Err(wrong(function, "a whole number", other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_taken_twice() {
        let mut all: Vec<String> = names().map(str::to_lowercase).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
