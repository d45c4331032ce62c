//! `FROM … SELECT …` and `FROM … INSERT … INSERT …`: the FROM clause moves after the columns, where the parser expects it.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use crate::tokens::{Tokens, is_any_word, is_word, outer_places, words};
use quarry_sql::tokens::end_of;

/// Words that end the list of columns of a SELECT.
const AFTER_COLUMNS: &[&str] = words![
    where group having order sort cluster distribute limit lateral window union intersect except minus
];

/// Moves FROM clauses after their columns. A multi-insert becomes several INSERTs with semicolons between them.
pub(crate) fn rewrite(tokens: Tokens) -> Tokens {
    let tokens = move_with_after_insert(tokens);
    let mut out = Tokens::with_capacity(tokens.len());
    let mut index = 0;
    // One for each open parenthesis, and one for the statement.
    let mut levels = vec![Level::default()];
    while index < tokens.len() {
        let token = &tokens[index].token;
        if *token == Token::LParen {
            levels.push(Level::default());
        } else if *token == Token::RParen && levels.len() > 1 {
            levels.pop();
        } else if let Some(level) = levels.last_mut() {
            if is_word(token, "with") {
                level.has_with |= !level.has_begun;
            } else if is_word(token, "select") {
                level.has_begun = true;
            } else if is_set_operation(token) {
                level.has_begun = false;
            } else if is_word(token, "from") && is_first(*level, out.last()) {
                level.has_begun = true;
                let end = end_of(&tokens, index);
                out.extend(swap(&tokens[index..end]));
                index = end;
                continue;
            }
        }
        out.push(tokens[index].clone());
        index += 1;
    }
    out
}

/// What has been read at one depth of parentheses.
#[derive(Debug, Default, Clone, Copy)]
struct Level {
    /// Whether a query has begun.
    has_begun: bool,
    has_with: bool,
}

fn is_set_operation(token: &Token) -> bool {
    is_any_word(token, words![union intersect except minus])
}

/// Whether a FROM after this token begins a query.
fn is_first(level: Level, before: Option<&TokenWithSpan>) -> bool {
    !level.has_begun
        && match before.map(|token| &token.token) {
            None | Some(Token::LParen) => true,
            Some(Token::RParen) => level.has_with,
            Some(other) => is_set_operation(other) || is_any_word(other, words![all distinct as explain]),
        }
}

/// `WITH … INSERT INTO t SELECT …`: the parser expects WITH between INSERT and its query.
fn move_with_after_insert(tokens: Tokens) -> Tokens {
    if !tokens.first().is_some_and(|first| is_word(&first.token, "with")) {
        return tokens;
    }
    let starts: Vec<usize> = outer_places(&tokens, words![insert from select]).take(2).collect();
    let [first, query] = starts[..] else { return tokens };
    let (with, begin) = (&tokens[..first], &tokens[first].token);
    if is_word(begin, "insert") {
        return [&tokens[first..query], with, &tokens[query..]].concat();
    }
    if !is_word(begin, "from") || outer_places(&tokens, words![insert]).next().is_none() {
        return tokens;
    }
    // Several INSERTs after one FROM: each gets a copy.
    let inserts = rewrite(tokens[first..].to_vec());
    let inserts = inserts.split(|token| token.token == Token::SemiColon).map(|insert| {
        let select = outer_places(insert, words![select]).next().unwrap_or(0);
        [&insert[..select], with, &insert[select..]].concat()
    });
    let semicolon = TokenWithSpan { token: Token::SemiColon, span: tokens[first].span };
    inserts.collect::<Vec<_>>().join(&semicolon)
}

/// One `FROM … (SELECT … | INSERT … SELECT …)+` with its FROM after the columns, also in its subqueries.
fn swap(tokens: &[TokenWithSpan]) -> Tokens {
    let inserts: Vec<usize> = outer_places(tokens, words![insert]).collect();
    let starts = if inserts.is_empty() { outer_places(tokens, words![select]).take(1).collect() } else { inserts };
    let Some(&first) = starts.first() else { return tokens.to_vec() };
    let from = rewrite_subqueries(&tokens[..first]);
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    let mut parts: Vec<&[TokenWithSpan]> = starts.iter().zip(ends).map(|(start, end)| &tokens[*start..end]).collect();
    // All of them read the tables as they were: an INSERT into a table that is read runs last.
    parts.sort_by_key(|part| target(part).is_some_and(|target| occurrences(tokens, target) > 1));
    let mut out = Tokens::new();
    for (number, part) in parts.into_iter().enumerate() {
        let select = outer_places(part, words![select]).next().unwrap_or(0);
        let columns_end = outer_places(part, AFTER_COLUMNS).find(|at| *at > select).unwrap_or(part.len());
        if number > 0 {
            out.push(TokenWithSpan { token: Token::SemiColon, span: part[0].span });
        }
        out.extend(rewrite_subqueries(&part[..columns_end]));
        out.extend(from.iter().cloned());
        out.extend(rewrite(part[columns_end..].to_vec()));
    }
    out
}

/// The name of the table that an INSERT writes to.
fn target(insert: &[TokenWithSpan]) -> Option<&Word> {
    insert.iter().map(|token| &token.token).find_map(|token| match token {
        token if is_any_word(token, words![insert overwrite into table]) => None,
        Token::Word(word) => Some(Some(word)),
        _ => Some(None),
    })?
}

/// How often a table is named.
fn occurrences(tokens: &[TokenWithSpan], table: &Word) -> usize {
    let names = |token: &Token| matches!(token, Token::Word(word) if word.value.eq_ignore_ascii_case(&table.value));
    tokens.iter().filter(|token| names(&token.token)).count()
}

/// Rewrites the queries in parentheses; the slice itself begins no query.
fn rewrite_subqueries(tokens: &[TokenWithSpan]) -> Tokens {
    let mut out = Tokens::new();
    let mut index = 0;
    while index < tokens.len() {
        out.push(tokens[index].clone());
        index += 1;
        if tokens[index - 1].token == Token::LParen {
            let end = end_of(tokens, index);
            let group = &tokens[index..end];
            let is_query = group.first().is_some_and(|first| {
                first.token == Token::LParen || is_any_word(&first.token, words![from select with])
            });
            out.extend(if is_query { rewrite(group.to_vec()) } else { rewrite_subqueries(group) });
            index = end;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::parse::token_texts;

    fn rewritten(text: &str) -> String {
        token_texts(text).join(" ; ")
    }

    #[test]
    fn from_moves_after_the_columns() {
        assert_eq!(rewritten("from a select x, y where x > 1"), "select x , y from a where x > 1");
        assert_eq!(
            rewritten("select * from (from (from a select x) b select x group by x) c"),
            "select * from ( select x from ( select x from a ) b group by x ) c"
        );
        assert_eq!(
            rewritten("with q as (from a select x) from q select x union all from b select y"),
            "with q as ( select x from a ) select x from q union all select y from b"
        );
        assert_eq!(
            rewritten("with q as (select 1) insert into t select * from q"),
            "insert into t with q as ( select 1 ) select * from q"
        );
        assert_eq!(
            rewritten("select trim(x) from (select y from z) a"),
            "select trim ( x ) from ( select y from z ) a"
        );
    }

    #[test]
    fn a_multi_insert_is_several_inserts() {
        assert_eq!(
            rewritten("from a insert overwrite table b select x where x = 1 insert into c select y group by y"),
            "insert overwrite table b select x from a where x = 1 ; insert into c select y from a group by y"
        );
        assert_eq!(
            rewritten("with q as (from a select x) from q insert into b select x insert into c select y"),
            "insert into b with q as ( select x from a ) select x from q ; insert into c with q as ( select x from a ) select y from q"
        );
        assert_eq!(
            rewritten("from a insert overwrite table A select x where x = 1 insert into c select y"),
            "insert into c select y from a ; insert overwrite table A select x from a where x = 1"
        );
    }
}
