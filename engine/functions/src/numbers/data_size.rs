//! Numbers of bytes as people read and write them, and numbers in short: `parse_data_size('2.3MB')`,
//! `format_number(123456)`.

use arrow::array::Decimal128Array;
use quarry_types::cell::float_word;

use super::digits::Digits;
use crate::prelude::*;

const UNITS: [&str; 9] = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
/// Thousands, millions and so on.
const SHORT_UNITS: [&str; 6] = ["", "K", "M", "B", "T", "Q"];

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let parse_data_size = doc(
        "parse_data_size(text)",
        "The number of bytes in a string such as '2.3MB', with the unit B, kB, MB, GB, TB, PB, EB, ZB or YB, each 1024 times the one before.",
        "select parse_data_size('2.3MB')",
    )
    .fallible()
    .udf(
        1..=1,
        takes([is_text], "Expected a string such as '2.3MB' here.", DataType::Decimal128(38, 0)),
        |args, _| {
            let read = |text: &str| {
                parse(text).ok_or_else(|| invalid(format!("'{text:.60}' is not a valid data size; write it as 2.3MB.")))
            };
            let rows = text_of(&args[0])?.into_iter().map(|text| text.map(read).transpose());
            Ok(Arc::new(rows.collect::<Result<Decimal128Array>>()?.with_precision_and_scale(38, 0)?))
        },
    );
    let format_number = doc(
        "format_number(number)",
        "A number abbreviated to about three digits and K, M, B, T or Q for thousands, millions, billions and so on.",
        "select format_number(123456)",
    )
    .udf(1..=1, takes([DataType::is_numeric], "Expected a number here.", DataType::Utf8), |args, _| {
        map_rows::<StringArray, _, _>(&float64s(&args[0])?, |number| Ok(short(number)))
    });
    [parse_data_size, format_number]
}

/// Whole bytes; a fraction of one is cut off.
fn parse(text: &str) -> Option<i128> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(end);
    let power = UNITS.iter().position(|known| *known == unit.trim_start())?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    // More digits than a decimal has are no number of bytes.
    if whole.is_empty() || fraction.contains('.') || whole.len() + fraction.len() > 37 {
        return None;
    }
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let (mut bytes, mut decimals) = (digits, fraction.len());
    for _ in 0..power {
        // The digits behind the point go as soon as they can: the product stays small.
        while decimals > 0 && bytes % 10 == 0 {
            (bytes, decimals) = (bytes / 10, decimals - 1);
        }
        bytes = bytes.checked_mul(1024)?;
    }
    let bytes = bytes / 10i128.checked_pow(u32::try_from(decimals).ok()?)?;
    (bytes < 10i128.pow(38)).then_some(bytes)
}

fn short(number: f64) -> String {
    if let Some(word) = float_word(number) {
        return word.to_string();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let mut size = number.abs();
    let mut unit = 0;
    while size >= 1000.0 && unit + 1 < SHORT_UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    let behind = if size < 10.0 { 2 } else { usize::from(size < 100.0) };
    let digits = Digits::parse(format!("{size:e}")).fixed(behind);
    let digits = if behind > 0 { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{sign}{digits}{}", SHORT_UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_short_numbers() {
        assert_eq!(parse("1B"), Some(1));
        assert_eq!(parse(" 1 kB "), Some(1024));
        assert_eq!(parse("2.3MB"), Some(2_411_724));
        assert_eq!(parse("1YB"), Some(1 << 80));
        for wrong in ["", "1", "kB", "1KB", "1.2.3MB", "-1B", "1000000000000000000000YB", ".5MB"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        for (number, text) in [
            (123_456.0, "123K"),
            (1_000_000.0, "1M"),
            (1_234.0, "1.23K"),
            (-12_345.0, "-12.3K"),
            (0.0, "0"),
            (999.0, "999"),
            (1e18, "1000Q"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(short(number), text);
        }
    }
}
