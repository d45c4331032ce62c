//! Queries: VALUES, rows and values of BigQuery, lists with queries.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::Token;

use super::{Edits, Tokens, is_any};

/// `VALUES 1, 2` as `VALUES (1), (2)`, where a query begins: `values` may be the name of a column.
pub(crate) fn values_without_parentheses(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    const BEFORE: [Keyword; 11] = [
        Keyword::FROM,
        Keyword::JOIN,
        Keyword::AS,
        Keyword::MATERIALIZED,
        Keyword::IN,
        Keyword::ANY,
        Keyword::SOME,
        Keyword::LATERAL,
        Keyword::ALL,
        Keyword::UNION,
        Keyword::EXISTS,
    ];
    const AFTER: [Keyword; 6] =
        [Keyword::ORDER, Keyword::LIMIT, Keyword::UNION, Keyword::EXCEPT, Keyword::INTERSECT, Keyword::FETCH];
    if !tokens.is(at, Keyword::VALUES) {
        return;
    }
    let begins = match tokens.before(at) {
        None => true,
        Some(open) if *tokens.token(open) == Token::LParen => tokens.keyword_before(open, &BEFORE).is_some(),
        Some(word) => is_any(tokens.token(word), &[Keyword::UNION, Keyword::ALL]),
    };
    let first = tokens.after(at);
    if !begins || first.is_some_and(|first| *tokens.token(first) == Token::LParen || tokens.is(first, Keyword::ROW)) {
        return;
    }
    let mut next = first;
    while let Some(first) = next {
        let end = tokens.end(first, |token| *token == Token::Comma || is_any(token, &AFTER));
        let Some(last) = tokens.before(end).filter(|last| *last >= first) else { return };
        edits.insert_before(first, [Token::LParen]);
        edits.insert_after(last, [Token::RParen]);
        next = (end < tokens.len() && *tokens.token(end) == Token::Comma).then(|| tokens.after(end)).flatten();
    }
}

/// `x IN (VALUES (1), (2))` as `x IN (SELECT * FROM (VALUES (1), (2)))`, which the parser takes for a query.
pub(crate) fn in_values(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    const BEFORE: [Keyword; 4] = [Keyword::IN, Keyword::ANY, Keyword::SOME, Keyword::ALL];
    if !tokens.is(at, Keyword::VALUES) {
        return;
    }
    let open = tokens.before(at).filter(|open| *tokens.token(*open) == Token::LParen);
    let open = open.filter(|open| tokens.keyword_before(*open, &BEFORE).is_some());
    if let Some(close) = open.and_then(|open| tokens.partner(open)) {
        let words = [Token::make_keyword("SELECT"), Token::Mul, Token::make_keyword("FROM"), Token::LParen];
        edits.insert_before(at, words);
        edits.insert_before(close, [Token::RParen]);
    }
}

/// `x IN ((SELECT …), 5)` with its first item in a CASE: the parser takes a second parenthesis with a query in it for one around the
/// whole list.
pub(crate) fn in_lists_with_queries(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if !tokens.is(at, Keyword::IN) {
        return;
    }
    let query = tokens.open_after(at).and_then(|list| tokens.open_after(list));
    let query = query.filter(|open| tokens.keyword_after(*open, &[Keyword::SELECT, Keyword::WITH]).is_some());
    let Some(open) = query else { return };
    let comma = tokens.partner(open).and_then(|close| tokens.after(close));
    if let Some(comma) = comma.filter(|comma| *tokens.token(*comma) == Token::Comma) {
        edits.insert_before(open, ["CASE", "WHEN", "TRUE", "THEN"].map(Token::make_keyword));
        edits.insert_before(comma, [Token::make_keyword("END")]);
    }
}

/// `SELECT AS STRUCT a, b` as `SELECT STRUCT(a, b)`, and `SELECT AS VALUE x` as `SELECT x`.
pub(crate) fn select_as_struct(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    const AFTER: [Keyword; 8] = [
        Keyword::FROM,
        Keyword::WHERE,
        Keyword::GROUP,
        Keyword::ORDER,
        Keyword::LIMIT,
        Keyword::UNION,
        Keyword::EXCEPT,
        Keyword::INTERSECT,
    ];
    if !tokens.is(at, Keyword::SELECT) {
        return;
    }
    let start = tokens.keyword_after(at, &[Keyword::DISTINCT, Keyword::ALL]).unwrap_or(at);
    let Some(word) = tokens.keyword_after(start, &[Keyword::AS]) else { return };
    let Some(kind) = tokens.keyword_after(word, &[Keyword::VALUE, Keyword::STRUCT]) else { return };
    edits.remove(word);
    if tokens.is(kind, Keyword::VALUE) {
        return edits.remove(kind);
    }
    edits.insert_after(kind, [Token::LParen]);
    match tokens.end(kind + 1, |token| is_any(token, &AFTER)) {
        end if end < tokens.len() => edits.insert_before(end, [Token::RParen]),
        end => edits.insert_after(end - 1, [Token::RParen]),
    }
}

/// `WITH t AS [NOT] MATERIALIZED (…)` without the hint.
pub(crate) fn materialized_hints(tokens: &Tokens<'_>, at: usize, edits: &mut Edits) {
    if !tokens.is(at, Keyword::MATERIALIZED) || tokens.open_after(at).is_none() {
        return;
    }
    let not = tokens.keyword_before(at, &[Keyword::NOT]);
    if tokens.keyword_before(not.unwrap_or(at), &[Keyword::AS]).is_some() {
        not.into_iter().chain([at]).for_each(|word| edits.remove(word));
    }
}

#[cfg(test)]
mod tests {
    use super::super::edits::testing::check;
    use super::super::{json_wrappers, safe_calls};
    use super::*;

    #[test]
    fn values() {
        check(
            &[values_without_parentheses, in_values],
            &[
                ("from (values 1, f(2, 3), -4) as t", "from (values (1), (f(2, 3)), (-4)) as t"),
                ("values 'a', 'b' order by 1", "values ('a'), ('b') order by 1"),
                ("values (1), (2)", "values (1), (2)"),
                ("x in (values 1, 2)", "x in (SELECT*FROM(values (1), (2)))"),
                ("x = any (values (1))", "x = any (SELECT*FROM(values (1)))"),
                (
                    "select (values - 1), unnest(values), values from t",
                    "select (values - 1), unnest(values), values from t",
                ),
                ("values", "values"),
                ("from (values", "from (values"),
            ],
        );
    }

    #[test]
    fn lists_and_structs() {
        check(
            &[in_lists_with_queries, select_as_struct, materialized_hints],
            &[
                ("x in ((select 1), 2)", "x in (CASEWHENTRUETHEN(select 1)END, 2)"),
                ("x in ((select 1) union select 2)", "x in ((select 1) union select 2)"),
                ("array(select as struct a, f(b) as c from t)", "array(select  struct( a, f(b) as c )from t)"),
                ("select distinct as struct a;", "select distinct  struct( a);"),
                ("select as struct a", "select  struct( a)"),
                ("select as value x from t", "select   x from t"),
                ("select a as value from t", "select a as value from t"),
                (
                    "with a as materialized (select 1), b as not materialized (select 2)",
                    "with a as  (select 1), b as   (select 2)",
                ),
            ],
        );
    }

    #[test]
    fn rules_apply_to_the_same_tokens() {
        check(
            &[safe_calls, materialized_hints, values_without_parentheses, json_wrappers],
            &[
                ("with a as materialized (values 1, 2)", "with a as  (values (1), (2))"),
                ("safe.json_query(x, 'a' with wrapper)", "try(json_query(x, 'a' ,'array wrapper'))"),
                ("values safe.f(1), 2", "values (try(f(1))), (2)"),
            ],
        );
    }
}
