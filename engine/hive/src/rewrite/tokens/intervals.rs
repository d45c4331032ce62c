//! Intervals without their keyword, `2 days`, and `floor(time TO unit)`.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::rewrite::intervals::interval_unit;
use crate::tokens::{Tokens, is_any_word, is_word, symbol_at, word, word_at, words};

fn unit_at(tokens: &[TokenWithSpan], at: usize) -> Option<&'static str> {
    match &tokens.get(at)?.token {
        Token::Word(word) if word.quote_style.is_none() => interval_unit(&word.value),
        _ => None,
    }
}

/// Puts INTERVAL before `2 days` and `(x + 1) days`.
pub(crate) fn add_keyword(tokens: Tokens) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut opened: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let mut closed = None;
        match &token.token {
            Token::LParen => opened.push(out.len()),
            Token::RParen => closed = opened.pop(),
            _ => {}
        }
        let is_call = symbol_at(&tokens, index + 1, &Token::LParen);
        let last = out.len().saturating_sub(1);
        if matches!(out.last(), Some(TokenWithSpan { token: Token::Number(..), .. }))
            && unit_at(&tokens, index).is_some()
            && !is_call
            && !(last > 0 && word_at(&out, last - 1, "interval"))
        {
            out.insert(last, word("interval", out[last].span));
        }
        out.push(token.clone());
        if let Some(start) = closed
            && unit_at(&tokens, index + 1).is_some()
            && is_operand(&out, start)
        {
            out.insert(start, word("interval", out[start].span));
        }
    }
    out
}

/// Whether the parentheses that open here are a value of their own: neither the arguments of a call nor a query.
fn is_operand(tokens: &[TokenWithSpan], at: usize) -> bool {
    let is_query = tokens.get(at + 1).is_some_and(|inner| is_any_word(&inner.token, words![select from with]));
    let follows_operator = match at.checked_sub(1).map(|before| &tokens[before].token) {
        Some(Token::Plus | Token::Minus | Token::Eq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq) => true,
        Some(token) => is_word(token, "select"),
        None => false,
    };
    follows_operator && !is_query
}

/// `floor(x TO month)` is `floor_month(x)`.
pub(crate) fn rewrite_floor(tokens: Tokens) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut opened: Vec<usize> = Vec::new();
    let mut skip = false;
    for (index, token) in tokens.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        match &token.token {
            Token::LParen => opened.push(out.len()),
            Token::RParen => {
                opened.pop();
            }
            word_to if is_word(word_to, "to") => {
                let floor = opened.last().and_then(|open| open.checked_sub(1)).filter(|at| word_at(&out, *at, "floor"));
                let quarter = word_at(&tokens, index + 1, "quarter").then_some("quarter");
                if let (Some(floor), Some(unit)) = (floor, quarter.or_else(|| unit_at(&tokens, index + 1))) {
                    out[floor] = word(&format!("floor_{unit}"), out[floor].span);
                    skip = true;
                    continue;
                }
            }
            _ => {}
        }
        out.push(token.clone());
    }
    out
}
