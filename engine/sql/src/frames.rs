//! `EXCLUDE` at the end of a window's frame, for which the parser has no place: it becomes a call among what the window's rows
//! are parted by, and `quarry_planner::sql_extensions::excluded` takes it out of there.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};

use super::tokens::{after, before, is};
use quarry_functions::EXCLUDED_ROWS;

/// What a frame may leave out, in the words behind `EXCLUDE`.
const LEFT_OUT: [&str; 4] = ["no others", "current row", "group", "ties"];

/// The tokens without `EXCLUDE`; without what says that no row is left out, too.
pub fn excluded(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    for at in (0..tokens.len()).rev().filter(|at| is_word(&tokens[*at].token, "exclude")).collect::<Vec<_>>() {
        let Some((said, places)) = LEFT_OUT.iter().find_map(|said| Some((*said, words(&tokens, at, said)?))) else {
            continue;
        };
        let key = if said == LEFT_OUT[0] { Some((at, Vec::new())) } else { key(&tokens, at, said) };
        let Some((place, key)) = key else { continue };
        let span = tokens[at].span;
        places.into_iter().chain([at]).for_each(|word| tokens[word].token = Token::Whitespace(Whitespace::Space));
        tokens.splice(place..place, key.into_iter().map(|token| TokenWithSpan { token, span }));
    }
    tokens
}

/// A text as it was before it said what is left out.
pub fn as_written(mut text: String) -> String {
    for said in LEFT_OUT {
        let key = format!("{EXCLUDED_ROWS}('{said}')");
        for written in [format!("PARTITION BY {key} "), format!("{key}, ")] {
            text = text.replace(&written, "");
        }
    }
    text
}

/// Where words stand behind a token at the end of a parenthesis.
fn words(tokens: &[TokenWithSpan], at: usize, words: &str) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    for word in words.split(' ') {
        let next = after(tokens, *places.last().unwrap_or(&at)).filter(|next| is_word(&tokens[*next].token, word))?;
        places.push(next);
    }
    let end = after(tokens, *places.last()?)?;
    (tokens[end].token == Token::RParen).then_some(places)
}

/// The key that says what the window around a token leaves out, and where it belongs.
fn key(tokens: &[TokenWithSpan], at: usize, said: &str) -> Option<(usize, Vec<Token>)> {
    let mut depth = 0usize;
    let open = (0..at).rev().find(|place| {
        match tokens[*place].token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => return true,
            Token::LParen => depth -= 1,
            _ => {}
        }
        false
    })?;
    let opens = |word: usize| [Keyword::OVER, Keyword::AS].iter().any(|keyword| is(&tokens[word].token, *keyword));
    before(tokens, open).filter(|word| opens(*word))?;
    let name = Token::make_word(EXCLUDED_ROWS, None);
    let mut key = vec![name, Token::LParen, Token::SingleQuotedString(said.to_string()), Token::RParen];
    let first = after(tokens, open)?;
    if is(&tokens[first].token, Keyword::PARTITION) {
        key.push(Token::Comma);
        return Some((after(tokens, first)? + 1, key));
    }
    key.splice(0..0, [Token::make_keyword("PARTITION"), Token::make_keyword("BY")]);
    const BEHIND: [Keyword; 4] = [Keyword::ORDER, Keyword::ROWS, Keyword::RANGE, Keyword::GROUPS];
    let is_named = BEHIND.iter().all(|keyword| !is(&tokens[first].token, *keyword));
    Some((first + usize::from(is_named), key))
}

fn is_word(token: &Token, name: &str) -> bool {
    matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    use super::*;

    /// The text with one blank wherever there are some.
    fn rewritten(text: &str) -> String {
        let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location().unwrap();
        let text: Vec<String> = excluded(tokens).into_iter().map(|token| token.token.to_string()).collect();
        text.join("").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_left_out_stands_among_the_keys() {
        for (text, wanted) in [
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
            assert_eq!(rewritten(text), wanted);
        }
    }

    #[test]
    fn a_name_does_not_tell() {
        let text = "sum(x) OVER (PARTITION BY excluded_rows('ties'), a) + sum(x) OVER (PARTITION BY excluded_rows('group') ORDER BY b)";
        assert_eq!(as_written(text.to_string()), "sum(x) OVER (PARTITION BY a) + sum(x) OVER (ORDER BY b)");
    }
}
