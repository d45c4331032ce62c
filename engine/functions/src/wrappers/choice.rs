//! Functions that return one of their arguments (`coalesce`, `greatest` …), bytes and 256-bit numbers included, and `array[…]`, whose
//! items get one type in the same way.

use std::cmp::Ordering;

use datafusion::functions::core;
use datafusion::functions_nested::make_array::make_array_udf;

use super::adapt::coerced;
use super::null_propagation::null_where_any_is;
use super::wrapper::{Wrapper, wrapped};
use crate::common_type::{CommonType, common_type};
use crate::json::{is_json_field, json_field};
use crate::nested_order::extreme;
use crate::prelude::*;

/// The functions and the first of their arguments that they may choose.
const CHOICES: [(&str, usize); 7] =
    [("coalesce", 0), ("nvl", 0), ("nvl2", 1), ("nullif", 0), ("greatest", 0), ("least", 0), (LIST, 0)];

/// The function of `array[…]`, which takes all of its arguments.
const LIST: &str = "make_array";

/// The first argument that a function may choose, if it chooses at all.
pub fn first_choice(name: &str) -> Option<usize> {
    CHOICES.iter().find(|(choice, _)| *choice == name).map(|(_, first)| *first)
}

pub(crate) fn udfs() -> [ScalarUDF; 7] {
    [core::coalesce(), core::nvl(), core::nvl2(), core::nullif(), core::greatest(), core::least(), make_array_udf()]
        .map(|builtin| wrapped(builtin, Choice))
}

/// The first of several values that is not null.
pub(crate) fn coalesce() -> Arc<ScalarUDF> {
    Arc::new(wrapped(core::coalesce(), Choice))
}

/// A value chosen among JSON is JSON.
fn with_json<'a>(field: FieldRef, candidates: impl Iterator<Item = &'a FieldRef>) -> FieldRef {
    let mut typed = candidates.filter(|candidate| !candidate.data_type().is_null()).peekable();
    match typed.peek().is_some() && typed.all(|candidate| is_json_field(candidate)) {
        true => Arc::new(field.as_ref().clone().with_metadata(json_field().metadata().clone())),
        false => field,
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Choice;

impl Wrapper for Choice {
    const OWN_TYPES: bool = true;

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        let candidates = types.get(first_choice(builtin.name()).unwrap_or_default()..).unwrap_or_default();
        if common_type(candidates.iter().map(|data_type| (data_type, None))).is_some() {
            // A rule gives them one type, once it sees constants too.
            return Ok(types.to_vec());
        }
        coerced(builtin, types)
    }

    /// The largest of numbers one of which is null is null, as in Trino, BigQuery and Snowflake. Lists, rows and intervals are
    /// compared as `<` compares them: the built-in functions skip nulls inside lists too, and compare intervals part by part.
    fn invoke(&self, builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let order = match builtin.name() {
            "greatest" => Ordering::Greater,
            "least" => Ordering::Less,
            _ => return builtin.invoke_with_args(args),
        };
        null_where_any_is(args, |args| {
            if !args.return_type().is_nested() && !matches!(args.return_type(), DataType::Interval(_)) {
                return builtin.invoke_with_args(args);
            }
            let columns = args.args.iter().map(|arg| arg.to_array(args.number_rows)).collect::<Result<Vec<_>>>()?;
            extreme(&columns, order).map(ColumnarValue::Array)
        })
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        let candidates =
            args.arg_fields.iter().map(|field| field.data_type()).zip(args.scalar_arguments.iter().copied());
        let name = builtin.name();
        let first = first_choice(name).unwrap_or_default();
        let Some(kind) = common_type(candidates.skip(first)) else {
            // The planner gives a null literal the type of the other arguments.
            let typed = args.arg_fields.iter().zip(args.scalar_arguments).skip(first);
            let typed = typed.filter(|(_, value)| !value.is_some_and(ScalarValue::is_null)).map(|(field, _)| field);
            let field = builtin.return_field_from_args(args)?;
            return Ok(if name == LIST { field } else { with_json(field, typed) });
        };
        let data_type = match kind {
            CommonType::Number if name == LIST => quarry_types::uint256::NUMBER,
            CommonType::Number => {
                let signed = args.arg_fields.iter().any(|field| quarry_types::uint256::is_signed(field));
                return Ok(quarry_types::uint256::field(name, signed));
            }
            CommonType::Text => DataType::Utf8,
            CommonType::Like(data_type) | CommonType::Bytes(data_type) => data_type,
        };
        let data_type = if name == LIST { DataType::new_list(data_type, true) } else { data_type };
        Ok(Arc::new(Field::new(name, data_type, true)))
    }
}
