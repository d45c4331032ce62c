//! Clauses inside of calls that the parser does not read, as arguments.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::Token;

use super::{Edits, Tokens, is_any, is_word};
use quarry_functions::{WRAPPED, WRAPPED_UNLESS};

/// `trim(LEADING FROM x)` takes blanks from the text.
pub(crate) fn trim_without_characters(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    const SIDES: [Keyword; 3] = [Keyword::LEADING, Keyword::TRAILING, Keyword::BOTH];
    if !is_word(tokens.token(at), "trim") {
        return;
    }
    let side = tokens.open_after(at).and_then(|open| tokens.keyword_after(open, &SIDES));
    if let Some(from) = side.and_then(|side| tokens.keyword_after(side, &[Keyword::FROM])) {
        edits.insert_before(from, [Token::SingleQuotedString(" ".to_string())]);
    }
}

/// `json_query(x, path WITH ARRAY WRAPPER)`: the clause says whether the result becomes a list.
pub(crate) fn json_wrappers(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if !is_word(tokens.token(at), "json_query") {
        return;
    }
    let Some(open) = tokens.open_after(at) else { return };
    let Some(close) = tokens.partner(open) else { return };
    let start = tokens.end(open + 1, |token| is_any(token, &[Keyword::WITH, Keyword::WITHOUT]));
    let clause = (start..close).map(|at| tokens.token(at)).filter(|token| !matches!(token, Token::Whitespace(_)));
    let words: Vec<String> = clause.map(|token| token.to_string().to_ascii_lowercase()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "array").collect();
    let wrapper = match words.as_slice() {
        ["without", "wrapper"] => None,
        ["with", "wrapper"] | ["with", "unconditional", "wrapper"] => Some(WRAPPED),
        ["with", "conditional", "wrapper"] => Some(WRAPPED_UNLESS),
        _ => return,
    };
    (start..close).for_each(|at| edits.remove(at));
    let argument = |wrapper: &str| [Token::Comma, Token::SingleQuotedString(wrapper.to_string())];
    edits.insert_before(close, wrapper.into_iter().flat_map(argument));
}
