//! Decimal divisions whose operands turn out to be doubles: the types of CASE and UNION are known late.

use arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator, ScalarUDF};
use datafusion::prelude::lit;

use quarry_functions::uint256::number_to;
use quarry_functions::{divide, shifted_digits};
use quarry_types::uint256::is_number;

/// The division of doubles in place of a division of decimals; `None` where no operand is a double.
pub(super) fn double_division(function: &ScalarUDF, args: &[Expr], schema: &DFSchema) -> Option<Expr> {
    let (dividend, divisor) = match (shifted_digits(function.name()), args) {
        (Some(digits), [number]) => (number.clone(), lit(10f64.powi(digits))),
        (None, [dividend, divisor]) if function.name() == divide().name() => (dividend.clone(), divisor.clone()),
        _ => return None,
    };
    let float = |expr: &Expr| expr.get_type(schema).is_ok_and(|data_type| DataType::is_floating(&data_type));
    let double = |expr: Expr| match expr.get_type(schema).is_ok_and(|data_type| is_number(&data_type)) {
        true => number_to(expr, &DataType::Float64),
        false => expr,
    };
    let quotient = BinaryExpr::new(Box::new(double(dividend)), Operator::Divide, Box::new(double(divisor)));
    args.iter().any(float).then_some(Expr::BinaryExpr(quotient))
}
