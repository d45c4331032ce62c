//! Parts of a text that a regular expression finds, as Trino and BigQuery name them.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, BooleanArray, Int64Array, ListBuilder, StringArray, StringBuilder};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};
use regex::{Regex, RegexBuilder};

use super::replacement;
use crate::simple::{Doc, Simple};
use crate::stock::adapt::{Takes, adapted};
use quarry_runtime::check_stopped;
use quarry_types::ErrorCode;
use quarry_types::byte_columns::{is_text, text_of};
use quarry_types::{invalid, refuse};

/// By how many bytes the texts of one batch of rows may grow.
const MOST: usize = 64 << 20;
/// Most bytes a compiled expression takes.
const SIZE: usize = 1 << 20;

const EXTRACT_DOC: Doc = Doc {
    signature: "regexp_extract(text, pattern, group)",
    text: "The first part of a text that a pattern finds, or one of its groups; null when there is none.",
    example: "select regexp_extract('uniswap-v3', '([a-z]+)-v([0-9])', 2)",
};
const ALL_DOC: Doc = Doc {
    signature: "regexp_extract_all(text, pattern, group)",
    text: "All parts of a text that a pattern finds, as a list.",
    example: "select regexp_extract_all('a1b22', '[0-9]+')",
};
const CONTAINS_DOC: Doc = Doc {
    signature: "regexp_contains(text, pattern)",
    text: "Whether a pattern finds something in a text.",
    example: "select regexp_contains('transfer', '^trans')",
};
const REPLACE_DOC: Doc = Doc {
    signature: "regexp_replace(text, pattern, replacement)",
    text: "The text with every part that a pattern finds replaced, or left out; $1 or \\1 is what the first group found.",
    example: "select regexp_replace('uniswap-v3', '([a-z]+)-v([0-9])', 'v$2 of $1')",
};

const SPLIT_DOC: Doc = Doc {
    signature: "regexp_split(text, pattern)",
    text: "What stands before, between and behind the parts of a text that a pattern finds, as a list.",
    example: "select regexp_split('a1b22c', '[0-9]+')",
};
const POSITION_DOC: Doc = Doc {
    signature: "regexp_position(text, pattern, start, which)",
    text: "Where the first part of a text begins that a pattern finds, or which of those from a letter on, counted from 1; -1 when there is none.",
    example: "select regexp_position('block 17', '[0-9]+')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let replace = Simple::udf("regexp_replace", 2..=4, Some(REPLACE_DOC), replace_field, |args, _| replace(args));
    vec![
        adapted(&Arc::new(replace), Takes::Texts, &[]),
        Simple::udf(
            "regexp_extract",
            2..=3,
            Some(EXTRACT_DOC),
            |args| texts(args, DataType::Utf8),
            |args, _| first(args),
        )
        .with_aliases(["regexp_substr"]),
        Simple::udf(
            "regexp_extract_all",
            2..=3,
            Some(ALL_DOC),
            |args| texts(args, DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))),
            |args, _| all(args),
        ),
        Simple::udf(
            "regexp_contains",
            2..=2,
            Some(CONTAINS_DOC),
            |args| texts(args, DataType::Boolean),
            |args, _| Ok(Arc::new(BooleanArray::from(each(args, |regex, text| regex.is_match(text))?))),
        ),
        Simple::udf(
            "regexp_position",
            2..=4,
            Some(POSITION_DOC),
            |args| texts(args, DataType::Int64),
            |args, _| positions(args),
        ),
        Simple::udf(
            "regexp_split",
            2..=2,
            Some(SPLIT_DOC),
            |args| texts(args, DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))),
            |args, _| {
                let mut lists = ListBuilder::new(StringBuilder::new());
                for parts in each(args, |regex, text| regex.split(text).map(str::to_string).collect::<Vec<_>>())? {
                    lists.append_option(parts.map(|parts| parts.into_iter().map(Some)));
                }
                Ok(Arc::new(lists.finish()))
            },
        ),
    ]
}

fn texts(args: &ReturnFieldArgs, to: DataType) -> Result<FieldRef> {
    let text = |index: usize| {
        let data_type = args.arg_fields[index].data_type();
        is_text(data_type) || data_type.is_null()
    };
    let group =
        args.arg_fields.iter().skip(2).all(|field| field.data_type().is_integer() || field.data_type().is_null());
    if !text(0) || !text(1) || !group {
        return Err(invalid("A text, a pattern and the number of a group are needed here."));
    }
    Ok(Arc::new(Field::new("found", to, true)))
}

/// What each row is told of a text by a pattern.
fn each<T>(args: &[ArrayRef], tell: impl Fn(&Regex, &str) -> T) -> Result<Vec<Option<T>>> {
    let mut patterns = Patterns::default();
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?);
    let told = rows.map(|(text, pattern)| match (text, pattern) {
        (Some(text), Some(pattern)) => Ok(Some(tell(patterns.get(pattern)?, text))),
        _ => Ok(None),
    });
    told.collect()
}

/// Where a find begins, of those from a letter on.
fn positions(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut patterns = Patterns::default();
    let numbers = |index: usize| match args.get(index) {
        None => Ok(vec![Some(1); args[0].len()]),
        Some(array) => {
            Ok::<_, DataFusionError>(cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().iter().collect())
        }
    };
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).zip(numbers(2)?).zip(numbers(3)?);
    let places = rows.map(|(((text, pattern), start), which)| {
        let (Some(text), Some(pattern), Some(start), Some(which)) = (text, pattern, start, which) else {
            return Ok(None);
        };
        if start < 1 || which < 1 {
            return Err(invalid("Letters and finds are counted from 1."));
        }
        let (start, which) = (start as usize - 1, which as usize - 1);
        let from = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(start);
        let Some(from) = from else { return Ok(Some(-1)) };
        let found = patterns.get(pattern)?.find_iter(&text[from..]).nth(which);
        Ok(Some(found.map_or(-1, |found| text[..from + found.start()].chars().count() as i64 + 1)))
    });
    Ok(Arc::new(places.collect::<Result<Int64Array>>()?))
}

fn replace_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields.iter().all(|field| is_text(field.data_type()) || field.data_type().is_null()) {
        true => Ok(Arc::new(Field::new("replaced", DataType::Utf8, true))),
        false => Err(invalid("regexp_replace takes a text, a pattern, a replacement and flags such as 'i'.")),
    }
}

fn replace(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut patterns = Patterns::default();
    let (texts, wanted) = (text_of(&args[0])?, text_of(&args[1])?);
    let none = vec![Some(""); texts.len()];
    let of = |index: usize| args.get(index).map_or_else(|| Ok(none.clone()), text_of);
    let rows = texts.into_iter().zip(wanted).zip(of(2)?).zip(of(3)?);
    let mut grown = 0;
    let replaced = rows.map(|(((text, pattern), to), flags)| {
        let (Some(text), Some(pattern), Some(to), Some(flags)) = (text, pattern, to, flags) else { return Ok(None) };
        let regex = match flags {
            "" | "g" => patterns.get(pattern)?,
            flags => patterns.get(&with_flags(pattern, flags)?)?,
        };
        let to = replacement::of(to, regex)
            .ok_or_else(|| invalid(format!("'{to}' names a group that the pattern has not.")))?;
        // Looked at as it grows: each find may be made a long text of.
        let mut whole = String::with_capacity(text.len());
        let mut last = 0;
        for found in regex.captures_iter(text) {
            let Some(all) = found.get(0) else { continue };
            whole.push_str(&text[last..all.start()]);
            found.expand(&to, &mut whole);
            last = all.end();
            if whole.len() > text.len() + MOST.saturating_sub(grown) {
                let message = format!("regexp_replace would add more than {MOST} bytes at once.");
                return Err(refuse(ErrorCode::TooComplex, message));
            }
        }
        whole.push_str(&text[last..]);
        grown += whole.len().saturating_sub(text.len());
        Ok(Some(whole))
    });
    Ok(Arc::new(replaced.collect::<Result<StringArray>>()?))
}

/// A pattern with the letters that change how it is read; `g`, every match, is how it always is.
fn with_flags(pattern: &str, flags: &str) -> Result<String> {
    let known: String = flags.chars().filter(|flag| *flag != 'g').collect();
    match known.chars().all(|flag| "imsx".contains(flag)) {
        true if known.is_empty() => Ok(pattern.to_string()),
        true => Ok(format!("(?{known}){pattern}")),
        false => Err(invalid(format!("'{flags}' is no flag of a regular expression; g, i, m, s and x are."))),
    }
}

/// The compiled expression of the last row, which is most often that of the next.
#[derive(Default)]
struct Patterns {
    last: Option<(String, Regex)>,
}

impl Patterns {
    fn get(&mut self, pattern: &str) -> Result<&Regex> {
        if self.last.as_ref().is_none_or(|(known, _)| known != pattern) {
            check_stopped()?;
            let compiled = RegexBuilder::new(pattern).size_limit(SIZE).dfa_size_limit(SIZE).build();
            let shown: String = pattern.chars().take(60).collect();
            let compiled =
                compiled.map_err(|_| invalid(format!("'{shown}' is no regular expression, or too large.")))?;
            self.last = Some((pattern.to_string(), compiled));
        }
        self.last.as_ref().map(|(_, regex)| regex).ok_or_else(|| invalid("A pattern is needed here."))
    }
}

/// The group each row asks for. Without one it is the whole find, as in Trino, or the only group there is, as in BigQuery.
fn groups(args: &[ArrayRef]) -> Result<Vec<Option<Option<i64>>>> {
    match args.get(2) {
        None => Ok(vec![Some(None); args[0].len()]),
        Some(array) => {
            let numbers: Int64Array = cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().clone();
            Ok(numbers.iter().map(|number| number.map(Some)).collect())
        }
    }
}

fn index(regex: &Regex, group: Option<i64>) -> Result<usize> {
    let count = regex.captures_len();
    match group {
        None => Ok(usize::from(count == 2)),
        Some(group) => usize::try_from(group)
            .ok()
            .filter(|group| *group < count)
            .ok_or_else(|| invalid(format!("The pattern has no group {group}."))),
    }
}

fn first(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut patterns = Patterns::default();
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).zip(groups(args)?);
    let found = rows.map(|((text, pattern), group)| {
        let (Some(text), Some(pattern), Some(group)) = (text, pattern, group) else { return Ok(None) };
        let regex = patterns.get(pattern)?;
        let group = index(regex, group)?;
        Ok(regex.captures(text).and_then(|captures| captures.get(group)).map(|part| part.as_str().to_string()))
    });
    Ok(Arc::new(StringArray::from(found.collect::<Result<Vec<Option<String>>>>()?)))
}

fn all(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut patterns = Patterns::default();
    let mut lists = ListBuilder::new(StringBuilder::new());
    let rows = text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).zip(groups(args)?);
    for ((text, pattern), group) in rows {
        let (Some(text), Some(pattern), Some(group)) = (text, pattern, group) else {
            lists.append(false);
            continue;
        };
        let regex = patterns.get(pattern)?;
        let group = index(regex, group)?;
        for captures in regex.captures_iter(text) {
            lists.values().append_option(captures.get(group).map(|part| part.as_str()));
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}
