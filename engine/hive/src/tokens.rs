//! The tokens of a statement.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

/// The tokens of one statement, without blanks and comments.
pub(super) type Tokens = Vec<TokenWithSpan>;

/// Whether a token is this word, in any letter case and without quotes.
pub(super) fn is_word(token: &Token, text: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text))
}
