//! Set-returning functions that are read like tables: `generate_series(1, 3)`, `unnest('{a,b}')`. SQLite has none of them, so
//! their rows are written into the query.

use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, TableAlias, TableFactor};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use super::arrays;
use super::rewrite::{bound_items, literal, placeholder, quoted, whole};

/// Functions of arrays and series; all others that are read like tables are tables of the catalog.
const FUNCTIONS: [&str; 4] = ["_pg_expandarray", "generate_series", "generate_subscripts", "unnest"];
/// Maximum rows of a call.
const ROWS: usize = 10_000;

pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// The subquery in place of a call, whose arguments are already rewritten. `numbered` adds a column that counts the rows.
pub fn subquery(name: &str, args: &[Expr], alias: Option<&TableAlias>, numbered: bool) -> Result<TableFactor, String> {
    let names = names(name, alias, numbered);
    if name == "unnest" && args.len() > 1 {
        return Err("it takes several arrays apart".to_string());
    }
    let text = match args.first().and_then(placeholder) {
        Some(array) if name != "generate_series" => of_bound(name, &array, &names),
        _ => of_rows(&rows(name, args)?, &names),
    };
    let parsed = Parser::new(&PostgreSqlDialect {}).try_with_sql(&text).and_then(|mut parser| parser.parse_query());
    let subquery = parsed.map_err(|_| format!("it reads the function {name} like a table"))?;
    let alias = alias.cloned().map(|alias| TableAlias { columns: Vec::new(), ..alias });
    Ok(TableFactor::Derived { lateral: false, subquery, alias, sample: None })
}

/// The arguments of a call.
pub fn arguments(args: &[FunctionArg]) -> Vec<Expr> {
    let expr = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    args.iter().filter_map(expr).collect()
}

/// The names of the columns. A function with one column gives it the name of the table.
fn names(name: &str, alias: Option<&TableAlias>, numbered: bool) -> Vec<String> {
    let own: &[&str] = if name == "_pg_expandarray" { &["x", "n"] } else { &[name] };
    let mut names: Vec<String> = own.iter().map(ToString::to_string).collect();
    if let (Some(alias), [only]) = (alias, names.as_mut_slice()) {
        only.clone_from(&alias.name.value);
    }
    if numbered {
        names.push("ordinality".to_string());
    }
    for (name, column) in names.iter_mut().zip(alias.iter().flat_map(|alias| &alias.columns)) {
        name.clone_from(&column.name.value);
    }
    names
}

/// The rows of a call with constant arguments, as SQL. Array columns of the catalog are null, and have no rows.
fn rows(name: &str, args: &[Expr]) -> Result<Vec<Vec<String>>, String> {
    if name == "generate_series" {
        return Ok(series(args)?.into_iter().map(|number| vec![number.to_string()]).collect());
    }
    let items = args.first().and_then(literal).and_then(|text| arrays::items(&text)).unwrap_or_default();
    let row = |(place, item): (usize, String)| match name {
        "generate_subscripts" => vec![(place + 1).to_string()],
        "_pg_expandarray" => vec![quoted(&item), (place + 1).to_string()],
        _ => vec![quoted(&item)],
    };
    Ok(items.into_iter().enumerate().map(row).collect())
}

/// The numbers of `generate_series`.
fn series(args: &[Expr]) -> Result<Vec<i64>, String> {
    // A series without a known end has no rows.
    if args.iter().any(is_null) {
        return Ok(Vec::new());
    }
    let numbers = args.iter().map(whole).collect::<Option<Vec<i64>>>();
    let (from, to, step) = match numbers.as_deref() {
        Some([from, to]) => (*from, *to, 1),
        Some([from, to, step]) if *step != 0 => (*from, *to, *step),
        _ => return Err("it has a series whose bounds are not constant whole numbers".to_string()),
    };
    let within = |number: &i64| if step > 0 { *number <= to } else { *number >= to };
    let numbers = std::iter::successors(Some(from), |last| last.checked_add(step)).take_while(within);
    let numbers: Vec<i64> = numbers.take(ROWS + 1).collect();
    if numbers.len() > ROWS {
        return Err(format!("it has a series of more than {ROWS} numbers"));
    }
    Ok(numbers)
}

fn is_null(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_null(inner),
        other => other.to_string().eq_ignore_ascii_case("null"),
    }
}

/// The query for constant rows.
fn of_rows(rows: &[Vec<String>], names: &[String]) -> String {
    if rows.is_empty() {
        let columns: Vec<String> = names.iter().map(|name| format!("null as {}", identifier(name))).collect();
        return format!("select {} where 1 = 0", columns.join(", "));
    }
    let columns = names.iter().enumerate().map(|(place, name)| format!("column{} as {}", place + 1, identifier(name)));
    let row = |(place, row): (usize, &Vec<String>)| {
        // WITH ORDINALITY adds the row number as the last column.
        let number = (row.len() < names.len()).then(|| (place + 1).to_string());
        format!("({})", row.iter().cloned().chain(number).collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
    format!("select {} from (values {})", columns.collect::<Vec<_>>().join(", "), rows.join(", "))
}

/// The query for the items of a bound array.
fn of_bound(name: &str, value: &str, names: &[String]) -> String {
    let first = if name == "generate_subscripts" { "key + 1" } else { "value" };
    // The last one is the row number of WITH ORDINALITY.
    let columns = [first, "key + 1", "key + 1"].into_iter().zip(names);
    let columns = columns.map(|(column, name)| format!("{column} as {}", identifier(name)));
    format!("select {} from {}", columns.collect::<Vec<_>>().join(", "), bound_items(value))
}

fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
