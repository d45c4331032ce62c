//! Functions in FROM that count: `generate_series(first, last, step)` as in PostgreSQL, whose one column has the name of its
//! alias, `LATERAL unnest(…)`, `TABLE(sequence(…))` as in Trino, `TABLE(GENERATOR(…))` as in Snowflake, and lists without `UNNEST`.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName,
    Select, TableAlias, TableFactor, TimezoneInfo, UnaryOperator,
};

use super::ast::{argument, binary, call, cast, change_all, digits_of, is_named, number, table_alias, tables, text_of};

const UNNEST: &str = "unnest";
const SERIES: &str = "generate_series";
const SEQUENCE: &str = "sequence";
/// Functions that return lists.
const LISTS: [&str; 3] = ["generate_array", "generate_date_array", "generate_timestamp_array"];
/// Trino's names of the arguments of `sequence`, and of its column.
const SEQUENCE_ARGUMENTS: [&str; 3] = ["start", "stop", "step"];
const SEQUENCE_COLUMN: &str = "sequential_number";
/// Snowflake's function that makes rows, and its functions that number them.
const GENERATOR: &str = "generator";
const ROW_NUMBERS: [&str; 4] = ["seq4", "seq1", "seq2", "seq8"];

/// Unnests lists in place of such functions, and names their columns. A `generate_series` of number literals stays: the planner
/// counts it row by row.
pub(super) fn unnest(select: &mut Select) {
    let mut has_generator = false;
    for table in tables(select) {
        if let Some(rows) = generator_rows(table) {
            *table = rows;
            has_generator = true;
        } else if let Some(unnested) = lateral_unnest(table).or_else(|| unnested(table)) {
            *table = unnested;
        }
    }
    if has_generator {
        // `seq4()` is the number of a row, from 0.
        change_all(select, |expr| {
            if let Expr::Function(Function { name, .. }) = expr
                && ROW_NUMBERS.iter().any(|function| is_named(name, function))
            {
                *expr = Expr::Identifier(Ident::new(ROW_NUMBERS[0]));
            }
        });
    }
}

/// Snowflake's `TABLE(GENERATOR(ROWCOUNT => n))`, with a column of row numbers.
fn generator_rows(table: &TableFactor) -> Option<TableFactor> {
    let TableFactor::TableFunction {
        expr: Expr::Function(Function { name, args: FunctionArguments::List(list), .. }),
        alias,
    } = table
    else {
        return None;
    };
    match list.args.as_slice() {
        [FunctionArg::Named { name: argument, arg: FunctionArgExpr::Expr(count), .. }]
            if is_named(name, GENERATOR) && argument.value.eq_ignore_ascii_case("rowcount") =>
        {
            let last = binary(count.clone(), BinaryOperator::Minus, number(1));
            let name = alias.as_ref().map_or_else(|| Ident::new(GENERATOR), |alias| alias.name.clone());
            let alias = table_alias(name, [Ident::new(ROW_NUMBERS[0])]);
            Some(unnest_of(call(LISTS[0], vec![number(0), last]), alias, false))
        }
        _ => None,
    }
}

fn unnest_of(list: Expr, alias: TableAlias, with_ordinality: bool) -> TableFactor {
    TableFactor::UNNEST {
        alias: Some(alias),
        array_exprs: vec![list],
        with_offset: false,
        with_offset_alias: None,
        with_ordinality,
    }
}

/// `LATERAL unnest(list)`, which the parser takes for any function. An UNNEST sees the tables before it anyway.
fn lateral_unnest(table: &TableFactor) -> Option<TableFactor> {
    let TableFactor::Function { name, args, alias, with_ordinality, .. } = table else { return None };
    let lists: Option<Vec<Expr>> = args.iter().map(|arg| argument(arg).cloned()).collect();
    let array_exprs = lists.filter(|lists| is_named(name, UNNEST) && !lists.is_empty())?;
    Some(TableFactor::UNNEST {
        alias: alias.clone(),
        array_exprs,
        with_offset: false,
        with_offset_alias: None,
        with_ordinality: *with_ordinality,
    })
}

fn unnested(table: &mut TableFactor) -> Option<TableFactor> {
    let is_trino = matches!(table, TableFactor::TableFunction { .. });
    let (name, args, alias, with_ordinality) = parts(table)?;
    let function = [SERIES, SEQUENCE].into_iter().chain(LISTS).find(|known| is_named(name, known))?;
    let args = ordered_arguments(args)?;
    let alias = alias.get_or_insert_with(|| table_alias(Ident::new(function), []));
    if alias.columns.is_empty() {
        let column = if is_trino { Ident::new(SEQUENCE_COLUMN) } else { alias.name.clone() };
        *alias = table_alias(alias.name.clone(), [column]);
    }
    if function == SERIES && !with_ordinality && args.iter().all(is_number) {
        return None;
    }
    let list = if function == SERIES { series_list(args) } else { call(function, args) };
    Some(unnest_of(list, alias.clone(), with_ordinality))
}

/// The name, arguments and alias of a function in FROM, and whether it has ordinality.
fn parts(table: &mut TableFactor) -> Option<(&ObjectName, &[FunctionArg], &mut Option<TableAlias>, bool)> {
    match table {
        TableFactor::Table { name, args: Some(args), alias, with_ordinality, .. } => {
            Some((&*name, args.args.as_slice(), alias, *with_ordinality))
        }
        TableFactor::Function { name, args, alias, with_ordinality, .. } => {
            Some((&*name, args.as_slice(), alias, *with_ordinality))
        }
        TableFactor::TableFunction {
            expr: Expr::Function(Function { name, args: FunctionArguments::List(list), .. }),
            alias,
        } => Some((&*name, list.args.as_slice(), alias, false)),
        _ => None,
    }
}

/// The arguments in the order of `sequence`.
fn ordered_arguments(args: &[FunctionArg]) -> Option<Vec<Expr>> {
    let mut ordered: Vec<Option<Expr>> = vec![None; args.len()];
    for (index, arg) in args.iter().enumerate() {
        let (index, value) = match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => (index, value),
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => {
                (SEQUENCE_ARGUMENTS.iter().position(|known| name.value.eq_ignore_ascii_case(known))?, value)
            }
            _ => return None,
        };
        *ordered.get_mut(index)? = Some(value.clone());
    }
    ordered.into_iter().collect()
}

/// `generate_series(first, last, '1 day')` as a value: its step is an interval, and ends that are text are times.
pub(super) fn cast_series_arguments(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    let [
        FunctionArg::Unnamed(FunctionArgExpr::Expr(first)),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(last)),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(step)),
    ] = list.args.as_mut_slice()
    else {
        return;
    };
    if is_named(&function.name, SERIES) {
        text_to_interval(step);
        if is_interval(step) {
            [first, last].into_iter().filter(|end| text_of(end).is_some()).for_each(cast_to_time);
        }
    }
}

/// The same in FROM, where all ends are times if the step is an interval. As in PostgreSQL, a series has no rows if its step leads
/// away from its last value.
fn series_list(mut args: Vec<Expr>) -> Expr {
    if let [first, last, step] = args.as_mut_slice() {
        text_to_interval(step);
        if is_interval(step) {
            [first, last].into_iter().for_each(cast_to_time);
        }
    }
    call(LISTS[0], args)
}

fn text_to_interval(step: &mut Expr) {
    if text_of(step).is_some() {
        *step = cast(step.clone(), DataType::Interval { fields: None, precision: None });
    }
}

fn cast_to_time(end: &mut Expr) {
    *end = cast(end.clone(), DataType::Timestamp(None, TimezoneInfo::None));
}

fn is_interval(expr: &Expr) -> bool {
    matches!(expr, Expr::Interval(_) | Expr::Cast { data_type: DataType::Interval { .. }, .. })
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => is_number(expr),
        other => digits_of(other).is_some(),
    }
}
