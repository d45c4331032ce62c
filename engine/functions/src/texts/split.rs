//! `split(text, separator, limit)`: the parts of a text, so many at most. The stock function of this name knows no limit,
//! finds no part in an empty text and every letter where there is no separator.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int64Array, ListBuilder, StringBuilder};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use crate::stock::adapt::{Takes, adapted};
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::invalid;

const DOC: Doc = Doc {
    signature: "split(text, separator, limit)",
    text: "The parts of a text between separators; with a limit so many at most, the last of which has all that is left.",
    example: "select split('a,b,c', ',', 2)",
};

pub(super) fn udf() -> ScalarUDF {
    let split = Simple::udf("split", 2..=3, Some(DOC), parts, |args, _| split(args));
    adapted(&Arc::new(split), Takes::Texts, &[])
}

fn parts(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let text = |field: &FieldRef| is_text(field.data_type()) || field.data_type().is_null();
    let limit =
        args.arg_fields.get(2).is_none_or(|field| field.data_type().is_integer() || is_missing(field.data_type()));
    match args.arg_fields[..2].iter().all(text) && limit {
        true => Ok(Arc::new(Field::new("parts", DataType::new_list(DataType::Utf8, true), true))),
        false => Err(invalid("A text, a separator and a whole number are needed here.")),
    }
}

/// A limit that is null has come to be a text: what takes texts takes null for one.
fn is_missing(data_type: &DataType) -> bool {
    data_type.is_null() || is_text(data_type)
}

fn split(args: &[ArrayRef]) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let limits = match args.get(2) {
        Some(limits) => cast_with_options(limits, &DataType::Int64, &options)?,
        None => Arc::new(Int64Array::from(vec![i64::MAX; args[0].len()])),
    };
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).zip(limits.as_primitive::<Int64Type>());
    let mut lists = ListBuilder::new(StringBuilder::new());
    for ((text, separator), limit) in rows {
        let (Some(text), Some(separator), Some(limit)) = (text, separator, limit) else {
            lists.append(false);
            continue;
        };
        let limit = usize::try_from(limit).ok().filter(|limit| *limit > 0);
        let limit = limit.ok_or_else(|| invalid("The limit of split is above zero."))?;
        if separator.is_empty() {
            return Err(invalid("The separator of split is a text that is not empty."));
        }
        text.splitn(limit, separator).for_each(|part| lists.values().append_value(part));
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}
