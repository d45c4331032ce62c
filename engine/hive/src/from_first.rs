//! `FROM … SELECT …` and `FROM … INSERT … INSERT …` as the parser reads them: the FROM clause after the columns.

use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::tokens::{Tokens, is_word};
use quarry_sql::tokens::end_of;

/// Words that end the list of columns of a SELECT.
const AFTER_COLUMNS: [&str; 14] = [
    "where",
    "group",
    "having",
    "order",
    "sort",
    "cluster",
    "distribute",
    "limit",
    "lateral",
    "window",
    "union",
    "intersect",
    "except",
    "minus",
];

/// Moves the FROM clauses that come first behind their columns. A multi-insert becomes several INSERTs after each other,
/// split by semicolons.
pub(super) fn reorder(tokens: Tokens) -> Tokens {
    let tokens = with_behind_insert(tokens);
    let mut out = Tokens::with_capacity(tokens.len());
    let mut index = 0;
    // Whether a query has begun at each depth, and whether it began with WITH.
    let mut levels = vec![Level::default()];
    while index < tokens.len() {
        let token = &tokens[index];
        match &token.token {
            Token::LParen => levels.push(Level::default()),
            Token::RParen if levels.len() > 1 => {
                levels.pop();
            }
            other if is_word(other, "with") => {
                if let Some(level) = levels.last_mut() {
                    level.with |= !level.begun;
                }
            }
            other if is_word(other, "select") => begin(&mut levels, true),
            other if is_set_operation(other) => begin(&mut levels, false),
            other if is_word(other, "from") && comes_first(&levels, &out) => {
                let end = end_of(&tokens, index);
                out.extend(swap(&tokens[index..end]));
                index = end;
                begin(&mut levels, true);
                continue;
            }
            _ => {}
        }
        out.push(token.clone());
        index += 1;
    }
    out
}

/// `WITH … INSERT INTO t SELECT …` as the parser reads it: the expressions stand between INSERT and its query.
fn with_behind_insert(tokens: Tokens) -> Tokens {
    if !tokens.first().is_some_and(|first| is_word(&first.token, "with")) {
        return tokens;
    }
    let starts: Vec<usize> = find(&tokens, &["insert", "from", "select"]).collect();
    let (Some(&first), Some(&query)) = (starts.first(), starts.get(1)) else { return tokens };
    if is_word(&tokens[first].token, "from") && find(&tokens, &["insert"]).next().is_some() {
        // Several INSERTs after one FROM: each has them.
        let with = &tokens[..first];
        let inserts = reorder(tokens[first..].to_vec());
        let parts = inserts.split(|token| token.token == Token::SemiColon).map(|part| {
            let select = find(part, &["select"]).next().unwrap_or(0);
            [&part[..select], with, &part[select..]].concat()
        });
        let end = TokenWithSpan { token: Token::SemiColon, span: tokens[first].span };
        return parts.collect::<Vec<_>>().join(&end);
    }
    if !is_word(&tokens[first].token, "insert") {
        return tokens;
    }
    [&tokens[first..query], &tokens[..first], &tokens[query..]].concat()
}

#[derive(Debug, Default, Clone, Copy)]
struct Level {
    begun: bool,
    with: bool,
}

fn begin(levels: &mut [Level], begun: bool) {
    if let Some(level) = levels.last_mut() {
        level.begun = begun;
    }
}

fn is_set_operation(token: &Token) -> bool {
    ["union", "intersect", "except", "minus"].iter().any(|word| is_word(token, word))
}

fn comes_first(levels: &[Level], before: &[TokenWithSpan]) -> bool {
    let level = levels.last().copied().unwrap_or_default();
    if level.begun {
        return false;
    }
    let Some(last) = before.last() else { return true };
    match &last.token {
        Token::LParen => true,
        Token::RParen => level.with,
        other => {
            is_set_operation(other)
                || is_word(other, "all")
                || is_word(other, "distinct")
                || is_word(other, "as")
                || is_word(other, "explain")
        }
    }
}

/// Places of words at the depth of the slice itself.
fn find<'a>(tokens: &'a [TokenWithSpan], words: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0usize;
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0 && words.iter().any(|word| is_word(&token.token, word))).then_some(index)
    })
}

/// One `FROM … (SELECT … | INSERT … SELECT …)+`, its inner queries put in order too.
fn swap(tokens: &[TokenWithSpan]) -> Tokens {
    let inserts: Vec<usize> = find(tokens, &["insert"]).collect();
    let heads = if inserts.is_empty() { find(tokens, &["select"]).take(1).collect() } else { inserts };
    let Some(&first) = heads.first() else { return tokens.to_vec() };
    let from = reorder_inner(&tokens[..first]);
    let mut out = Tokens::new();
    let ends = heads.iter().skip(1).copied().chain([tokens.len()]);
    let mut parts: Vec<&[TokenWithSpan]> = heads.iter().zip(ends).map(|(start, end)| &tokens[*start..end]).collect();
    // All of them read what was there before: what changes a table that is read comes last.
    parts.sort_by_key(|part| target(part).is_some_and(|target| names(tokens, target) > 1));
    for (number, part) in parts.into_iter().enumerate() {
        let select = find(part, &["select"]).next().unwrap_or(0);
        let columns_end = find(part, &AFTER_COLUMNS).find(|at| *at > select).unwrap_or(part.len());
        if number > 0 {
            let span = part[0].span;
            out.push(TokenWithSpan { token: Token::SemiColon, span });
        }
        out.extend(reorder_inner(&part[..columns_end]));
        out.extend(from.iter().cloned());
        let tail = reorder(part[columns_end..].to_vec());
        out.extend(tail);
    }
    out
}

/// The word that names the table which an INSERT writes to.
fn target(part: &[TokenWithSpan]) -> Option<&Word> {
    let words = part.iter().map_while(|token| match &token.token {
        Token::Word(word) => Some(word),
        _ => None,
    });
    let mut names = words.skip_while(|word| ["insert", "overwrite", "into", "table"].iter().any(|one| is(word, one)));
    names.next()
}

fn is(word: &Word, text: &str) -> bool {
    word.value.eq_ignore_ascii_case(text)
}

/// How often tokens name a table.
fn names(tokens: &[TokenWithSpan], table: &Word) -> usize {
    tokens.iter().filter(|token| matches!(&token.token, Token::Word(word) if is(word, &table.value))).count()
}

/// Queries inside parentheses in order; the slice itself begins no query.
fn reorder_inner(tokens: &[TokenWithSpan]) -> Tokens {
    let mut out = Tokens::new();
    let mut index = 0;
    while index < tokens.len() {
        out.push(tokens[index].clone());
        if tokens[index].token == Token::LParen {
            let end = end_of(tokens, index + 1);
            out.extend(reorder_group(&tokens[index + 1..end]));
            index = end;
        } else {
            index += 1;
        }
    }
    out
}

/// The inside of parentheses: a query, or anything else with queries inside.
fn reorder_group(tokens: &[TokenWithSpan]) -> Tokens {
    let query = tokens.first().is_some_and(|first| {
        ["from", "select", "with"].iter().any(|word| is_word(&first.token, word)) || first.token == Token::LParen
    });
    if query { reorder(tokens.to_vec()) } else { reorder_inner(tokens) }
}

#[cfg(test)]
mod tests {
    use crate::lexer::statements;

    fn read(text: &str) -> String {
        let statements = statements(text, 1_000_000).unwrap();
        let words = |tokens: &super::Tokens| tokens.iter().map(|t| t.token.to_string()).collect::<Vec<_>>().join(" ");
        statements.iter().map(words).collect::<Vec<_>>().join(" ; ")
    }

    #[test]
    fn from_moves_behind_the_columns() {
        assert_eq!(read("from a select x, y where x > 1"), "select x , y from a where x > 1");
        assert_eq!(
            read("select * from (from (from a select x) b select x group by x) c"),
            "select * from ( select x from ( select x from a ) b group by x ) c"
        );
        assert_eq!(
            read("with q as (from a select x) from q select x union all from b select y"),
            "with q as ( select x from a ) select x from q union all select y from b"
        );
        assert_eq!(
            read("with q as (select 1) insert into t select * from q"),
            "insert into t with q as ( select 1 ) select * from q"
        );
        assert_eq!(read("select trim(x) from (select y from z) a"), "select trim ( x ) from ( select y from z ) a");
    }

    #[test]
    fn a_multi_insert_is_several_inserts() {
        assert_eq!(
            read("from a insert overwrite table b select x where x = 1 insert into c select y group by y"),
            "insert overwrite table b select x from a where x = 1 ; insert into c select y from a group by y"
        );
        assert_eq!(
            read("with q as (from a select x) from q insert into b select x insert into c select y"),
            "insert into b with q as ( select x from a ) select x from q ; insert into c with q as ( select x from a ) select y from q"
        );
        assert_eq!(
            read("from a insert overwrite table A select x where x = 1 insert into c select y"),
            "insert into c select y from a ; insert overwrite table A select x from a where x = 1"
        );
    }
}
