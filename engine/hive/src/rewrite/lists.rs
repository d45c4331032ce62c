//! Lists in expressions: `LIKE ANY`, `LIKE ALL`, structs in `IN`, and rows of `VALUES`.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Function, Query, SetExpr, Value};

use crate::ast::{arguments, boolean, call, equals, negate_if, nested, null, operation, text};
use crate::defaults::is_default;

/// The patterns of `LIKE ANY` and `LIKE ALL`, and what joins their comparisons; `None` for a plain LIKE.
fn patterns(any: bool, pattern: &Expr) -> Option<(Vec<Expr>, BinaryOperator)> {
    match pattern {
        // The parser reads LIKE ALL (…) as a call.
        Expr::Function(function) if !any && is_all(function) => {
            Some((arguments(function).unwrap_or_default(), BinaryOperator::And))
        }
        Expr::Tuple(patterns) if any => Some((patterns.clone(), BinaryOperator::Or)),
        Expr::Nested(pattern) if any => Some((vec![pattern.as_ref().clone()], BinaryOperator::Or)),
        _ => None,
    }
}

fn is_all(function: &Function) -> bool {
    function.name.to_string().eq_ignore_ascii_case("all")
}

/// `LIKE ANY` and `LIKE ALL` as single comparisons.
pub(super) fn rewrite_like(like: Expr) -> Expr {
    let Expr::Like { negated, any, expr, pattern, escape_char } = like else { return like };
    let Some((patterns, op)) = patterns(any, &pattern) else {
        return Expr::Like { negated, any, expr, pattern, escape_char };
    };
    let is_null = |pattern: &Expr| matches!(pattern, Expr::Value(value) if value.value == Value::Null);
    if patterns.is_empty() || patterns.iter().any(is_null) {
        return null();
    }
    let comparison = |pattern| Expr::Like {
        negated: false,
        any: false,
        expr: expr.clone(),
        pattern: Box::new(pattern),
        escape_char: escape_char.clone(),
    };
    negate_if(negated, chain(patterns.into_iter().map(comparison), op))
}

/// How many patterns a text is compared with.
pub(super) fn pattern_count(pattern: &Expr) -> usize {
    match pattern {
        Expr::Function(function) if is_all(function) => arguments(function).map_or(0, |patterns| patterns.len()),
        Expr::Tuple(patterns) => patterns.len(),
        _ => 1,
    }
}

fn chain(conditions: impl Iterator<Item = Expr>, op: BinaryOperator) -> Expr {
    let both = |left, right| operation(left, op.clone(), right);
    nested(conditions.reduce(both).unwrap_or_else(|| boolean(true)))
}

/// `(a, b) in ((1, 2), …)` compares field by field: with a null in a field, the answer is false if another field differs, else null.
pub(super) fn rewrite_in_list(expr: Expr, list: Vec<Expr>, negated: bool) -> Expr {
    let fields = struct_fields(&expr);
    let items: Option<Vec<Vec<Expr>>> = list.iter().map(struct_fields).collect();
    let (Some(fields), Some(items)) = (fields, items) else {
        return Expr::InList { expr: Box::new(expr), list, negated };
    };
    if items.iter().any(|item| item.len() != fields.len()) {
        return Expr::InList { expr: Box::new(expr), list, negated };
    }
    let equal = |item: Vec<Expr>| {
        let fields = fields.iter().cloned().zip(item).map(|(left, right)| equals(left, right));
        chain(fields, BinaryOperator::And)
    };
    negate_if(negated, chain(items.into_iter().map(equal), BinaryOperator::Or))
}

/// The fields of `(a, b)` or `struct(a, b)`.
pub(super) fn struct_fields(expr: &Expr) -> Option<Vec<Expr>> {
    match expr {
        Expr::Tuple(fields) => Some(fields.clone()),
        // By now each field of a struct follows its name.
        Expr::Function(function) if function.name.to_string() == "named_struct" => {
            Some(arguments(function).unwrap_or_default().into_iter().skip(1).step_by(2).collect())
        }
        _ => None,
    }
}

/// `VALUES ('2024-01-05'), (date '2024-01-06')`: a column with texts in it holds texts.
pub(super) fn unify_values(query: &mut Query) {
    let SetExpr::Values(values) = query.body.as_mut() else { return };
    let is_text =
        |cell: &Expr| matches!(cell, Expr::Value(value) if matches!(value.value, Value::SingleQuotedString(_)));
    let width = values.rows.iter().map(|row| row.content.len()).max().unwrap_or(0);
    for column in 0..width {
        let cells = values.rows.iter_mut().filter_map(|row| row.content.get_mut(column));
        let cells: Vec<&mut Expr> = cells.collect();
        if cells.iter().any(|cell| is_text(cell)) {
            for cell in cells {
                if !matches!(cell, Expr::Value(_)) && !is_default(cell) {
                    *cell = call("hive_cast", vec![cell.clone(), text("string")]);
                }
            }
        }
    }
}
