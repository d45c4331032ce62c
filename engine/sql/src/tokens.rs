//! Places among the tokens of a text.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// Whether a token is a word of the language, without quotes.
pub fn is(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}

/// The next token that is no blank.
pub fn after(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    (at + 1..tokens.len()).find(|index| !matches!(tokens[*index].token, Token::Whitespace(_)))
}

/// The token before one that is no blank.
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
