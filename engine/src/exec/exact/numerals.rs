//! Casts of numbers to whole numbers round, as in the engines of Dune and BigQuery, PostgreSQL and DuckDB: 1.5 is 2. The
//! stock cast cuts off what stands behind the point.

use datafusion::common::DFSchema;
use datafusion::functions::math;
use datafusion::logical_expr::expr::{Cast, ScalarFunction, TryCast};
use datafusion::logical_expr::{Expr, ExprSchemable};

/// The cast with its number rounded first, halves away from zero.
pub(super) fn rounded(expr: Expr, schema: &DFSchema) -> Expr {
    match expr {
        Expr::Cast(Cast { expr, field }) if field.data_type().is_integer() && has_fraction(&expr, schema) => {
            Expr::Cast(Cast { expr: Box::new(math::round().call(vec![*expr])), field })
        }
        Expr::TryCast(TryCast { expr, field }) if field.data_type().is_integer() && has_fraction(&expr, schema) => {
            Expr::TryCast(TryCast { expr: Box::new(math::round().call(vec![*expr])), field })
        }
        other => other,
    }
}

/// Whether a number may have digits behind its point; what was rounded or cut already has none.
fn has_fraction(expr: &Expr, schema: &DFSchema) -> bool {
    use arrow::datatypes::DataType::{Decimal32, Decimal64, Decimal128, Decimal256};
    let whole = ["round", "floor", "ceil", "trunc"];
    if matches!(expr, Expr::ScalarFunction(ScalarFunction { func, args }) if whole.contains(&func.name()) && args.len() == 1)
    {
        return false;
    }
    expr.get_type(schema).is_ok_and(|data_type| match data_type {
        Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale) | Decimal256(_, scale) => scale > 0,
        other => other.is_floating(),
    })
}
