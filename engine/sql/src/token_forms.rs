//! What Trino and BigQuery write in a way that the parser does not read, in words that it does, before it parses: types in
//! parentheses (`array(bigint)`, `row(a bigint)`), rows of one value without them (`VALUES 1, 2`), parts of JSON (`j -> 'key'`),
//! calls that may fail (`SAFE.f(x)`), and rows as values (`SELECT AS STRUCT a, b`).

use std::collections::HashSet;

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::tokens::{after, before, closing, end_of, is};
use super::{arrows, clauses, frames};

/// The tokens of a text in words of the parser. Every token keeps its place.
pub fn known(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    types(&mut tokens);
    offsets(&mut tokens);
    arrows::of_json(&mut tokens);
    frames::excluded(clauses::as_arguments(asked_first(listed(rows(values(safe(tokens)))))))
}

/// Words before the parentheses of a query that gives values to compare with.
const BEFORE_VALUES: [Keyword; 4] = [Keyword::IN, Keyword::ANY, Keyword::SOME, Keyword::ALL];

/// `x IN (VALUES (1), (2))` as `x IN (SELECT * FROM (VALUES (1), (2)))`, which the parser takes for a query.
fn listed(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let (mut begins, mut ends) = (HashSet::new(), HashSet::new());
    for at in (0..tokens.len()).filter(|at| is(&tokens[*at].token, Keyword::VALUES)) {
        let Some(open) = before(&tokens, at).filter(|open| tokens[*open].token == Token::LParen) else { continue };
        let is_list = before(&tokens, open)
            .is_some_and(|word| BEFORE_VALUES.iter().any(|keyword| is(&tokens[word].token, *keyword)));
        if let Some(end) = closing(&tokens, open).filter(|_| is_list) {
            begins.insert(at);
            ends.insert(end);
        }
    }
    let words = [Token::make_keyword("SELECT"), Token::Mul, Token::make_keyword("FROM"), Token::LParen];
    between(tokens, (&begins, &words), (&ends, &[Token::RParen]))
}

/// `x IN ((SELECT …), 5)` with its first item in a CASE: the parser takes a second parenthesis with a query in it for one
/// around all that is compared.
fn asked_first(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let (mut begins, mut ends) = (HashSet::new(), HashSet::new());
    let opened = |at: usize| after(&tokens, at).filter(|open| tokens[*open].token == Token::LParen);
    for at in (0..tokens.len()).filter(|at| is(&tokens[*at].token, Keyword::IN)) {
        let Some(open) = opened(at).and_then(opened) else { continue };
        let is_query = after(&tokens, open)
            .is_some_and(|word| [Keyword::SELECT, Keyword::WITH].iter().any(|begin| is(&tokens[word].token, *begin)));
        let end = if is_query { closing(&tokens, open) } else { None };
        let comma = end.and_then(|end| after(&tokens, end)).filter(|next| tokens[*next].token == Token::Comma);
        if let Some(comma) = comma {
            begins.insert(open);
            ends.insert(comma);
        }
    }
    let words = ["CASE", "WHEN", "TRUE", "THEN"].map(Token::make_keyword);
    between(tokens, (&begins, &words), (&ends, &[Token::make_keyword("END")]))
}

/// The tokens with words before those at some places, and others before those at other places.
fn between(
    tokens: Vec<TokenWithSpan>,
    (begins, opening): (&HashSet<usize>, &[Token]),
    (ends, closing): (&HashSet<usize>, &[Token]),
) -> Vec<TokenWithSpan> {
    if begins.is_empty() {
        return tokens;
    }
    let mut all = Vec::with_capacity(tokens.len() + (opening.len() + closing.len()) * begins.len());
    for (at, token) in tokens.into_iter().enumerate() {
        let span = token.span;
        let put =
            |words: &[Token]| words.iter().map(|word| TokenWithSpan { token: word.clone(), span }).collect::<Vec<_>>();
        if begins.contains(&at) {
            all.extend(put(opening));
        }
        if ends.contains(&at) {
            all.extend(put(closing));
        }
        all.push(token);
    }
    all
}

/// BigQuery's `SAFE.f(x)`, which is null where the call fails, as `try(f(x))`.
fn safe(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    for at in (0..tokens.len().saturating_sub(3)).rev() {
        let [prefix, dot, name, open] = &tokens[at..at + 4] else { break };
        let is_prefix = matches!(&prefix.token, Token::Word(word)
            if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("safe"));
        let is_call = dot.token == Token::Period && open.token == Token::LParen;
        if !is_prefix || !is_call || !matches!(name.token, Token::Word(_)) {
            continue;
        }
        let Some(end) = closing(&tokens, at + 3) else { continue };
        let last = tokens[end].clone();
        tokens.insert(end, last);
        tokens[at].token = Token::make_word("try", None);
        tokens[at + 1].token = Token::LParen;
    }
    tokens
}

/// `SELECT x, offset FROM …`: behind a comma it is the name of a column, that of the places of `WITH OFFSET`.
fn offsets(tokens: &mut [TokenWithSpan]) {
    for at in 0..tokens.len() {
        let listed = before(tokens, at).is_some_and(|comma| tokens[comma].token == Token::Comma);
        if let Token::Word(word) = &mut tokens[at].token
            && listed
            && word.keyword == Keyword::OFFSET
        {
            word.keyword = Keyword::NoKeyword;
        }
    }
}

/// Types after `AS` in a cast, and after `::`.
fn types(tokens: &mut [TokenWithSpan]) {
    // Of each open parenthesis, whether a cast stands in it.
    let mut open: Vec<bool> = Vec::new();
    for at in 0..tokens.len() {
        match &tokens[at].token {
            Token::LParen => {
                let cast = before(tokens, at).is_some_and(|name| is_cast(&tokens[name].token));
                open.push(cast);
            }
            Token::RParen => drop(open.pop()),
            Token::DoubleColon => {
                if let Some((_, first)) = after(tokens, at).and_then(|word| Some((word, after(tokens, word)?)))
                    && tokens[first].token == Token::LParen
                    && let Some(end) = closing(tokens, first)
                {
                    angles(tokens, at + 1, end + 1);
                }
            }
            token if is(token, Keyword::AS) && open.last() == Some(&true) => {
                let end = end_of(tokens, at + 1);
                angles(tokens, at + 1, end);
            }
            _ => {}
        }
    }
}

/// Writes the parentheses of types in a part of the tokens as angles.
fn angles(tokens: &mut [TokenWithSpan], from: usize, to: usize) {
    for at in from..to {
        let Token::Word(word) = &tokens[at].token else { continue };
        let of_row = ["row", "struct"].iter().any(|name| word.value.eq_ignore_ascii_case(name));
        if word.quote_style.is_some() || !(of_row || word.keyword == Keyword::ARRAY) {
            continue;
        }
        let Some(first) = after(tokens, at).filter(|first| tokens[*first].token == Token::LParen) else { continue };
        let Some(last) = closing(tokens, first) else { continue };
        if of_row {
            let (value, keyword) = ("STRUCT".to_string(), Keyword::STRUCT);
            tokens[at].token = Token::Word(Word { value, quote_style: None, keyword });
        }
        tokens[first].token = Token::Lt;
        tokens[last].token = Token::Gt;
    }
}

/// `VALUES 1, 2` as `VALUES (1), (2)`. `values` may be the name of a column, so it must stand where a query begins.
fn rows(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    const BEFORE: [Keyword; 10] = [
        Keyword::FROM,
        Keyword::JOIN,
        Keyword::AS,
        Keyword::IN,
        Keyword::ANY,
        Keyword::SOME,
        Keyword::LATERAL,
        Keyword::ALL,
        Keyword::UNION,
        Keyword::EXISTS,
    ];
    const BEHIND: [Keyword; 6] =
        [Keyword::ORDER, Keyword::LIMIT, Keyword::UNION, Keyword::EXCEPT, Keyword::INTERSECT, Keyword::FETCH];
    let begins = |at: usize| match before(&tokens, at) {
        None => true,
        Some(open) if tokens[open].token == Token::LParen => {
            before(&tokens, open).is_some_and(|word| BEFORE.iter().any(|keyword| is(&tokens[word].token, *keyword)))
        }
        Some(word) => [Keyword::UNION, Keyword::ALL].iter().any(|keyword| is(&tokens[word].token, *keyword)),
    };
    // Places before and behind which a parenthesis is put.
    let (mut opened, mut closed) = (Vec::new(), Vec::new());
    for at in (0..tokens.len()).filter(|at| is(&tokens[*at].token, Keyword::VALUES) && begins(*at)) {
        let Some(first) = after(&tokens, at) else { continue };
        if tokens[first].token == Token::LParen || is(&tokens[first].token, Keyword::ROW) {
            continue;
        }
        let (mut depth, mut last) = (0usize, first);
        opened.push(first);
        for here in first..tokens.len() {
            match &tokens[here].token {
                Token::LParen | Token::LBracket => depth += 1,
                Token::RParen | Token::RBracket if depth == 0 => break,
                Token::RParen | Token::RBracket => depth -= 1,
                Token::SemiColon | Token::EOF => break,
                Token::Comma if depth == 0 => {
                    closed.push(last);
                    opened.extend(after(&tokens, here));
                }
                token if depth == 0 && BEHIND.iter().any(|keyword| is(token, *keyword)) => break,
                _ => {}
            }
            if !matches!(tokens[here].token, Token::Whitespace(_) | Token::Comma) {
                last = here;
            }
        }
        closed.push(last);
    }
    if opened.is_empty() {
        return tokens;
    }
    let mut all = Vec::with_capacity(tokens.len() + 2 * opened.len());
    for (at, token) in tokens.into_iter().enumerate() {
        let span = token.span;
        if opened.binary_search(&at).is_ok() {
            all.push(TokenWithSpan { token: Token::LParen, span });
        }
        all.push(token);
        if closed.binary_search(&at).is_ok() {
            all.push(TokenWithSpan { token: Token::RParen, span });
        }
    }
    all
}

/// `SELECT AS STRUCT a, b` as `SELECT STRUCT(a, b)`, and `SELECT AS VALUE x` as `SELECT x`.
fn values(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    // Words that go, places behind which a parenthesis is opened, and before which it is closed.
    let (mut gone, mut opened, mut closed) = (HashSet::new(), HashSet::new(), Vec::new());
    for at in (0..tokens.len()).filter(|at| is(&tokens[*at].token, Keyword::SELECT)) {
        let next = |at: usize, keywords: &[Keyword]| {
            after(&tokens, at).filter(|next| keywords.iter().any(|keyword| is(&tokens[*next].token, *keyword)))
        };
        let start = next(at, &[Keyword::DISTINCT, Keyword::ALL]).unwrap_or(at);
        let Some(word) = next(start, &[Keyword::AS]) else { continue };
        if let Some(value) = next(word, &[Keyword::VALUE]) {
            gone.extend([word, value]);
        } else if let Some(row) = next(word, &[Keyword::STRUCT]) {
            gone.insert(word);
            opened.insert(row);
            closed.push(end_of_items(&tokens, row + 1));
        }
    }
    // Whether a common table expression is kept is not for the query to say.
    for at in (0..tokens.len()).filter(|at| is(&tokens[*at].token, Keyword::MATERIALIZED)) {
        let opens = after(&tokens, at).is_some_and(|next| tokens[next].token == Token::LParen);
        let previous =
            |at: usize, keyword: Keyword| before(&tokens, at).filter(|word| is(&tokens[*word].token, keyword));
        let not = previous(at, Keyword::NOT);
        if opens && previous(not.unwrap_or(at), Keyword::AS).is_some() {
            gone.insert(at);
            gone.extend(not);
        }
    }
    if gone.is_empty() {
        return tokens;
    }
    let parenthesis = |token, span| TokenWithSpan { token, span };
    let mut all = Vec::with_capacity(tokens.len() + 2 * opened.len());
    for (at, token) in tokens.into_iter().enumerate() {
        let span = token.span;
        closed.iter().filter(|end| **end == at).for_each(|_| all.push(parenthesis(Token::RParen, span)));
        if !gone.contains(&at) {
            all.push(token);
        }
        if opened.contains(&at) {
            all.push(parenthesis(Token::LParen, span));
        }
    }
    all
}

/// Where the list of a SELECT ends.
fn end_of_items(tokens: &[TokenWithSpan], from: usize) -> usize {
    const BEHIND: [Keyword; 8] = [
        Keyword::FROM,
        Keyword::WHERE,
        Keyword::GROUP,
        Keyword::ORDER,
        Keyword::LIMIT,
        Keyword::UNION,
        Keyword::EXCEPT,
        Keyword::INTERSECT,
    ];
    let mut depth = 0usize;
    let end = tokens.iter().enumerate().skip(from).find(|(_, token)| {
        match &token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return true,
            Token::RParen | Token::RBracket => depth -= 1,
            Token::SemiColon | Token::EOF => return true,
            token if depth == 0 && BEHIND.iter().any(|keyword| is(token, *keyword)) => return true,
            _ => {}
        }
        false
    });
    end.map_or(tokens.len(), |(at, _)| at)
}

fn is_cast(token: &Token) -> bool {
    [Keyword::CAST, Keyword::TRY_CAST, Keyword::SAFE_CAST].iter().any(|keyword| is(token, *keyword))
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::tokenizer::Tokenizer;

    use super::*;

    fn rewritten(text: &str) -> String {
        let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location().unwrap();
        known(tokens).into_iter().map(|token| token.token.to_string()).collect()
    }

    #[test]
    fn types_and_rows_in_words_of_the_parser() {
        for (text, wanted) in [
            ("cast(x as array(row(a decimal(3, 1), b json)))", "cast(x as array<STRUCT<a decimal(3, 1), b json>>)"),
            ("cast(x as map(varchar, array(json)))", "cast(x as map(varchar, array<json>))"),
            ("x::row (a int) , array(1)", "x::STRUCT <a int> , array(1)"),
            ("cast(row(1, 2) as json)", "cast(row(1, 2) as json)"),
            ("select row(1) as array", "select row(1) as array"),
            ("from (values 1, f(2, 3), -4) as t", "from (values (1), (f(2, 3)), (-4)) as t"),
            ("values 'a', 'b' order by 1", "values ('a'), ('b') order by 1"),
            ("values (1), (2)", "values (1), (2)"),
            ("x in (values 1, 2)", "x in (SELECT*FROM(values (1), (2)))"),
            ("x = any (values (1))", "x = any (SELECT*FROM(values (1)))"),
            ("x in ((select 1), 2)", "x in (CASEWHENTRUETHEN(select 1)END, 2)"),
            ("x in ((select 1) union select 2)", "x in ((select 1) union select 2)"),
            ("array(select as struct a, f(b) as c from t)", "array(select  struct( a, f(b) as c )from t)"),
            ("select distinct as struct a;", "select distinct  struct( a);"),
            ("select as value x from t", "select   x from t"),
            ("select a as value from t", "select a as value from t"),
            (
                "with a as materialized (select 1), b as not materialized (select 2)",
                "with a as  (select 1), b as   (select 2)",
            ),
            (
                "select (values - 1), unnest(values), values from t",
                "select (values - 1), unnest(values), values from t",
            ),
        ] {
            assert_eq!(rewritten(text), wanted);
        }
    }

    #[test]
    fn what_is_not_finished_stays() {
        for text in ["cast(x as array(", "x::array(", "values", "from (values", "cast(x as row", "cast(x as", "x::"] {
            assert_eq!(rewritten(text), text);
        }
    }
}
