//! Exact division of decimals. Dividing by a power of ten only moves the point; any other division keeps at least 18
//! digits after it, rounded half away from zero.

use std::sync::{Arc, LazyLock};

use alloy_primitives::{U256, U512};
use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Decimal256Array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Decimal256Type, Field, FieldRef, i256};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::shared;
use crate::simple::Simple;
use crate::uint256::{self};
use quarry_types::ErrorCode;
use quarry_types::uint256::is_number;
use quarry_types::{invalid, out_of_range, refuse};

/// Digits after the point that a division keeps at least.
const SCALE: i8 = 18;
const WIDE: u8 = 76;

/// The call of a division that makes fractions of whole numbers too; people write `safe_divide` and the like.
pub const DIVIDE: &str = "divide";

static DIVIDED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        DIVIDE,
        2..=2,
        None,
        |args| divided_field(&args.arg_fields[0], &args.arg_fields[1]),
        divide_arrays,
    ))
});
static SHIFTS: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    macro_rules! shift {
        ($($digits:literal)*) => {
            vec![$(shared(Simple::udf(concat!("divide_by_1e", $digits), 1..=1, None,
                |args| shifted_field(&args.arg_fields[0], $digits), shift_array))),*]
        };
    }
    shift!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38)
});

/// Decimal division.
pub fn divide() -> Arc<ScalarUDF> {
    DIVIDED.clone()
}

/// Division by ten to the power of `digits`, up to 38.
pub fn shift_point(digits: usize) -> Option<Arc<ScalarUDF>> {
    SHIFTS.get(digits).cloned()
}

/// By how many digits a function moves the point, when it does nothing else.
pub fn shifted_digits(name: &str) -> Option<i32> {
    name.strip_prefix("divide_by_1e")?.parse().ok()
}

/// Type of a number after its point moved.
pub(crate) fn shifted_field(field: &Field, digits: i8) -> Result<FieldRef> {
    let data_type = match field.data_type() {
        from if is_number(from) => DataType::Decimal256(WIDE, digits),
        from if from.is_integer() => DataType::Decimal128(20.max(digits as u8), digits),
        DataType::Decimal128(_, scale) if scale.saturating_add(digits) <= 38 => {
            DataType::Decimal128(38, scale + digits)
        }
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) if scale.saturating_add(digits) <= 76 => {
            DataType::Decimal256(WIDE, scale + digits)
        }
        DataType::Null => DataType::Decimal128(38, digits),
        _ => return Err(invalid("A whole or decimal number is needed here.")),
    };
    Ok(Arc::new(Field::new("quotient", data_type, true)))
}

/// The same digits under a type whose point stands further left.
pub(crate) fn shift_array(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let array = &args[0];
    match to.data_type() {
        DataType::Decimal128(precision, scale) => {
            let digits = match array.data_type() {
                DataType::Decimal128(..) => array.clone(),
                _ => cast(array, &DataType::Decimal128(20, 0))?,
            };
            let moved: Decimal128Array = digits.as_primitive::<Decimal128Type>().clone();
            Ok(Arc::new(moved.with_precision_and_scale(*precision, *scale)?))
        }
        DataType::Decimal256(precision, scale) => {
            let moved = wide(array)?.0.with_precision_and_scale(*precision, *scale)?;
            Ok(Arc::new(moved))
        }
        _ => Err(invalid("A division makes a decimal number.")),
    }
}

fn divided_field(left: &Field, right: &Field) -> Result<FieldRef> {
    let types = [left.data_type(), right.data_type()];
    if types.iter().any(|of| !(of.is_numeric() || is_number(of) || of.is_null())) {
        return Err(invalid("A number is divided by a number."));
    }
    // A division of doubles takes its place.
    if types.iter().any(|of| of.is_floating()) {
        return Ok(Arc::new(Field::new("quotient", DataType::Float64, true)));
    }
    let scale = match left.data_type() {
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) => SCALE.max(*scale),
        _ => SCALE,
    };
    Ok(Arc::new(Field::new("quotient", DataType::Decimal256(WIDE, scale), true)))
}

fn divide_arrays(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let DataType::Decimal256(_, scale) = to.data_type() else {
        return Err(invalid("A division makes a decimal number."));
    };
    let (left, left_scale) = wide(&args[0])?;
    let (right, right_scale) = wide(&args[1])?;
    // left / 10^left_scale divided by right / 10^right_scale, in units of 10^-scale.
    let power = i32::from(*scale) + i32::from(right_scale) - i32::from(left_scale);
    let factor = |power: i32| U512::from(10).pow(U512::from(power.max(0)));
    let (up, down) = (factor(power), factor(-power));
    let mut quotients = Vec::with_capacity(left.len());
    for row in 0..left.len() {
        if left.is_null(row) || right.is_null(row) {
            quotients.push(None);
            continue;
        }
        let (a, a_negative) = magnitude(left.value(row));
        let (b, b_negative) = magnitude(right.value(row));
        if b.is_zero() {
            return Err(refuse(ErrorCode::Arithmetic, "A number was divided by zero."));
        }
        let (numerator, denominator) = (U512::from(a).checked_mul(up), U512::from(b).checked_mul(down));
        let (Some(numerator), Some(denominator)) = (numerator, denominator) else { return Err(too_large()) };
        let mut quotient = numerator / denominator;
        let rest = numerator - quotient * denominator;
        if rest >= denominator - rest {
            quotient += U512::from(1);
        }
        quotients.push(Some(signed(quotient, a_negative != b_negative)?));
    }
    let array: Decimal256Array = quotients.into_iter().collect();
    Ok(Arc::new(array.with_precision_and_scale(WIDE, *scale)?))
}

/// A number column as 256-bit decimals, and its scale.
fn wide(array: &ArrayRef) -> Result<(Decimal256Array, i8)> {
    let (array, scale) = match array.data_type() {
        DataType::Decimal256(_, scale) => (array.clone(), *scale),
        DataType::Decimal128(_, scale) => (cast(array, &DataType::Decimal256(WIDE, *scale))?, *scale),
        from if is_number(from) => (uint256::to_decimal256(array)?, 0),
        _ => (cast(array, &DataType::Decimal256(WIDE, 0))?, 0),
    };
    Ok((array.as_primitive::<Decimal256Type>().clone(), scale))
}

fn magnitude(value: i256) -> (U256, bool) {
    let absolute = U256::from_le_bytes(value.wrapping_abs().to_le_bytes());
    (absolute, value.is_negative())
}

fn signed(value: U512, negative: bool) -> Result<i256> {
    // 10^76 is the first number a 76-digit decimal can't hold.
    if value >= U512::from(10).pow(U512::from(WIDE)) {
        return Err(too_large());
    }
    let bytes: [u8; 64] = value.to_le_bytes();
    let mut low = [0; 32];
    low.copy_from_slice(&bytes[..32]);
    let absolute = i256::from_le_bytes(low);
    Ok(if negative { absolute.wrapping_neg() } else { absolute })
}

fn too_large() -> datafusion::common::DataFusionError {
    out_of_range("The result of a division has more than 76 digits.")
}
