//! Literals: escapes in strings, adjacent strings, and suffixes of numbers; and functions whose names are keywords.

use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use crate::tokens::{Tokens, is_any_word, is_word, word, words};
use quarry_functions::hive::numerals;

/// Keywords of the parser that are functions in Hive when a `(` follows.
const FUNCTIONS: &[&str] = words![
    array bigint binary boolean ceil ceiling char coalesce collect concat date decimal double exp filter first float floor
    format hash hour if int last left locate map minute mod month named_struct nvl position quarter repeat replace right
    second smallint struct substr substring timestamp tinyint trim truncate varchar year
];

pub(crate) fn rewrite(tokens: Tokens) -> Tokens {
    let mut out: Tokens = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(TokenWithSpan { token, span }) = rest.next() {
        let token = match token {
            Token::SingleQuotedString(raw) => Token::SingleQuotedString(unescape(&raw, '\'')),
            Token::DoubleQuotedString(raw) => Token::SingleQuotedString(unescape(&raw, '"')),
            Token::Number(digits, long) => {
                let suffix = rest.next_if(|next| next.span.start == span.end && suffix_type(&next.token).is_some());
                let data_type = match &suffix {
                    Some(suffix) => suffix_type(&suffix.token),
                    None => long.then_some("bigint"),
                };
                match data_type {
                    Some(data_type) if fits(data_type, &digits) => {
                        out.extend(cast(&digits, data_type).into_iter().map(|token| TokenWithSpan { token, span }));
                        continue;
                    }
                    // Not a number: the error is that of an unknown column.
                    Some(_) => {
                        let suffix = suffix.map_or_else(|| "L".to_string(), |suffix| suffix.token.to_string());
                        Token::make_word(&format!("{digits}{suffix}"), None)
                    }
                    None => Token::Number(digits, false),
                }
            }
            Token::Word(mut word) => {
                let is_called = rest.peek().is_some_and(|next| next.token == Token::LParen);
                if is_called && word.quote_style.is_none() && is_function(&word, out.last()) {
                    word.keyword = Keyword::NoKeyword;
                }
                // Names have no letter case; one with a backslash is a regular expression.
                if word.quote_style.is_some() && !word.value.contains('\\') {
                    word.value = word.value.to_lowercase();
                }
                Token::Word(word)
            }
            other => other,
        };
        match (&token, out.last_mut()) {
            (Token::SingleQuotedString(text), Some(TokenWithSpan { token: Token::SingleQuotedString(before), .. })) => {
                before.push_str(text)
            }
            _ => out.push(TokenWithSpan { token, span }),
        }
    }
    out
}

fn is_function(word: &Word, before: Option<&TokenWithSpan>) -> bool {
    // `x as decimal(…)` is a type, and `sum(x) filter (where …)` belongs to the call before it.
    let is_type = before.is_some_and(|before| is_word(&before.token, "as"));
    let is_filter = word.keyword == Keyword::FILTER && before.is_some_and(|before| before.token == Token::RParen);
    !is_type && !is_filter && FUNCTIONS.contains(&word.value.to_lowercase().as_str())
}

/// `exists(list, x -> …)` is a function of a list, `exists(SELECT …)` a predicate.
pub(crate) fn rewrite_exists(mut tokens: Tokens) -> Tokens {
    for at in 2..tokens.len() {
        let token = &tokens[at].token;
        let is_query = *token == Token::LParen || is_any_word(token, words![select with from values]);
        if !is_query && tokens[at - 1].token == Token::LParen && is_word(&tokens[at - 2].token, "exists") {
            tokens[at - 2] = word("array_any_match", tokens[at - 2].span);
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

/// Whether a number fits its type. As in Hive, a minus sign is not a part of it: there is no -128Y.
fn fits(data_type: &str, digits: &str) -> bool {
    let max = match data_type {
        "tinyint" => i64::from(i8::MAX),
        "smallint" => i64::from(i16::MAX),
        "bigint" => i64::MAX,
        _ => return true,
    };
    digits.contains(['.', 'e', 'E']) || digits.parse::<i64>().is_ok_and(|number| number <= max)
}

fn cast(digits: &str, data_type: &str) -> Vec<Token> {
    let word = |text: &str| Token::make_word(text, None);
    let text = Token::SingleQuotedString(digits.to_string());
    let mut tokens = vec![word("cast"), Token::LParen, text, word("as"), word(data_type)];
    if data_type == "decimal" {
        let (precision, scale) = numerals::digits_of(digits);
        let number = |number: u32| Token::Number(number.to_string(), false);
        tokens.extend([Token::LParen, number(precision), Token::Comma, number(scale), Token::RParen]);
    }
    tokens.push(Token::RParen);
    tokens
}

/// A string without its escapes; two quotes in it end one string and begin the next.
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
            // LIKE reads these two.
            '%' | '_' => out.extend(['\\', escaped]),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::parse::token_texts;

    #[test]
    fn strings_and_numbers_are_read_as_in_hive() {
        assert_eq!(token_texts(r#"select "it\'s" 'x'"#), ["select 'it'sx'"]);
        assert_eq!(token_texts(r"select 'a\tA\102'"), ["select 'a\tAB'"]);
        assert_eq!(token_texts(r#"select 'it''s' "a""b'c" 'd\'e'"#), ["select 'itsab'cd'e'"]);
        assert_eq!(token_texts("select 10L, 2S"), ["select cast ( '10' as bigint ) , cast ( '2' as smallint )"]);
        assert_eq!(token_texts("select 1.50BD"), ["select cast ( '1.50' as decimal ( 2 , 1 ) )"]);
        assert_eq!(token_texts("select 1; -- x\n;select `A b`"), ["select 1", "select `a b`"]);
    }
}
