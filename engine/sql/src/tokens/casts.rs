//! Types of Trino in casts, and calls of BigQuery that may fail.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Word};

use super::{Edits, Tokens, is_any, is_word};

/// `cast(x as array(row(a bigint)))` and `x::row(a bigint)` with the parentheses of types as angle brackets.
pub(crate) fn types_in_parentheses(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    const CASTS: [Keyword; 3] = [Keyword::CAST, Keyword::TRY_CAST, Keyword::SAFE_CAST];
    let end = match tokens.token(at) {
        Token::DoubleColon => {
            let open = tokens.after(at).and_then(|word| tokens.open_after(word));
            open.and_then(|open| tokens.partner(open)).map(|end| end + 1)
        }
        token if is_any(token, &[Keyword::AS]) => {
            let cast = tokens.enclosing(at).filter(|open| tokens.keyword_before(*open, &CASTS).is_some());
            cast.map(|open| tokens.partner(open).unwrap_or(tokens.len()))
        }
        _ => None,
    };
    for at in end.into_iter().flat_map(|end| at + 1..end) {
        let Token::Word(word) = tokens.token(at) else { continue };
        let is_row = ["row", "struct"].iter().any(|name| word.value.eq_ignore_ascii_case(name));
        if word.quote_style.is_some() || !(is_row || word.keyword == Keyword::ARRAY) {
            continue;
        }
        let Some(open) = tokens.open_after(at) else { continue };
        let Some(close) = tokens.partner(open) else { continue };
        if is_row {
            let (value, keyword) = ("STRUCT".to_string(), Keyword::STRUCT);
            edits.replace(at, Token::Word(Word { value, quote_style: None, keyword }));
        }
        edits.replace(open, Token::Lt);
        edits.replace(close, Token::Gt);
    }
}

/// BigQuery's `SAFE.f(x)`, which is null where the call fails, as `try(f(x))`.
pub(crate) fn safe_calls(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if !is_word(tokens.token(at), "safe") || at + 3 >= tokens.len() {
        return;
    }
    let [dot, name, open] = [1, 2, 3].map(|next| tokens.token(at + next));
    if *dot != Token::Period || !matches!(name, Token::Word(_)) || *open != Token::LParen {
        return;
    }
    if let Some(close) = tokens.partner(at + 3) {
        edits.replace(at, Token::make_word("try", None));
        edits.replace(at + 1, Token::LParen);
        // Other rules add arguments before the parenthesis.
        edits.insert_after(close, [Token::RParen]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::edits::testing::check;
    use super::*;

    #[test]
    fn parentheses_of_types_are_angle_brackets() {
        check(
            &[types_in_parentheses],
            &[
                ("cast(x as array(row(a decimal(3, 1), b json)))", "cast(x as array<STRUCT<a decimal(3, 1), b json>>)"),
                ("cast(x as map(varchar, array(json)))", "cast(x as map(varchar, array<json>))"),
                ("x::row (a int) , array(1)", "x::STRUCT <a int> , array(1)"),
                ("cast(row(1, 2) as json)", "cast(row(1, 2) as json)"),
                ("select row(1) as array", "select row(1) as array"),
                ("cast(x as array(", "cast(x as array("),
                ("x::array(", "x::array("),
                ("cast(x as row", "cast(x as row"),
                ("cast(x as", "cast(x as"),
                ("x::", "x::"),
            ],
        );
    }

    #[test]
    fn safe_calls_are_tried() {
        check(&[safe_calls], &[("SAFE.f(x, SAFE.g(y)) + safe", "try(f(x, try(g(y)))) + safe"), ("safe.f(", "safe.f(")]);
    }
}
