//! Patterns: `LIKE … ESCAPE`, `LIKE ANY`, `LIKE ALL` and `RLIKE`, and `SIMILAR TO`, whose patterns the planner takes for regular
//! expressions.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArguments, Value, ValueWithSpan};

use super::ast::{arguments_of, binary, call, call_with, is_named, negated_if, nested, refuse, text, text_of, value};
use quarry_functions::{SIMILAR_PATTERN, similar_pattern};
use quarry_types::Error;

/// `text RLIKE pattern`, `text REGEXP pattern`.
pub(super) fn regexp_like(expr: &Expr, pattern: &Expr, negated: bool) -> Expr {
    negated_if(negated, call_with("regexp_like", [expr, pattern]))
}

/// `SIMILAR TO` as a regular expression, into which a pattern that is not a literal is translated row by row.
pub(super) fn similar_to(expr: &Expr) -> ControlFlow<Box<Error>, Option<Expr>> {
    let Expr::SimilarTo { negated, expr, pattern, escape_char } = expr else { return ControlFlow::Continue(None) };
    let escape = escape_char.as_ref().map(|escape| &escape.value);
    let character = match escape {
        None => Some(Some('\\')),
        Some(Value::SingleQuotedString(escape)) => {
            let mut chars = escape.chars();
            let character = chars.next();
            if chars.next().is_some() {
                return refuse("The escape of SIMILAR TO must be one character, or an empty string for none.");
            }
            Some(character)
        }
        Some(_) => None,
    };
    let translated = match (text_of(pattern), character) {
        (Some(pattern), Some(character)) => text(&similar_pattern(pattern, character)),
        _ => {
            let escape = escape.map(|escape| value(escape.clone()));
            call(SIMILAR_PATTERN, [pattern.as_ref().clone()].into_iter().chain(escape).collect())
        }
    };
    ControlFlow::Continue(Some(regexp_like(expr, &translated, *negated)))
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
