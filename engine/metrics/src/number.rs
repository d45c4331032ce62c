//! Exact decimal numbers: whole units of a power of ten.

use alloy_primitives::U512;

/// A value in units of `10^-scale` as a plain decimal text without needless zeros.
pub(super) fn decimal(value: i128, scale: u32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs().to_string();
    let scale = scale as usize;
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

/// Whether a JavaScript number holds a decimal text: 15 significant digits always survive.
pub(super) fn fits_javascript(text: &str) -> bool {
    text.chars().filter(char::is_ascii_digit).skip_while(|digit| *digit == '0').count() <= 15
}

/// `sum / count` in units of `10^-scale`, rounded half away from zero; nothing to take it of is nothing.
pub(super) fn mean(sum: i128, count: u64, scale: u32) -> Option<i128> {
    ratio(sum, i128::from(count), scale)
}

/// `above / below` in units of `10^-scale`, rounded half away from zero.
pub(super) fn ratio(above: i128, below: i128, scale: u32) -> Option<i128> {
    if below <= 0 {
        return None;
    }
    let wide = |number: u128| U512::from(number);
    let (above_wide, below_wide) = (wide(above.unsigned_abs()), wide(below.unsigned_abs()));
    let scaled = above_wide.checked_mul(U512::from(10).checked_pow(U512::from(scale))?)?;
    let quotient = (scaled.checked_mul(wide(2))? + below_wide) / (below_wide * wide(2));
    let quotient = i128::try_from(u128::try_from(quotient).ok()?).ok()?;
    Some(if above < 0 { -quotient } else { quotient })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_exponent() {
        let cases =
            [(0, 18, "0"), (1, 18, "0.000000000000000001"), (-1_500, 3, "-1.5"), (1_000, 3, "1"), (42, 0, "42")];
        for (value, scale, text) in cases {
            assert_eq!(decimal(value, scale), text);
        }
    }

    #[test]
    fn fifteen_digits_are_exact_in_javascript() {
        assert!(fits_javascript("0.000123456789012345"));
        assert!(!fits_javascript("1234567890123456"));
    }

    #[test]
    fn means_are_rounded_half_away_from_zero() {
        assert_eq!(mean(10, 4, 0), Some(3));
        assert_eq!(mean(-10, 4, 0), Some(-3));
        assert_eq!(mean(10, 3, 6), Some(3_333_333));
        assert_eq!(mean(1, 0, 6), None);
        assert_eq!(mean(i128::MAX, 1, 0), Some(i128::MAX));
    }
}
