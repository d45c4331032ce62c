//! Parts of JSON by operators: `j -> 'a' ->> 0` and `j #>> '{a,0}'` of PostgreSQL and DuckDB, `j:a.b[0]` of Snowflake. They become
//! calls of `json_extract`; `->>` and `#>>` return a text.

use datafusion::sql::sqlparser::ast::{BinaryOperator, DataType, Expr, JsonPathElem, Value};

use super::ast::{call_with, cast, text, text_of};
use crate::syntax::dialect::JSON_ARROW;

/// An expression with such an operator as a call; `None` for any other expression.
pub(super) fn access(expr: &Expr) -> Option<Expr> {
    use BinaryOperator::{Custom, HashArrow, HashLongArrow, LongArrow};
    let (json, path, returns_text) = match expr {
        Expr::BinaryOp { left, op, right } if *op == LongArrow || matches!(op, Custom(sign) if sign == JSON_ARROW) => {
            (left, step(right)?, *op == LongArrow)
        }
        Expr::BinaryOp { left, op: op @ (HashArrow | HashLongArrow), right } => {
            let steps = text_of(right)?.strip_prefix('{')?.strip_suffix('}')?.split(',').map(|step| {
                let step = step.trim();
                if step.parse::<i32>().is_ok() { Some(format!("[{step}]")) } else { key_step(step) }
            });
            (left, steps.collect::<Option<String>>()?, *op == HashLongArrow)
        }
        Expr::JsonAccess { value, path } => {
            let steps = path.path.iter().map(|part| match part {
                JsonPathElem::Dot { key, .. } => key_step(key),
                JsonPathElem::Bracket { key } | JsonPathElem::ColonBracket { key } => step(key),
            });
            (value, steps.collect::<Option<String>>()?, false)
        }
        _ => return None,
    };
    let part = call_with("json_extract", [json, &text(&format!("${path}"))]);
    Some(if returns_text { as_text(part) } else { part })
}

/// A key or an index as a step of a path.
fn step(key: &Expr) -> Option<String> {
    let Expr::Value(value) = key else { return None };
    match &value.value {
        Value::SingleQuotedString(name) => key_step(name),
        Value::Number(index, _) => index.parse::<i32>().ok().map(|index| format!("[{index}]")),
        _ => None,
    }
}

fn key_step(key: &str) -> Option<String> {
    match (key.contains('"'), key.contains('\'')) {
        (false, _) => Some(format!("[\"{key}\"]")),
        (true, false) => Some(format!("['{key}']")),
        (true, true) => None,
    }
}

/// JSON as a text: a JSON string without its quotes.
fn as_text(json: Expr) -> Expr {
    cast(json, DataType::Varchar(None))
}
