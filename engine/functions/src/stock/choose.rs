//! Functions that choose one of their arguments (`coalesce`, `greatest` …), among bytes and 256-bit numbers too, and lists,
//! whose items are of one type in the same way.

use std::sync::Arc;

use arrow::array::BooleanArray;
use arrow::buffer::NullBuffer;
use arrow::compute::nullif;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::core;
use datafusion::functions_nested::make_array::make_array_udf;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::adapt::coerced;
use super::wrapped::{Wrapper, wrapped};
use crate::common_type::{Chosen, chosen};
use crate::json::{is_json_field, json_field};

/// The functions and the first of their arguments that can be chosen.
const CHOICES: [(&str, usize); 7] =
    [("coalesce", 0), ("nvl", 0), ("nvl2", 1), ("nullif", 0), ("greatest", 0), ("least", 0), (LIST, 0)];

/// The function behind `array[…]`, which keeps all of its arguments.
const LIST: &str = "make_array";

/// The first argument that a function can choose, if it chooses at all.
pub fn is_choice(name: &str) -> Option<usize> {
    CHOICES.iter().find(|(choice, _)| *choice == name).map(|(_, first)| *first)
}

/// The stock functions, taught to choose.
pub(crate) fn udfs() -> [ScalarUDF; 7] {
    [core::coalesce(), core::nvl(), core::nvl2(), core::nullif(), core::greatest(), core::least(), make_array_udf()]
        .map(|stock| wrapped(Choice { stock }))
}

/// The first of several values that is not null.
pub(crate) fn coalesce() -> Arc<ScalarUDF> {
    Arc::new(wrapped(Choice { stock: core::coalesce() }))
}

/// What a function answers, null where one of its arguments is.
pub(crate) fn null_where_any_is(
    args: ScalarFunctionArgs,
    answer: impl FnOnce(ScalarFunctionArgs) -> Result<ColumnarValue>,
) -> Result<ColumnarValue> {
    let rows = args.number_rows;
    let mut nulls = None;
    for arg in &args.args {
        match arg {
            ColumnarValue::Scalar(value) if value.is_null() => {
                return Ok(ColumnarValue::Scalar(ScalarValue::try_from(args.return_type())?));
            }
            ColumnarValue::Scalar(_) => {}
            ColumnarValue::Array(array) => nulls = NullBuffer::union(nulls.as_ref(), array.logical_nulls().as_ref()),
        }
    }
    let answer = answer(args)?;
    let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) else { return Ok(answer) };
    let unknown = BooleanArray::new(!nulls.inner(), None);
    Ok(ColumnarValue::Array(nullif(&answer.to_array(rows)?, &unknown)?))
}

/// What is chosen among JSON is JSON.
fn as_chosen<'a>(field: FieldRef, candidates: impl Iterator<Item = &'a FieldRef>) -> FieldRef {
    let mut known = candidates.filter(|candidate| !candidate.data_type().is_null()).peekable();
    let json = known.peek().is_some() && known.all(|candidate| is_json_field(candidate));
    match json {
        true => Arc::new(field.as_ref().clone().with_metadata(json_field().metadata().clone())),
        false => field,
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Choice {
    stock: Arc<ScalarUDF>,
}

impl Choice {
    fn first(&self) -> usize {
        is_choice(self.stock.name()).unwrap_or_default()
    }
}

impl Wrapper for Choice {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let candidates = types.get(self.first()..).unwrap_or_default();
        if chosen(candidates.iter().map(|data_type| (data_type, None))).is_some() {
            // `exec::exact` makes them one type, once it sees literals too.
            return Ok(types.to_vec());
        }
        coerced(&self.stock, types)
    }

    /// The largest of numbers one of which nobody knows is unknown too, as in Trino, BigQuery and Snowflake.
    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        if !["greatest", "least"].contains(&self.stock.name()) {
            return self.stock.invoke_with_args(args);
        }
        null_where_any_is(args, |args| self.stock.invoke_with_args(args))
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let candidates =
            args.arg_fields.iter().map(|field| field.data_type()).zip(args.scalar_arguments.iter().copied());
        let name = self.stock.name();
        let Some(kind) = chosen(candidates.skip(self.first())) else {
            let field = self.stock.return_field_from_args(ReturnFieldArgs {
                arg_fields: args.arg_fields,
                scalar_arguments: args.scalar_arguments,
            })?;
            // The planner gives a null that is written down the type of what stands beside it.
            let known = args.arg_fields.iter().zip(args.scalar_arguments).skip(self.first());
            let known = known.filter(|(_, value)| !value.is_some_and(ScalarValue::is_null)).map(|(field, _)| field);
            return Ok(if name == LIST { field } else { as_chosen(field, known) });
        };
        let data_type = match kind {
            Chosen::Number if name == LIST => quarry_types::uint256::NUMBER,
            Chosen::Number => {
                let signed = args.arg_fields.iter().any(|field| quarry_types::uint256::is_signed(field));
                return Ok(quarry_types::uint256::field(name, signed));
            }
            Chosen::Text => DataType::Utf8,
            Chosen::Like(data_type) | Chosen::Bytes(data_type) => data_type,
        };
        let data_type = if name == LIST { DataType::new_list(data_type, true) } else { data_type };
        Ok(Arc::new(Field::new(name, data_type, true)))
    }
}
