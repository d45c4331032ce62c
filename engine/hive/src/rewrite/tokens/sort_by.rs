//! `SORT BY`, `DISTRIBUTE BY` and `CLUSTER BY`: in windows, and after `HAVING` and `WINDOW`.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::tokens::{Tokens, is_any_word, is_word, outer_places, symbol_at, word, word_at, words};
use quarry_sql::tokens::end_of;

/// `DISTRIBUTE BY … SORT BY …` of a window are its partition and its order.
pub(crate) fn rewrite_windows(mut tokens: Tokens) -> Tokens {
    // Whether each open parenthesis is that of a window.
    let mut windows: Vec<bool> = Vec::new();
    for index in 0..tokens.len() {
        match tokens[index].token {
            Token::LParen => {
                let is_named = index > 1 && word_at(&tokens, index - 1, "as") && in_window_clause(&tokens[..index]);
                windows.push(is_named || index > 0 && word_at(&tokens, index - 1, "over"));
            }
            Token::RParen => {
                windows.pop();
            }
            ref token if windows.last() == Some(&true) && word_at(&tokens, index + 1, "by") => {
                let standard = match () {
                    () if is_any_word(token, words![distribute cluster]) => "partition",
                    () if is_word(token, "sort") => "order",
                    () => continue,
                };
                tokens[index] = word(standard, tokens[index].span);
            }
            _ => {}
        }
    }
    tokens
}

/// Whether the last `name as` belongs to a WINDOW clause.
fn in_window_clause(tokens: &[TokenWithSpan]) -> bool {
    let before = tokens.len().checked_sub(3);
    let is_first = before.is_some_and(|at| word_at(tokens, at, "window") || symbol_at(tokens, at, &Token::Comma));
    is_first && tokens.iter().any(|token| is_word(&token.token, "window"))
}

/// Moves these clauses before HAVING and WINDOW of the same query, where the parser expects them.
pub(crate) fn reorder_clauses(mut tokens: Tokens) -> Tokens {
    for at in 0..tokens.len() {
        if word_at(&tokens, at + 1, "by")
            && is_any_word(&tokens[at].token, words![cluster distribute sort])
            && let Some(before) = later_clause(&tokens[..at])
        {
            let end = end_of(&tokens, at + 2);
            let next_clauses = words![cluster distribute sort order limit union intersect except minus];
            let end = outer_places(&tokens[at + 2..end], next_clauses).next().map_or(end, |next| at + 2 + next);
            tokens[before..end].rotate_left(at - before);
        }
    }
    tokens
}

/// The first HAVING or WINDOW of the query that is open at the end.
fn later_clause(tokens: &[TokenWithSpan]) -> Option<usize> {
    let (mut depth, mut clause) = (0usize, None);
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => break,
            Token::LParen => depth -= 1,
            _ if depth > 0 => {}
            _ if is_word(&token.token, "select") => break,
            _ if is_any_word(&token.token, words![having window]) => clause = Some(at),
            _ => {}
        }
    }
    clause
}

#[cfg(test)]
mod tests {
    use crate::parse::token_texts;

    #[test]
    fn windows_have_a_partition_and_an_order() {
        let tokens = token_texts("select rank() over (distribute by a sort by b) from t sort by c");
        assert_eq!(tokens, ["select rank ( ) over ( partition by a order by b ) from t sort by c"]);
    }

    #[test]
    fn clauses_move_before_having_and_window() {
        assert_eq!(
            token_texts(
                "select * from (select a from t group by a having a > 1 distribute by a sort by a desc limit 3) u"
            ),
            ["select * from ( select a from t group by a distribute by a sort by a desc having a > 1 limit 3 ) u"]
        );
        assert_eq!(
            token_texts("select sum(a) over w from t window w as (order by b) cluster by a union all select 1"),
            ["select sum ( a ) over w from t cluster by a window w as ( order by b ) union all select 1"]
        );
        let unchanged = "select a from t where a > 1 sort by a";
        assert_eq!(token_texts(unchanged), [unchanged]);
    }
}
