//! One exact whole number of up to 256 bits and a sign.

use std::fmt;

use alloy_primitives::U256;
use alloy_primitives::aliases::{I512, U512};
use arrow::datatypes::i256;
use datafusion::common::Result;

use super::WIDTH;
use crate::error::invalid;

/// Zero is never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Number {
    negative: bool,
    magnitude: U256,
}

impl Number {
    pub fn new(negative: bool, magnitude: U256) -> Number {
        Number { negative: negative && !magnitude.is_zero(), magnitude }
    }

    pub fn is_negative(self) -> bool {
        self.negative
    }

    pub fn magnitude(self) -> U256 {
        self.magnitude
    }

    /// Its bytes in a column.
    pub fn encode(self) -> [u8; WIDTH as usize] {
        let mut bytes = [u8::from(!self.negative); WIDTH as usize];
        let magnitude = if self.negative { !self.magnitude } else { self.magnitude };
        bytes[1..].copy_from_slice(&magnitude.to_be_bytes::<32>());
        bytes
    }

    /// The number of a column's bytes.
    pub fn decode(bytes: &[u8]) -> Number {
        let magnitude = U256::try_from_be_slice(bytes.get(1..).unwrap_or_default()).unwrap_or_default();
        match bytes.first() {
            Some(0) => Number::new(true, !magnitude),
            _ => Number::new(false, magnitude),
        }
    }

    /// At most 32 bytes, the highest first.
    pub fn from_be_bytes(bytes: &[u8]) -> Number {
        Number::new(false, U256::try_from_be_slice(bytes).unwrap_or_default())
    }

    /// Bytes of any length, the highest first; more than 32 that count are an error.
    pub fn from_long_bytes(bytes: &[u8]) -> Result<Number> {
        let magnitude = U256::try_from_be_slice(bytes);
        let message = || invalid(format!("{} bytes do not fit in a uint256, which has at most 32.", bytes.len()));
        magnitude.map(|magnitude| Number::new(false, magnitude)).ok_or_else(message)
    }

    /// 32 bytes in two's complement, as Solidity's `int256`.
    pub fn from_twos_complement(bytes: &[u8]) -> Number {
        let value = U256::try_from_be_slice(bytes).unwrap_or_default();
        if value.bit(255) { Number::new(true, value.wrapping_neg()) } else { Number::new(false, value) }
    }

    /// 32 bytes in two's complement; `None` beyond int256.
    pub fn to_twos_complement(self) -> Option<U256> {
        let limit = U256::from(1) << 255;
        match self.negative {
            true => (self.magnitude <= limit).then(|| self.magnitude.wrapping_neg()),
            false => (self.magnitude < limit).then_some(self.magnitude),
        }
    }

    /// Decimal digits, or hex digits after `0x`, with a sign before them or none.
    pub fn parse(text: &str) -> Result<Number> {
        let trimmed = text.trim();
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
        let (digits, radix) = hex.map_or((digits, 10), |digits| (digits, 16));
        let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_alphanumeric());
        let parsed = if plain { U256::from_str_radix(digits, radix).ok() } else { None };
        let shown: String = text.chars().take(90).collect();
        let message = || invalid(format!("'{shown}' is not an integer of at most 256 bits."));
        parsed.map(|magnitude| Number::new(negative, magnitude)).ok_or_else(message)
    }

    /// A decimal as Arrow holds it; one with a fraction is an error.
    pub fn from_decimal(value: i256, scale: i8) -> Result<Number> {
        let (whole, rest) = split(value, scale);
        if rest != i256::ZERO {
            return Err(invalid("A number with a fractional part can't be a uint256; round it first."));
        }
        Ok(Number::from(whole))
    }

    /// The nearest whole number not above (`up` is false) or not below a decimal.
    pub fn round_decimal(value: i256, scale: i8, up: bool) -> Number {
        let (whole, rest) = split(value, scale);
        let number = Number::from(whole);
        let step = |negative| number.checked_add(Number::new(negative, U256::from(1))).unwrap_or(number);
        match (rest.is_negative(), rest.is_positive()) {
            (true, _) if !up => step(true),
            (_, true) if up => step(false),
            _ => number,
        }
    }

    /// A double that is a whole number.
    pub fn from_float(value: f64) -> Result<Number> {
        let limit = 2f64.powi(256);
        let whole = value.is_finite() && value.abs() < limit && value.fract() == 0.0;
        match U256::try_from(value.abs()) {
            Ok(magnitude) if whole => Ok(Number::new(value < 0.0, magnitude)),
            _ => Err(invalid(format!("{value} is not an integer of at most 256 bits."))),
        }
    }

    pub fn checked_add(self, other: Number) -> Option<Number> {
        if self.negative == other.negative {
            let magnitude = self.magnitude.checked_add(other.magnitude)?;
            return Some(Number::new(self.negative, magnitude));
        }
        Some(match self.magnitude >= other.magnitude {
            true => Number::new(self.negative, self.magnitude - other.magnitude),
            false => Number::new(other.negative, other.magnitude - self.magnitude),
        })
    }

    pub fn negate(self) -> Number {
        Number::new(!self.negative, self.magnitude)
    }

    pub fn checked_mul(self, other: Number) -> Option<Number> {
        let magnitude = self.magnitude.checked_mul(other.magnitude)?;
        Some(Number::new(self.negative != other.negative, magnitude))
    }

    /// Rounded towards zero, as integers divide; `None` by zero.
    pub fn checked_div(self, other: Number) -> Option<Number> {
        let magnitude = self.magnitude.checked_div(other.magnitude)?;
        Some(Number::new(self.negative != other.negative, magnitude))
    }

    /// What [`Number::checked_div`] leaves, with the sign of the divided number.
    pub fn checked_rem(self, other: Number) -> Option<Number> {
        Some(Number::new(self.negative, self.magnitude.checked_rem(other.magnitude)?))
    }

    pub fn to_float(self) -> f64 {
        let magnitude = f64::from(self.magnitude);
        if self.negative { -magnitude } else { magnitude }
    }

    /// As a decimal of 76 digits; `None` when it has more.
    pub fn to_decimal(self) -> Option<i256> {
        if self.magnitude >= U256::from(10).pow(U256::from(76)) {
            return None;
        }
        let value = i256::from_le_bytes(self.magnitude.to_le_bytes());
        Some(if self.negative { value.wrapping_neg() } else { value })
    }

    /// In 512 bits, where sums of any number of rows have room.
    pub fn widen(self) -> I512 {
        let value = I512::from_raw(U512::from(self.magnitude));
        if self.negative { value.wrapping_neg() } else { value }
    }

    /// Back from 512 bits; `None` when it does not fit.
    pub fn narrow(value: I512) -> Option<Number> {
        let magnitude = value.unsigned_abs();
        let [a, b, c, d, high @ ..] = *magnitude.as_limbs();
        let fits = high.iter().all(|limb| *limb == 0);
        fits.then(|| Number::new(value.is_negative(), U256::from_limbs([a, b, c, d])))
    }
}

/// The whole part of a decimal and the digits after its point.
fn split(value: i256, scale: i8) -> (i256, i256) {
    let power = i256::from_i128(10).checked_pow(u32::from(scale.unsigned_abs())).unwrap_or(i256::MAX);
    if scale <= 0 {
        return (value.checked_mul(power).unwrap_or(value), i256::ZERO);
    }
    (value.wrapping_div(power), value.wrapping_rem(power))
}

impl From<i256> for Number {
    fn from(value: i256) -> Number {
        Number::new(value.is_negative(), U256::from_le_bytes(value.wrapping_abs().to_le_bytes()))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        self.magnitude.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn bytes_order_as_numbers_do() {
        let max = U256::MAX.to_string();
        let ascending = [format!("-{max}"), "-256".into(), "-1".into(), "0".into(), "1".into(), "255".into(), max];
        let encoded: Vec<_> = ascending.iter().map(|text| number(text).encode()).collect();
        assert!(encoded.is_sorted());
        for (text, bytes) in ascending.iter().zip(&encoded) {
            assert_eq!(&Number::decode(bytes).to_string(), text);
        }
    }

    #[test]
    fn arithmetic_keeps_signs_and_refuses_what_does_not_fit() {
        let (a, b) = (number("-7"), number("3"));
        assert_eq!(a.checked_add(b), Some(number("-4")));
        assert_eq!(a.checked_mul(b), Some(number("-21")));
        assert_eq!(a.checked_div(b), Some(number("-2")));
        assert_eq!(a.checked_rem(b), Some(number("-1")));
        assert_eq!(a.checked_div(number("0")), None);
        assert_eq!(Number::new(false, U256::MAX).checked_add(number("1")), None);
        assert_eq!(Number::narrow(a.widen()), Some(a));
        assert_eq!(number("-0"), number("0"));
        assert!(Number::parse("").is_err() && Number::parse("1_0").is_err() && Number::parse("--1").is_err());
    }

    #[test]
    fn twos_complement_is_soliditys() {
        assert_eq!(Number::from_twos_complement(&[0xff; 32]), number("-1"));
        assert_eq!(number("-1").to_twos_complement(), Some(U256::MAX));
        assert_eq!(Number::new(false, U256::MAX).to_twos_complement(), None);
    }
}
