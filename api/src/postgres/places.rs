//! What the place of a value says about its type, where the client leaves it open: `$1::bigint`, `cast($1 as date)`, `limit $1`.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::types::{BOOL, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, INTERVAL, NUMERIC, TEXT, TIMESTAMP, VARCHAR};

/// The types of `$1`, `$2`, …; 0 for what the text does not say.
pub fn types(tokens: &[TokenWithSpan], values: usize) -> Vec<u32> {
    let tokens = tokens.iter().map(|token| &token.token).filter(|token| !matches!(token, Token::Whitespace(_)));
    let tokens: Vec<&Token> = tokens.collect();
    let mut types = vec![0; values];
    for (at, token) in tokens.iter().enumerate() {
        let Some(number) = number(token) else { continue };
        let Some(known) = number.checked_sub(1).and_then(|place| types.get_mut(place)) else { continue };
        let before = at.checked_sub(1).and_then(|before| tokens.get(before)).and_then(|token| word(token));
        let told = match (before.as_deref(), tokens.get(at + 1), tokens.get(at + 2)) {
            (_, Some(Token::DoubleColon), Some(name)) => of_name(name),
            (_, Some(next), Some(name)) if word(next).as_deref() == Some("as") && is_cast(&tokens, at) => of_name(name),
            (Some("limit" | "offset"), ..) => INT8,
            _ => 0,
        };
        if *known == 0 {
            *known = told;
        }
    }
    types
}

/// The number of `$1`.
pub fn number(token: &Token) -> Option<usize> {
    match token {
        Token::Placeholder(name) => name.strip_prefix('$')?.parse().ok(),
        _ => None,
    }
}

/// The word of a token in small letters.
pub fn word(token: &Token) -> Option<String> {
    match token {
        Token::Word(word) => Some(word.value.to_lowercase()),
        _ => None,
    }
}

/// Whether `cast(` stands before a value.
fn is_cast(tokens: &[&Token], at: usize) -> bool {
    at >= 2 && *tokens[at - 1] == Token::LParen && word(tokens[at - 2]).is_some_and(|word| word.ends_with("cast"))
}

fn of_name(token: &Token) -> u32 {
    match word(token).unwrap_or_default().as_str() {
        "boolean" | "bool" => BOOL,
        "smallint" | "int2" => INT2,
        "int" | "integer" | "int4" => INT4,
        "bigint" | "int8" => INT8,
        "real" | "float4" => FLOAT4,
        "double" | "float" | "float8" => FLOAT8,
        "numeric" | "decimal" | "uint256" | "int256" => NUMERIC,
        "date" => DATE,
        "timestamp" => TIMESTAMP,
        "interval" => INTERVAL,
        "varchar" => VARCHAR,
        "text" | "char" => TEXT,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use sqlparser::dialect::PostgreSqlDialect;
    use sqlparser::tokenizer::Tokenizer;

    use super::*;

    #[test]
    fn a_place_tells_the_type_of_its_value() {
        let of = |text: &str, values| {
            let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().unwrap();
            types(&tokens, values)
        };
        assert_eq!(of("select $1::bigint, cast($2 as date), try_cast( $3 AS double)", 3), [INT8, DATE, FLOAT8]);
        assert_eq!(of("select $1 from t where a = $2 limit $3 offset $4", 4), [0, 0, INT8, INT8]);
        assert_eq!(of("select $1 as bigint, $2 :: uint256, $2", 2), [0, NUMERIC]);
        assert_eq!(of("select $0, $9::int", 1), [0]);
    }
}
