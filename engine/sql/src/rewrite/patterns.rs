//! Patterns: `LIKE … ESCAPE`, `LIKE ANY`, `LIKE ALL` and `RLIKE`, and `SIMILAR TO`, whose patterns the planner takes for regular
//! expressions.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArguments, Value, ValueWithSpan};

use super::ast::{arguments_of, binary, call_with, is_named, negated_if, nested, refuse, text, text_of};
use quarry_types::Error;

/// `text RLIKE pattern`, `text REGEXP pattern`.
pub(super) fn regexp_like(expr: &Expr, pattern: &Expr, negated: bool) -> Expr {
    negated_if(negated, call_with("regexp_like", [expr, pattern]))
}

/// `SIMILAR TO` as a regular expression. A pattern that is not a literal must be one already.
pub(super) fn similar_to(expr: &Expr) -> Option<Expr> {
    let Expr::SimilarTo { negated, expr, pattern, escape_char } = expr else { return None };
    let Some(sql_pattern) = text_of(pattern) else { return Some(regexp_like(expr, pattern, *negated)) };
    let escape = match escape_char.as_ref().map(|escape| &escape.value) {
        None => Some('\\'),
        Some(Value::SingleQuotedString(escape)) => escape.chars().next(),
        Some(_) => return None,
    };
    Some(regexp_like(expr, &text(&regular_expression(sql_pattern, escape)), *negated))
}

/// `%` matches any text and `_` any character. `| * + ? { } ( ) [ ]` mean the same as in regular expressions; other characters
/// that are special there are escaped.
fn regular_expression(pattern: &str, escape: Option<char>) -> String {
    let mut out = String::from("^(?s:");
    let mut chars = pattern.chars();
    let mut in_class = false;
    while let Some(char) = chars.next() {
        match char {
            char if Some(char) == escape => out.push_str(&escaped(chars.next().unwrap_or(char))),
            '[' | ']' => {
                in_class = char == '[';
                out.push(char);
            }
            char if in_class => out.push(char),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '|' | '*' | '+' | '?' | '{' | '}' | '(' | ')' => out.push(char),
            char => out.push_str(&escaped(char)),
        }
    }
    out + ")$"
}

/// A character that matches itself.
fn escaped(char: char) -> String {
    match char.is_alphanumeric() || char.is_whitespace() || !char.is_ascii() {
        true => char.to_string(),
        false => format!("\\{char}"),
    }
}

/// The patterns of `LIKE ANY (a, b)` or `LIKE ALL (a, b)`, and the operator between them. The parser takes `ALL (a, b)` for a call.
pub(super) fn several_patterns(like: &Expr) -> Option<(Vec<&Expr>, BinaryOperator)> {
    let (Expr::Like { any, pattern, .. } | Expr::ILike { any, pattern, .. }) = like else { return None };
    match pattern.as_ref() {
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. }) if is_named(name, "all") => {
            arguments_of(list).map(|patterns| (patterns, BinaryOperator::And))
        }
        Expr::Tuple(patterns) if *any => Some((patterns.iter().collect(), BinaryOperator::Or)),
        Expr::Nested(pattern) if *any => Some((vec![pattern.as_ref()], BinaryOperator::Or)),
        // The planner refuses it.
        _ => any.then(|| (Vec::new(), BinaryOperator::Or)),
    }
}

/// `x LIKE ANY (a, b)` as `x LIKE a OR x LIKE b`, and `x LIKE ALL (a, b)` with `AND`.
pub(super) fn like_several(
    like: &Expr,
    patterns: &[&Expr],
    operator: &BinaryOperator,
) -> ControlFlow<Box<Error>, Expr> {
    if let Expr::Like { negated, escape_char, .. } | Expr::ILike { negated, escape_char, .. } = like {
        if *negated {
            return refuse("NOT LIKE ANY and NOT LIKE ALL are ambiguous; write NOT (x LIKE ANY (…)).");
        }
        if escape_char.is_some() {
            return refuse("LIKE ANY and LIKE ALL do not support ESCAPE; write each LIKE separately.");
        }
    }
    let one = |one: &&Expr| {
        let mut like = like.clone();
        if let Expr::Like { any, pattern, .. } | Expr::ILike { any, pattern, .. } = &mut like {
            *any = false;
            **pattern = (*one).clone();
        }
        like
    };
    let all = patterns.iter().map(one).reduce(|left, right| binary(left, operator.clone(), right));
    ControlFlow::Continue(nested(all.unwrap_or_else(|| like.clone())))
}

/// `LIKE 'a$_b' ESCAPE '$'` with a backslash, the only escape character of the planner. As in Trino, it is an error if nothing
/// follows the escape character.
pub(super) fn escape_with_backslash(
    pattern: &mut Expr,
    escape_char: &mut Option<ValueWithSpan>,
) -> ControlFlow<Box<Error>> {
    let done = ControlFlow::Continue(());
    let (Some(escape), Expr::Value(literal)) = (escape_char.as_ref(), pattern) else { return done };
    let (Value::SingleQuotedString(escape), Value::SingleQuotedString(pattern)) = (&escape.value, &mut literal.value)
    else {
        return done;
    };
    let mut chars = escape.chars();
    let (Some(escape), None) = (chars.next(), chars.next()) else { return done };
    let mut is_escaped = false;
    let mut with_backslash = String::new();
    for char in pattern.chars() {
        if char == escape && !is_escaped {
            is_escaped = true;
            continue;
        }
        if is_escaped || char == '\\' {
            with_backslash.push('\\');
        }
        is_escaped = false;
        with_backslash.push(char);
    }
    if is_escaped {
        return refuse(&format!("A LIKE pattern can't end with its escape character {escape}."));
    }
    if escape != '\\' {
        *pattern = with_backslash;
        *escape_char = None;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::regular_expression;

    #[test]
    fn patterns_of_sql_become_regular_expressions() {
        for (pattern, expected) in [
            ("a%", "^(?s:a.*)$"),
            ("_b.c", "^(?s:.b\\.c)$"),
            ("(ab|c)+[0-9%]{2}", "^(?s:(ab|c)+[0-9%]{2})$"),
            ("a\\%b", "^(?s:a\\%b)$"),
            ("^a$", "^(?s:\\^a\\$)$"),
        ] {
            assert_eq!(regular_expression(pattern, Some('\\')), expected);
        }
    }
}
