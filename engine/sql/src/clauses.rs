//! Clauses inside of calls that the parser does not read, as arguments: `trim(LEADING FROM x)`, and `json_query(x, path WITH ARRAY
//! WRAPPER)`.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::tokens::{after, closing, is};
use quarry_functions::{WRAPPED, WRAPPED_UNLESS};

/// The tokens with arguments in the place of such clauses.
pub fn as_arguments(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    for at in (0..tokens.len()).rev() {
        let Token::Word(word) = &tokens[at].token else { continue };
        let Some(open) = after(&tokens, at).filter(|open| tokens[*open].token == Token::LParen) else { continue };
        if word.quote_style.is_some() {
            continue;
        }
        match word.value.to_ascii_lowercase().as_str() {
            "trim" => trimmed(&mut tokens, open),
            "json_query" => wrapped(&mut tokens, open),
            _ => {}
        }
    }
    tokens
}

/// What is taken from the ends of a text is blanks where nothing else is named.
fn trimmed(tokens: &mut Vec<TokenWithSpan>, open: usize) {
    const SIDES: [Keyword; 3] = [Keyword::LEADING, Keyword::TRAILING, Keyword::BOTH];
    let side = after(tokens, open).filter(|side| SIDES.iter().any(|keyword| is(&tokens[*side].token, *keyword)));
    let from = side.and_then(|side| after(tokens, side)).filter(|from| is(&tokens[*from].token, Keyword::FROM));
    if let Some(from) = from {
        let blank = TokenWithSpan { token: Token::SingleQuotedString(" ".to_string()), span: tokens[from].span };
        tokens.insert(from, blank);
    }
}

/// The clause says whether what is found becomes a list.
fn wrapped(tokens: &mut Vec<TokenWithSpan>, open: usize) {
    let Some(end) = closing(tokens, open) else { return };
    let mut depth = 0usize;
    let begin = (open + 1..end).find(|at| {
        match &tokens[*at].token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && [Keyword::WITH, Keyword::WITHOUT].iter().any(|keyword| is(&tokens[*at].token, *keyword))
    });
    let Some(begin) = begin else { return };
    let words = tokens[begin..end].iter().filter_map(|token| match &token.token {
        Token::Whitespace(_) => None,
        other => Some(other.to_string().to_ascii_lowercase()),
    });
    let words: Vec<String> = words.filter(|word| word != "array").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let wrapper = match words.as_slice() {
        ["without", "wrapper"] => None,
        ["with", "wrapper"] | ["with", "unconditional", "wrapper"] => Some(WRAPPED),
        ["with", "conditional", "wrapper"] => Some(WRAPPED_UNLESS),
        _ => return,
    };
    let span = tokens[begin].span;
    let argument =
        wrapper.into_iter().flat_map(|wrapper| [Token::Comma, Token::SingleQuotedString(wrapper.to_string())]);
    let argument: Vec<_> = argument.map(|token| TokenWithSpan { token, span }).collect();
    tokens.splice(begin..end, argument);
}
