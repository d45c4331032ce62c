//! Words in the text of a query.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

use crate::syntax::dialect::AnySql;
use quarry_types::Position;

/// Line and column of a whole word in a text, in any letter case; never in a comment or in a text in quotes.
pub(super) fn find_word(text: &str, word: &str) -> Option<Position> {
    let span = word_of(text, word)?.span;
    Some(Position { line: span.start.line, column: span.start.column })
}

/// Whether the first occurrence of a word is in double quotes.
pub(super) fn is_quoted(text: &str, word: &str) -> bool {
    word_of(text, word)
        .is_some_and(|found| matches!(&found.token, Token::Word(found) if found.quote_style == Some('"')))
}

fn word_of(text: &str, word: &str) -> Option<TokenWithSpan> {
    let tokens = Tokenizer::new(&AnySql, text).tokenize_with_location().ok()?;
    tokens.into_iter().find(|token| match &token.token {
        Token::Word(found) => found.value.eq_ignore_ascii_case(word),
        _ => false,
    })
}
