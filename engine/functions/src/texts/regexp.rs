//! Parts of a text that a regular expression finds, as Trino and BigQuery name them.

use std::borrow::Cow;

use arrow::array::{ListBuilder, StringBuilder};
use quarry_runtime::check_stopped;
use regex::{Regex, RegexBuilder};

use super::replacement;
use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, adapted};

/// By how many bytes the texts of one batch of rows may grow.
const MAX_ADDED_BYTES: usize = 64 << 20;
/// The most bytes that a compiled expression takes.
const MAX_COMPILED_BYTES: usize = 1 << 20;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let replace = doc(
        "regexp_replace(text, pattern, replacement)",
        "The string with every match of a pattern replaced, or removed; $1 or \\1 refers to the first capture group.",
        "select regexp_replace('uniswap-v3', '([a-z]+)-v([0-9])', 'v$2 of $1')",
    )
    .udf(
        2..=4,
        takes(
            [is_text],
            "regexp_replace expects a string, a pattern, a replacement and flags such as 'i'.",
            DataType::Utf8,
        ),
        |args, _| replace(args),
    );
    let texts = || DataType::new_list(DataType::Utf8, true);
    vec![
        adapted(&Arc::new(replace), Coercion::Texts, &[]),
        doc(
            "regexp_extract(text, pattern, group)",
            "The first match of a pattern in a string, or one of its capture groups; null if there is no match.",
            "select regexp_extract('uniswap-v3', '([a-z]+)-v([0-9])', 2)",
        )
        .udf(2..=3, takes_pattern(DataType::Utf8), |args, _| extract(args)),
        doc(
            "regexp_substr(text, pattern, start, which, flags, group)",
            "The first match of a pattern in a string, or the given match counted from a start position, or one of its capture groups; null if there is no match.",
            "select regexp_substr('block 17 of 42', '[0-9]+', 1, 2)",
        )
        .udf(
            2..=6,
            takes(
                [is_text, is_text, DataType::is_integer, DataType::is_integer, is_text, DataType::is_integer],
                "regexp_substr expects a string, a pattern, a position, an occurrence, flags and a group number.",
                DataType::Utf8,
            ),
            |args, _| substr(args),
        ),
        doc(
            "regexp_extract_all(text, pattern, group)",
            "All matches of a pattern in a string, as a list.",
            "select regexp_extract_all('a1b22', '[0-9]+')",
        )
        .udf(2..=3, takes_pattern(texts()), |args, _| extract_all(args)),
        doc(
            "regexp_contains(text, pattern)",
            "Whether a string contains a match of a pattern.",
            "select regexp_contains('transfer', '^trans')",
        )
        .udf(2..=2, takes_pattern(DataType::Boolean), |args, _| {
            let mut last = None;
            zip_rows::<BooleanArray, _, _, _>(text_of(&args[0])?, text_of(&args[1])?, |text, pattern| {
                Ok(compiled(&mut last, pattern)?.is_match(text))
            })
        }),
        doc(
            "regexp_position(text, pattern, start, which)",
            "The position of the first match of a pattern in a string, or of the given match counted from a start position; positions start at 1. Returns -1 if there is no match.",
            "select regexp_position('block 17', '[0-9]+')",
        )
        .udf(2..=4, takes_pattern(DataType::Int64), |args, _| positions(args)),
        doc(
            "regexp_split(text, pattern)",
            "A string split at the matches of a pattern, as a list.",
            "select regexp_split('a1b22c', '[0-9]+')",
        )
        .udf(2..=2, takes_pattern(texts()), |args, _| split(args)),
    ]
}

fn takes_pattern(to: DataType) -> impl Returns {
    takes([is_text, is_text, DataType::is_integer], "Expected a string, a pattern and a group number here.", to)
}

/// The texts and patterns of each row.
fn rows(args: &[ArrayRef]) -> Result<impl Iterator<Item = Option<(&str, &str)>>> {
    Ok(text_of(&args[0])?.into_iter().zip(text_of(&args[1])?).map(|(text, pattern)| text.zip(pattern)))
}

/// An argument that is a whole number, by default the same in every row.
fn numbers(args: &[ArrayRef], index: usize, default: i64) -> Result<Int64Array> {
    match args.get(index) {
        Some(array) => Ok(cast(array, &DataType::Int64)?.as_primitive::<Int64Type>().clone()),
        None => Ok(Int64Array::from(vec![default; args[0].len()])),
    }
}

/// The compiled pattern of the last row, which is most often that of the next.
type LastPattern<'a> = Option<(Cow<'a, str>, Regex)>;

fn compiled<'l, 'a>(last: &'l mut LastPattern<'a>, pattern: impl Into<Cow<'a, str>>) -> Result<&'l Regex> {
    reuse_last(last, pattern.into(), |pattern| {
        check_stopped()?;
        let mut builder = RegexBuilder::new(pattern);
        let regex = builder.size_limit(MAX_COMPILED_BYTES).dfa_size_limit(MAX_COMPILED_BYTES).build();
        regex.map_err(|_| {
            invalid(format!("'{pattern:.60}' is not a valid regular expression, or exceeds the size limit."))
        })
    })
}

/// Where the search from a letter on begins, and which match it returns, for each row.
fn searches(args: &[ArrayRef]) -> Result<Vec<Option<(i64, i64)>>> {
    let (starts, which) = (numbers(args, 2, 1)?, numbers(args, 3, 1)?);
    Ok(starts.iter().zip(&which).map(|(start, which)| start.zip(which)).collect())
}

/// The byte at which a letter begins; `None` behind the end of the text.
fn byte_of(text: &str, (start, which): (i64, i64)) -> Result<Option<usize>> {
    if start < 1 || which < 1 {
        return Err(invalid("Positions and occurrences are counted from 1."));
    }
    Ok(text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(start as usize - 1))
}

/// A match, of those from a letter on, or a group of it.
fn substr(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut last = None;
    let flags = args.get(4).map_or_else(|| Ok(vec![Some(""); args[0].len()]), text_of)?;
    let groups: Vec<Option<Option<i64>>> = match args.get(5) {
        Some(_) => numbers(args, 5, 0)?.iter().map(|group| group.map(Some)).collect(),
        None => vec![Some(None); args[0].len()],
    };
    let options = searches(args)?.into_iter().zip(flags).zip(groups);
    let found = rows(args)?.zip(options).map(|row| {
        let (Some((text, pattern)), ((Some(search), Some(flags)), Some(group))) = row else { return Ok(None) };
        // Snowflake's flags for letter case, which counts anyway, and for the first group.
        let of_group = flags.contains('e').then_some(1);
        let regex = match flags.replace(['c', 'e'], "").as_str() {
            "" => compiled(&mut last, pattern)?,
            flags => compiled(&mut last, with_flags(pattern, flags)?)?,
        };
        let group = group_index(regex, group.or(of_group))?;
        let Some(from) = byte_of(text, search)? else { return Ok(None) };
        let found = regex.captures_iter(&text[from..]).nth(search.1 as usize - 1);
        Ok(found.and_then(|captures| captures.get(group)).map(|part| part.as_str()))
    });
    Ok(Arc::new(found.collect::<Result<StringArray>>()?))
}

/// The position of a match, of those from a letter on.
fn positions(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut last = None;
    zip_rows::<Int64Array, _, _, _>(rows(args)?, searches(args)?, |(text, pattern), search| {
        let Some(from) = byte_of(text, search)? else { return Ok(-1) };
        let which = search.1;
        let found = compiled(&mut last, pattern)?.find_iter(&text[from..]).nth(which as usize - 1);
        Ok(found.map_or(-1, |found| text[..from + found.start()].chars().count() as i64 + 1))
    })
}

fn replace(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut last = None;
    let default = vec![Some(""); args[0].len()];
    let texts = |index: usize| args.get(index).map_or_else(|| Ok(default.clone()), text_of);
    let options = texts(2)?.into_iter().zip(texts(3)?).map(|(to, flags)| to.zip(flags));
    let mut added = 0;
    zip_rows::<StringArray, _, _, _>(rows(args)?, options, |(text, pattern), (to, flags)| {
        let regex = match flags {
            "" | "g" => compiled(&mut last, pattern)?,
            flags => compiled(&mut last, with_flags(pattern, flags)?)?,
        };
        let to = replacement::translate(to, regex)
            .ok_or_else(|| invalid(format!("'{to}' refers to a group that the pattern does not have.")))?;
        // Checked as it grows: each match may be replaced by a long text.
        let mut replaced = String::with_capacity(text.len());
        let mut last = 0;
        for captures in regex.captures_iter(text) {
            let Some(found) = captures.get(0) else { continue };
            replaced.push_str(&text[last..found.start()]);
            captures.expand(&to, &mut replaced);
            last = found.end();
            if replaced.len() > text.len() + MAX_ADDED_BYTES.saturating_sub(added) {
                let message = format!("regexp_replace would add more than {MAX_ADDED_BYTES} bytes at once.");
                return Err(refuse(ErrorCode::TooComplex, message));
            }
        }
        replaced.push_str(&text[last..]);
        added += replaced.len().saturating_sub(text.len());
        Ok(replaced)
    })
}

/// A pattern with the letters that change how it is read; `g`, every match, is the default.
fn with_flags(pattern: &str, flags: &str) -> Result<String> {
    let known: String = flags.chars().filter(|flag| *flag != 'g').collect();
    match known.chars().all(|flag| "imsx".contains(flag)) {
        true if known.is_empty() => Ok(pattern.to_string()),
        true => Ok(format!("(?{known}){pattern}")),
        false => {
            Err(invalid(format!("'{flags}' is not a valid set of regular expression flags; use g, i, m, s and x.")))
        }
    }
}

/// The group of each row; without one it is the whole match, as in Trino, or the only group there is, as in BigQuery.
fn groups(args: &[ArrayRef]) -> Result<Vec<Option<Option<i64>>>> {
    match args.len() {
        2 => Ok(vec![Some(None); args[0].len()]),
        _ => Ok(numbers(args, 2, 0)?.iter().map(|number| number.map(Some)).collect()),
    }
}

fn group_index(regex: &Regex, group: Option<i64>) -> Result<usize> {
    let count = regex.captures_len();
    let Some(group) = group else { return Ok(usize::from(count == 2)) };
    let index = usize::try_from(group).ok().filter(|group| *group < count);
    index.ok_or_else(|| invalid(format!("The pattern has no group {group}.")))
}

fn extract(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut last = None;
    let found = rows(args)?.zip(groups(args)?).map(|row| {
        let (Some((text, pattern)), Some(group)) = row else { return Ok(None) };
        let regex = compiled(&mut last, pattern)?;
        let group = group_index(regex, group)?;
        Ok(regex.captures(text).and_then(|captures| captures.get(group)).map(|part| part.as_str()))
    });
    Ok(Arc::new(found.collect::<Result<StringArray>>()?))
}

fn extract_all(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut last = None;
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in rows(args)?.zip(groups(args)?) {
        let (Some((text, pattern)), Some(group)) = row else {
            lists.append(false);
            continue;
        };
        let regex = compiled(&mut last, pattern)?;
        let group = group_index(regex, group)?;
        for captures in regex.captures_iter(text) {
            lists.values().append_option(captures.get(group).map(|part| part.as_str()));
        }
        lists.append(true);
    }
    Ok(Arc::new(lists.finish()))
}

fn split(args: &[ArrayRef]) -> Result<ArrayRef> {
    let mut last = None;
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in rows(args)? {
        if let Some((text, pattern)) = row {
            compiled(&mut last, pattern)?.split(text).for_each(|part| lists.values().append_value(part));
        }
        lists.append(row.is_some());
    }
    Ok(Arc::new(lists.finish()))
}
