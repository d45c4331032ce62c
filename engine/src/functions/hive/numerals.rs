//! Numbers as texts.

use super::rows::Value;

/// Digits behind the point that a call may ask for.
const MOST_DECIMALS: usize = 300;

/// `1234.5` with two decimals is `1,234.50`; halves go to the even digit.
pub(super) fn with_decimals(number: f64, decimals: i64) -> Option<Value> {
    let decimals = usize::try_from(decimals).ok().filter(|decimals| *decimals <= MOST_DECIMALS)?;
    if !number.is_finite() {
        return Some(number.to_string().into());
    }
    Some(written(number, &Form { least: 1, decimals, optional: 0, group: 3 }).into())
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
pub(super) fn by_pattern(number: f64, pattern: &str) -> Option<Value> {
    let is_part = |letter: char| "#0,.".contains(letter);
    let start = pattern.find(is_part)?;
    let end = pattern.rfind(is_part)? + 1;
    let (whole, fraction) = pattern[start..end].split_once('.').unwrap_or((&pattern[start..end], ""));
    if !whole.chars().all(|letter| "#0,".contains(letter)) || !fraction.chars().all(|letter| "#0".contains(letter)) {
        return None;
    }
    if !number.is_finite() {
        return Some(number.to_string().into());
    }
    let form = Form {
        least: whole.matches('0').count(),
        decimals: fraction.len().min(MOST_DECIMALS),
        optional: fraction.len().min(MOST_DECIMALS) - fraction.matches('0').count().min(MOST_DECIMALS),
        group: whole.rfind(',').map_or(0, |comma| whole.len() - comma - 1),
    };
    Some(format!("{}{}{}", &pattern[..start], written(number, &form), &pattern[end..]).into())
}

fn written(number: f64, form: &Form) -> String {
    let digits = format!("{:.*}", form.decimals, number.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let whole = format!("{:0>least$}", whole.trim_start_matches('0'), least = form.least);
    let mut kept = fraction;
    for _ in 0..form.optional {
        kept = kept.strip_suffix('0').unwrap_or(kept);
    }
    let mut out = String::new();
    if number < 0.0 && digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
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
    if value.is_nan() {
        return "NaN".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_string();
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
        let shown = |number: f64, pattern: &str| match by_pattern(number, pattern) {
            Some(Value::Text(text)) => text,
            _ => "null".to_string(),
        };
        assert_eq!(shown(12332.123456, "##,###.##"), "12,332.12");
        assert_eq!(shown(0.5, "000.00"), "000.50");
        assert_eq!(shown(-1234.0, "$#,##0.0#"), "$-1,234.0");
        assert_eq!(shown(1.0, "abc"), "null");
    }
}
