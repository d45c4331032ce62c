//! Binary operators by the types of their operands: exact division, 256-bit numbers, bytes beside hex.

use arrow::datatypes::{DataType, Field};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::{Expr, ExprSchemable, Operator, cast, lit, not};

use super::times::{beside_time, day_to_time};
use super::{hex, json, literal};
use quarry_functions::uint256::{number_to, rounded, uint256_op};
use quarry_functions::{
    as_hex, concat_operator, divide, int256, interval_part, interval_times, match_with_column, remainder, shift_point,
};
use quarry_types::byte_columns::{is_bytes, is_text, shows_hex};
use quarry_types::invalid;
use quarry_types::uint256::{Number, WIDTH, is_number};

/// A planned operator.
pub(super) enum Binary {
    /// Another expression.
    Whole(Expr),
    /// The stock operator between these operands.
    Sides(Expr, Expr),
}

/// Plans an operator; planning its own result again changes nothing.
pub(super) fn binary(left: Expr, operator: Operator, right: Expr, schema: &DFSchema) -> Result<Binary> {
    if is_comparison(operator) {
        let [left, right] = json::beside_each_other([left, right], schema);
        return comparison(left, operator, right, schema);
    }
    let (Ok((_, from)), Ok((_, by))) = (left.to_field(schema), right.to_field(schema)) else {
        // An operand has no type yet; the planner's error is better than one from here.
        return Ok(Binary::Sides(left, right));
    };
    let numbers = is_number(from.data_type()) || is_number(by.data_type());
    if let Some(scaled) = interval_scaled(operator, &left, &right, &from, &by) {
        return Ok(Binary::Whole(scaled));
    }
    match sign(operator) {
        Some(sign) if numbers => number_arithmetic(sign, left, right, &from, &by),
        Some('/') => Ok(division(left, right, &from, &by)),
        Some('%') if between_decimals(&from, &by) => Ok(Binary::Whole(remainder().call(vec![left, right]))),
        Some('+' | '-') => {
            let (a, b) = (day_to_time(&left, &from, &right, &by), day_to_time(&right, &by, &left, &from));
            Ok(Binary::Sides(a.unwrap_or(left), b.unwrap_or(right)))
        }
        None if operator == Operator::StringConcat => {
            for (number, beside) in [(&from, &by), (&by, &from)] {
                if is_number(number.data_type()) && shows_hex(beside) {
                    return Err(invalid(
                        "|| can only concatenate bytes with bytes; cast(… as varbinary) returns the 32 bytes of a \
                         uint256.",
                    ));
                }
            }
            let (left, right) = (json::as_text(left, schema), json::as_text(right, schema));
            let (left, right) = (joined(left, &from, &by), joined(right, &by, &from));
            match (left.to_field(schema), right.to_field(schema)) {
                (Ok((_, from)), Ok((_, by))) => match concat_operator(&left, &from, &right, &by) {
                    Some(call) => Ok(Binary::Whole(call)),
                    None => Ok(Binary::Sides(left, right)),
                },
                _ => Ok(Binary::Sides(left, right)),
            }
        }
        None if is_match(operator) => {
            let (left, right) = (json::as_text(left, schema), json::as_text(right, schema));
            match match_with_column(&left, operator, &right) {
                Some(call) => Ok(Binary::Whole(call)),
                None => Ok(Binary::Sides(left, regex_pattern(right))),
            }
        }
        None if is_like(operator) => Ok(Binary::Sides(json::as_text(left, schema), json::as_text(right, schema))),
        _ => Ok(Binary::Sides(left, right)),
    }
}

/// An interval that is multiplied with a number, on either side, or divided by one.
fn interval_scaled(operator: Operator, left: &Expr, right: &Expr, from: &Field, by: &Field) -> Option<Expr> {
    let is_length = |field: &Field| matches!(field.data_type(), DataType::Interval(_) | DataType::Duration(_));
    let is_count = |field: &Field| field.data_type().is_numeric();
    match operator {
        Operator::Multiply if is_length(from) && is_count(by) => {
            Some(interval_times().call(vec![left.clone(), right.clone()]))
        }
        Operator::Multiply if is_count(from) && is_length(by) => {
            Some(interval_times().call(vec![right.clone(), left.clone()]))
        }
        Operator::Divide if is_length(from) && is_count(by) => {
            Some(interval_part().call(vec![left.clone(), right.clone()]))
        }
        _ => None,
    }
}

fn is_match(operator: Operator) -> bool {
    use Operator::{RegexIMatch, RegexMatch, RegexNotIMatch, RegexNotMatch};
    matches!(operator, RegexMatch | RegexIMatch | RegexNotMatch | RegexNotIMatch)
}

fn is_like(operator: Operator) -> bool {
    use Operator::{ILikeMatch, LikeMatch, NotILikeMatch, NotLikeMatch};
    matches!(operator, LikeMatch | ILikeMatch | NotLikeMatch | NotILikeMatch)
}

/// Whether decimals, or one beside a whole number, are calculated with.
fn between_decimals(a: &Field, b: &Field) -> bool {
    let exact =
        |field: &Field| field.data_type().is_decimal() || field.data_type().is_integer() || field.data_type().is_null();
    exact(a) && exact(b) && (a.data_type().is_decimal() || b.data_type().is_decimal())
}

fn is_comparison(operator: Operator) -> bool {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    matches!(operator, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom)
}

fn sign(operator: Operator) -> Option<char> {
    match operator {
        Operator::Plus => Some('+'),
        Operator::Minus => Some('-'),
        Operator::Multiply => Some('*'),
        Operator::Divide => Some('/'),
        Operator::Modulo => Some('%'),
        _ => None,
    }
}

/// An operand of `||`: beside text, bytes and numbers become the text that results show.
fn joined(expr: Expr, field: &Field, other: &Field) -> Expr {
    match field.data_type() {
        from if is_number(from) => number_to(expr, &DataType::Utf8),
        from if !is_text(other.data_type()) || is_text(from) => expr,
        from if is_bytes(from) => as_hex().call(vec![expr]),
        _ => expr,
    }
}

/// Decimal division keeps every digit of a division by a power of ten, and at least 18 otherwise. Integers divide as integers,
/// as in SQL.
fn division(left: Expr, right: Expr, from: &Field, by: &Field) -> Binary {
    let exact = |data_type: &DataType| data_type.is_integer() || data_type.is_decimal();
    let (from, by) = (from.data_type(), by.data_type());
    let decimals = exact(from) && exact(by) && (from.is_decimal() || by.is_decimal());
    if !decimals {
        return Binary::Sides(left, right);
    }
    let shift = literal::whole_number(&right).and_then(literal::power_of_ten);
    let scale = match from {
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) => i64::from(*scale),
        _ => 0,
    };
    match shift.and_then(shift_point) {
        Some(moved) if scale >= 0 && scale + shift.unwrap_or(0) as i64 <= 76 => Binary::Whole(moved.call(vec![left])),
        _ => Binary::Whole(divide().call(vec![left, right])),
    }
}

/// Operators on 256-bit numbers stay exact as long as both sides are whole numbers.
fn number_arithmetic(sign: char, a: Expr, b: Expr, left: &Field, right: &Field) -> Result<Binary> {
    let whole =
        |field: &Field| is_number(field.data_type()) || field.data_type().is_integer() || field.data_type().is_null();
    let spelled = |expr: &Expr| literal::whole_number(expr).is_some();
    let decimal0 = |field: &Field| matches!(field.data_type(), DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0));
    // A division by a decimal, such as `1e18`, has a fraction.
    let fraction = sign == '/' && right.data_type().is_decimal();
    if fraction && let Some(moved) = literal::whole_number(&b).and_then(literal::power_of_ten).and_then(shift_point) {
        return Ok(Binary::Whole(moved.call(vec![a])));
    }
    let exact = |expr: &Expr, field: &Field| whole(field) || spelled(expr) || decimal0(field);
    if exact(&a, left)
        && exact(&b, right)
        && !fraction
        && let Some(operator) = uint256_op(sign)
    {
        return Ok(Binary::Whole(operator.call(vec![a, b])));
    }
    // An operand with a fraction decides the type: the number becomes a double or a decimal, with the same scale where both
    // operands need one.
    let like = |expr: Expr, field: &Field, other: &Field| match (is_number(field.data_type()), other.data_type()) {
        (true, other) if other.is_floating() => number_to(expr, &DataType::Float64),
        (true, DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale)) if !['*', '/'].contains(&sign) => {
            number_to(expr, &DataType::Decimal256(76, *scale))
        }
        (true, _) => number_to(expr, &DataType::Decimal256(76, 0)),
        (false, _) => match field.data_type() {
            DataType::Decimal128(_, scale) => cast(expr, DataType::Decimal256(76, *scale)),
            _ => expr,
        },
    };
    let (a, b) = (like(a, left, right), like(b, right, left));
    if sign == '%' && !right.data_type().is_floating() && !left.data_type().is_floating() {
        return Ok(Binary::Whole(remainder().call(vec![a, b])));
    }
    if fraction || sign == '/' && !right.data_type().is_floating() && !left.data_type().is_floating() {
        return Ok(Binary::Whole(divide().call(vec![a, b])));
    }
    Ok(Binary::Sides(a, b))
}

fn comparison(left: Expr, operator: Operator, right: Expr, schema: &DFSchema) -> Result<Binary> {
    let (left, right) = (hex::strip_case(left, schema), hex::strip_case(right, schema));
    let mut a = hex::bytes_substring(left.clone(), std::slice::from_ref(&right), schema);
    let mut b = hex::bytes_substring(right, std::slice::from_ref(&left), schema);
    let (Ok((_, left)), Ok((_, right))) = (a.to_field(schema), b.to_field(schema)) else {
        return Ok(Binary::Sides(a, b));
    };
    match (is_number(left.data_type()), is_number(right.data_type())) {
        (true, true) => {}
        (true, false) => return compare_number(a, operator, b, &right),
        (false, true) => {
            let swapped = operator.swap().unwrap_or(operator);
            return compare_number(b, swapped, a, &left).map(|compared| match compared {
                Binary::Sides(number, other) => Binary::Sides(other, number),
                whole => whole,
            });
        }
        _ if shows_hex(&left) && literal::text(&a).is_none() && !is_bytes_literal(&a) => {
            b = hex::coerce_to_bytes(&left, b, schema)?;
        }
        _ if shows_hex(&right) && !is_bytes_literal(&b) => a = hex::coerce_to_bytes(&right, a, schema)?,
        _ if is_bytes_literal(&b) && is_text(left.data_type()) => {
            (a, b) = (hex::lower(a), hex::bytes_as_text(&b).unwrap_or(b));
        }
        _ if is_bytes_literal(&a) && is_text(right.data_type()) => {
            (a, b) = (hex::bytes_as_text(&a).unwrap_or(a), hex::lower(b));
        }
        _ => {
            a = beside_time(beside_float(a, &left, &right), &left, &right);
            b = beside_time(beside_float(b, &right, &left), &right, &left);
        }
    }
    Ok(Binary::Sides(a, b))
}

/// A decimal that is compared with a floating point number, as one too. The stock rule rounds the other side to 15 digits,
/// so that 0.09999999999999998 is not below 0.1, and refuses large ones.
pub(super) fn beside_float(expr: Expr, own: &Field, other: &Field) -> Expr {
    if own.data_type().is_decimal() && other.data_type().is_floating() {
        return cast(expr, DataType::Float64);
    }
    expr
}

pub(super) fn is_bytes_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(ScalarValue::Binary(_), _))
}

/// A 256-bit number against something else, as two sides of one type.
fn compare_number(number: Expr, operator: Operator, other: Expr, field: &Field) -> Result<Binary> {
    if let Some(value) = literal::whole_number(&other) {
        return Ok(Binary::Sides(number, number_literal(value.into())));
    }
    if let Some(text) = literal::text(&other) {
        return Ok(Binary::Sides(number, number_literal(Number::parse(text)?)));
    }
    Ok(match field.data_type() {
        data_type if data_type.is_floating() => Binary::Sides(number_to(number, &DataType::Float64), other),
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) if *scale > 0 => {
            compare_fraction(number, operator, other)
        }
        DataType::Null => Binary::Sides(number, cast(other, quarry_types::uint256::NUMBER)),
        DataType::FixedSizeBinary(32) => Binary::Sides(number, quarry_functions::uint256().call(vec![other])),
        _ => Binary::Sides(number, int256().call(vec![other])),
    })
}

/// A whole number against a decimal, exact for numbers that no decimal holds: above it is above its whole part.
fn compare_fraction(number: Expr, operator: Operator, decimal: Expr) -> Binary {
    let (floor, ceiling) = (rounded(decimal.clone(), false), rounded(decimal.clone(), true));
    match operator {
        Operator::Gt | Operator::LtEq => Binary::Sides(number, floor),
        Operator::GtEq | Operator::Lt => Binary::Sides(number, ceiling),
        Operator::NotEq => Binary::Whole(number.clone().lt(ceiling).or(number.gt(floor))),
        Operator::Eq => Binary::Whole(number.clone().gt_eq(ceiling).and(number.lt_eq(floor))),
        other => {
            let equal = number.clone().gt_eq(ceiling).and(number.clone().lt_eq(floor)).is_true();
            let same = equal.or(number.is_null().and(decimal.is_null()));
            Binary::Whole(if other == Operator::IsDistinctFrom { not(same) } else { same })
        }
    }
}

/// A number as a literal of a plan.
pub(super) fn number_literal(number: Number) -> Expr {
    Expr::Literal(ScalarValue::FixedSizeBinary(WIDTH, Some(number.encode().to_vec())), None)
}

/// A regular expression as the optimizer may read it. Of `.*` it makes IS NOT NULL; the empty pattern matches every text too, and
/// leaves null unknown.
pub(super) fn regex_pattern(pattern: Expr) -> Expr {
    match literal::text(&pattern) {
        Some(".*") => lit(""),
        _ => pattern,
    }
}
