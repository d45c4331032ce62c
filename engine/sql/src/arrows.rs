//! `j -> 'key'` is a part of JSON, where `x -> x + 1` is a function: told apart before the parser, which takes the first for a
//! function too and all that follows for its body, however far away it belongs.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};

use super::tokens::{after, before};

/// The sign of a part of JSON, as the parser gets it.
pub const PART: &str = "->";

/// Words in the names of functions that take functions.
const WITH_FUNCTION: [&str; 7] = ["transform", "filter", "match", "reduce", "sort", "zip", "apply"];

/// An arrow before a key or a place is the sign of a part, but where it can be a function that is an argument.
pub fn of_json(tokens: &mut [TokenWithSpan]) {
    // The open parentheses; and where that one was opened which is closed by a token.
    let mut open: Vec<usize> = Vec::new();
    let mut opened: Vec<Option<usize>> = vec![None; tokens.len()];
    for at in 0..tokens.len() {
        match &tokens[at].token {
            Token::LParen => open.push(at),
            Token::RParen => opened[at] = open.pop(),
            Token::Arrow if is_key(tokens, at) && !is_function(tokens, at, &open, &opened) => {
                tokens[at].token = Token::CustomBinaryOperator(PART.to_string());
                place_of_one_token(tokens, at);
            }
            Token::LongArrow => place_of_one_token(tokens, at),
            _ => {}
        }
    }
}

fn is_key(tokens: &[TokenWithSpan], arrow: usize) -> bool {
    let key = after(tokens, arrow).map(|key| &tokens[key].token);
    matches!(key, Some(Token::SingleQuotedString(_) | Token::Number(..))) || from_the_end(tokens, arrow).is_some()
}

/// The minus and the place behind an arrow, as in `j -> -1`.
fn from_the_end(tokens: &[TokenWithSpan], arrow: usize) -> Option<(usize, usize)> {
    let minus = after(tokens, arrow).filter(|minus| tokens[*minus].token == Token::Minus)?;
    let place = after(tokens, minus).filter(|place| matches!(tokens[*place].token, Token::Number(_, false)))?;
    Some((minus, place))
}

/// The last item, `j -> -1`, as a place of one token: the parser would take all that follows for what the minus is of.
fn place_of_one_token(tokens: &mut [TokenWithSpan], arrow: usize) {
    if let Some((minus, place)) = from_the_end(tokens, arrow)
        && let Token::Number(digits, _) = &tokens[place].token
    {
        tokens[place].token = Token::Number(format!("-{digits}"), false);
        tokens[minus].token = Token::Whitespace(Whitespace::Space);
    }
}

/// Whether the arrow makes a function: its parameters begin an argument of what takes one.
fn is_function(tokens: &[TokenWithSpan], arrow: usize, open: &[usize], opened: &[Option<usize>]) -> bool {
    let takes = open.last().and_then(|open| before(tokens, *open)).is_some_and(|name| match &tokens[name].token {
        Token::Word(word) => {
            let name = word.value.to_ascii_lowercase();
            WITH_FUNCTION.iter().any(|word| name.contains(word))
        }
        _ => false,
    });
    let parameters = before(tokens, arrow).map(|last| opened[last].unwrap_or(last));
    let begins = parameters
        .and_then(|first| before(tokens, first))
        .is_some_and(|sign| matches!(tokens[sign].token, Token::LParen | Token::Comma));
    takes && begins
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    use super::*;

    fn parts(text: &str) -> usize {
        let mut tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location().unwrap();
        of_json(&mut tokens);
        tokens.iter().filter(|token| token.token == Token::CustomBinaryOperator(PART.to_string())).count()
    }

    #[test]
    fn parts_of_json_are_told_from_functions() {
        for (text, wanted) in [
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
            assert_eq!(parts(text), wanted, "{text}");
        }
    }
}
