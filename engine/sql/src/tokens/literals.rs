//! Literals and names.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Word};

use super::{Edits, Tokens, is_word};
use crate::parameters::may_be_marker;
use crate::session::tables::BIGQUERY_PROJECT;

/// `timestamp {{at}}` as `timestamp '{{at}}'`, which the parser reads.
pub fn typed_parameters(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if let Token::Word(word) = tokens.token(at)
        && word.quote_style.is_none()
        && may_be_marker(&word.value)
        && let Some(before) = tokens.before(at).map(|before| tokens.token(before))
        && ["date", "timestamp", "datetime"].iter().any(|name| is_word(before, name))
    {
        edits.replace(at, Token::SingleQuotedString(word.value.clone()));
    }
}

/// `0XAB` as `0xab`: the tokenizer takes it for a number and a name.
pub(crate) fn hex_literals(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    let Token::Word(word) = tokens.token(at) else { return };
    let Some(digits) = word.value.strip_prefix('X').filter(|_| word.quote_style.is_none()) else { return };
    let Some(zero) = at.checked_sub(1).map(|zero| tokens.with_span(zero)) else { return };
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        && matches!(&zero.token, Token::Number(digits, false) if digits == "0")
        && zero.span.end == tokens.with_span(at).span.start
    {
        edits.replace(at - 1, Token::HexStringLiteral(digits.to_string()));
        edits.remove(at);
    }
}

/// `SELECT x, offset FROM …`: after a comma it is the name of a column, that of `WITH OFFSET`.
pub(crate) fn offset_columns(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if let Token::Word(word) = tokens.token(at)
        && word.keyword == Keyword::OFFSET
        && tokens.before(at).is_some_and(|comma| *tokens.token(comma) == Token::Comma)
    {
        edits.replace(at, Token::Word(Word { keyword: Keyword::NoKeyword, ..word.clone() }));
    }
}

/// `bigquery-public-data.crypto_ethereum.blocks` without quotes: the project, which stands before a dot, as one quoted name. Other
/// hyphens are minus signs.
pub(crate) fn hyphenated_project(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if *tokens.token(at) != Token::Period {
        return;
    }
    let words = BIGQUERY_PROJECT.split('-');
    let Some(start) = at.checked_sub(2 * words.clone().count() - 1) else { return };
    let is_hyphen = |word: usize| word == 0 || *tokens.token(start + 2 * word - 1) == Token::Minus;
    if words.enumerate().all(|(word, text)| is_hyphen(word) && is_word(tokens.token(start + 2 * word), text)) {
        let word = Word { value: BIGQUERY_PROJECT.to_string(), quote_style: Some('`'), keyword: Keyword::NoKeyword };
        edits.replace(start, Token::Word(word));
        (start + 1..at).for_each(|at| edits.remove(at));
    }
}

#[cfg(test)]
mod tests {
    use super::super::edits::testing::check;
    use super::*;

    #[test]
    fn literals_and_names() {
        check(&[hex_literals], &[("0XAB + 0 XAB", "X'AB' + 0 XAB"), ("XAB", "XAB")]);
        let project = "select a-b from bigquery-public-data.crypto_ethereum.blocks";
        check(&[hyphenated_project], &[(project, "select a-b from `bigquery-public-data`.crypto_ethereum.blocks")]);
        check(&[hyphenated_project], &[("public-data.x", "public-data.x")]);
    }
}
