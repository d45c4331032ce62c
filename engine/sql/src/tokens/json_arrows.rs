//! `j -> 'key'` is a part of JSON, where `x -> x + 1` is a lambda: the parser takes the first for a lambda too, and all that follows
//! for its body.

use datafusion::sql::sqlparser::tokenizer::Token;

use super::{Edits, Tokens};
use crate::syntax::dialect::JSON_ARROW;

/// Words in the names of functions that take lambdas.
const WITH_LAMBDA: [&str; 7] = ["transform", "filter", "match", "reduce", "sort", "zip", "apply"];

/// An arrow before a key or an index is an operator on JSON, unless it can be a lambda that is an argument. The last item,
/// `j -> -1`, has its index as one token: the parser would take all that follows for the operand of the minus.
pub(crate) fn json_arrows(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    match tokens.token(at) {
        Token::Arrow if is_json(tokens, at) => {
            edits.replace(at, Token::CustomBinaryOperator(JSON_ARROW.to_string()));
        }
        Token::LongArrow => {}
        _ => return,
    }
    if let Some((minus, index)) = negative_index(tokens, at)
        && let Token::Number(digits, _) = tokens.token(index)
    {
        edits.replace(index, Token::Number(format!("-{digits}"), false));
        edits.remove(minus);
    }
}

/// The minus and the number after an arrow.
fn negative_index(tokens: &Tokens<'_>, arrow: usize) -> Option<(usize, usize)> {
    let minus = tokens.after(arrow).filter(|minus| *tokens.token(*minus) == Token::Minus)?;
    let index = tokens.after(minus).filter(|index| matches!(tokens.token(*index), Token::Number(_, false)))?;
    Some((minus, index))
}

fn is_json(tokens: &Tokens<'_>, arrow: usize) -> bool {
    let key = tokens.after(arrow).map(|key| tokens.token(key));
    let is_key = matches!(key, Some(Token::SingleQuotedString(_) | Token::Number(..)));
    (is_key || negative_index(tokens, arrow).is_some()) && !is_lambda(tokens, arrow)
}

/// Whether the parameters before an arrow begin an argument of a function that takes a lambda.
fn is_lambda(tokens: &Tokens<'_>, arrow: usize) -> bool {
    let name = tokens.enclosing(arrow).and_then(|open| tokens.before(open)).map(|name| tokens.token(name));
    let takes_lambda = matches!(name, Some(Token::Word(word))
        if WITH_LAMBDA.iter().any(|part| word.value.to_ascii_lowercase().contains(part)));
    let parameters = tokens.before(arrow).map(|last| match tokens.token(last) {
        Token::RParen => tokens.partner(last).unwrap_or(last),
        _ => last,
    });
    let before = parameters.and_then(|first| tokens.before(first)).map(|before| tokens.token(before));
    takes_lambda && matches!(before, Some(Token::LParen | Token::Comma))
}

#[cfg(test)]
mod tests {
    use super::super::edits::testing::edited;
    use super::*;

    #[test]
    fn json_operators_and_lambdas() {
        for (text, expected) in [
            ("j -> 'a' -> 0", 2),
            ("where t.j -> 'a' = 'x' or f(j) -> 'b'", 2),
            ("transform(l, x -> 'same')", 0),
            ("transform(l, (k, v) -> 1)", 0),
            ("transform(l, x -> x -> 'a')", 1),
            ("transform(f(j -> 'l'), x -> x + 1)", 1),
            ("max(j -> 'a')", 1),
            ("j -> -1 -> 'a'", 2),
            ("transform(l, x -> -1)", 0),
            ("x -> y", 0),
            (") -> 'a'", 1),
            ("-> 'a'", 1),
        ] {
            let tokens = edited(text, &[json_arrows]);
            let operators = tokens.iter().filter(|token| matches!(token, Token::CustomBinaryOperator(_)));
            assert_eq!(operators.count(), expected, "{text}");
        }
    }
}
