//! `generate_series(first, last, step)` after FROM: its one column is called like its alias, as in PostgreSQL.

use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, Ident, Select, TableAlias, TableAliasColumnDef, TableFactor,
};

use super::ast::{call, tables};
use super::unnest::names_columns;

const NAME: &str = "generate_series";

/// Names the columns of such tables of a SELECT; those between values of the row are lists whose items join it.
pub(super) fn generated(select: &mut Select) {
    for table in tables(select) {
        if let Some(named) = named(table) {
            *table = named;
        }
    }
}

fn named(table: &mut TableFactor) -> Option<TableFactor> {
    let (name, args, alias) = match table {
        TableFactor::Table { name, args: Some(args), alias, .. } => (name, &args.args, alias),
        TableFactor::Function { name, args, alias, with_ordinality: false, .. } => (name, &*args, alias),
        _ => return None,
    };
    if !name.to_string().eq_ignore_ascii_case(NAME) {
        return None;
    }
    let alias = alias.get_or_insert_with(|| TableAlias {
        explicit: true,
        name: Ident::new(NAME),
        columns: Vec::new(),
        at: None,
    });
    if alias.columns.is_empty() {
        alias.columns.push(TableAliasColumnDef { name: alias.name.clone(), data_type: None });
    }
    let args: Option<Vec<Expr>> = args.iter().map(value).collect();
    let args = args.filter(|args| args.iter().any(asks))?;
    Some(TableFactor::UNNEST {
        alias: Some(alias.clone()),
        array_exprs: vec![call("sequence", args)],
        with_offset: false,
        with_offset_alias: None,
        with_ordinality: false,
    })
}

fn value(arg: &FunctionArg) -> Option<Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    }
}

/// Whether a bound is one of the row, or asked of a table.
fn asks(expr: &Expr) -> bool {
    let queries = datafusion::sql::sqlparser::ast::visit_expressions(expr, |expr| match expr {
        Expr::Subquery(_) => std::ops::ControlFlow::Break(()),
        _ => std::ops::ControlFlow::Continue(()),
    });
    names_columns(expr) || queries.is_break()
}
