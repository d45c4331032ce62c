//! `sentences(text)`: the words of each sentence of a text. Sentences and words end where Unicode says they do; the language
//! and the country that Hive takes beside the text change nothing.

use std::sync::Arc;

use arrow::array::{ArrayRef, ListBuilder, StringBuilder};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};
use unicode_segmentation::UnicodeSegmentation;

use crate::functions::bytes::text_of;
use crate::functions::simple::Simple;

pub(super) fn udf() -> ScalarUDF {
    Simple::udf("sentences", 1..=3, None, field, |args, _| split(&args[0]))
}

fn field(_: &ReturnFieldArgs) -> Result<FieldRef> {
    let list_of = |item| DataType::List(Arc::new(Field::new_list_field(item, true)));
    Ok(Arc::new(Field::new("sentences", list_of(list_of(DataType::Utf8)), true)))
}

fn split(texts: &ArrayRef) -> Result<ArrayRef> {
    let mut out = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
    for text in text_of(texts)? {
        for sentence in text.into_iter().flat_map(|text| text.unicode_sentences()) {
            let words = out.values();
            sentence.unicode_words().for_each(|word| words.values().append_value(word));
            words.append(true);
        }
        out.append(text.is_some());
    }
    Ok(Arc::new(out.finish()))
}
