//! The word `DEFAULT` in place of a value: the default of the column, or null.

use arrow::datatypes::Field;
use datafusion::sql::sqlparser::ast::{Expr, Query, SetExpr};

use crate::ast::{cast, null, text};
use quarry_functions::hive::types;
use quarry_types::Result;

/// Whether a value is the word DEFAULT.
pub(crate) fn is_default(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(expr) => is_default(expr),
        Expr::Identifier(name) => name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default"),
        _ => false,
    }
}

/// The default of a column.
pub(crate) fn default_value(field: &Field) -> Result<Expr> {
    match types::default(field) {
        Some(value) => cast(text(&value), &types::written(field)).map_err(|error| *error),
        None => Ok(null()),
    }
}

/// A value for a column: its default for DEFAULT, else cast to the type of the column.
pub(crate) fn column_value(field: &Field, value: Expr) -> Result<Expr> {
    if is_default(&value) {
        return default_value(field);
    }
    let data_type = types::written(field);
    let is_known = types::field("value", &data_type).is_some();
    if is_known { cast(value, &data_type).map_err(|error| *error) } else { Ok(value) }
}

/// The number of columns of a VALUES query that has DEFAULT in it.
pub(crate) fn width_with_defaults(query: &Query) -> Option<usize> {
    let SetExpr::Values(values) = query.body.as_ref() else { return None };
    let has_default = values.rows.iter().any(|row| row.content.iter().any(is_default));
    has_default.then(|| values.rows.first().map_or(0, |row| row.content.len()))
}

/// Replaces DEFAULT in a VALUES query; `field` is the column of the table for a position in a row.
pub(crate) fn fill_defaults<'a>(query: &mut Query, field: impl Fn(usize) -> Option<&'a Field>) -> Result<()> {
    let SetExpr::Values(values) = query.body.as_mut() else { return Ok(()) };
    for row in &mut values.rows {
        for (position, cell) in row.content.iter_mut().enumerate().filter(|(_, cell)| is_default(cell)) {
            if let Some(field) = field(position) {
                *cell = default_value(field)?;
            }
        }
    }
    Ok(())
}
