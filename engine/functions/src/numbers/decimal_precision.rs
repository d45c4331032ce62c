//! `+ - *` of decimals of the highest precision, with an error where the built-in operators leave one digit more: that digit is in no
//! result, so the number shown would be ten times too small.

use arrow::datatypes::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, Decimal128Type, Decimal256Type};
use datafusion::common::DFSchema;
use datafusion::common::tree_node::Transformed;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::{BinaryExpr, ExprSchemable, Operator, lit};

use crate::prelude::*;

/// Checks the result of `+`, `-` and `*`, for use when types are known.
pub fn check_decimal_overflow(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    if let Some(zero) = times_zero(&expr, schema)? {
        return Ok(Transformed::yes(zero));
    }
    let Expr::BinaryExpr(BinaryExpr { op: Operator::Plus | Operator::Minus | Operator::Multiply, .. }) = &expr else {
        return Ok(Transformed::no(expr));
    };
    match expr.get_type(schema) {
        Ok(DataType::Decimal128(DECIMAL128_MAX_PRECISION, _) | DataType::Decimal256(DECIMAL256_MAX_PRECISION, _)) => {
            Ok(Transformed::yes(check_precision().call(vec![expr])))
        }
        _ => Ok(Transformed::no(expr)),
    }
}

/// Zero in the type of a product with zero that is never null; the optimizer would take the literal zero, which has another type.
fn times_zero(expr: &Expr, schema: &DFSchema) -> Result<Option<Expr>> {
    let Expr::BinaryExpr(BinaryExpr { left, op: Operator::Multiply, right }) = expr else { return Ok(None) };
    if !is_zero(left) && !is_zero(right) || expr.nullable(schema).unwrap_or(true) {
        return Ok(None);
    }
    Ok(match expr.get_type(schema) {
        Ok(decimal) if decimal.is_decimal() => Some(lit(ScalarValue::new_zero(&decimal)?)),
        _ => None,
    })
}

fn is_zero(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(Cast { expr, .. }) => is_zero(expr),
        Expr::Literal(value, _) => ScalarValue::new_zero(&value.data_type()).is_ok_and(|zero| *value == zero),
        _ => false,
    }
}

fn check_precision() -> Arc<ScalarUDF> {
    shared!(ScalarUDF::new_from_impl(CheckPrecision { signature: Signature::any(1, Volatility::Immutable) }))
}

/// Its argument, when that has no more digits than its type.
#[derive(Debug, PartialEq, Eq, Hash)]
struct CheckPrecision {
    signature: Signature,
}

impl ScalarUDFImpl for CheckPrecision {
    fn name(&self) -> &str {
        "within"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        Ok(arguments.first().cloned().unwrap_or(DataType::Null))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        returns_first(&args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        // A constant over no rows is not too large.
        let rows = args.number_rows.min(1);
        let [value] = take_function_args(self.name(), args.args)?;
        match &value {
            ColumnarValue::Array(array) => check(array)?,
            ColumnarValue::Scalar(scalar) => check(&scalar.to_array_of_size(rows)?)?,
        }
        Ok(value)
    }
}

fn check(array: &ArrayRef) -> Result<()> {
    let checked = match array.data_type() {
        DataType::Decimal128(precision, _) => {
            array.as_primitive::<Decimal128Type>().validate_decimal_precision(*precision)
        }
        DataType::Decimal256(precision, _) => {
            array.as_primitive::<Decimal256Type>().validate_decimal_precision(*precision)
        }
        _ => Ok(()),
    };
    checked.map_err(|_| {
        out_of_range("A number is too large for its type; cast to decimal(76,0), double or uint256 before calculating.")
    })
}
