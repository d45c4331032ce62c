//! Parts of JSON by signs: `j -> 'a' ->> 0` and `j #>> '{a,0}'` of PostgreSQL and DuckDB, `j:a.b[0]` of Snowflake, as
//! calls of `json_extract`. What `->>` and `#>>` answer is a text.

use datafusion::sql::sqlparser::ast::{BinaryOperator, DataType, Expr, JsonPathElem, Value};

use super::ast::{call, cast, text};
use crate::arrows::PART;

/// An expression with such signs as a call; `None` leaves it.
pub(super) fn access(expr: &Expr) -> Option<Expr> {
    use BinaryOperator::{Custom, HashArrow, HashLongArrow, LongArrow};
    match expr {
        Expr::BinaryOp { left, op, right } if *op == LongArrow || matches!(op, Custom(sign) if sign == PART) => {
            let found = call("json_extract", vec![left.as_ref().clone(), text(&step(right)?)]);
            Some(if *op == LongArrow { as_text(found) } else { found })
        }
        Expr::BinaryOp { left, op: op @ (HashArrow | HashLongArrow), right } => {
            let path = string(right)?.strip_prefix('{')?.strip_suffix('}')?.to_string();
            let steps = path.split(',').map(|part| named(part.trim(), true)).collect::<Option<String>>()?;
            let found = call("json_extract", vec![left.as_ref().clone(), text(&format!("${steps}"))]);
            Some(if *op == HashLongArrow { as_text(found) } else { found })
        }
        Expr::JsonAccess { value, path } => {
            let steps = path.path.iter().map(|part| match part {
                JsonPathElem::Dot { key, .. } => named(key, false),
                JsonPathElem::Bracket { key } | JsonPathElem::ColonBracket { key } => {
                    step(key).map(|path| path[1..].to_string())
                }
            });
            let steps = steps.collect::<Option<String>>()?;
            Some(call("json_extract", vec![value.as_ref().clone(), text(&format!("${steps}"))]))
        }
        _ => None,
    }
}

/// What Snowflake compares with a text is the text that stands in the quotes: `j:a = 'c'`. Beside a number it stays JSON, which
/// is compared as a number then.
pub(super) fn beside_texts(expr: &mut Expr) {
    use BinaryOperator::{Eq, Gt, GtEq, Lt, LtEq, NotEq};
    match expr {
        Expr::BinaryOp { left, op: Eq | NotEq | Lt | LtEq | Gt | GtEq, right } => {
            if !is_number(right) {
                part_as_text(left);
            }
            if !is_number(left) {
                part_as_text(right);
            }
        }
        Expr::InList { expr, list, .. } if !list.iter().any(is_number) => part_as_text(expr),
        Expr::Between { expr, low, high, .. } if !is_number(low) && !is_number(high) => part_as_text(expr),
        Expr::Like { expr, .. } | Expr::ILike { expr, .. } | Expr::RLike { expr, .. } => part_as_text(expr),
        Expr::Case { operand: Some(operand), conditions, .. }
            if !conditions.iter().any(|when| is_number(&when.condition)) =>
        {
            part_as_text(operand);
        }
        _ => {}
    }
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::Number(..) | Value::Boolean(_)),
        Expr::UnaryOp { expr, .. } | Expr::Nested(expr) => is_number(expr),
        _ => false,
    }
}

fn part_as_text(expr: &mut Expr) {
    match expr {
        Expr::Nested(inner) => part_as_text(inner),
        Expr::JsonAccess { .. } => *expr = as_text(expr.clone()),
        _ => {}
    }
}

/// A key or the place of an item as a path.
fn step(key: &Expr) -> Option<String> {
    let Expr::Value(value) = key else { return None };
    match &value.value {
        Value::SingleQuotedString(name) => named(name, false).map(|step| format!("${step}")),
        Value::Number(place, _) => place.parse::<i32>().ok().map(|place| format!("$[{place}]")),
        _ => None,
    }
}

fn string(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// One step of a path; digits are a place where `places`.
fn named(name: &str, places: bool) -> Option<String> {
    if places && name.parse::<i32>().is_ok() {
        return Some(format!("[{name}]"));
    }
    match (name.contains('"'), name.contains('\'')) {
        (false, _) => Some(format!("[\"{name}\"]")),
        (true, false) => Some(format!("['{name}']")),
        (true, true) => None,
    }
}

/// JSON as a text: what stands in quotes there without them.
fn as_text(json: Expr) -> Expr {
    cast(json, DataType::Varchar(None))
}
