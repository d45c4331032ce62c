//! Text → tokens of each statement, with what the parser can't read put into words it can.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Word};

use super::dialect::HiveQl;
use super::tokens::{Tokens, is_word};
use super::{from_first, interval, ordered, tables, variables};
use quarry_functions::hive::numerals;
use quarry_sql::{bounds, errors};
use quarry_types::Result;

/// Words that the parser takes for something of its own although a `(` after them makes them functions in Hive.
const FUNCTIONS: [&str; 48] = [
    "array",
    "bigint",
    "binary",
    "boolean",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "collect",
    "concat",
    "date",
    "decimal",
    "double",
    "exp",
    "filter",
    "first",
    "float",
    "floor",
    "format",
    "hash",
    "hour",
    "if",
    "int",
    "last",
    "left",
    "locate",
    "map",
    "minute",
    "mod",
    "month",
    "named_struct",
    "nvl",
    "position",
    "quarter",
    "repeat",
    "replace",
    "right",
    "second",
    "smallint",
    "struct",
    "substr",
    "substring",
    "timestamp",
    "tinyint",
    "trim",
    "truncate",
    "varchar",
    "year",
];

/// Splits a text at its semicolons.
pub(super) fn statements(text: &str, max_bytes: usize) -> Result<Vec<Tokens>> {
    bounds::bytes(text, max_bytes)?;
    let filled = variables::fill(text, max_bytes)?;
    let tokens = Tokenizer::new(&HiveQl, &filled.text)
        .with_unescape(false)
        .tokenize_with_location()
        .map_err(|error| errors::syntax(&error.to_string()))?;
    bounds::count(&tokens)?;
    let tokens = tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    let ready = split(tokens).into_iter().map(|tokens| {
        let plain = tables::without_table(tables::without_noop(tables::local_times(items_asked(literals(tokens)))));
        let plain = from_first::reorder(windows(interval::floors(interval::spell_out(plain))));
        ordered::orders_first(tables::views_before_joins(plain))
    });
    // A multi-insert has become several statements.
    let mut ready: Vec<Tokens> = ready.flat_map(split).collect();
    ready.iter_mut().for_each(|tokens| filled.place(tokens));
    Ok(ready)
}

/// The parts between semicolons that say something.
fn split(tokens: Tokens) -> Vec<Tokens> {
    let parts = tokens.split(|token| token.token == Token::SemiColon);
    parts.filter(|part| !part.is_empty()).map(<[TokenWithSpan]>::to_vec).collect()
}

/// Strings without their escapes, adjacent ones as one, numbers with their suffix as casts, functions as functions.
fn literals(tokens: Tokens) -> Tokens {
    let mut out: Tokens = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(mut token) = rest.next() {
        match token.token {
            Token::SingleQuotedString(ref raw) | Token::DoubleQuotedString(ref raw) => {
                let quote = if matches!(token.token, Token::SingleQuotedString(_)) { '\'' } else { '"' };
                let text = unescape(raw, quote);
                if let Some(TokenWithSpan { token: Token::SingleQuotedString(before), .. }) = out.last_mut() {
                    before.push_str(&text);
                    continue;
                }
                token.token = Token::SingleQuotedString(text);
                out.push(token);
            }
            Token::Number(digits, long) => {
                let suffix =
                    rest.next_if(|next| next.span.start == token.span.end && suffix_type(&next.token).is_some());
                let data_type =
                    suffix.as_ref().and_then(|suffix| suffix_type(&suffix.token)).or(long.then_some("bigint"));
                match data_type {
                    Some(data_type) if !holds(data_type, &digits) => {
                        // Nothing reads it as a number, so the error is that of an unknown column.
                        let written = suffix.map_or_else(|| "L".to_string(), |suffix| suffix.token.to_string());
                        let word = Token::make_word(&format!("{digits}{written}"), None);
                        out.push(TokenWithSpan { token: word, span: token.span });
                    }
                    Some(data_type) => {
                        let words = cast(&digits, data_type);
                        out.extend(words.into_iter().map(|word| TokenWithSpan { token: word, span: token.span }));
                    }
                    None => out.push(TokenWithSpan { token: Token::Number(digits, false), span: token.span }),
                }
            }
            Token::Word(mut word) => {
                let called = rest.peek().is_some_and(|next| next.token == Token::LParen);
                if called && word.quote_style.is_none() && is_function(&word, out.last()) {
                    word.keyword = Keyword::NoKeyword;
                }
                if word.quote_style.is_some() && !word.value.contains('\\') {
                    // Names are the same in any letter case; a backslash is in none.
                    word.value = word.value.to_lowercase();
                }
                out.push(TokenWithSpan { token: Token::Word(word), span: token.span });
            }
            other => out.push(TokenWithSpan { token: other, span: token.span }),
        }
    }
    out
}

fn is_function(word: &Word, before: Option<&TokenWithSpan>) -> bool {
    // `insert into table values (…)` and `x as decimal(…)` are no calls.
    let typed = before.is_some_and(|before| is_word(&before.token, "as"));
    // `sum(x) filter (where …)` belongs to the call before it.
    let behind = word.keyword == Keyword::FILTER && before.is_some_and(|before| before.token == Token::RParen);
    if behind {
        return false;
    }
    FUNCTIONS.contains(&word.value.to_lowercase().as_str()) && !typed
}

/// `exists(list, x -> …)`, which asks the items of a list and no query, as a call.
fn items_asked(mut tokens: Tokens) -> Tokens {
    const QUERY: [&str; 4] = ["select", "with", "from", "values"];
    for at in 2..tokens.len() {
        let begins = tokens[at].token == Token::LParen || QUERY.iter().any(|word| is_word(&tokens[at].token, word));
        if !begins && tokens[at - 1].token == Token::LParen && is_word(&tokens[at - 2].token, "exists") {
            tokens[at - 2].token = Token::make_word("array_any_match", None);
        }
    }
    tokens
}

/// The type that a suffix gives to the number before it: `10L`, `1Y`, `2S`, `1.5D`, `1.5BD`.
fn suffix_type(token: &Token) -> Option<&'static str> {
    let Token::Word(word) = token else { return None };
    match word.value.to_ascii_lowercase().as_str() {
        "l" => Some("bigint"),
        "s" => Some("smallint"),
        "y" => Some("tinyint"),
        "d" => Some("double"),
        "bd" => Some("decimal"),
        _ => None,
    }
}

/// Whether a number can be of a type. As in Hive a minus sign is no part of it: there is no -128Y.
fn holds(data_type: &str, digits: &str) -> bool {
    let most = match data_type {
        "tinyint" => i64::from(i8::MAX),
        "smallint" => i64::from(i16::MAX),
        "bigint" => i64::MAX,
        _ => return true,
    };
    digits.contains(['.', 'e', 'E']) || digits.parse::<i64>().is_ok_and(|number| number <= most)
}

fn cast(digits: &str, data_type: &str) -> Vec<Token> {
    let word = |text: &str| Token::make_word(text, None);
    let mut words = vec![word("cast"), Token::LParen, Token::SingleQuotedString(digits.to_string()), word("as")];
    if data_type == "decimal" {
        let (precision, scale) = numerals::digits_of(digits);
        let number = |number: u32| Token::Number(number.to_string(), false);
        words.extend([word("decimal"), Token::LParen, number(precision), Token::Comma, number(scale), Token::RParen]);
    } else {
        words.push(word(data_type));
    }
    words.push(Token::RParen);
    words
}

/// `distribute by … sort by …` of a window are its partition and its order.
fn windows(mut tokens: Tokens) -> Tokens {
    let mut over: Vec<bool> = Vec::new();
    for index in 0..tokens.len() {
        let word = |at: usize, text: &str| tokens.get(at).is_some_and(|token| is_word(&token.token, text));
        match tokens[index].token {
            Token::LParen => {
                let opens = index > 0 && word(index - 1, "over")
                    || index > 1 && word(index - 1, "as") && in_window(&tokens[..index]);
                over.push(opens);
            }
            Token::RParen => {
                over.pop();
            }
            _ if over.last() == Some(&true) && word(index + 1, "by") => {
                let to = match () {
                    () if word(index, "distribute") || word(index, "cluster") => "partition",
                    () if word(index, "sort") => "order",
                    () => continue,
                };
                tokens[index].token = Token::make_word(to, None);
            }
            _ => {}
        }
    }
    tokens
}

/// Whether the last `name as` belongs to a WINDOW clause.
fn in_window(tokens: &[TokenWithSpan]) -> bool {
    let before = tokens.iter().rev().nth(2).map(|token| &token.token);
    before.is_some_and(|token| is_word(token, "window") || *token == Token::Comma)
        && tokens.iter().any(|token| is_word(&token.token, "window"))
}

/// A string as Hive understands its backslashes; two quotes in it end one string and begin the next beside it.
fn unescape(raw: &str, quote: char) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut letters = raw.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.extend(Some(letter).filter(|letter| *letter != quote));
            continue;
        }
        let Some(escaped) = letters.next() else {
            out.push('\\');
            break;
        };
        match escaped {
            '0'..='3' => {
                let digits: String = std::iter::once(escaped)
                    .chain(std::iter::from_fn(|| letters.next_if(|next| ('0'..='7').contains(next))).take(2))
                    .collect();
                let code = u32::from_str_radix(&digits, 8).unwrap_or(0);
                out.extend(char::from_u32(code));
            }
            'u' => {
                let digits: String = std::iter::from_fn(|| letters.next_if(char::is_ascii_hexdigit)).take(4).collect();
                match u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4).and_then(char::from_u32) {
                    Some(letter) => out.push(letter),
                    None => out.extend(['u'].into_iter().chain(digits.chars())),
                }
            }
            'b' => out.push('\u{8}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'Z' => out.push('\u{1a}'),
            // Kept for LIKE.
            '%' | '_' => out.extend(['\\', escaped]),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let statements = statements(text, 1_000_000).unwrap();
        statements
            .iter()
            .map(|tokens| tokens.iter().map(|t| t.token.to_string()).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn strings_and_numbers_are_hives() {
        assert_eq!(read(r#"select "it\'s" 'x'"#), ["select 'it'sx'"]);
        assert_eq!(read(r"select 'a\tA\102'"), ["select 'a\tAB'"]);
        assert_eq!(read(r#"select 'it''s' "a""b'c" 'd\'e'"#), ["select 'itsab'cd'e'"]);
        assert_eq!(read("select 10L, 2S"), ["select cast ( '10' as bigint ) , cast ( '2' as smallint )"]);
        assert_eq!(read("select 1.50BD"), ["select cast ( '1.50' as decimal ( 2 , 1 ) )"]);
        assert_eq!(read("select 1; -- x\n;select `A b`"), ["select 1", "select `a b`"]);
    }

    #[test]
    fn windows_say_distribute_and_sort() {
        let read = read("select rank() over (distribute by a sort by b) from t sort by c");
        assert_eq!(read, ["select rank ( ) over ( partition by a order by b ) from t sort by c"]);
    }
}
