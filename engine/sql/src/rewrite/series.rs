//! Functions that count, after FROM: `generate_series(first, last, step)` as in PostgreSQL, whose one column is called like its
//! alias, `TABLE(sequence(…))` as in Trino, `TABLE(GENERATOR(…))` as in Snowflake, and lists counted up that stand there
//! without `UNNEST`.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectName,
    Select, TableAlias, TableAliasColumnDef, TableFactor, TimezoneInfo, UnaryOperator, Value,
};

use super::ast::{binary, call, cast, number, tables};
use crate::ast_visitor::visit_expressions_mut;

const SERIES: &str = "generate_series";
const SEQUENCE: &str = "sequence";
/// Functions of lists that stand after FROM as they are.
const LISTS: [&str; 3] = ["generate_array", "generate_date_array", "generate_timestamp_array"];
/// What Trino calls the arguments of `sequence`, and its column.
const NAMES: [&str; 3] = ["start", "stop", "step"];
const NUMBER: &str = "sequential_number";
/// Snowflake's function that makes rows, and what their numbers are called.
const GENERATOR: &str = "generator";
const ROW: &str = "seq4";

/// Names the columns of such tables of a SELECT, and makes lists of those that count anything but numbers that are written
/// out: these the planner counts without keeping them.
pub(super) fn generated(select: &mut Select) {
    let mut numbered = false;
    for table in tables(select) {
        if let Some(rows) = rows(table) {
            *table = rows;
            numbered = true;
        } else if let Some(named) = named(table) {
            *table = named;
        }
    }
    if numbered {
        number_rows(select);
    }
}

/// Snowflake's `TABLE(GENERATOR(ROWCOUNT => n))`, with the numbers of its rows for a column.
fn rows(table: &TableFactor) -> Option<TableFactor> {
    let TableFactor::TableFunction { expr: Expr::Function(Function { name, args, .. }), alias } = table else {
        return None;
    };
    let (true, FunctionArguments::List(list)) = (name.to_string().eq_ignore_ascii_case(GENERATOR), args) else {
        return None;
    };
    let [FunctionArg::Named { name, arg: FunctionArgExpr::Expr(count), .. }] = list.args.as_slice() else {
        return None;
    };
    let last = binary(count.clone(), BinaryOperator::Minus, number("1"));
    let alias = TableAlias {
        explicit: true,
        name: alias.as_ref().map_or_else(|| Ident::new(GENERATOR), |alias| alias.name.clone()),
        columns: vec![TableAliasColumnDef { name: Ident::new(ROW), data_type: None }],
        at: None,
    };
    name.value.eq_ignore_ascii_case("rowcount").then(|| unnest(call(LISTS[0], vec![number("0"), last]), alias, false))
}

/// `seq4()` is the number of a row of a generator, counted from 0.
fn number_rows(select: &mut Select) {
    let _: ControlFlow<()> = visit_expressions_mut(select, |expr| {
        if let Expr::Function(Function { name, .. }) = expr
            && ["seq1", "seq2", ROW, "seq8"].iter().any(|known| name.to_string().eq_ignore_ascii_case(known))
        {
            *expr = Expr::Identifier(Ident::new(ROW));
        }
        ControlFlow::Continue(())
    });
}

fn unnest(list: Expr, alias: TableAlias, with_ordinality: bool) -> TableFactor {
    TableFactor::UNNEST {
        alias: Some(alias),
        array_exprs: vec![list],
        with_offset: false,
        with_offset_alias: None,
        with_ordinality,
    }
}

fn named(table: &mut TableFactor) -> Option<TableFactor> {
    let of_trino = matches!(table, TableFactor::TableFunction { .. });
    let (name, args, alias, with_ordinality) = parts(table)?;
    let function =
        [SERIES, SEQUENCE].iter().chain(&LISTS).find(|known| name.to_string().eq_ignore_ascii_case(known))?;
    let args = arguments(args)?;
    let alias = alias.get_or_insert_with(|| TableAlias {
        explicit: true,
        name: Ident::new(*function),
        columns: Vec::new(),
        at: None,
    });
    if alias.columns.is_empty() {
        let name = if of_trino { Ident::new(NUMBER) } else { alias.name.clone() };
        alias.columns.push(TableAliasColumnDef { name, data_type: None });
    }
    if *function == SERIES && !with_ordinality && args.iter().all(is_number) {
        return None;
    }
    let list = match *function {
        SERIES => series(args),
        function => call(function, args),
    };
    Some(unnest(list, alias.clone(), with_ordinality))
}

/// The name and the arguments of a function after FROM, its alias, and whether its rows are counted.
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

/// The arguments in their order.
fn arguments(args: &[FunctionArg]) -> Option<Vec<Expr>> {
    let mut ordered: Vec<Option<Expr>> = vec![None; args.len()];
    for (place, arg) in args.iter().enumerate() {
        let (place, value) = match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => (place, value),
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => {
                (NAMES.iter().position(|known| name.value.eq_ignore_ascii_case(known))?, value)
            }
            _ => return None,
        };
        *ordered.get_mut(place)? = Some(value.clone());
    }
    ordered.into_iter().collect()
}

/// Of a series that is a list, `generate_series(first, last, '1 day')`, the step is a length of time too, and an end that is
/// written as a text a time.
pub(super) fn stepped(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(first)), FunctionArg::Unnamed(FunctionArgExpr::Expr(last)), step] =
        list.args.as_mut_slice()
    else {
        return;
    };
    let FunctionArg::Unnamed(FunctionArgExpr::Expr(step)) = step else { return };
    if !function.name.to_string().eq_ignore_ascii_case(SERIES) {
        return;
    }
    length(step);
    if is_length(step) {
        [first, last].into_iter().filter(|end| is_text(end)).for_each(in_time);
    }
}

/// A step that is written as a text is a length of time.
fn length(step: &mut Expr) {
    if is_text(step) {
        *step = cast(step.clone(), DataType::Interval { fields: None, precision: None });
    }
}

fn in_time(end: &mut Expr) {
    *end = cast(end.clone(), DataType::Timestamp(None, TimezoneInfo::None));
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(value.value, Value::SingleQuotedString(_)))
}

fn is_length(expr: &Expr) -> bool {
    matches!(expr, Expr::Interval(_) | Expr::Cast { data_type: DataType::Interval { .. }, .. })
}

/// PostgreSQL counts nothing when the step leads away from the last one, and times where the step is one of time.
fn series(mut args: Vec<Expr>) -> Expr {
    if let [first, last, step] = args.as_mut_slice() {
        length(step);
        if is_length(step) {
            [first, last].into_iter().for_each(in_time);
        }
    }
    call(LISTS[0], args)
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::Number(..)),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => is_number(expr),
        _ => false,
    }
}
