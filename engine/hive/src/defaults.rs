//! The word `DEFAULT` in the place of a value: what the column gets by itself, null where nothing was written for it.

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::ast::{Expr, Query, SetExpr, Value};

use super::build::{text, typed};
use quarry_functions::hive::types;
use quarry_types::Result;

/// Whether a value is the word DEFAULT.
pub(super) fn is_default(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(expr) => is_default(expr),
        Expr::Identifier(name) => name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default"),
        _ => false,
    }
}

/// What a column gets by itself.
pub(super) fn value(field: &Field) -> Result<Expr> {
    match types::default(field) {
        Some(value) => typed(text(&value), &types::written(field)).map_err(|error| *error),
        None => Ok(Expr::Value(Value::Null.into())),
    }
}

/// Whether a query is rows of values in which DEFAULT stands.
pub(super) fn stands_in(query: &Query) -> Option<usize> {
    let SetExpr::Values(values) = query.body.as_ref() else { return None };
    let found = values.rows.iter().any(|row| row.content.iter().any(is_default));
    found.then(|| values.rows.first().map_or(0, |row| row.content.len()))
}

/// Puts into rows of values what the columns get by themselves; `field` tells the column of the table by the place.
pub(super) fn fill<'a>(query: &mut Query, field: impl Fn(usize) -> Option<&'a Field>) -> Result<()> {
    let SetExpr::Values(values) = query.body.as_mut() else { return Ok(()) };
    for row in &mut values.rows {
        for (place, cell) in row.content.iter_mut().enumerate().filter(|(_, cell)| is_default(cell)) {
            if let Some(field) = field(place) {
                *cell = value(field)?;
            }
        }
    }
    Ok(())
}
