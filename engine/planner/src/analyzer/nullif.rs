//! `nullif` of values that the stock function compares in another way than `=` does.

use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, ExprSchemable, lit};

/// `value`, or null where `equal` is true.
pub(super) fn null_where(equal: Expr, value: Expr, schema: &DFSchema) -> Result<Expr> {
    let null = lit(ScalarValue::try_new_null(&value.get_type(schema)?)?);
    Ok(Expr::Case(Case::new(None, vec![(Box::new(equal), Box::new(null))], Some(Box::new(value)))))
}

/// The arguments of a `nullif` whose first one can be written twice.
pub(super) fn repeatable_nullif(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::ScalarFunction(call) = expr else { return None };
    match call.args.as_slice() {
        [value, other] if call.func.name() == "nullif" && !value.is_volatile() => Some((value, other)),
        _ => None,
    }
}
