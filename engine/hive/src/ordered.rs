//! `SORT BY`, `DISTRIBUTE BY` and `CLUSTER BY` behind `HAVING` and `WINDOW`, where Hive has them: the parser wants them first.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::tokens::{Tokens, is_word};

/// Words that begin a clause which orders or parts the rows.
const ORDERS: [&str; 3] = ["cluster", "distribute", "sort"];
/// Clauses that the parser reads behind these.
const LATER: [&str; 2] = ["having", "window"];
/// Words that begin what stands behind all of them.
const ENDS: [&str; 6] = ["order", "limit", "union", "intersect", "except", "minus"];

/// Moves these clauses before HAVING and WINDOW of the same query.
pub(super) fn orders_first(mut tokens: Tokens) -> Tokens {
    for at in 0..tokens.len() {
        let by = tokens.get(at + 1).is_some_and(|next| is_word(&next.token, "by"));
        if by
            && is_any(&tokens[at], &ORDERS)
            && let Some(before) = later_clause(&tokens[..at])
        {
            let end = clause_end(&tokens, at + 2);
            tokens[before..end].rotate_left(at - before);
        }
    }
    tokens
}

fn is_any(token: &TokenWithSpan, words: &[&str]) -> bool {
    words.iter().any(|word| is_word(&token.token, word))
}

/// Where the first HAVING or WINDOW of the query begins that is open at the end.
fn later_clause(tokens: &[TokenWithSpan]) -> Option<usize> {
    let (mut depth, mut found) = (0usize, None);
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => break,
            Token::LParen => depth -= 1,
            _ if depth > 0 => {}
            _ if is_word(&token.token, "select") => break,
            _ if is_any(token, &LATER) => found = Some(at),
            _ => {}
        }
    }
    found
}

fn clause_end(tokens: &[TokenWithSpan], start: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen if depth == 0 => return at,
            Token::RParen => depth -= 1,
            _ if depth == 0 && (is_any(token, &ORDERS) || is_any(token, &ENDS)) => return at,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use crate::lexer::statements;

    fn read(text: &str) -> String {
        let statements = statements(text, 1_000_000).unwrap();
        statements[0].iter().map(|token| token.token.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn orders_come_before_having_and_windows() {
        assert_eq!(
            read("select * from (select a from t group by a having a > 1 distribute by a sort by a desc limit 3) u"),
            "select * from ( select a from t group by a distribute by a sort by a desc having a > 1 limit 3 ) u"
        );
        assert_eq!(
            read("select sum(a) over w from t window w as (order by b) cluster by a union all select 1"),
            "select sum ( a ) over w from t cluster by a window w as ( order by b ) union all select 1"
        );
        let plain = "select a from t where a > 1 sort by a";
        assert_eq!(read(plain), plain);
    }
}
