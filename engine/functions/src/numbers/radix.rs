//! Whole numbers as digits of another base and back: `to_base(255, 16)`.

use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let is_integer = DataType::is_integer;
    let from_base = doc(
        "from_base(text, base)",
        "The integer that a string represents in a base from 2 to 36.",
        "select from_base('ff', 16)",
    )
    .fallible()
    .udf(2..=2, takes([is_text, is_integer], "Expected a string and a base here.", DataType::Int64), |args, _| {
        zip_rows::<Int64Array, _, _, _>(text_of(&args[0])?, &int64s(&args[1])?, parse)
    });
    let to_base =
        doc("to_base(number, base)", "An integer as a string in a base from 2 to 36.", "select to_base(255, 16)").udf(
            2..=2,
            takes([is_integer], "Expected an integer here.", DataType::Utf8),
            |args, _| zip_rows::<StringArray, _, _, _>(&int64s(&args[0])?, &int64s(&args[1])?, format),
        );
    [from_base, to_base]
}

fn check_base(base: i64) -> Result<u32> {
    let known = u32::try_from(base).ok().filter(|base| (2..=36).contains(base));
    known.ok_or_else(|| invalid("A base must be from 2 to 36."))
}

fn parse(text: &str, base: i64) -> Result<i64> {
    i64::from_str_radix(text, check_base(base)?)
        .map_err(|_| invalid(format!("'{text:.90}' is not a 64-bit integer in base {base}.")))
}

fn format(number: i64, base: i64) -> Result<String> {
    let base = check_base(base)?;
    let mut digits = Vec::new();
    let mut rest = number.unsigned_abs();
    while rest > 0 || digits.is_empty() {
        digits.extend(char::from_digit((rest % u64::from(base)) as u32, base));
        rest /= u64::from(base);
    }
    if number < 0 {
        digits.push('-');
    }
    Ok(digits.into_iter().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_other_bases() {
        for (number, base, text) in [
            (255, 16, "ff"),
            (0, 2, "0"),
            (-35, 36, "-z"),
            (i64::MIN, 10, "-9223372036854775808"),
            (i64::MAX, 16, "7fffffffffffffff"),
        ] {
            assert_eq!(format(number, base).unwrap(), text);
            assert_eq!(parse(text, base).unwrap(), number);
        }
        assert!(format(1, 1).is_err() && format(1, 37).is_err() && parse("2", 2).is_err() && parse("", 10).is_err());
    }
}
