//! Texts compared and checked: `hamming_distance`, `soundex`, `luhn_check`.

use datafusion_spark::function::string as spark;

use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 3] {
    let takes_text = |to| takes([is_text], "Expected a string here.", to);
    let hamming_distance = doc(
        "hamming_distance(text, text)",
        "The Hamming distance of two strings of the same length: the number of positions with different characters.",
        "select hamming_distance('ether', 'other')",
    )
    .fallible()
    .udf(2..=2, takes_text(DataType::Int64), |args, _| {
        zip_rows::<Int64Array, _, _, _>(text_of(&args[0])?, text_of(&args[1])?, distance)
    });
    let luhn_check = doc(
        "luhn_check(digits)",
        "Whether the last digit of a string of digits is the Luhn check digit of the others, as on bank cards.",
        "select luhn_check('79927398713')",
    )
    .fallible()
    .udf(1..=1, takes_text(DataType::Boolean), |args, _| {
        map_rows::<BooleanArray, _, _>(text_of(&args[0])?, passes_luhn)
    });
    [hamming_distance, luhn_check, spark::soundex().as_ref().clone()]
}

fn distance(left: &str, right: &str) -> Result<i64> {
    match left.chars().count() == right.chars().count() {
        true => Ok(left.chars().zip(right.chars()).filter(|(left, right)| left != right).count() as i64),
        false => Err(invalid("The two strings of hamming_distance must have the same length.")),
    }
}

fn passes_luhn(text: &str) -> Result<bool> {
    let mut sum = 0;
    for (place, letter) in text.chars().rev().enumerate() {
        let digit = letter.to_digit(10).ok_or_else(|| invalid("luhn_check expects a string of digits."))?;
        sum += match (place % 2, digit) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => 2 * digit - 9,
            (_, digit) => 2 * digit,
        };
        sum %= 10;
    }
    Ok(!text.is_empty() && sum == 0)
}
