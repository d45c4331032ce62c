//! What a function is.

use std::time::SystemTime;

use crate::store::PropertyGraph;
use crate::value::{Value, ValueType};
use quarry_types::{Error, ErrorCode, Result};

/// What a function may look at beside its arguments.
pub(crate) struct Context<'a> {
    pub graph: &'a dyn PropertyGraph,
    /// When the query began: one moment for all its rows.
    pub now: SystemTime,
}

/// A function of one row.
#[derive(Debug)]
pub(crate) struct Function {
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
pub(super) const fn plain(
    name: &'static str,
    least: usize,
    most: usize,
    call: fn(&Context<'_>, &[Value]) -> Result<Value>,
) -> Function {
    Function { name, least, most, takes: &[], returns: ValueType::Any, volatile: false, sees_null: false, call }
}

impl Function {
    /// The same function with the types of its arguments and of its result.
    pub const fn typed(mut self, takes: &'static [&'static [ValueType]], returns: ValueType) -> Function {
        self.takes = takes;
        self.returns = returns;
        self
    }
}

/// Types that functions accept for an argument.
pub(super) const NUMBERS: &[ValueType] = &[ValueType::Integer, ValueType::Float];
pub(super) const INTEGERS: &[ValueType] = &[ValueType::Integer];
pub(super) const TEXTS: &[ValueType] = &[ValueType::Text];
pub(super) const LISTS: &[ValueType] = &[ValueType::List];
pub(super) const LISTS_OR_TEXTS: &[ValueType] = &[ValueType::List, ValueType::Text];

/// The error of an argument of the wrong type.
pub(super) fn wrong(function: &str, expected: &str, value: &Value) -> Error {
    let message = format!("{function} takes {expected}, not a value of type {}.", value.type_name());
    Error::new(ErrorCode::InvalidQuery, message)
}

/// A whole number as an argument.
pub(super) fn whole(function: &str, value: &Value) -> Result<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        other => Err(wrong(function, "a whole number", other)),
    }
}
