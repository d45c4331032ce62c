//! The tokens of a statement, and keywords among them.

use datafusion::sql::sqlparser::tokenizer::{Span, Token, TokenWithSpan};

/// The tokens of one statement, without blanks and comments.
pub(crate) type Tokens = Vec<TokenWithSpan>;

/// A list of words: `words![select from]` is `&["select", "from"]`.
macro_rules! words {
    ($($word:tt)*) => { &[$(stringify!($word)),*] };
}
pub(crate) use words;

/// Whether a token is this keyword, in any letter case and without quotes.
pub(crate) fn is_word(token: &Token, text: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text))
}

pub(crate) fn is_any_word(token: &Token, words: &[&str]) -> bool {
    words.iter().any(|word| is_word(token, word))
}

/// Whether this keyword is at a place.
pub(crate) fn word_at(tokens: &[TokenWithSpan], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| is_word(&token.token, text))
}

/// Whether this symbol is at a place.
pub(crate) fn symbol_at(tokens: &[TokenWithSpan], at: usize, symbol: &Token) -> bool {
    tokens.get(at).is_some_and(|token| token.token == *symbol)
}

/// A keyword that is reported at the place of another token.
pub(crate) fn word(text: &str, span: Span) -> TokenWithSpan {
    TokenWithSpan { token: Token::make_word(text, None), span }
}

/// The places of keywords outside of inner parentheses.
pub(crate) fn outer_places<'a>(tokens: &'a [TokenWithSpan], words: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0usize;
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0 && is_any_word(&token.token, words)).then_some(index)
    })
}
