//! The meaning of operators by the types of their sides: exact division, uint256, bytes against hex, no `^`.

use arrow::datatypes::{DataType, Field, FieldRef, i256};
use datafusion::common::{DFSchema, DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{Expr, ExprSchemable, cast};
use datafusion::sql::sqlparser::ast::BinaryOperator as Op;

use super::{hex, literal};
use crate::error::{Error, ErrorCode};
use crate::functions::uint256::{self, is_uint256};
use crate::functions::{divide, shift_point, uint256 as to_uint256, uint256_op, uint256_to};

/// Our part of planning a binary operator.
#[derive(Debug)]
pub(super) struct Operators;

impl ExprPlanner for Operators {
    fn plan_binary_op(&self, raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        if matches!(raw.op, Op::BitwiseXor | Op::PGExp) {
            return Err(refuse("^ has no agreed meaning; write power(a, b), or bit_xor(a, b)."));
        }
        if is_comparison(&raw.op) {
            return comparison(raw, schema);
        }
        let Some(sign) = sign(&raw.op) else { return Ok(PlannerResult::Original(raw)) };
        let (Ok((_, left)), Ok((_, right))) = (raw.left.to_field(schema), raw.right.to_field(schema)) else {
            // Something unknown is inside; the planner says so better than we can here.
            return Ok(PlannerResult::Original(raw));
        };
        if is_uint256(&left) || is_uint256(&right) {
            return uint256_arithmetic(sign, raw, &left, &right);
        }
        Ok(if sign == '/' { division(raw, &left, &right) } else { PlannerResult::Original(raw) })
    }
}

fn sign(op: &Op) -> Option<char> {
    match op {
        Op::Plus => Some('+'),
        Op::Minus => Some('-'),
        Op::Multiply => Some('*'),
        Op::Divide => Some('/'),
        Op::Modulo => Some('%'),
        _ => None,
    }
}

fn is_comparison(op: &Op) -> bool {
    matches!(op, Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq)
}

/// Decimal division keeps every digit that a division by a power of ten needs, and at least 18 otherwise. Integers divide
/// as integers, as SQL says.
fn division(raw: RawBinaryExpr, left: &Field, right: &Field) -> PlannerResult<RawBinaryExpr> {
    let exact = |data_type: &DataType| data_type.is_integer() || data_type.is_decimal();
    let (from, by) = (left.data_type(), right.data_type());
    let decimals = exact(from) && exact(by) && (from.is_decimal() || by.is_decimal());
    if !decimals {
        return PlannerResult::Original(raw);
    }
    let shift = literal::whole_number(&raw.right).and_then(literal::power_of_ten);
    let scale = match from {
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) => i64::from(*scale),
        _ => 0,
    };
    match shift.and_then(shift_point) {
        Some(moved) if scale >= 0 && scale + shift.unwrap_or(0) as i64 <= 76 => {
            PlannerResult::Planned(moved.call(vec![raw.left]))
        }
        _ => PlannerResult::Planned(divide().call(vec![raw.left, raw.right])),
    }
}

/// Operators on uint256 stay in uint256 as long as both sides are whole numbers.
fn uint256_arithmetic(
    sign: char,
    raw: RawBinaryExpr,
    left: &FieldRef,
    right: &FieldRef,
) -> Result<PlannerResult<RawBinaryExpr>> {
    let RawBinaryExpr { op, left: a, right: b } = raw;
    let whole = |field: &Field| is_uint256(field) || field.data_type().is_integer() || field.data_type().is_null();
    let literal_number = |expr: &Expr| literal::whole_number(expr).is_some();
    // Dividing by a decimal, `1e18` above all, asks for a fraction.
    let fraction = sign == '/' && right.data_type().is_decimal();
    if fraction && let Some(moved) = literal::whole_number(&b).and_then(literal::power_of_ten).and_then(shift_point) {
        return Ok(PlannerResult::Planned(moved.call(vec![a])));
    }
    let exact = (whole(left) || literal_number(&a)) && (whole(right) || literal_number(&b));
    if exact
        && !fraction
        && let Some(operator) = uint256_op(sign)
    {
        return Ok(PlannerResult::Planned(operator.call(vec![a, b])));
    }
    // A side with a fraction decides the type: the uint256 becomes a double or a decimal.
    let like = |expr: Expr, field: &Field, other: &Field| match is_uint256(field) {
        true if other.data_type().is_floating() => uint256_to(expr, &DataType::Float64),
        true => uint256_to(expr, &DataType::Decimal256(76, 0)),
        false => expr,
    };
    let raw = RawBinaryExpr { op, left: like(a, left, right), right: like(b, right, left) };
    if fraction {
        return Ok(PlannerResult::Planned(divide().call(vec![raw.left, raw.right])));
    }
    Ok(PlannerResult::Original(raw))
}

fn comparison(mut raw: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
    raw.left = hex::without_case(raw.left, schema);
    raw.right = hex::without_case(raw.right, schema);
    let (Ok((_, left)), Ok((_, right))) = (raw.left.to_field(schema), raw.right.to_field(schema)) else {
        return Ok(PlannerResult::Original(raw));
    };
    if is_uint256(&left) && !is_uint256(&right) {
        (raw.left, raw.right) = uint256_sides(raw.left, raw.right, &right)?;
    } else if is_uint256(&right) && !is_uint256(&left) {
        (raw.right, raw.left) = uint256_sides(raw.right, raw.left, &left)?;
    } else if hex::shows_hex(&left) && literal::text(&raw.left).is_none() && !is_bytes_literal(&raw.left) {
        raw.right = hex::comparable(&left, raw.right, schema)?;
    } else if hex::shows_hex(&right) && !is_bytes_literal(&raw.right) {
        raw.left = hex::comparable(&right, raw.left, schema)?;
    } else if is_bytes_literal(&raw.right) && crate::functions::bytes::is_text(left.data_type()) {
        raw.right = hex::as_text(&raw.right).unwrap_or(raw.right);
    } else if is_bytes_literal(&raw.left) && crate::functions::bytes::is_text(right.data_type()) {
        raw.left = hex::as_text(&raw.left).unwrap_or(raw.left);
    }
    Ok(PlannerResult::Original(raw))
}

fn is_bytes_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(ScalarValue::Binary(_), _))
}

/// A uint256 column and what it is compared with, as two sides of one type.
fn uint256_sides(number: Expr, other: Expr, other_field: &Field) -> Result<(Expr, Expr)> {
    if let Some(value) = literal::whole_number(&other) {
        return Ok((number, uint256_literal(value)?));
    }
    if let Some(text) = literal::text(&other) {
        let value = uint256::parse(text)?;
        return Ok((number, bytes32(value)));
    }
    match other_field.data_type() {
        data_type if data_type.is_floating() => Ok((uint256_to(number, &DataType::Float64), other)),
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) if *scale > 0 => {
            Ok((uint256_to(number, &DataType::Decimal256(76, 0)), cast(other, DataType::Decimal256(76, *scale))))
        }
        DataType::FixedSizeBinary(32) | DataType::Null => Ok((number, other)),
        _ => Ok((number, to_uint256().call(vec![other]))),
    }
}

pub(super) fn uint256_literal(value: i256) -> Result<Expr> {
    Ok(bytes32(uint256::from_signed(value)?))
}

fn bytes32(value: alloy_primitives::U256) -> Expr {
    Expr::Literal(ScalarValue::FixedSizeBinary(32, Some(value.to_be_bytes::<32>().to_vec())), None)
}

fn refuse(message: &str) -> DataFusionError {
    DataFusionError::External(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
}
