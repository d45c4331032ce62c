//! `split(text, separator, limit)`: the parts of a text, so many at most. The built-in function of this name knows no limit, finds no
//! part in an empty text and every letter where the separator is empty.

use arrow::array::{ListBuilder, StringBuilder};

use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, adapted};

pub(super) fn udf() -> ScalarUDF {
    // `Coercion::Texts` makes a text of a limit that is null.
    let is_limit = |from: &DataType| from.is_integer() || is_text(from);
    let returns = takes(
        [is_text, is_text, is_limit],
        "Expected a string, a separator and an integer here.",
        DataType::new_list(DataType::Utf8, true),
    );
    let split = doc(
        "split(text, separator, limit)",
        "The substrings of a string between separators; with a limit, at most that many, the last of which contains the rest of the string.",
        "select split('a,b,c', ',', 2)",
    )
    .udf(2..=3, returns, |args, _| split(args));
    adapted(&Arc::new(split), Coercion::Texts, &[])
}

fn split(args: &[ArrayRef]) -> Result<ArrayRef> {
    let limits = match args.get(2) {
        Some(limits) => int64s(limits)?,
        None => Int64Array::from(vec![i64::MAX; args[0].len()]),
    };
    let mut lists = ListBuilder::new(StringBuilder::new());
    for ((text, separator), limit) in text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).zip(&limits) {
        let (Some(text), Some(separator), Some(limit)) = (text, separator, limit) else {
            lists.append(false);
            continue;
        };
        let limit = usize::try_from(limit).ok().filter(|limit| *limit > 0);
        let limit = limit.ok_or_else(|| invalid("The limit of split must be greater than 0."))?;
        if separator.is_empty() {
            return Err(invalid("The separator of split can't be empty."));
        }
        text.splitn(limit, separator).for_each(|part| lists.values().append_value(part));
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}
