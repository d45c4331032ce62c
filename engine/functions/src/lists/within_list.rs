//! `array_has(list, item)`: false for an item that is not there, whatever the list has besides, as in DuckDB and PostgreSQL. The
//! stock function says null of one that stands beside nulls, but only where the list is written out.

use std::sync::Arc;

use arrow::array::ListArray;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_nested::array_has::array_has_udf;
use datafusion::logical_expr::expr_fn::in_list;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF};

use crate::stock::choose::null_where_any_is;
use crate::stock::wrapped::{Wrapper, wrapped};

pub(crate) fn udf() -> ScalarUDF {
    wrapped(WithinList { stock: array_has_udf() })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct WithinList {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for WithinList {
    const KNOWN: bool = false;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        null_where_any_is(args, |args| self.stock.invoke_with_args(args))
    }

    /// A list that is written out is one of `IN`, which row groups can be told by.
    fn simplify(&self, args: Vec<Expr>, _: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if let [Expr::Literal(ScalarValue::List(list), _), sought] = args.as_slice()
            && let Some(items) = known(list)?
        {
            let items = items.into_iter().map(|item| Expr::Literal(item, None)).collect();
            return Ok(ExprSimplifyResult::Simplified(in_list(sought.clone(), items, false)));
        }
        Ok(ExprSimplifyResult::Original(args))
    }
}

/// The items of a list that are known, if there are any.
fn known(list: &ListArray) -> Result<Option<Vec<ScalarValue>>> {
    let rows = ScalarValue::convert_array_to_scalar_vec(list)?;
    let items: Vec<ScalarValue> = rows.into_iter().flatten().flatten().filter(|item| !item.is_null()).collect();
    Ok((!items.is_empty()).then_some(items))
}
