//! Built-in functions that look for items in lists, with other answers where nulls are among the items.

use arrow::array::{ListArray, UInt64Array};
use arrow::datatypes::UInt64Type;
use datafusion::functions_nested::array_has::{array_has_any_udf, array_has_udf};
use datafusion::functions_nested::position::array_position_udf;
use datafusion::logical_expr::expr_fn::in_list;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};

use super::build::{ListRows, item_range};
use crate::prelude::*;
use crate::wrappers::null_propagation::null_where_any_is;
use crate::wrappers::wrapper::{Wrapper, wrapped};

/// `array_has(list, item)`: false for a missing item, even if the list has nulls, as in DuckDB and PostgreSQL. The built-in
/// function answers null then, but only for literal lists.
pub(crate) fn array_has() -> ScalarUDF {
    wrapped(array_has_udf(), ArrayHas)
}

/// `array_position(list, item)`: 0 for a missing item, as in Trino, Spark and DuckDB; the built-in function answers null.
pub(crate) fn array_position() -> ScalarUDF {
    wrapped(array_position_udf(), ArrayPosition)
}

/// `arrays_overlap`: null if the lists share no item but one of them has a null, which might be one.
pub(crate) fn arrays_overlap() -> ScalarUDF {
    wrapped(array_has_any_udf(), ArraysOverlap)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ArrayHas;

impl Wrapper for ArrayHas {
    const KEEPS_PROPERTIES: bool = false;

    fn invoke(&self, builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        null_where_any_is(args, |args| builtin.invoke_with_args(args))
    }

    /// A literal list becomes `IN`, by which row groups can be pruned.
    fn simplify(&self, _: &ScalarUDF, args: Vec<Expr>, _: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if let [Expr::Literal(ScalarValue::List(list), _), item] = args.as_slice() {
            let rows = ScalarValue::convert_array_to_scalar_vec(list.as_ref())?;
            let items = rows.into_iter().flatten().flatten().filter(|item| !item.is_null());
            let items: Vec<Expr> = items.map(|item| Expr::Literal(item, None)).collect();
            if !items.is_empty() {
                return Ok(ExprSimplifyResult::Simplified(in_list(item.clone(), items, false)));
            }
        }
        Ok(ExprSimplifyResult::Original(args))
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ArrayPosition;

impl Wrapper for ArrayPosition {
    const KEEPS_PROPERTIES: bool = false;

    fn invoke(&self, builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        null_where_any_is(args, |args| {
            let positions = builtin.invoke_with_args(args)?.to_array(rows)?;
            Ok(ColumnarValue::Array(match positions.as_primitive_opt::<UInt64Type>() {
                Some(known) => Arc::new(known.iter().map(Option::unwrap_or_default).collect::<UInt64Array>()),
                None => positions,
            }))
        })
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ArraysOverlap;

impl Wrapper for ArraysOverlap {
    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let arrays = args.args.iter().map(|list| list.to_array(rows)).collect::<Result<Vec<ArrayRef>>>()?;
        let lists: Option<Vec<&ListArray>> = arrays.iter().map(|array| array.as_list_opt::<i32>()).collect();
        let Some(lists) = lists.filter(|lists| lists.iter().any(|list| list.values().logical_null_count() > 0)) else {
            return builtin.invoke_with_args(args);
        };
        let without_nulls = lists.iter().map(|list| without_null_items(list)).collect::<Result<Vec<ArrayRef>>>()?;
        args.args = without_nulls.iter().map(|list| ColumnarValue::Array(Arc::clone(list))).collect();
        let overlap = builtin.invoke_with_args(args)?.into_array(rows)?;
        let answers = overlap.as_boolean().iter().enumerate().map(|(row, overlap)| {
            let has_null = |(all, known): (&&ListArray, &ArrayRef)| {
                all.value_length(row) > known.as_list::<i32>().value_length(row)
            };
            let unknown =
                lists.iter().zip(&without_nulls).any(has_null) && lists.iter().all(|list| list.value_length(row) > 0);
            overlap.filter(|overlap| *overlap || !unknown)
        });
        Ok(ColumnarValue::Array(Arc::new(answers.collect::<BooleanArray>())))
    }
}

fn without_null_items(lists: &ListArray) -> Result<ArrayRef> {
    let nulls = lists.values().logical_nulls();
    let mut lists_without_nulls = ListRows::default();
    for row in 0..lists.len() {
        let is_valid = |item: &u32| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*item as usize));
        match lists.is_valid(row) {
            true => lists_without_nulls.push(item_range(lists, row).filter(is_valid)),
            false => lists_without_nulls.push_null(),
        }
    }
    lists_without_nulls.finish(lists.data_type(), lists.values())
}
