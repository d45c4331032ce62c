//! `x LIKE ANY (…)`, `x LIKE ALL (…)`, structs in lists, and rows of values.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value, ValueWithSpan, Values,
};

use super::build::{call, not, text};
use super::defaults;

/// The parts of `x LIKE …`.
pub(super) struct Like {
    pub negated: bool,
    pub any: bool,
    pub expr: Box<Expr>,
    pub pattern: Box<Expr>,
    pub escape_char: Option<ValueWithSpan>,
}

/// `LIKE ANY` and `LIKE ALL` as single comparisons.
pub(super) fn like(like: Like) -> Expr {
    let Like { negated, any, expr, pattern, escape_char } = like;
    let (patterns, op) = match *pattern {
        // The parser takes LIKE ALL (…) for a call.
        Expr::Function(function) if !any && is_all(&function) => (values(&function), BinaryOperator::And),
        Expr::Tuple(patterns) if any => (patterns, BinaryOperator::Or),
        Expr::Nested(pattern) if any => (vec![*pattern], BinaryOperator::Or),
        pattern => {
            let pattern = Box::new(pattern);
            return Expr::Like { negated, any, expr, pattern, escape_char };
        }
    };
    let is_null = |pattern: &Expr| matches!(pattern, Expr::Value(value) if value.value == Value::Null);
    if patterns.is_empty() || patterns.iter().any(is_null) {
        return Expr::Value(Value::Null.into());
    }
    let one = |pattern| Expr::Like {
        negated: false,
        any: false,
        expr: expr.clone(),
        pattern: Box::new(pattern),
        escape_char: escape_char.clone(),
    };
    let all = chain(patterns.into_iter().map(one), op);
    if negated { not(all) } else { all }
}

/// How many patterns a text is compared with.
pub(super) fn patterns(pattern: &Expr) -> usize {
    match pattern {
        Expr::Function(function) if is_all(function) => values(function).len(),
        Expr::Tuple(patterns) => patterns.len(),
        _ => 1,
    }
}

fn is_all(function: &Function) -> bool {
    function.name.to_string().eq_ignore_ascii_case("all")
}

/// Truths between one operator.
fn chain(truths: impl Iterator<Item = Expr>, op: BinaryOperator) -> Expr {
    let both = |left, right| Expr::BinaryOp { left: Box::new(left), op: op.clone(), right: Box::new(right) };
    let all = truths.reduce(both).unwrap_or_else(|| Expr::Value(Value::Boolean(true).into()));
    Expr::Nested(Box::new(all))
}

/// The arguments of a call that are values.
fn values(function: &Function) -> Vec<Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let value = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().filter_map(value).collect()
}

/// `(a, b) in ((1, 2), …)` field by field: a null inside makes the answer unknown where the rest is the same.
pub(super) fn of_structs(expr: Expr, list: Vec<Expr>, negated: bool) -> Expr {
    let Some(fields) = fields(&expr) else { return Expr::InList { expr: Box::new(expr), list, negated } };
    let items: Option<Vec<Vec<Expr>>> = list.iter().map(self::fields).collect();
    let Some(items) = items.filter(|items| items.iter().all(|item| item.len() == fields.len())) else {
        return Expr::InList { expr: Box::new(expr), list, negated };
    };
    let same = |(left, right): (&Expr, Expr)| Expr::BinaryOp {
        left: Box::new(left.clone()),
        op: BinaryOperator::Eq,
        right: Box::new(right),
    };
    let item = |item: Vec<Expr>| chain(fields.iter().zip(item).map(same), BinaryOperator::And);
    let found = chain(items.into_iter().map(item), BinaryOperator::Or);
    if negated { not(found) } else { found }
}

/// Whether what is looked for in a list is looked for field by field.
pub(super) fn is_struct(expr: &Expr) -> bool {
    fields(expr).is_some()
}

/// The fields of `(a, b)` or `struct(a, b)`.
fn fields(expr: &Expr) -> Option<Vec<Expr>> {
    match expr {
        Expr::Tuple(fields) => Some(fields.clone()),
        // By now each value of a struct stands behind its name.
        Expr::Function(function) if function.name.to_string() == "named_struct" => {
            Some(values(function).into_iter().skip(1).step_by(2).collect())
        }
        _ => None,
    }
}

/// `VALUES ('2024-01-05'), (date '2024-01-06')`: what stands in a column with texts is a text.
pub(super) fn rows(values: &mut Values) {
    let is_text =
        |cell: &Expr| matches!(cell, Expr::Value(value) if matches!(value.value, Value::SingleQuotedString(_)));
    let width = values.rows.iter().map(|row| row.content.len()).max().unwrap_or(0);
    for column in 0..width {
        if !values.rows.iter().filter_map(|row| row.content.get(column)).any(is_text) {
            continue;
        }
        for cell in values.rows.iter_mut().filter_map(|row| row.content.get_mut(column)) {
            if !matches!(cell, Expr::Value(_)) && !defaults::is_default(cell) {
                *cell = call("hive_cast", vec![cell.clone(), text("string")]);
            }
        }
    }
}
