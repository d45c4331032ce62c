//! Snowflake's `LATERAL FLATTEN(input => list or JSON) AS f`, whose columns are `f.value`, `f.key`, `f.path` and `f.index`, as
//! `UNNEST`.

use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName, Select, TableAlias,
    TableAliasColumnDef, TableFactor, Value,
};

use super::ast::{call, tables};
use crate::functions::{JSON_ITEMS, JSON_KEYS, JSON_PATHS};

const NAME: &str = "flatten";

/// Writes every such table of a SELECT as `UNNEST`; what is asked for besides is left to the planner, which refuses it.
pub(super) fn flatten(select: &mut Select) {
    for table in tables(select) {
        if let Some(unnest) = unnested(table) {
            *table = unnest;
        }
    }
}

fn unnested(table: &TableFactor) -> Option<TableFactor> {
    let (args, alias) = match table {
        TableFactor::Function { name, args, alias, with_ordinality: false, .. } => {
            (is_flatten(name).then_some(args)?, alias)
        }
        TableFactor::TableFunction { expr: Expr::Function(Function { name, args, .. }), alias } => match args {
            FunctionArguments::List(list) if is_flatten(name) => (&list.args, alias),
            _ => return None,
        },
        _ => return None,
    };
    let input = input(args)?.clone();
    let column = |name: &str| TableAliasColumnDef { name: Ident::new(name), data_type: None };
    let name = alias.as_ref().map_or_else(|| Ident::new(NAME), |alias| alias.name.clone());
    let columns = match alias {
        Some(alias) if !alias.columns.is_empty() => return None,
        _ => vec![column("value"), column("key"), column("path"), column("index")],
    };
    Some(TableFactor::UNNEST {
        alias: Some(TableAlias { explicit: true, name, columns, at: None }),
        array_exprs: [JSON_ITEMS, JSON_KEYS, JSON_PATHS].map(|part| call(part, vec![input.clone()])).into(),
        with_offset: true,
        with_offset_alias: None,
        with_ordinality: false,
    })
}

fn is_flatten(name: &ObjectName) -> bool {
    name.to_string().eq_ignore_ascii_case(NAME)
}

/// The list or the JSON, when nothing else is asked for than what is so without words.
fn input(args: &[FunctionArg]) -> Option<&Expr> {
    let mut input = None;
    for arg in args {
        match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => input = Some(expr),
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(expr), .. } => {
                let usual = matches!(expr, Expr::Value(value) if value.value == Value::Boolean(false));
                match name.value.to_ascii_lowercase().as_str() {
                    "input" => input = Some(expr),
                    "outer" | "recursive" if usual => {}
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    input
}
