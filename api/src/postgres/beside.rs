//! Finds the column that a value is compared with: `number = $1`, `hash in ($2, $3)`, `time between $4 and $5`,
//! `miner = any($6)`. An untyped value takes the type of that column.

use std::collections::HashSet;

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::places::{number, word};

/// What stands beside the values of a statement.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// The column beside `$1`, `$2`, …, in small letters.
    pub columns: Vec<Option<String>>,
    /// All words of the statement; its tables are among them.
    pub words: HashSet<String>,
}

impl Beside {
    /// Of a statement that takes so many values.
    pub fn of(text: &str, values: usize) -> Beside {
        let mut beside = Beside { columns: vec![None; values], words: HashSet::new() };
        let Ok(tokens) = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize() else { return beside };
        let tokens: Vec<Token> = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
        beside.words = tokens.iter().filter_map(word).collect();
        // The last token that is not one of a list of values.
        let mut list = None;
        for (at, token) in tokens.iter().enumerate() {
            let place = number(token).and_then(|number| beside.columns.get_mut(number.checked_sub(1)?));
            if let Some(place) = place.filter(|place| place.is_none()) {
                *place = before(&tokens[..at], list).or_else(|| after(&tokens[at + 1..]));
            }
            if !matches!(token, Token::Comma | Token::Placeholder(_)) {
                list = Some(at);
            }
        }
        beside
    }
}

/// The column in front of a value, given all in front of it and where the last of these is that is no part of a list of values.
fn before(tokens: &[Token], list: Option<usize>) -> Option<String> {
    match tokens {
        [.., column, operator] if compares(operator) => column_of(column),
        [.., column, operator, any, Token::LParen]
            if compares(operator) && ["all", "any", "some"].iter().any(|word| is(any, word)) =>
        {
            column_of(column)
        }
        [.., column, between] if is(between, "between") => column_of(column),
        [.., column, between, _, and] if is(between, "between") && is(and, "and") => column_of(column),
        _ => match tokens.get(..=list?)? {
            [.., column, within, Token::LParen] if is(within, "in") => column_of(column),
            _ => None,
        },
    }
}

/// The column behind a value: `$1 < number`.
fn after(tokens: &[Token]) -> Option<String> {
    match tokens {
        // A call, or a cast.
        [_, _, Token::LParen | Token::DoubleColon, ..] => None,
        [operator, _, Token::Period, column, ..] | [operator, column, ..] if compares(operator) => column_of(column),
        _ => None,
    }
}

fn compares(token: &Token) -> bool {
    matches!(token, Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq)
}

fn is(token: &Token, name: &str) -> bool {
    word(token).is_some_and(|word| word == name)
}

fn column_of(token: &Token) -> Option<String> {
    word(token).filter(|word| word != "not")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_a_column_beside_it() {
        for (text, columns) in [
            ("select 1 from t where T.Number = $1 and $2<=hash", vec![Some("number"), Some("hash")]),
            ("where a between $1 and $2 and b in ($3, $4)", vec![Some("a"), Some("a"), Some("b"), Some("b")]),
            ("where $1 > t.a and f(x) = $2 and $3 = f(x)", vec![Some("a"), None, None]),
            ("where t.a = any($1) and b <> all ( $2) and f(x) = any($3)", vec![Some("a"), Some("b"), None]),
            ("select $1 + 1, $2", vec![None, None]),
            ("where 'open", vec![None]),
        ] {
            let found = Beside::of(text, columns.len()).columns;
            assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), columns, "{text}");
        }
        let words = Beside::of("select * from ethereum.Blocks where x = $1", 1).words;
        assert!(words.contains("blocks") && !words.contains("logs"));
    }
}
