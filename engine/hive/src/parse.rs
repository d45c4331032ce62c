//! The text of a script → its statements. All of them are parsed before the first one runs.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use crate::dialect::HiveQl;
use crate::parse_context::ParseContext;
use crate::rewrite::{rewrite_text, rewrite_tokens};
use crate::statements::{Statement, parse_statement};
use crate::tokens::Tokens;
use quarry_runtime::job::Parameters;
use quarry_sql::errors::{self, at_the_end};
use quarry_sql::{limits, parameters, tokens};
use quarry_types::{Error, ErrorCode, Result};

/// Parses a script.
///
/// # Errors
///
/// A text that is too long, has a syntax error or does something that does not run here, with the position.
pub(crate) fn parse_script(
    text: &str,
    parameters: &Parameters,
    max_bytes: usize,
    may_read_files: bool,
) -> Result<Vec<Box<dyn Statement>>> {
    limits::bytes(text, max_bytes)?;
    let bound = parameters::bind(text, parameters)?;
    let mut statements = statement_tokens(&bound.text, max_bytes)?;
    for tokens in &mut statements {
        bound.check(tokens)?;
        *tokens = tokens::apply(std::mem::take(tokens), [tokens::typed_parameters as tokens::Rule]);
    }
    if statements.is_empty() {
        return Err(Error::new(ErrorCode::Syntax, "The script contains no statements."));
    }
    let mut context = ParseContext { parameters: bound, may_read_files, ..ParseContext::default() };
    let parsed = statements.iter().map(|tokens| parse_statement(tokens, &mut context)).collect::<Result<_>>();
    parsed.map_err(|error| at_the_end(error, text))
}

/// The rewritten tokens of each statement, with their positions in the text.
fn statement_tokens(text: &str, max_bytes: usize) -> Result<Vec<Tokens>> {
    let substituted = rewrite_text(text, max_bytes)?;
    let tokens = Tokenizer::new(&HiveQl, &substituted.text)
        .with_unescape(false)
        .tokenize_with_location()
        .map_err(|error| errors::syntax(&error.to_string()))?;
    limits::count(&tokens)?;
    let tokens = tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    let rewritten = split(tokens).into_iter().map(rewrite_tokens);
    let mut statements: Vec<Tokens> = rewritten.flat_map(split).collect();
    statements.iter_mut().for_each(|tokens| substituted.restore_places(tokens));
    Ok(statements)
}

/// The statements between semicolons that are not empty.
fn split(tokens: Tokens) -> Vec<Tokens> {
    let statements = tokens.split(|token| token.token == Token::SemiColon);
    statements.filter(|statement| !statement.is_empty()).map(<[TokenWithSpan]>::to_vec).collect()
}

/// The rewritten tokens of each statement, as texts.
#[cfg(test)]
pub(crate) fn token_texts(text: &str) -> Vec<String> {
    let statements = statement_tokens(text, 1_000_000).unwrap();
    let words = |tokens: &Tokens| tokens.iter().map(|token| token.token.to_string()).collect::<Vec<_>>().join(" ");
    statements.iter().map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What HiveQL is made of, and what breaks it.
    const WORDS: &str = "select|from|t|where|a|,|(|)|*|group by|order by|sort by|cluster by|lateral \
                         view|explode|outer|as|x|insert|overwrite|table|into|partition|=|'s'|\"d\"|1|1.5|10L|2S|`q`|.|[|]|0|case|when|then|else|end|between|and|or|not|in|is null|rlike|div|union all|with|create|drop|;|over|distribute by|rows 2 preceding|grouping sets|cast|struct|map|array|--|\\|interval";

    fn parse(text: &str) -> Result<Vec<Box<dyn Statement>>> {
        parse_script(text, &Parameters::default(), 1_000_000, false)
    }

    /// Every text becomes statements or an error. The texts follow from a fixed seed.
    #[test]
    fn no_text_makes_the_parser_panic() {
        let words: Vec<&str> = WORDS.split('|').collect();
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut good = 0;
        for _ in 0..20_000 {
            let length = 1 + next(24);
            let mut text = "select a from t where ".repeat(usize::from(next(4) == 0));
            for _ in 0..length {
                text.push_str(words[next(words.len())]);
                text.push_str(if next(8) == 0 { "" } else { " " });
            }
            good += usize::from(parse(&text).is_ok());
        }
        assert!(good > 20, "some of the texts must be statements: {good}");
    }

    #[test]
    fn what_does_not_run_is_refused_with_its_position() {
        for (text, at) in [
            ("select 1;\nload data inpath 'x' into table t", (2, 6)),
            ("create table t (a blob)", (1, 19)),
            ("insert overwrite directory '/tmp/x' select 1", (1, 28)),
            ("select a from t tablesample(10 percent)", (0, 0)),
            ("create table t (a int) location '/x'", (1, 33)),
            ("merge into t using u on a = b when matched then insert values (1)", (1, 31)),
            ("select a from", (1, 14)),
        ] {
            let error = parse(text).unwrap_err();
            let position = error.position.map_or((0, 0), |at| (at.line, at.column));
            assert_eq!(position, at, "{text}: {error}");
        }
    }

    #[test]
    fn expressions_that_double_are_refused_before_they_fill_the_memory() {
        for (open, close) in [
            ("", " between 1 and 3"),
            ("regr_r2(", ", 1)"),
            ("('a', ", ") in (('b', 1), ('c', 2))"),
            ("", " like any ('a', 'b')"),
            ("case ", " when 1 then 2 when 3 then 4 end"),
        ] {
            let nested = |depth| (0..depth).fold("x".to_string(), |inner, _| format!("({open}{inner}{close})"));
            let parse = |depth| parse(&format!("select {} from t", nested(depth)));
            assert!(parse(2).is_ok(), "{close}");
            assert_eq!(parse(20).unwrap_err().code, ErrorCode::TooComplex, "{close}");
        }
    }
}
