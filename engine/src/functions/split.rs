//! `split(text, separator, limit)`: a text in so many parts at most, the last of which has all that is left.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, ListBuilder, StringBuilder};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::bytes::{is_text, text_of};
use super::simple::{Doc, Simple, invalid};

const DOC: Doc = Doc {
    signature: "split(text, separator, limit)",
    text: "The parts of a text between separators, so many at most: the last has all that is left.",
    example: "select split('a,b,c', ',', 2)",
};

/// What three arguments of `split` stand for; of two it is the stock function.
pub(super) fn udf() -> ScalarUDF {
    Simple::udf("split_limit", 3..=3, Some(DOC), parts, |args, _| split(args))
}

fn parts(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let text = |field: &FieldRef| is_text(field.data_type()) || field.data_type().is_null();
    let limit = args.arg_fields[2].data_type();
    match args.arg_fields[..2].iter().all(text) && (limit.is_integer() || limit.is_null()) {
        true => Ok(Arc::new(Field::new("parts", DataType::new_list(DataType::Utf8, true), true))),
        false => Err(invalid("A text, a separator and a whole number are needed here.")),
    }
}

fn split(args: &[ArrayRef]) -> Result<ArrayRef> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let limits = cast_with_options(&args[2], &DataType::Int64, &options)?;
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
