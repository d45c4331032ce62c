//! `SIMILAR TO`: patterns of SQL's own kind, of which the whole text is one. The planner takes them for regular expressions.
//! And `LIKE ANY`, with several patterns.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Value, ValueWithSpan};

use super::ast::{binary, text};
use super::renamed::matches;

/// `SIMILAR TO` a pattern that is written out, as a regular expression; `None` for other patterns.
pub(super) fn rewrite(expr: &Expr) -> Option<Expr> {
    let Expr::SimilarTo { negated, expr, pattern, escape_char } = expr else { return None };
    let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(pattern), .. }) = pattern.as_ref() else {
        return None;
    };
    let escape = match escape_char.as_ref().map(|sign| &sign.value) {
        None => Some('\\'),
        Some(Value::SingleQuotedString(sign)) => sign.chars().next(),
        Some(_) => return None,
    };
    Some(matches(expr, &text(&regular(pattern, escape)), *negated))
}

/// `%` and `_` stand for any letters and one; `| * + ? { } ( ) [ ]` mean what they mean in regular expressions; the signs
/// that have a meaning only there are letters.
fn regular(pattern: &str, escape: Option<char>) -> String {
    let mut out = String::from("^(?s:");
    let mut letters = pattern.chars();
    let mut class = false;
    while let Some(letter) = letters.next() {
        match letter {
            letter if Some(letter) == escape => out.push_str(&escaped(letters.next().unwrap_or(letter))),
            '[' => {
                class = true;
                out.push('[');
            }
            ']' => {
                class = false;
                out.push(']');
            }
            letter if class => out.push(letter),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '|' | '*' | '+' | '?' | '{' | '}' | '(' | ')' => out.push(letter),
            letter => out.push_str(&escaped(letter)),
        }
    }
    out + ")$"
}

/// A letter that means itself.
fn escaped(letter: char) -> String {
    match letter.is_alphanumeric() || letter.is_whitespace() || !letter.is_ascii() {
        true => letter.to_string(),
        false => format!("\\{letter}"),
    }
}

/// `x LIKE ANY (a, b)`: like one of them.
pub(super) fn like_any(expr: &Expr) -> Option<Expr> {
    let one = |pattern: &Expr| {
        let mut like = expr.clone();
        let (Expr::Like { any, pattern: of, .. } | Expr::ILike { any, pattern: of, .. }) = &mut like else {
            return like;
        };
        *any = false;
        **of = pattern.clone();
        like
    };
    let (Expr::Like { negated: false, pattern, escape_char: None, .. }
    | Expr::ILike { negated: false, pattern, escape_char: None, .. }) = expr
    else {
        return None;
    };
    let patterns = match pattern.as_ref() {
        Expr::Tuple(patterns) => patterns.as_slice(),
        Expr::Nested(pattern) => std::slice::from_ref(pattern.as_ref()),
        _ => return None,
    };
    patterns.iter().map(one).reduce(|all, one| binary(all, BinaryOperator::Or, one))
}

#[cfg(test)]
mod tests {
    use super::regular;

    #[test]
    fn patterns_of_sql_become_regular_expressions() {
        for (pattern, wanted) in [
            ("a%", "^(?s:a.*)$"),
            ("_b.c", "^(?s:.b\\.c)$"),
            ("(ab|c)+[0-9%]{2}", "^(?s:(ab|c)+[0-9%]{2})$"),
            ("a\\%b", "^(?s:a\\%b)$"),
            ("^a$", "^(?s:\\^a\\$)$"),
        ] {
            assert_eq!(regular(pattern, Some('\\')), wanted);
        }
    }
}
