//! Compares rows of different engines in a normal form.

use serde_json::Value;

use super::ast::Query;
use super::values::Type;
use crate::slt::written;

/// The rows as text, sorted unless the query orders them.
pub fn normal(rows: &[Vec<Value>], query: &Query, digits: usize) -> Vec<String> {
    let types = query.types();
    let row = |row: &Vec<Value>| {
        let cells: Vec<String> = row.iter().zip(&types).map(|(value, of)| cell(value, *of, digits)).collect();
        cells.join("\t")
    };
    let mut rows: Vec<String> = rows.iter().map(row).collect();
    if query.order.is_empty() {
        rows.sort();
    }
    rows
}

/// Whether two answers are equal. Doubles may differ in their last digits.
pub fn same(one: &[Vec<Value>], other: &[Vec<Value>], query: &Query) -> bool {
    one.len() == other.len()
        && [9, 7].into_iter().any(|digits| normal(one, query, digits) == normal(other, query, digits))
}

fn cell(value: &Value, of: Type, digits: usize) -> String {
    let text = match value {
        Value::Null => return "NULL".to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| cell(item, Type::Int, digits)).collect();
            return format!("[{}]", items.join(","));
        }
        Value::String(text) => written(text),
        other => other.to_string(),
    };
    match of {
        Type::Double => match text.parse::<f64>() {
            // The rounding error of a sum that is zero.
            Ok(number) if number.abs() < 1e-12 => "0".to_string(),
            Ok(number) => format!("{number:.*e}", digits - 1),
            Err(_) => text,
        },
        Type::Int | Type::Big | Type::Decimal | Type::Wei | Type::Huge => plain_number(&text),
        // The number of fractional digits depends on the type of the time.
        Type::Time if text.contains('.') => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        _ => text,
    }
}

/// A number without leading and trailing zeros.
fn plain_number(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let trimmed = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    let trimmed = trimmed.trim_start_matches('0');
    match trimmed {
        "" => "0".to_string(),
        fraction if fraction.starts_with('.') => format!("{sign}0{fraction}"),
        number => format!("{sign}{number}"),
    }
}
