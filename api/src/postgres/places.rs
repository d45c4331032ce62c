//! Infers the type of an untyped value from its context: `$1::bigint`, `cast($1 as date)`, `limit $1`.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::types::{
    BOOL, BYTEA, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, INTERVAL, NAME, NUMERIC, OID, TEXT, TIME, TIMESTAMP,
    TIMESTAMPTZ, VARCHAR, list_of,
};

/// Operators and functions that take an array.
const OF_LISTS: [&str; 4] = ["all", "any", "some", "unnest"];

/// The types of `$1`, `$2`, …; 0 where the text does not tell.
pub fn types(tokens: &[TokenWithSpan], values: usize) -> Vec<u32> {
    let tokens = without_blanks(tokens);
    let mut types = vec![0; values];
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) = number(token) else { continue };
        let Some(known) = number.checked_sub(1).and_then(|place| types.get_mut(place)) else { continue };
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).and_then(|token| word(token));
        let told = match (before.as_deref(), tokens.get(at + 1)) {
            (_, Some(Token::DoubleColon)) => of_name(&tokens[at + 2..]),
            (_, Some(next)) if word(next).as_deref() == Some("as") && is_cast(&tokens, at) => {
                of_name(&tokens[at + 2..])
            }
            (Some("limit" | "offset"), _) => INT8,
            _ => 0,
        };
        if *known == 0 {
            *known = told;
        }
    }
    types
}

/// Which of `$1`, `$2`, … are the argument of something that takes an array: `any($1)`, `unnest($1)`.
pub fn lists(tokens: &[TokenWithSpan], values: usize) -> Vec<bool> {
    let tokens = without_blanks(tokens);
    let mut lists = vec![false; values];
    for around in tokens.windows(3) {
        let [of, Token::LParen, value] = *around else { continue };
        if word(of).is_some_and(|word| OF_LISTS.contains(&word.as_str()))
            && let Some(list) = number(value).and_then(|number| lists.get_mut(number.checked_sub(1)?))
        {
            *list = true;
        }
    }
    lists
}

fn without_blanks(tokens: &[TokenWithSpan]) -> Vec<&Token> {
    tokens.iter().map(|token| &token.token).filter(|token| !matches!(token, Token::Whitespace(_))).collect()
}

/// The number of `$1`.
pub fn number(token: &Token) -> Option<usize> {
    match token {
        Token::Placeholder(name) => name.strip_prefix('$')?.parse().ok(),
        _ => None,
    }
}

/// The word of a token, in lowercase.
pub fn word(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    }
}

/// Whether a value follows `cast(`.
fn is_cast(tokens: &[&Token], at: usize) -> bool {
    at >= 2 && *tokens[at - 1] == Token::LParen && word(tokens[at - 2]).is_some_and(|word| word.ends_with("cast"))
}

/// The type named by these tokens: `bigint`, `pg_catalog.int8[]`, `timestamp without time zone[]`, `numeric(10,2)`.
fn of_name(tokens: &[&Token]) -> u32 {
    let tokens = match tokens {
        [schema, Token::Period, rest @ ..] if word(schema).as_deref() == Some("pg_catalog") => rest,
        all => all,
    };
    let Some((first, mut rest)) = tokens.split_first() else { return 0 };
    let name = word(first).unwrap_or_default();
    let item = of_word(name.strip_prefix('_').unwrap_or(&name));
    const MORE: [&str; 6] = ["precision", "varying", "with", "without", "time", "zone"];
    loop {
        rest = match rest {
            [Token::LParen, Token::Number(..), Token::RParen, after @ ..]
            | [Token::LParen, Token::Number(..), Token::Comma, Token::Number(..), Token::RParen, after @ ..] => after,
            [next, after @ ..] if word(next).is_some_and(|word| MORE.contains(&word.as_str())) => after,
            _ => break,
        };
    }
    let is_list = match rest.first() {
        Some(Token::LBracket) => true,
        next => name.starts_with('_') || next.and_then(|next| word(next)).as_deref() == Some("array"),
    };
    if is_list && item != 0 { list_of(item) } else { item }
}

/// How many tokens after a value are a cast to drop, because it only declares the type and the engine's type of that name
/// differs: PostgreSQL's `numeric` has any number of digits, and `bytea` is already bound as bytes.
pub fn declaration(tokens: &[&Token]) -> usize {
    let [Token::DoubleColon, name, rest @ ..] = tokens else { return 0 };
    if !word(name).is_some_and(|word| ["numeric", "decimal", "bytea"].contains(&word.as_str())) {
        return 0;
    }
    match rest {
        [Token::LParen, ..] => 0,
        [Token::LBracket, Token::RBracket, ..] => 4,
        _ => 2,
    }
}

fn of_word(name: &str) -> u32 {
    match name {
        "boolean" | "bool" => BOOL,
        "smallint" | "int2" => INT2,
        "int" | "integer" | "int4" => INT4,
        "bigint" | "int8" => INT8,
        "real" | "float4" => FLOAT4,
        "double" | "float" | "float8" => FLOAT8,
        "numeric" | "decimal" | "uint256" | "int256" => NUMERIC,
        "date" => DATE,
        "time" => TIME,
        "timestamp" => TIMESTAMP,
        "timestamptz" => TIMESTAMPTZ,
        "interval" => INTERVAL,
        "varchar" => VARCHAR,
        "bytea" => BYTEA,
        "oid" => OID,
        "name" => NAME,
        "text" | "char" | "character" | "bpchar" => TEXT,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::tokenizer::Tokenizer;

    use super::*;

    #[test]
    fn the_context_tells_the_type_of_a_value() {
        let of = |text: &str, values| {
            let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().unwrap();
            types(&tokens, values)
        };
        assert_eq!(of("select $1::bigint, cast($2 as date), try_cast( $3 AS double)", 3), [INT8, DATE, FLOAT8]);
        assert_eq!(of("select $1 from t where a = $2 limit $3 offset $4", 4), [0, 0, INT8, INT8]);
        assert_eq!(of("select $1 as bigint, $2 :: uint256, $2", 2), [0, NUMERIC]);
        assert_eq!(of("select $0, $9::int", 1), [0]);
        let lists = of("select $1::bigint[], $2::pg_catalog._int8, cast($3 as text []), $4::double precision[]", 4);
        assert_eq!(lists, [INT8, INT8, TEXT, FLOAT8].map(list_of));
        let longer = of(
            "$1::timestamp(3) without time zone[], $2::numeric(10, 2)[], $3::varchar(9), $4::\"pg_catalog\".\"int4\"",
            4,
        );
        assert_eq!(longer, [list_of(TIMESTAMP), list_of(NUMERIC), VARCHAR, INT4]);
        assert_eq!(of("$1::nothing[], $2::int array, $3::", 3), [0, list_of(INT4), 0]);
    }

    #[test]
    fn the_context_tells_that_a_value_is_an_array() {
        let text = "select $1 = any($2), x <> all ( $3 ), unnest($4::int[]), any(f($5)), some($1)";
        let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().unwrap();
        assert_eq!(lists(&tokens, 5), [true, true, true, true, false]);
    }
}
