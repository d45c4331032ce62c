//! `EXCLUDE` at the end of a window frame, which the parser does not read: it becomes a call among the keys of PARTITION BY, and
//! `quarry_planner::sql_extensions::frame_exclusion` takes it out of there.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::Token;

use super::{Edits, Tokens, is_any, is_word};
use quarry_functions::EXCLUDED_ROWS;

/// What `EXCLUDE` may leave out of a frame; the first one leaves out nothing.
const EXCLUSIONS: [&str; 4] = ["no others", "current row", "group", "ties"];

/// Frames without `EXCLUDE`.
pub(crate) fn frame_exclusion(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if !is_word(tokens.token(at), "exclude") {
        return;
    }
    let mut known = EXCLUSIONS.iter();
    let Some((exclusion, words)) = known.find_map(|exclusion| Some((*exclusion, words(tokens, at, exclusion)?))) else {
        return;
    };
    if exclusion == EXCLUSIONS[0] || insert_key(tokens, at, exclusion, edits).is_some() {
        words.into_iter().chain([at]).for_each(|word| edits.remove(word));
    }
}

/// A text without the calls that [`frame_exclusion`] adds.
pub(crate) fn without_exclusion(mut text: String) -> String {
    for exclusion in EXCLUSIONS {
        let key = format!("{EXCLUDED_ROWS}('{exclusion}')");
        for written in [format!("PARTITION BY {key} "), format!("{key}, ")] {
            text = text.replace(&written, "");
        }
    }
    text
}

/// The indexes of words that follow a token and end a parenthesis.
fn words(tokens: &Tokens<'_>, at: usize, words: &str) -> Option<Vec<usize>> {
    let mut indexes = Vec::new();
    for word in words.split(' ') {
        let next = tokens.after(*indexes.last().unwrap_or(&at))?;
        indexes.push(Some(next).filter(|next| is_word(tokens.token(*next), word))?);
    }
    let end = tokens.after(*indexes.last()?)?;
    (*tokens.token(end) == Token::RParen).then_some(indexes)
}

/// Puts the call among the keys of the window around a token; `None` where there is no window.
fn insert_key(tokens: &Tokens<'_>, at: usize, exclusion: &str, edits: &mut Edits) -> Option<()> {
    const AFTER_NAME: [Keyword; 4] = [Keyword::ORDER, Keyword::ROWS, Keyword::RANGE, Keyword::GROUPS];
    let open = tokens.enclosing(at)?;
    tokens.keyword_before(open, &[Keyword::OVER, Keyword::AS])?;
    let name = Token::make_word(EXCLUDED_ROWS, None);
    let call = [name, Token::LParen, Token::SingleQuotedString(exclusion.to_string()), Token::RParen];
    let first = tokens.after(open)?;
    if tokens.is(first, Keyword::PARTITION) {
        edits.insert_after(tokens.after(first)?, call.into_iter().chain([Token::Comma]));
        return Some(());
    }
    let keys = ["PARTITION", "BY"].map(Token::make_keyword).into_iter().chain(call);
    match is_any(tokens.token(first), &AFTER_NAME) {
        true => edits.insert_before(first, keys),
        // A window that is made of a named one.
        false => edits.insert_after(first, keys),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::edits::testing::edited;
    use super::*;

    #[test]
    fn exclusions_are_among_the_keys() {
        for (text, expected) in [
            (
                "over (partition by f(a) order by b rows 1 preceding exclude ties)",
                "over (partition byexcluded_rows('ties'), f(a) order by b rows 1 preceding )",
            ),
            (
                "over (groups 1 preceding EXCLUDE Current Row)",
                "over (PARTITIONBYexcluded_rows('current row')groups 1 preceding )",
            ),
            ("over (w rows 1 preceding exclude group)", "over (wPARTITIONBYexcluded_rows('group') rows 1 preceding )"),
            ("over (order by b rows 1 preceding exclude no others)", "over (order by b rows 1 preceding )"),
            ("(select * exclude ties from t)", "(select * exclude ties from t)"),
            ("f(exclude ties)", "f(exclude ties)"),
            ("exclude ties)", "exclude ties)"),
            ("over (exclude", "over (exclude"),
        ] {
            // One blank wherever there are some.
            let text: String = edited(text, &[frame_exclusion]).iter().map(Token::to_string).collect();
            assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn names_of_columns_have_no_exclusion() {
        let text = "sum(x) OVER (PARTITION BY excluded_rows('ties'), a) + sum(x) OVER (PARTITION BY excluded_rows('group') ORDER BY b)";
        assert_eq!(without_exclusion(text.to_string()), "sum(x) OVER (PARTITION BY a) + sum(x) OVER (ORDER BY b)");
    }
}
