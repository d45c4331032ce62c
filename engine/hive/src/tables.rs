//! What Hive lets stand between the tables of FROM and the parser does not know: `LATERAL VIEW` before a JOIN, and the table
//! functions that hand on the rows as they are.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::tokens::{Tokens, is_word};
use quarry_functions::hive::types::LOCAL_TIME_WORD;
use quarry_planner::hive::lateral::MADE;
use quarry_sql::tokens::closing;

/// Words behind a view that the parser would take for a name of its column, or that begin a JOIN.
const BEHIND: [&str; 16] = [
    "join",
    "inner",
    "left",
    "right",
    "full",
    "cross",
    "limit",
    "offset",
    "order",
    "sort",
    "distribute",
    "union",
    "intersect",
    "except",
    "minus",
    "window",
];
/// Table functions whose rows are those that they get.
const NOTHING_DONE: [&str; 4] = ["noop", "noopwithmap", "noopstreaming", "noopwithmapstreaming"];

fn at_word(tokens: &[TokenWithSpan], at: usize, word: &str) -> bool {
    tokens.get(at).is_some_and(|token| is_word(&token.token, word))
}

fn is_name(tokens: &[TokenWithSpan], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenWithSpan { token: Token::Word(_), .. }))
}

/// `t LATERAL VIEW explode(x) v AS y JOIN …` with the view written as a part of the table before it.
pub(super) fn views_before_joins(tokens: Tokens) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let mut end = at;
        let mut views = Tokens::new();
        while let Some((view, next)) = view(&tokens, end) {
            views.extend(view);
            end = next;
        }
        if end > at && BEHIND.iter().any(|word| at_word(&tokens, end, word)) {
            out.extend(views);
        } else {
            end = end.max(at + 1);
            out.extend_from_slice(&tokens[at..end]);
        }
        at = end;
    }
    out
}

/// The view that begins at a place, as the plan of it is asked for, and what stands behind it.
fn view(tokens: &[TokenWithSpan], start: usize) -> Option<(Tokens, usize)> {
    if !at_word(tokens, start, "lateral") || !at_word(tokens, start + 1, "view") {
        return None;
    }
    let outer = at_word(tokens, start + 2, "outer");
    let function = start + 2 + usize::from(outer);
    let open = Some(function + 1).filter(|open| tokens.get(*open).is_some_and(|token| token.token == Token::LParen))?;
    let close = closing(tokens, open)?;
    let alias = Some(close + 1).filter(|alias| is_name(tokens, *alias) && !at_word(tokens, *alias, "as"))?;
    let mut end = alias + 1;
    let mut names = Tokens::new();
    if at_word(tokens, end, "as") {
        end += 1;
        while is_name(tokens, end) {
            names.push(tokens[end].clone());
            end += 1;
            if tokens.get(end).is_none_or(|token| token.token != Token::Comma) {
                break;
            }
            names.push(tokens[end].clone());
            end += 1;
        }
    }
    let span = tokens[start].span;
    let sign = |token: Token| TokenWithSpan { token, span };
    let word = |text: &str| sign(Token::make_word(text, None));
    let mut made = vec![word("unpivot")];
    if outer {
        made.extend([word("include"), word("nulls")]);
    }
    made.push(sign(Token::LParen));
    made.extend_from_slice(&tokens[function..=close]);
    made.extend([word("for"), word(MADE), word("in"), sign(Token::LParen), word(MADE), sign(Token::RParen)]);
    made.extend([sign(Token::RParen), word("as"), tokens[alias].clone()]);
    if !names.is_empty() {
        made.push(sign(Token::LParen));
        made.extend(names);
        made.push(sign(Token::RParen));
    }
    Some((made, end))
}

/// `TIMESTAMP WITH LOCAL TIME ZONE` as one word, which is cast to where a text follows.
pub(super) fn local_times(tokens: Tokens) -> Tokens {
    const WORDS: [&str; 5] = ["timestamp", "with", "local", "time", "zone"];
    let mut out = Tokens::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if !WORDS.iter().enumerate().all(|(place, word)| at_word(&tokens, at + place, word)) {
            out.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let span = tokens[at].span;
        let word = |text: &str| TokenWithSpan { token: Token::make_word(text, None), span };
        let sign = |token: Token| TokenWithSpan { token, span };
        at += WORDS.len();
        match tokens.get(at) {
            Some(text @ TokenWithSpan { token: Token::SingleQuotedString(_), .. }) => {
                out.extend([word("cast"), sign(Token::LParen), text.clone(), word("as")]);
                out.extend([word(LOCAL_TIME_WORD), sign(Token::RParen)]);
                at += 1;
            }
            _ => out.push(word(LOCAL_TIME_WORD)),
        }
    }
    out
}

/// `TABLE(VALUES (1, 2), (3, 4))` is a table of these rows without the word too.
pub(super) fn without_table(tokens: Tokens) -> Tokens {
    let is_needless = |at: usize| {
        let opens = tokens.get(at + 1).is_some_and(|token| token.token == Token::LParen);
        opens && at_word(&tokens, at, "table") && at_word(&tokens, at + 2, "values")
    };
    tokens.iter().enumerate().filter(|(at, _)| !is_needless(*at)).map(|(_, token)| token.clone()).collect()
}

/// `noop(on t partition by a order by b)` is `t`: the order of its rows is not kept.
pub(super) fn without_noop(tokens: Tokens) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let known = NOTHING_DONE.iter().any(|word| at_word(&tokens, at, word)) && at_word(&tokens, at + 2, "on");
        let close = if known { closing(&tokens, at + 1) } else { None };
        let Some(close) = close else {
            out.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let mut inner = without_noop(tokens[at + 3..close].to_vec());
        inner.truncate(clauses(&inner).unwrap_or(inner.len()));
        // A name behind the function is the one that holds.
        let named = matches!(tokens.get(close + 1), Some(TokenWithSpan { token: Token::Word(word), .. })
            if word.quote_style.is_some() || word.keyword == datafusion::sql::sqlparser::keywords::Keyword::NoKeyword);
        let has_name =
            inner.len() > 1 && is_name(&inner, inner.len() - 1) && inner[inner.len() - 2].token != Token::Period;
        if named && has_name {
            inner.pop();
        }
        out.extend(inner);
        at = close + 1;
    }
    out
}

/// Where it is said by what the rows are parted and ordered.
fn clauses(tokens: &[TokenWithSpan]) -> Option<usize> {
    let mut depth = 0usize;
    tokens.iter().enumerate().position(|(at, token)| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        let parted =
            ["partition", "order", "distribute", "sort", "cluster"].iter().any(|word| at_word(tokens, at, word));
        depth == 0 && parted && at_word(tokens, at + 1, "by")
    })
}

#[cfg(test)]
mod tests {
    use crate::lexer::statements;

    fn read(text: &str) -> String {
        let statements = statements(text, 1_000_000).unwrap();
        statements[0].iter().map(|token| token.token.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_view_before_a_join_is_a_part_of_its_table() {
        assert_eq!(
            read("select * from t lateral view outer explode(x) v as y join u on y = z"),
            "select * from t unpivot include nulls ( explode ( x ) for __made_rows in ( __made_rows ) ) as v ( y ) join u on y = z"
        );
        assert_eq!(
            read("select * from t lateral view explode(x) v limit 1"),
            "select * from t unpivot ( explode ( x ) for __made_rows in ( __made_rows ) ) as v limit 1"
        );
        assert_eq!(
            read("select timestamp with local time zone 'x', cast(a as timestamp with local time zone)"),
            "select cast ( 'x' as timestamplocaltz ) , cast ( a as timestamplocaltz )"
        );
        let last = "select * from t lateral view explode ( x ) v as k , w where k = 1";
        assert_eq!(read(last), last);
    }

    #[test]
    fn what_does_nothing_to_rows_is_left_out() {
        assert_eq!(
            read("select * from table(values (1, 2), (3, 4)) as t(a, b)"),
            "select * from ( values ( 1 , 2 ) , ( 3 , 4 ) ) as t ( a , b )"
        );
        assert_eq!(
            read("select a from noop(on noopwithmap(on t partition by a order by b)) where a = 1"),
            "select a from t where a = 1"
        );
        assert_eq!(
            read("select a from noop(on (select a from t order by a) q distribute by a sort by b) r"),
            "select a from ( select a from t order by a ) r"
        );
    }
}
