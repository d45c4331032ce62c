//! Changes to the tokens of a text before it is parsed: forms of other products as forms that the parser reads. Rules look at the
//! tokens as they were written, and what all of them change is applied at once. Every token keeps its position in the text.

mod casts;
mod edits;
mod frame_exclusion;
mod json_arrows;
mod json_query;
mod literals;
mod queries;

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

pub(crate) use casts::{safe_calls, types_in_parentheses};
pub use edits::{Edits, Rule, Tokens, apply};
pub(crate) use frame_exclusion::{frame_exclusion, without_exclusion};
pub(crate) use json_arrows::json_arrows;
pub(crate) use json_query::{json_wrappers, trim_without_characters};
pub use literals::typed_parameters;
pub(crate) use literals::{hex_literals, hyphenated_project, offset_columns};
pub(crate) use queries::{
    in_lists_with_queries, in_values, materialized_hints, select_as_struct, values_without_parentheses,
};

/// Whether a token is a word of the language, without quotes.
pub fn is(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}

/// Whether a token is one of some words of the language, without quotes.
pub fn is_any(token: &Token, keywords: &[Keyword]) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && keywords.contains(&word.keyword))
}

/// Whether a token is a word without quotes, in any letter case.
pub fn is_word(token: &Token, text: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text))
}

/// The next token that is no whitespace.
pub fn after(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    (at + 1..tokens.len()).find(|index| !matches!(tokens[*index].token, Token::Whitespace(_)))
}

/// The token before one that is no whitespace.
pub fn before(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    (0..at).rev().find(|index| !matches!(tokens[*index].token, Token::Whitespace(_)))
}

/// Where the parenthesis is closed that is open at `from`, or the tokens end.
pub fn end_of(tokens: &[TokenWithSpan], from: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen if depth == 0 => return at,
            Token::RParen => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The parenthesis that closes one.
pub fn closing(tokens: &[TokenWithSpan], open: usize) -> Option<usize> {
    Some(end_of(tokens, open + 1)).filter(|end| *end < tokens.len())
}
