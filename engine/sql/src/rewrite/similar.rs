//! `SIMILAR TO`: patterns of SQL's own kind, of which the whole text is one. The planner takes them for regular expressions.
//! And `LIKE ANY` and `LIKE ALL`, with several patterns.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value, ValueWithSpan,
};

use super::ast::{binary, text};
use super::renamed::matches;
use quarry_types::{Error, ErrorCode};

/// `SIMILAR TO` as a regular expression. A pattern that is not written out must be one already.
pub(super) fn rewrite(expr: &Expr) -> Option<Expr> {
    let Expr::SimilarTo { negated, expr, pattern, escape_char } = expr else { return None };
    let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(pattern), .. }) = pattern.as_ref() else {
        return Some(matches(expr, pattern, *negated));
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

/// `x LIKE ANY (a, b)`, like one of them, and `x LIKE ALL (a, b)`, like each of them.
pub(super) fn like_several(expr: &Expr) -> ControlFlow<Box<Error>, Expr> {
    let one = |of: &Expr| {
        let mut like = expr.clone();
        if let Expr::Like { any, pattern, .. } | Expr::ILike { any, pattern, .. } = &mut like {
            *any = false;
            **pattern = of.clone();
        }
        like
    };
    let (Expr::Like { negated, pattern, escape_char, .. } | Expr::ILike { negated, pattern, escape_char, .. }) = expr
    else {
        return ControlFlow::Continue(expr.clone());
    };
    if *negated {
        return refuse("NOT LIKE ANY and NOT LIKE ALL are read in two ways; write NOT (x LIKE ANY (…)).");
    }
    if escape_char.is_some() {
        return refuse("LIKE ANY and LIKE ALL take no ESCAPE; write each LIKE by itself.");
    }
    let all = of_all(pattern);
    let sign = if all.is_some() { BinaryOperator::And } else { BinaryOperator::Or };
    let patterns = match (all, pattern.as_ref()) {
        (Some(patterns), _) => patterns,
        (None, Expr::Tuple(patterns)) => patterns.iter().collect(),
        (None, Expr::Nested(pattern)) => vec![pattern.as_ref()],
        (None, _) => return ControlFlow::Continue(expr.clone()),
    };
    let each = patterns.into_iter().map(one).reduce(|left, right| binary(left, sign.clone(), right));
    ControlFlow::Continue(each.unwrap_or_else(|| expr.clone()))
}

/// The patterns of `ALL (a, b)`, which the parser takes for a call.
pub(super) fn of_all(pattern: &Expr) -> Option<Vec<&Expr>> {
    let Expr::Function(Function { name, args: FunctionArguments::List(list), .. }) = pattern else { return None };
    let patterns = list.args.iter().map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(pattern)) => Some(pattern),
        _ => None,
    });
    patterns.collect::<Option<Vec<&Expr>>>().filter(|_| name.to_string().eq_ignore_ascii_case("all"))
}

fn refuse(message: &str) -> ControlFlow<Box<Error>, Expr> {
    ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
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
