//! `bigquery-public-data.crypto_ethereum.blocks` without quotes: a name with hyphens, as BigQuery allows.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use crate::session::tables::BIGQUERY_PROJECT;

/// Joins the words of BigQuery's project, which stand before a dot, into one quoted name. Other hyphens are minus signs.
pub fn join_hyphens(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut joined: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let ends_project = token.token == Token::Period;
        if ends_project && let Some(start) = project_start(&joined) {
            let span = Span { start: joined[start].span.start, end: token.span.start };
            joined.truncate(start);
            let word =
                Word { value: BIGQUERY_PROJECT.to_string(), quote_style: Some('`'), keyword: Keyword::NoKeyword };
            joined.push(TokenWithSpan { token: Token::Word(word), span });
        }
        joined.push(token);
    }
    joined
}

/// Where the project's words begin, when the tokens end with them.
fn project_start(tokens: &[TokenWithSpan]) -> Option<usize> {
    let mut start = tokens.len();
    for (index, part) in BIGQUERY_PROJECT.split('-').rev().enumerate() {
        if index > 0 {
            start = start.checked_sub(1)?;
            (tokens[start].token == Token::Minus).then_some(())?;
        }
        start = start.checked_sub(1)?;
        match &tokens[start].token {
            Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(part) => {}
            _ => return None,
        }
    }
    Some(start)
}
