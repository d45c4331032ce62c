//! Numbers as texts.

use crate::functions::numbers::floats;

/// Digits behind the point that a call may ask for.
const MOST_DECIMALS: usize = 300;

/// A number to be written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Amount {
    Double(f64),
    /// A whole number and how many of its digits stand behind the point.
    Exact(i128, u32),
}

impl Amount {
    /// Whether it is below zero, and its digits with so many behind the point; halves go to the even digit.
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
pub(super) fn with_decimals(number: Amount, decimals: i64) -> Option<String> {
    let decimals = usize::try_from(decimals).ok().filter(|decimals| *decimals <= MOST_DECIMALS)?;
    Some(written(number, &Form { least: 1, decimals, optional: 0, group: 3 }))
}

/// How a number is written: least digits before the point, digits behind it, how many of those may be left out when
/// they are 0, and how many digits stand between commas (0 for none).
struct Form {
    least: usize,
    decimals: usize,
    optional: usize,
    group: usize,
}

/// A number by a pattern such as `#,##0.00`: `0` is a digit that is always there, `#` one that may be left out.
pub(super) fn by_pattern(number: Amount, pattern: &str) -> Option<String> {
    let is_part = |letter: char| "#0,.".contains(letter);
    let start = pattern.find(is_part)?;
    let end = pattern.rfind(is_part)? + 1;
    let (whole, fraction) = pattern[start..end].split_once('.').unwrap_or((&pattern[start..end], ""));
    if !whole.chars().all(|letter| "#0,".contains(letter)) || !fraction.chars().all(|letter| "#0".contains(letter)) {
        return None;
    }
    let form = Form {
        least: whole.matches('0').count(),
        decimals: fraction.len().min(MOST_DECIMALS),
        optional: fraction.len().min(MOST_DECIMALS) - fraction.matches('0').count().min(MOST_DECIMALS),
        group: whole.rfind(',').map_or(0, |comma| whole.len() - comma - 1),
    };
    let digits = written(number, &form);
    // The sign stands before everything.
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |digits| ("-", digits));
    Some(format!("{sign}{}{digits}{}", &pattern[..start], &pattern[end..]))
}

fn written(number: Amount, form: &Form) -> String {
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
    // Java keeps the sign of what is rounded to nothing.
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
    }
    out
}

/// A number without its exponent: `1.5e3` is `1500`. `None` for one that no decimal could hold.
pub(super) fn without_exponent(text: &str) -> Option<String> {
    let text = text.trim();
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return Some(text.to_string()) };
    let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.abs() <= 100)?;
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let missing = usize::try_from(-point).unwrap_or(0);
    let padded = format!("{}{all}", "0".repeat(missing));
    let point = usize::try_from(point).unwrap_or(0);
    let padded = format!("{padded:0<point$}");
    Some(format!("{sign}{}.{}", &padded[..point], &padded[point..]))
}

/// A double as Java prints it: `1.0`, `1.0E10`.
pub(super) fn double_text(value: f64) -> String {
    if let Some(word) = floats::word(value) {
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
    fn exponents_move_the_point() {
        for (text, plain) in [("1.5e3", "1500."), ("-12e-3", "-.012"), ("7", "7"), ("1.25E1", "12.5")] {
            assert_eq!(without_exponent(text).as_deref(), Some(plain));
        }
        assert_eq!((without_exponent("e5"), without_exponent("1e999"), without_exponent("xe1")), (None, None, None));
    }

    #[test]
    fn numbers_follow_a_pattern() {
        let shown = |number: f64, pattern: &str| by_pattern(Amount::Double(number), pattern);
        assert_eq!(shown(12332.123456, "##,###.##").as_deref(), Some("12,332.12"));
        assert_eq!(shown(0.5, "000.00").as_deref(), Some("000.50"));
        assert_eq!(shown(-1234.0, "$#,##0.0#").as_deref(), Some("-$1,234.0"));
        assert_eq!(shown(1.0, "abc"), None);
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
