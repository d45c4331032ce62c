//! Exact division of decimals. Dividing by a power of ten only moves the point; any other division keeps at least 18
//! digits after it, rounded half away from zero.

use std::sync::LazyLock;

use alloy_primitives::{U256, U512};
use arrow::array::{Decimal128Array, Decimal256Array};
use arrow::datatypes::{Decimal128Type, Decimal256Type, i256};

use crate::prelude::*;
use crate::scalar_udf::SharedFunctions;
use crate::uint256;

/// Digits after the point that a division keeps at least.
const MIN_SCALE: i8 = 18;
const MAX_PRECISION: u8 = 76;

/// The call of a division that makes fractions of whole numbers too; people write `safe_divide` and the like.
pub const DIVIDE: &str = "divide";

/// Division of decimals.
pub fn divide() -> Arc<ScalarUDF> {
    shared!(undocumented(DIVIDE).fails_on(FailsOn::Divisor).udf(
        2..=2,
        |args| quotient_field(&args.arg_fields[0], &args.arg_fields[1]),
        divide_arrays
    ))
}

const SHIFT_NAME: &str = "divide_by_1e";

/// Division by each power of ten, by its number of digits.
static SHIFTS: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    let shift = |digits: i8| {
        let returns = move |args: &ReturnFieldArgs<'_>| shifted_field(&args.arg_fields[0], digits);
        Arc::new(scalar_udf(format!("{SHIFT_NAME}{digits}"), 1..=1, returns, shift_array))
    };
    (0..=38).map(shift).collect()
});

inventory::submit! { SharedFunctions(|| SHIFTS.clone()) }

/// Division by ten to the power of `digits`, up to 38.
pub fn shift_point(digits: usize) -> Option<Arc<ScalarUDF>> {
    SHIFTS.get(digits).cloned()
}

/// By how many digits a function moves the point, when it does nothing else.
pub fn shifted_digits(name: &str) -> Option<i32> {
    name.strip_prefix(SHIFT_NAME)?.parse().ok()
}

/// Type of a number after its point moved.
pub(crate) fn shifted_field(field: &Field, digits: i8) -> Result<FieldRef> {
    let data_type = match field.data_type() {
        from if is_number(from) => DataType::Decimal256(MAX_PRECISION, digits),
        from if from.is_integer() => DataType::Decimal128(20.max(digits as u8), digits),
        DataType::Decimal128(_, scale) if scale.saturating_add(digits) <= 38 => {
            DataType::Decimal128(38, scale + digits)
        }
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) if scale.saturating_add(digits) <= 76 => {
            DataType::Decimal256(MAX_PRECISION, scale + digits)
        }
        DataType::Null => DataType::Decimal128(38, digits),
        _ => return Err(invalid("Expected an integer or a decimal here.")),
    };
    Ok(Arc::new(Field::new("quotient", data_type, true)))
}

/// The same digits under a type whose point is further left.
pub(crate) fn shift_array(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let array = &args[0];
    match to.data_type() {
        DataType::Decimal128(precision, scale) => {
            let digits = match array.data_type() {
                DataType::Decimal128(..) => array.clone(),
                _ => cast(array, &DataType::Decimal128(20, 0))?,
            };
            let digits: Decimal128Array = digits.as_primitive::<Decimal128Type>().clone();
            Ok(Arc::new(digits.with_precision_and_scale(*precision, *scale)?))
        }
        DataType::Decimal256(precision, scale) => {
            Ok(Arc::new(wide(array)?.0.with_precision_and_scale(*precision, *scale)?))
        }
        _ => Err(invalid("The result of a division must be a decimal.")),
    }
}

fn quotient_field(left: &Field, right: &Field) -> Result<FieldRef> {
    let types = [left.data_type(), right.data_type()];
    if types.iter().any(|from| !(from.is_numeric() || is_number(from) || from.is_null())) {
        return Err(invalid("Division expects two numbers."));
    }
    // A rule replaces it by a division of doubles.
    if types.iter().any(|from| from.is_floating()) {
        return Ok(Arc::new(Field::new("quotient", DataType::Float64, true)));
    }
    let scale = match left.data_type() {
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) => MIN_SCALE.max(*scale),
        _ => MIN_SCALE,
    };
    Ok(Arc::new(Field::new("quotient", DataType::Decimal256(MAX_PRECISION, scale), true)))
}

fn divide_arrays(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let DataType::Decimal256(_, scale) = to.data_type() else {
        return Err(invalid("The result of a division must be a decimal."));
    };
    let (left, left_scale) = wide(&args[0])?;
    let (right, right_scale) = wide(&args[1])?;
    // left / 10^left_scale divided by right / 10^right_scale, in units of 10^-scale.
    let power = i32::from(*scale) + i32::from(right_scale) - i32::from(left_scale);
    let factor = |power: i32| U512::from(10).pow(U512::from(power.max(0)));
    let (up, down) = (factor(power), factor(-power));
    let divide = |(a, b): (i256, i256)| {
        let (dividend, divisor) = (magnitude(a), magnitude(b));
        if divisor.is_zero() {
            return Err(refuse(ErrorCode::Arithmetic, "A number was divided by zero."));
        }
        let numerator = U512::from(dividend).checked_mul(up).ok_or_else(too_large)?;
        let denominator = U512::from(divisor).checked_mul(down).ok_or_else(too_large)?;
        let mut quotient = numerator / denominator;
        let rest = numerator - quotient * denominator;
        if rest >= denominator - rest {
            quotient += U512::from(1);
        }
        signed(quotient, a.is_negative() != b.is_negative())
    };
    let quotients = left.iter().zip(&right).map(|(a, b)| a.zip(b).map(divide).transpose());
    Ok(Arc::new(quotients.collect::<Result<Decimal256Array>>()?.with_precision_and_scale(MAX_PRECISION, *scale)?))
}

/// A number column as 256-bit decimals, and its scale.
fn wide(array: &ArrayRef) -> Result<(Decimal256Array, i8)> {
    let (array, scale) = match array.data_type() {
        DataType::Decimal256(_, scale) => (array.clone(), *scale),
        DataType::Decimal128(_, scale) => (cast(array, &DataType::Decimal256(MAX_PRECISION, *scale))?, *scale),
        from if is_number(from) => (uint256::to_decimal256(array)?, 0),
        _ => (cast(array, &DataType::Decimal256(MAX_PRECISION, 0))?, 0),
    };
    Ok((array.as_primitive::<Decimal256Type>().clone(), scale))
}

fn magnitude(value: i256) -> U256 {
    U256::from_le_bytes(value.wrapping_abs().to_le_bytes())
}

fn signed(value: U512, negative: bool) -> Result<i256> {
    // 10^76 is the first number a 76-digit decimal can't hold.
    if value >= U512::from(10).pow(U512::from(MAX_PRECISION)) {
        return Err(too_large());
    }
    let bytes: [u8; 64] = value.to_le_bytes();
    let mut low = [0; 32];
    low.copy_from_slice(&bytes[..32]);
    let absolute = i256::from_le_bytes(low);
    Ok(if negative { absolute.wrapping_neg() } else { absolute })
}

fn too_large() -> DataFusionError {
    out_of_range("The result of a division has more than 76 digits.")
}
