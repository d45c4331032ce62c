//! What a function is, and what it is called with.

use std::time::SystemTime;

use crate::graph::PropertyGraph;
use crate::values::temporal::Temporal;
use crate::values::{NodeId, Path, RelId, Value, ValueType, as_f64};
use quarry_types::{Error, ErrorCode, Result};

/// What a function may read besides its arguments.
pub(crate) struct Context<'a> {
    pub graph: &'a dyn PropertyGraph,
    /// When the query began: the same time for all its rows.
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
    /// Whether it is called although an argument is null; others return null then.
    pub sees_null: bool,
    pub call: Call,
}

type Call = fn(&Arguments<'_>) -> Result<Value>;

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.name == other.name
    }
}

/// A function whose result is null when an argument is.
pub(super) const fn function(name: &'static str, least: usize, most: usize, call: Call) -> Function {
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

/// The arguments of one call. Their number has been checked, so that a function may index the least that it takes.
pub(crate) struct Arguments<'a> {
    /// The name of the function, for errors.
    pub name: &'static str,
    pub context: &'a Context<'a>,
    pub values: &'a [Value],
}

/// Declares the arguments of one type each: how a value is read, and the words for an error.
macro_rules! typed_arguments {
    ($($name:ident -> $type:ty: $pattern:pat => $value:expr, $expected:literal;)*) => {
        impl<'a> Arguments<'a> {
            $(pub fn $name(&self, at: usize) -> Result<$type> {
                match &self.values[at] {
                    $pattern => Ok($value),
                    _ => Err(self.wrong(at, $expected)),
                }
            })*
        }
    };
}
typed_arguments! {
    text -> &'a str: Value::Text(text) => text, "a string";
    integer -> i64: Value::Int(number) => *number, "an integer";
    list -> &'a [Value]: Value::List(items) => items, "a list";
    node -> NodeId: Value::Node(node) => *node, "a node";
    relationship -> RelId: Value::Relationship(one) => *one, "a relationship";
    path -> &'a Path: Value::Path(path) => path, "a path";
    temporal -> &'a Temporal: Value::Temporal(one) => one, "a date or a time";
}

impl<'a> Arguments<'a> {
    pub fn number(&self, at: usize) -> Result<f64> {
        as_f64(&self.values[at]).ok_or_else(|| self.wrong(at, "a number"))
    }

    pub fn graph(&self) -> &'a dyn PropertyGraph {
        self.context.graph
    }

    /// The error of an argument of another type than those that are expected.
    pub fn wrong(&self, at: usize, expected: &str) -> Error {
        wrong(self.name, expected, &self.values[at])
    }
}

pub(super) fn wrong(function: &str, expected: &str, value: &Value) -> Error {
    let message = format!("{function} expects {expected}, got a value of type {}.", value.type_name());
    Error::new(ErrorCode::InvalidQuery, message)
}
