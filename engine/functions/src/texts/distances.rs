//! Texts compared and checked: `hamming_distance`, `soundex`, `luhn_check`.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Int64Array};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};
use datafusion_spark::function::string as spark;

use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const HAMMING_DOC: Doc = Doc {
    signature: "hamming_distance(text, text)",
    text: "In how many places two texts of the same length have different letters.",
    example: "select hamming_distance('ether', 'other')",
};
const LUHN_DOC: Doc = Doc {
    signature: "luhn_check(digits)",
    text: "Whether the last of some digits is the check digit of the others by Luhn's formula, as on bank cards.",
    example: "select luhn_check('79927398713')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf(
            "hamming_distance",
            2..=2,
            Some(HAMMING_DOC),
            |args| texts(args, DataType::Int64),
            |args, _| {
                let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?);
                let distances = rows.map(|(left, right)| left.zip(right).map(distance).transpose());
                Ok(Arc::new(distances.collect::<Result<Int64Array>>()?))
            },
        ),
        Simple::udf("luhn_check", 1..=1, Some(LUHN_DOC), |args| texts(args, DataType::Boolean), |args, _| luhn(args)),
        spark::soundex().as_ref().clone(),
    ]
}

fn texts(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let known = |field: &FieldRef| is_text(field.data_type()) || field.data_type().is_null();
    match args.arg_fields.iter().all(known) {
        true => Ok(Arc::new(Field::new("answer", to, true))),
        false => Err(invalid("A text is needed here.")),
    }
}

fn distance((left, right): (&str, &str)) -> Result<i64> {
    match left.chars().count() == right.chars().count() {
        true => Ok(left.chars().zip(right.chars()).filter(|(left, right)| left != right).count() as i64),
        false => Err(invalid("The two texts of hamming_distance have the same length.")),
    }
}

fn luhn(args: &[ArrayRef]) -> Result<ArrayRef> {
    let check = |text: &str| {
        let mut sum = 0;
        for (place, letter) in text.chars().rev().enumerate() {
            let digit = letter.to_digit(10).ok_or_else(|| invalid("luhn_check takes a text of digits."))?;
            sum += match (place % 2, digit) {
                (0, digit) => digit,
                (_, digit) if digit > 4 => 2 * digit - 9,
                (_, digit) => 2 * digit,
            };
            sum %= 10;
        }
        Ok(!text.is_empty() && sum == 0)
    };
    let rows = text_of(&args[0])?.into_iter().map(|text| text.map(check).transpose());
    Ok(Arc::new(rows.collect::<Result<BooleanArray>>()?))
}
