//! Forms of FROM and of types that the parser does not know: LATERAL VIEW before a JOIN, table functions that change nothing,
//! `TABLE(VALUES …)` and `TIMESTAMP WITH LOCAL TIME ZONE`.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::tokens::{Tokens, outer_places, symbol_at, word, word_at, words};
use quarry_functions::hive::types::LOCAL_TIME_WORD;
use quarry_sql::tokens::closing;

/// Words after a view that begin a JOIN, or that the parser would take for the name of its column.
const AFTER_VIEW: &[&str] = words![
    join inner left right full cross limit offset order sort distribute union intersect except minus window
];

fn is_name(tokens: &[TokenWithSpan], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenWithSpan { token: Token::Word(_), .. }))
}

/// Copies tokens, except where `replace` returns other tokens and the place of the next one.
fn replace_some(tokens: &[TokenWithSpan], replace: impl Fn(usize) -> Option<(Tokens, usize)>) -> Tokens {
    let mut out = Tokens::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        match replace(at) {
            Some((other, next)) => {
                out.extend(other);
                at = next;
            }
            None => {
                out.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// `t LATERAL VIEW explode(x) v AS y JOIN …` is `t CROSS JOIN LATERAL explode(x) AS v (y) JOIN …`.
pub(crate) fn rewrite_lateral_views(tokens: Tokens) -> Tokens {
    replace_some(&tokens, |start| {
        let (mut views, mut end) = view(&tokens, start)?;
        while let Some((view, next)) = view(&tokens, end) {
            views.extend(view);
            end = next;
        }
        AFTER_VIEW.iter().any(|word| word_at(&tokens, end, word)).then_some((views, end))
    })
}

/// The view that begins at a place, as a join with a lateral table function, and the place after it.
fn view(tokens: &[TokenWithSpan], start: usize) -> Option<(Tokens, usize)> {
    if !word_at(tokens, start, "lateral") || !word_at(tokens, start + 1, "view") {
        return None;
    }
    let outer = word_at(tokens, start + 2, "outer");
    let function = start + 2 + usize::from(outer);
    let open = Some(function + 1).filter(|open| symbol_at(tokens, *open, &Token::LParen))?;
    let close = closing(tokens, open)?;
    let alias = Some(close + 1).filter(|alias| is_name(tokens, *alias) && !word_at(tokens, *alias, "as"))?;
    let mut end = alias + 1;
    let mut names = Tokens::new();
    if word_at(tokens, end, "as") {
        end += 1;
        while is_name(tokens, end) {
            names.push(tokens[end].clone());
            end += 1;
            if !symbol_at(tokens, end, &Token::Comma) {
                break;
            }
            names.push(tokens[end].clone());
            end += 1;
        }
    }
    let span = tokens[start].span;
    let symbol = |token: Token| TokenWithSpan { token, span };
    let word = |text: &str| word(text, span);
    let mut join = vec![word(if outer { "left" } else { "cross" }), word("join"), word("lateral")];
    join.extend_from_slice(&tokens[function..=close]);
    join.extend([word("as"), tokens[alias].clone()]);
    if !names.is_empty() {
        join.push(symbol(Token::LParen));
        join.extend(names);
        join.push(symbol(Token::RParen));
    }
    if outer {
        join.extend([word("on"), word("true")]);
    }
    Some((join, end))
}

/// `TIMESTAMP WITH LOCAL TIME ZONE` is one word, and a cast before a text.
pub(crate) fn rewrite_local_times(tokens: Tokens) -> Tokens {
    const WORDS: &[&str] = words![timestamp with local time zone];
    replace_some(&tokens, |at| {
        if !WORDS.iter().enumerate().all(|(place, word)| word_at(&tokens, at + place, word)) {
            return None;
        }
        let span = tokens[at].span;
        let symbol = |token: Token| TokenWithSpan { token, span };
        let (end, local_time) = (at + WORDS.len(), word(LOCAL_TIME_WORD, span));
        Some(match tokens.get(end) {
            Some(text @ TokenWithSpan { token: Token::SingleQuotedString(_), .. }) => {
                let cast = vec![word("cast", span), symbol(Token::LParen), text.clone(), word("as", span)];
                ([cast, vec![local_time, symbol(Token::RParen)]].concat(), end + 1)
            }
            _ => (vec![local_time], end),
        })
    })
}

/// `TABLE(VALUES (1, 2), (3, 4))` is a table without the word TABLE too.
pub(crate) fn drop_table_keyword(tokens: Tokens) -> Tokens {
    replace_some(&tokens, |at| {
        let is_values = symbol_at(&tokens, at + 1, &Token::LParen) && word_at(&tokens, at + 2, "values");
        (is_values && word_at(&tokens, at, "table")).then_some((Tokens::new(), at + 1))
    })
}

/// `noop(ON t PARTITION BY a ORDER BY b)` is `t`.
pub(crate) fn drop_noop(tokens: Tokens) -> Tokens {
    const NOOP: &[&str] = words![noop noopwithmap noopstreaming noopwithmapstreaming];
    replace_some(&tokens, |at| {
        if !NOOP.iter().any(|word| word_at(&tokens, at, word)) || !word_at(&tokens, at + 2, "on") {
            return None;
        }
        let close = closing(&tokens, at + 1)?;
        let mut inner = drop_noop(tokens[at + 3..close].to_vec());
        let clauses = words![partition order distribute sort cluster];
        let end = outer_places(&inner, clauses).find(|clause| word_at(&inner, clause + 1, "by"));
        inner.truncate(end.unwrap_or(inner.len()));
        // An alias of the function replaces that of the table.
        let is_named = matches!(tokens.get(close + 1), Some(TokenWithSpan { token: Token::Word(word), .. })
            if word.quote_style.is_some() || word.keyword == Keyword::NoKeyword);
        let last = inner.len().saturating_sub(1);
        if is_named && last > 0 && is_name(&inner, last) && inner[last - 1].token != Token::Period {
            inner.pop();
        }
        Some((inner, close + 1))
    })
}

#[cfg(test)]
mod tests {
    use crate::parse::token_texts;

    #[test]
    fn a_lateral_view_before_a_join_is_a_part_of_its_table() {
        for (text, rewritten) in [
            (
                "select * from t lateral view outer explode(x) v as y join u on y = z",
                "select * from t left join lateral explode ( x ) as v ( y ) on true join u on y = z",
            ),
            (
                "select * from t lateral view explode(x) v limit 1",
                "select * from t cross join lateral explode ( x ) as v limit 1",
            ),
            (
                "select timestamp with local time zone 'x', cast(a as timestamp with local time zone)",
                "select cast ( 'x' as timestamplocaltz ) , cast ( a as timestamplocaltz )",
            ),
            (
                "select * from t lateral view explode ( x ) v as k , w where k = 1",
                "select * from t lateral view explode ( x ) v as k , w where k = 1",
            ),
        ] {
            assert_eq!(token_texts(text), [rewritten]);
        }
    }

    #[test]
    fn words_and_functions_that_change_nothing_are_dropped() {
        for (text, rewritten) in [
            (
                "select * from table(values (1, 2), (3, 4)) as t(a, b)",
                "select * from ( values ( 1 , 2 ) , ( 3 , 4 ) ) as t ( a , b )",
            ),
            (
                "select a from noop(on noopwithmap(on t partition by a order by b)) where a = 1",
                "select a from t where a = 1",
            ),
            (
                "select a from noop(on (select a from t order by a) q distribute by a sort by b) r",
                "select a from ( select a from t order by a ) r",
            ),
        ] {
            assert_eq!(token_texts(text), [rewritten]);
        }
    }
}
