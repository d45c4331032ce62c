//! Numbers as texts.

use quarry_types::cell::float_word;

/// Most digits of a decimal.
const MAX_DIGITS: i64 = 38;
/// Most digits behind the point.
const MAX_DECIMALS: usize = 300;

/// A number to format.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Amount {
    Double(f64),
    /// A whole number, and how many of its digits are behind the point.
    Exact(i128, u32),
}

impl Amount {
    /// Whether it is negative, and its digits with this many decimals; halves are rounded to even.
    fn digits(self, decimals: usize) -> (bool, String) {
        match self {
            Amount::Double(number) => (number < 0.0, format!("{:.decimals$}", number.abs())),
            Amount::Exact(value, scale) => {
                let (mut whole, scale) = (value.unsigned_abs(), scale as usize);
                if scale > decimals {
                    let power = 10_u128.pow((scale - decimals) as u32);
                    let rest = whole % power;
                    whole /= power;
                    whole += u128::from(rest * 2 > power || (rest * 2 == power && whole % 2 == 1));
                }
                let kept = scale.min(decimals);
                let digits = format!("{whole:0>width$}", width = kept + 1);
                let (before, behind) = digits.split_at(digits.len() - kept);
                let point = if decimals > 0 { "." } else { "" };
                (value < 0, format!("{before}{point}{behind:0<decimals$}"))
            }
        }
    }
}

/// `1234.5` with two decimals is `1,234.50`.
pub(crate) fn with_decimals(number: Amount, decimals: i64) -> Option<String> {
    let decimals = usize::try_from(decimals).ok().filter(|decimals| *decimals <= MAX_DECIMALS)?;
    Some(format_amount(number, &Form { least: 1, decimals, optional: 0, group: 3 }))
}

/// The form of a number: the least digits before the point, the digits after it, how many of these are left out if they are 0,
/// and the digits between commas (0 for no commas).
struct Form {
    least: usize,
    decimals: usize,
    optional: usize,
    group: usize,
}

/// A number by a pattern such as `#,##0.00`: `0` is a digit that is always there, `#` one that may be left out.
pub(crate) fn by_pattern(number: Amount, pattern: &str) -> Option<String> {
    let is_part = |letter: char| "#0,.".contains(letter);
    let start = pattern.find(is_part)?;
    let end = pattern.rfind(is_part)? + 1;
    let (whole, fraction) = pattern[start..end].split_once('.').unwrap_or((&pattern[start..end], ""));
    if !whole.chars().all(|letter| "#0,".contains(letter)) || !fraction.chars().all(|letter| "#0".contains(letter)) {
        return None;
    }
    // As in Java: if there is a point but no `0`, the digit before the point is always there, or else the first one behind it.
    let no_zero = !whole.contains('0') && !fraction.contains('0') && pattern[start..end].contains('.');
    let (before, behind) = match (no_zero, whole.contains('#')) {
        (true, true) => (1, 0),
        (true, false) => (0, usize::from(!fraction.is_empty())),
        (false, _) => (whole.matches('0').count(), fraction.matches('0').count()),
    };
    let decimals = fraction.len().min(MAX_DECIMALS);
    let form = Form {
        least: before,
        decimals,
        optional: decimals - behind.min(decimals),
        group: whole.rfind(',').map_or(0, |comma| whole.len() - comma - 1),
    };
    let digits = format_amount(number, &form);
    // The sign goes first.
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("-", digits));
    Some(format!("{sign}{}{digits}{}", &pattern[..start], &pattern[end..]))
}

fn format_amount(number: Amount, form: &Form) -> String {
    if let Amount::Double(number) = number
        && !number.is_finite()
    {
        return match number.is_nan() {
            true => "NaN".to_string(),
            false => if number > 0.0 { "∞" } else { "-∞" }.to_string(),
        };
    }
    let (negative, digits) = number.digits(form.decimals);
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let whole = format!("{:0>least$}", whole.trim_start_matches('0'), least = form.least);
    let mut kept = fraction;
    for _ in 0..form.optional {
        kept = kept.strip_suffix('0').unwrap_or(kept);
    }
    let mut out = String::new();
    // Java keeps the sign of numbers that are rounded to 0.
    if negative {
        out.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && form.group > 0 && (whole.len() - at) % form.group == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !kept.is_empty() {
        out.push('.');
        out.push_str(kept);
    } else if whole.is_empty() {
        out.push('0');
    }
    out
}

/// Precision and scale of a decimal by its text, without trailing zeros.
pub fn digits_of(text: &str) -> (u32, u32) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.parse::<i64>().unwrap_or(0).clamp(-1_000, 1_000);
    let digits = [whole, fraction].concat();
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let significant = digits[zeros..].trim_end_matches('0').len() as i64;
    // The position of the point, from the first digit that is not 0.
    let point = whole.len() as i64 - zeros as i64 + exponent;
    let scale = (significant - point).max(0);
    let precision = (point.max(0) + scale).max(1);
    let whole = precision - scale;
    // Where there are too many, digits behind the point are dropped.
    let precision = precision.min(MAX_DIGITS);
    let scale = scale.min((precision - whole).max(0));
    (precision as u32, scale as u32)
}

/// Parses a decimal to its unscaled value; halves are rounded away from zero. `None` for other texts, and for numbers with
/// more digits before the point than the type has.
pub(crate) fn decimal(text: &str, precision: u8, scale: i8) -> Option<i128> {
    let text = text.trim();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = [whole, fraction].concat();
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // How many digits count, from the first one that is not 0; missing ones are zeros.
    let zeros = all.len() - all.trim_start_matches('0').len();
    let significant = &all[zeros..];
    if significant.is_empty() {
        return Some(0);
    }
    let point = i64::try_from(whole.len()).ok()? + i64::from(exponent) - i64::try_from(zeros).ok()?;
    let kept = point + i64::from(scale);
    if kept < 0 {
        return Some(0);
    }
    if kept > i64::from(precision) {
        return None;
    }
    let kept = usize::try_from(kept).ok()?;
    let digit = |at: usize| significant.as_bytes().get(at).map_or(0, |byte| i128::from(byte - b'0'));
    let value = (0..kept).fold(0, |value, at| value * 10 + digit(at)) + i128::from(digit(kept) >= 5);
    // Rounding up may have made one digit more.
    let fits = value.checked_ilog10().is_none_or(|digits| digits < u32::from(precision));
    fits.then_some(if negative { -value } else { value })
}

/// A double as Java prints it: `1.0`, `1.0E10`.
pub(crate) fn double_text(value: f64) -> String {
    if let Some(word) = float_word(value) {
        return word.to_string();
    }
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        let text = value.to_string();
        return if text.contains('.') { text } else { text + ".0" };
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}E{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_in_java() {
        for (value, text) in [
            (1.0, "1.0"),
            (0.001, "0.001"),
            (0.0001, "1.0E-4"),
            (12345678.9, "1.23456789E7"),
            (-0.0, "-0.0"),
            (1e21, "1.0E21"),
        ] {
            assert_eq!(double_text(value), text);
        }
    }

    #[test]
    fn decimals_are_read_with_all_their_digits() {
        for (text, precision, scale, wanted) in [
            ("1.5e3", 10, 2, Some(150_000)),
            ("-12e-3", 10, 2, Some(-1)),
            ("-15e-3", 10, 2, Some(-2)),
            (" 7 ", 10, 0, Some(7)),
            ("+.5", 3, 1, Some(5)),
            ("5.", 3, 1, Some(50)),
            ("1E-99", 38, 18, Some(0)),
            ("-1E-999999", 38, 18, Some(0)),
            ("0E500", 10, 2, Some(0)),
            ("000000000000000000000000000000000000000000001.5", 2, 1, Some(15)),
            ("0.4999999999999999999999999999999999999999999999", 1, 0, Some(0)),
            ("99.99", 4, 2, Some(9999)),
            ("99.995", 4, 2, None),
            ("100", 4, 2, None),
            ("1E2147483647", 38, 0, None),
            ("123.0E-28", 31, 29, Some(1230)),
            ("99999999999999999999999999999999999999", 38, 0, Some(10_i128.pow(38) - 1)),
        ] {
            assert_eq!(decimal(text, precision, scale), wanted, "{text}");
        }
        for bad in ["", "e5", "1e", "1e1.5", "xe1", ".", "-", "1 2", "1,5", "0x10", "NaN", "1e99999999999"] {
            assert_eq!(decimal(bad, 38, 2), None, "{bad}");
        }
    }

    #[test]
    fn a_decimal_has_the_digits_that_are_written() {
        for (text, wanted) in [
            ("1.50", (2, 1)),
            ("10.0", (2, 0)),
            ("0.05", (2, 2)),
            ("0", (1, 0)),
            ("100", (3, 0)),
            ("1.5e3", (4, 0)),
            ("123.0E-28", (28, 28)),
            ("1e-50", (38, 38)),
        ] {
            assert_eq!(digits_of(text), wanted, "{text}");
        }
    }

    #[test]
    fn numbers_are_formatted_by_a_pattern() {
        let shown = |number: f64, pattern: &str| by_pattern(Amount::Double(number), pattern);
        assert_eq!(shown(12332.123456, "##,###.##").as_deref(), Some("12,332.12"));
        assert_eq!(shown(0.5, "000.00").as_deref(), Some("000.50"));
        assert_eq!(shown(-1234.0, "$#,##0.0#").as_deref(), Some("-$1,234.0"));
        assert_eq!(shown(1.0, "abc"), None);
        assert_eq!(shown(0.0, "####.###").as_deref(), Some("0"));
        assert_eq!(shown(0.5, "####.###").as_deref(), Some("0.5"));
        assert_eq!(shown(0.25, ".##").as_deref(), Some(".25"));
        assert_eq!(shown(2.0, ".##").as_deref(), Some("2.0"));
        assert_eq!(shown(0.0, "###").as_deref(), Some("0"));
    }

    #[test]
    fn exact_numbers_keep_their_digits() {
        let shown = |value: i128, scale: u32, decimals: i64| with_decimals(Amount::Exact(value, scale), decimals);
        assert_eq!(shown(1234567890123456789012, 2, 2).as_deref(), Some("12,345,678,901,234,567,890.12"));
        assert_eq!(shown(-25, 1, 0).as_deref(), Some("-2"));
        assert_eq!(shown(35, 1, 0).as_deref(), Some("4"));
        assert_eq!(shown(5, 2, 3).as_deref(), Some("0.050"));
        assert_eq!(shown(7, 0, -1), None);
    }
}
