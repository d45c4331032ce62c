//! Numbers read from texts without a loss, whatever their size: `-1.5e400`.

use std::num::IntErrorKind;

/// A number as it is written, of any size: `0.DIGITS × 10^point`. The digits neither begin nor end with a zero, and zero has none.
#[derive(Debug)]
pub(crate) struct NumberText {
    pub is_negative: bool,
    pub digits: String,
    pub point: i64,
}

impl NumberText {
    /// `None` for what is no number.
    pub fn parse(text: &str) -> Option<NumberText> {
        let text = text.trim();
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent = match exponent.parse::<i64>() {
            Ok(exponent) => exponent,
            Err(error) => match error.kind() {
                IntErrorKind::PosOverflow => i64::MAX,
                IntErrorKind::NegOverflow => i64::MIN,
                _ => return None,
            },
        };
        let (is_negative, number) = match mantissa.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, behind) = number.split_once('.').unwrap_or((number, ""));
        let all = format!("{whole}{behind}");
        if all.is_empty() || !all.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_start_matches('0');
        let zeros = all.len() - digits.len();
        let point = (whole.len() as i64 - zeros as i64).saturating_add(exponent);
        Some(NumberText { is_negative, digits: digits.trim_end_matches('0').to_string(), point })
    }
}
