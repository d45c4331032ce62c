//! `SELECT generate_series(1, 3)`, which is three rows in PostgreSQL and a list in the engine.

use std::collections::HashMap;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::bindable::Edit;
use super::places::word;
use super::statement::Places;

const SERIES: &str = "generate_series";
/// A result is called like the function that makes it.
const NAMED: &str = " as generate_series";
/// Functions of one value of a series; any other may take a list.
const OF_ONE: [&str; 6] = ["cast", "coalesce", "date_part", "date_trunc", "extract", "to_char"];
/// Words before the brackets of a result itself.
const BEGINS: [&str; 3] = ["all", "distinct", "select"];
/// Words that end the results of a SELECT.
const ENDS: [&str; 12] =
    ["from", "where", "group", "having", "order", "limit", "offset", "fetch", "window", "union", "except", "intersect"];

/// Where the tokens stand within a pair of brackets, or outside of all.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// Among the results of a SELECT.
    results: bool,
    /// What stands here is one value.
    one: bool,
    /// It is a part of a result.
    part: bool,
}

/// `unnest(…)` around each series among the results of a SELECT, where no function takes it as a list.
pub(super) fn series(places: &Places, tokens: &[&TokenWithSpan], closing: &HashMap<usize, usize>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut here, mut around) = (Inside { results: false, one: true, part: false }, Vec::new());
    let named = |at: usize| tokens.get(at).and_then(|token| word(&token.token)).unwrap_or_default();
    for (at, token) in tokens.iter().enumerate() {
        match &token.token {
            Token::LParen | Token::LBracket => {
                around.push(here);
                here.part = true;
                let of = at.checked_sub(1).map(named).unwrap_or_default();
                let no_call = of.is_empty() || BEGINS.contains(&of.as_str());
                here.one &= token.token == Token::LParen && (no_call || OF_ONE.contains(&of.as_str()));
            }
            Token::RParen | Token::RBracket => here = around.pop().unwrap_or_default(),
            Token::Word(_) => match named(at).as_str() {
                "select" => here = Inside { results: true, one: true, part: false },
                SERIES if here.results && here.one => {
                    let Some(close) = closing.get(&(at + 1)) else { continue };
                    let start = places.byte(token.span.start);
                    let end = places.byte(tokens[*close].span.end);
                    edits.push((start..start, "unnest(".to_string()));
                    let whole = !here.part && is_whole(tokens, at, *close);
                    edits.push((end..end, format!("){}", if whole { NAMED } else { "" })));
                }
                other if ENDS.contains(&other) => here.results = false,
                _ => {}
            },
            _ => {}
        }
    }
    edits
}

/// Whether the tokens from one to another are a result as it is, without a name.
fn is_whole(tokens: &[&TokenWithSpan], from: usize, to: usize) -> bool {
    let is_among = |token: &Token, words: &[&str]| word(token).is_some_and(|word| words.contains(&word.as_str()));
    let before = from.checked_sub(1).map(|before| &tokens[before].token);
    before.is_some_and(|before| *before == Token::Comma || is_among(before, &BEGINS))
        && tokens.get(to + 1).is_none_or(|next| match &next.token {
            Token::Comma | Token::RParen | Token::EOF => true,
            next => is_among(next, &ENDS),
        })
}

#[cfg(test)]
mod tests {
    use crate::postgres::statement::{What, split};

    #[test]
    fn a_series_that_is_selected_is_rows() {
        for (written, read) in [
            ("select generate_series(1, $1)", "select unnest(generate_series(1, {{p1}})) as generate_series"),
            (
                "SELECT DISTINCT Generate_Series(1, 3) n, generate_series(1,2) FROM t",
                "SELECT DISTINCT unnest(Generate_Series(1, 3)) n, unnest(generate_series(1,2)) as generate_series FROM t",
            ),
            (
                "with d as (select date_trunc('day', generate_series(a, b, '1 day'))::date as d from x) select d from d",
                "with d as (select date_trunc('day', unnest(generate_series(a, b, '1 day')))::date as d from x) select d from d",
            ),
            ("select (generate_series(0, 9) * 2) + 1", "select (unnest(generate_series(0, 9)) * 2) + 1"),
            (
                "select 1 union all select generate_series(f(1), 3) order by 1",
                "select 1 union all select unnest(generate_series(f(1), 3)) as generate_series order by 1",
            ),
        ] {
            let statements = split(written).unwrap();
            let What::Query(query) = &statements[0].what else { panic!("{statements:?}") };
            assert_eq!(query.text, read);
        }
    }

    #[test]
    fn a_series_elsewhere_stays() {
        for text in [
            "select cardinality(generate_series(1, 3))",
            "select unnest(generate_series(1, 3)), [generate_series(1, 3)]",
            "select n from generate_series(1, 3) as n",
            "select extract(day from t) from u, generate_series(1, 3) g",
            "select 1 from t where x = any(generate_series(1, 3))",
            "select generate_series(1, 3",
        ] {
            let statements = split(text).unwrap();
            let What::Query(query) = &statements[0].what else { panic!("{statements:?}") };
            assert_eq!(query.text, text);
        }
    }
}
