//! Rows: `STRUCT<a INT64>(1)` as BigQuery writes it, and `.field` behind anything but a column.

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{AccessExpr, Expr, Ident, StructField, Subscript};

use super::ast::{cast, number, text};
use crate::name_resolution::normal;

/// The fields of what is no column by their names, as the planner takes them: those of a column it finds itself. They stay as
/// they are written: names in JSON have letter case.
pub(super) fn named(root: &Expr, access_chain: &mut [AccessExpr]) {
    let of_column = match root {
        Expr::Identifier(_) => access_chain.iter().take_while(|access| field(access).is_some()).count(),
        _ => 0,
    };
    for access in &mut access_chain[of_column..] {
        if let Some(name) = field(access) {
            *access = AccessExpr::Dot(text(&name.value));
        }
    }
}

/// `list[2:]` and `list[:-2]`, as DuckDB and PostgreSQL write them, with both ends.
pub(super) fn ends(access_chain: &mut [AccessExpr]) {
    for access in access_chain {
        if let AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride: None }) = access {
            lower_bound.get_or_insert_with(|| number("1"));
            upper_bound.get_or_insert_with(|| number("-1"));
        }
    }
}

fn field(access: &AccessExpr) -> Option<&Ident> {
    match access {
        AccessExpr::Dot(Expr::Identifier(name)) => Some(name),
        _ => None,
    }
}

/// The values of a row with the names and the types that stand before them. A column gives its field its name; names without
/// quotes have no letter case.
pub(super) fn row(values: &mut [Expr], fields: &mut Vec<StructField>) {
    if fields.len() == values.len() {
        for (value, field) in values.iter_mut().zip(fields.drain(..)) {
            let typed = cast(value.clone(), field.field_type);
            *value = match field.field_name {
                Some(name) => Expr::Named { expr: Box::new(typed), name },
                None => typed,
            };
        }
    }
    for value in values {
        let name = match &*value {
            Expr::Named { name, .. } | Expr::Identifier(name) => name,
            Expr::CompoundIdentifier(parts) => match parts.last() {
                Some(name) => name,
                None => continue,
            },
            _ => continue,
        };
        let name = Ident { value: normal(name), ..name.clone() };
        let expr = match std::mem::replace(value, Expr::Wildcard(AttachedToken::empty())) {
            Expr::Named { expr, .. } => expr,
            column => Box::new(column),
        };
        *value = Expr::Named { expr, name };
    }
}

/// The rows of a list under the names of the first one: `[STRUCT(1 AS a, 2 AS b), (3, 4)]`.
pub(super) fn tuples(rows: &mut [Expr]) {
    let Some((Expr::Struct { values, fields }, others)) = rows.split_first_mut() else { return };
    let names: Option<Vec<Ident>> = match fields.is_empty() {
        true => values
            .iter()
            .map(|value| match value {
                Expr::Named { name, .. } | Expr::Identifier(name) => Some(name.clone()),
                Expr::CompoundIdentifier(parts) => parts.last().cloned(),
                _ => None,
            })
            .collect(),
        false => fields.iter().map(|field| field.field_name.clone()).collect(),
    };
    let Some(names) = names else { return };
    let unnamed = |values: &[Expr]| !values.iter().any(|value| matches!(value, Expr::Named { .. }));
    for row in others {
        let values = match &*row {
            Expr::Tuple(values) => values,
            Expr::Struct { values, fields } if fields.is_empty() && unnamed(values) => values,
            _ => continue,
        };
        if values.len() == names.len() {
            let named = values.iter().zip(&names);
            let named = named.map(|(value, name)| Expr::Named { expr: Box::new(value.clone()), name: name.clone() });
            *row = Expr::Struct { values: named.collect(), fields: Vec::new() };
        }
    }
}
