//! Struct literals as BigQuery writes them, `STRUCT<a INT64>(1)`, fields by `.name` of any expression, and slices of lists.

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{AccessExpr, Expr, Ident, StructField, Subscript};

use super::ast::{cast, number, text};
use crate::names::relation::normal;

/// Writes fields and slices as the planner reads them: the fields of an expression by their names as text, since the planner
/// resolves only those of columns itself, and slices such as `list[2:]` and `list[:-2]` with both ends. Field names keep their
/// letter case, which counts in JSON.
pub(super) fn rewrite_access(root: &Expr, access_chain: &mut [AccessExpr]) {
    let is_field = |access: &AccessExpr| matches!(access, AccessExpr::Dot(Expr::Identifier(_)));
    let of_column = match root {
        Expr::Identifier(_) => access_chain.iter().take_while(|access| is_field(access)).count(),
        _ => 0,
    };
    for (index, access) in access_chain.iter_mut().enumerate() {
        match access {
            AccessExpr::Dot(Expr::Identifier(name)) if index >= of_column => {
                *access = AccessExpr::Dot(text(&name.value))
            }
            AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride: None }) => {
                lower_bound.get_or_insert_with(|| number(1));
                upper_bound.get_or_insert_with(|| number(-1));
            }
            _ => {}
        }
    }
}

/// The name of a field by its alias or its column.
fn field_name(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Named { name, .. } | Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(parts) => parts.last(),
        _ => None,
    }
}

/// Gives the values of a struct literal the names and types before them. Names without quotes ignore letter case.
pub(super) fn name_fields(values: &mut [Expr], fields: &mut Vec<StructField>) {
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
        let Some(name) = field_name(value) else { continue };
        let name = Ident { value: normal(name), ..name.clone() };
        let expr = match std::mem::replace(value, Expr::Wildcard(AttachedToken::empty())) {
            Expr::Named { expr, .. } => expr,
            column => Box::new(column),
        };
        *value = Expr::Named { expr, name };
    }
}

/// Gives the structs of a list the field names of the first one: `[STRUCT(1 AS a, 2 AS b), (3, 4)]`.
pub(super) fn name_fields_of_list(items: &mut [Expr]) {
    let Some((Expr::Struct { values, fields }, others)) = items.split_first_mut() else { return };
    let names: Option<Vec<Ident>> = match fields.is_empty() {
        true => values.iter().map(|value| field_name(value).cloned()).collect(),
        false => fields.iter().map(|field| field.field_name.clone()).collect(),
    };
    let Some(names) = names else { return };
    let is_unnamed = |values: &[Expr]| !values.iter().any(|value| matches!(value, Expr::Named { .. }));
    for item in others {
        let values = match &*item {
            Expr::Tuple(values) => values,
            Expr::Struct { values, fields } if fields.is_empty() && is_unnamed(values) => values,
            _ => continue,
        };
        if values.len() == names.len() {
            let named = values.iter().zip(&names);
            let named = named.map(|(value, name)| Expr::Named { expr: Box::new(value.clone()), name: name.clone() });
            *item = Expr::Struct { values: named.collect(), fields: Vec::new() };
        }
    }
}
