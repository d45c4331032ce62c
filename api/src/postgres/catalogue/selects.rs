//! The results of a SELECT: their names, and set-returning functions among them.

use sqlparser::ast::{
    Expr, FunctionArguments, Ident, Select, SelectItem, SetExpr, TableAlias, TableAliasColumnDef, TableFactor,
    TableWithJoins,
};

use super::rewrite::{last_name, whole};
use super::tables;

/// The table that is made of a set-returning function.
const SERIES: &str = "series of the results";

/// Prepares the results of a query, on both sides of a UNION.
pub fn prepare(body: &mut SetExpr) {
    match body {
        SetExpr::Select(select) => {
            select.projection.iter_mut().for_each(name);
            join_series(select);
        }
        SetExpr::SetOperation { left, right, .. } => [left, right].into_iter().for_each(|side| prepare(side)),
        _ => {}
    }
}

/// Names a result as PostgreSQL does: in lowercase, even if the name is a keyword of SQLite (`AS DEFAULT`). A call without an
/// alias is named after its function.
fn name(item: &mut SelectItem) {
    match item {
        SelectItem::ExprWithAlias { alias, .. } if alias.quote_style.is_none() => {
            *alias = Ident::with_quote('"', alias.value.to_lowercase());
        }
        SelectItem::UnnamedExpr(Expr::Function(call)) => {
            let Some(name) = call.name.0.last().and_then(|part| part.as_ident()) else { return };
            let alias = Ident::with_quote('"', name.value.to_lowercase());
            *item = SelectItem::ExprWithAlias { expr: Expr::Function(call.clone()), alias };
        }
        _ => {}
    }
}

/// `select unnest('{a,b}')` has two rows: the function becomes a table that is joined. One whose argument is a column stays,
/// since array columns of the catalog are null.
fn join_series(select: &mut Select) {
    let mut calls = select.projection.iter_mut().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, .. } => of_constants(expr).map(|table| (expr, table)),
        _ => None,
    });
    // PostgreSQL reads several of them side by side.
    let (Some((expr, table)), None) = (calls.next(), calls.next()) else { return };
    *expr = Expr::CompoundIdentifier([SERIES, SERIES].map(|name| Ident::with_quote('"', name)).into());
    select.from.push(TableWithJoins { relation: table, joins: Vec::new() });
}

/// A call of constants as a table.
fn of_constants(expr: &Expr) -> Option<TableFactor> {
    let Expr::Function(call) = expr else { return None };
    let FunctionArguments::List(list) = &call.args else { return None };
    // The rows of `_pg_expandarray` are records, of which only the parts have values.
    if !tables::is_function(&last_name(&call.name)) || last_name(&call.name) == "_pg_expandarray" {
        return None;
    }
    if !tables::arguments(&list.args).iter().all(is_constant) {
        return None;
    }
    let name = Ident::with_quote('"', SERIES);
    let columns = vec![TableAliasColumnDef { name: name.clone(), data_type: None }];
    let alias = Some(TableAlias { explicit: true, name, columns, at: None });
    let (name, args) = (call.name.clone(), list.args.clone());
    Some(TableFactor::Function { lateral: false, name, args, with_ordinality: false, alias })
}

/// Whether an argument is the same in every row.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_constant(inner),
        Expr::Value(_) => true,
        Expr::Array(array) => array.elem.iter().all(is_constant),
        Expr::Function(call) => match &call.args {
            FunctionArguments::List(list) => tables::arguments(&list.args).iter().all(is_constant),
            _ => false,
        },
        other => whole(other).is_some(),
    }
}
