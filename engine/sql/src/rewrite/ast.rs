//! Builders and accessors for nodes of sqlparser's syntax tree.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, GroupByExpr, Ident, ObjectName, ObjectNamePart, OrderByExpr,
    OrderByOptions, Query, Select, SelectItem, TableAlias, TableAliasColumnDef, TableFactor, TableWithJoins,
    UnaryOperator, Value, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec, WindowType,
};

use crate::syntax::visitor::{Node, visit_expressions, visit_expressions_mut};
use quarry_types::{Error, ErrorCode};

pub(super) use crate::syntax::arguments;
pub use crate::syntax::{call, query_of};

pub(super) fn value(value: Value) -> Expr {
    Expr::Value(value.into())
}

pub(super) fn number(digits: impl ToString) -> Expr {
    value(Value::Number(digits.to_string(), false))
}

pub(super) fn text(text: &str) -> Expr {
    value(Value::SingleQuotedString(text.to_string()))
}

pub(super) fn boolean(boolean: bool) -> Expr {
    value(Value::Boolean(boolean))
}

/// The digits of a number literal.
pub(super) fn digits_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => Some(digits),
            _ => None,
        },
        _ => None,
    }
}

/// The text of a literal in single quotes.
pub(super) fn text_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn copies<const N: usize>(exprs: [&Expr; N]) -> Vec<Expr> {
    exprs.into_iter().cloned().collect()
}

/// [`call`] with copies of its arguments.
pub(super) fn call_with<const N: usize>(function: &str, args: [&Expr; N]) -> Expr {
    call(function, copies(args))
}

/// The name of a function in lower case.
pub(super) fn name_of(function: &Function) -> String {
    function.name.to_string().to_ascii_lowercase()
}

pub(super) fn is_named(name: &ObjectName, known: &str) -> bool {
    name.to_string().eq_ignore_ascii_case(known)
}

pub(super) fn same_name(a: &Ident, b: &Ident) -> bool {
    a.value.eq_ignore_ascii_case(&b.value)
}

/// The expression of an argument without a name.
pub(super) fn argument(arg: &FunctionArg) -> Option<&Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// The arguments of a function, if they are expressions without names.
pub(super) fn arguments_of(list: &FunctionArgumentList) -> Option<Vec<&Expr>> {
    list.args.iter().map(argument).collect()
}

pub(super) fn cast(expr: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, array: false, format: None }
}

pub(super) fn nested(expr: Expr) -> Expr {
    Expr::Nested(Box::new(expr))
}

pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(nested(left)), op, right: Box::new(nested(right)) }
}

pub(super) fn and(left: Expr, right: Expr) -> Expr {
    binary(left, BinaryOperator::And, right)
}

pub(super) fn not(condition: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(nested(condition)) }
}

/// A condition or its opposite.
pub(super) fn negated_if(negated: bool, condition: Expr) -> Expr {
    if negated { not(condition) } else { condition }
}

pub(super) fn is_not_null(expr: &Expr) -> Expr {
    Expr::IsNotNull(Box::new(expr.clone()))
}

/// `CASE WHEN condition THEN value ELSE other END`.
pub(super) fn case(condition: Expr, value: Expr, other: Option<Expr>) -> Expr {
    cases(vec![CaseWhen { condition, result: value }], other)
}

pub(super) fn cases(conditions: Vec<CaseWhen>, other: Option<Expr>) -> Expr {
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions,
        else_result: other.map(Box::new),
    }
}

/// Ascending or descending, with nulls last.
pub(super) fn ordered_by(expr: &Expr, ascending: bool) -> OrderByExpr {
    let options = OrderByOptions { asc: Some(ascending), nulls_first: Some(false) };
    OrderByExpr { expr: expr.clone(), options, with_fill: None }
}

/// A window without a frame of its own.
pub(super) fn window(partition_by: Vec<Expr>, order_by: Vec<OrderByExpr>) -> WindowSpec {
    WindowSpec { window_name: None, partition_by, order_by, window_frame: None }
}

/// The frame that holds the whole partition.
pub(super) fn whole_partition() -> WindowFrame {
    WindowFrame {
        units: WindowFrameUnits::Rows,
        start_bound: WindowFrameBound::Preceding(None),
        end_bound: Some(WindowFrameBound::Following(None)),
    }
}

/// A call without arguments over a window, such as `rank()`.
pub(super) fn window_call(function: &str, over: WindowSpec) -> Expr {
    let mut call = call(function, Vec::new());
    if let Expr::Function(function) = &mut call {
        function.over = Some(WindowType::WindowSpec(over));
    }
    call
}

pub(super) fn table_alias(name: Ident, columns: impl IntoIterator<Item = Ident>) -> TableAlias {
    let columns = columns.into_iter().map(|name| TableAliasColumnDef { name, data_type: None });
    TableAlias { explicit: true, name, columns: columns.collect(), at: None }
}

/// A query in FROM.
pub(super) fn derived(subquery: Query, alias: TableAlias) -> TableFactor {
    TableFactor::Derived { lateral: false, subquery: Box::new(subquery), alias: Some(alias), sample: None }
}

pub(super) fn from_one(relation: TableFactor) -> Vec<TableWithJoins> {
    vec![TableWithJoins { relation, joins: Vec::new() }]
}

/// The tables of a SELECT, those of its joins too.
pub(super) fn tables(select: &mut Select) -> impl Iterator<Item = &mut TableFactor> {
    select.from.iter_mut().flat_map(|table| {
        std::iter::once(&mut table.relation).chain(table.joins.iter_mut().map(|join| &mut join.relation))
    })
}

/// The name of a table in a query: its alias, or else the last part of its name.
pub(super) fn table_name(table: &TableFactor) -> Option<&Ident> {
    match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(&alias.name)
        }
        TableFactor::Table { name, .. } => name.0.last().and_then(ObjectNamePart::as_ident),
        _ => None,
    }
}

/// The expression of a column of the result, unless it is a star.
pub(super) fn item_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    }
}

pub(super) fn is_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
}

/// The column of the result that a number means, counted from 1.
pub(super) fn item_at<'a>(items: &'a [SelectItem], position: &Expr) -> Option<&'a Expr> {
    item_expr(items.get(digits_of(position)?.parse::<usize>().ok()?.checked_sub(1)?)?)
}

pub(super) fn has_group_by(select: &Select) -> bool {
    !matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty())
}

/// Whether an expression is a query, in whatever parentheses.
pub(super) fn is_query(expr: &Expr) -> bool {
    match expr {
        Expr::Subquery(_) => true,
        Expr::Nested(inner) => is_query(inner),
        _ => false,
    }
}

/// Whether an expression names a column.
pub(super) fn names_columns(expr: &Expr) -> bool {
    contains(expr, |part| {
        matches!(part, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. })
    })
}

/// Whether a condition is true for a node or an expression below it.
pub(super) fn contains(node: &impl Node, condition: impl Fn(&Expr) -> bool) -> bool {
    let check = |expr: &Expr| if condition(expr) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    visit_expressions(node, check).is_break()
}

/// Changes every expression of a node, children before parents.
pub(super) fn change_all(node: &mut impl Node, mut change: impl FnMut(&mut Expr)) {
    let _: ControlFlow<()> = visit_expressions_mut(node, |expr| {
        change(expr);
        ControlFlow::Continue(())
    });
}

/// Ends a walk with an error about the query.
pub(super) fn refuse<T>(message: &str) -> ControlFlow<Box<Error>, T> {
    ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
}

/// Another aggregate with the same FILTER and OVER.
pub(super) fn aggregate_like(function: &Function, name: &str, args: Vec<Expr>) -> Function {
    Function {
        name: ObjectName::from(vec![Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: arguments(args),
        filter: function.filter.clone(),
        null_treatment: None,
        over: function.over.clone(),
        within_group: Vec::new(),
    }
}

/// Adds a condition to the FILTER of an aggregate.
pub(super) fn add_filter(function: &mut Function, condition: Expr) {
    function.filter = Some(Box::new(match function.filter.take() {
        Some(filter) => and(*filter, condition),
        None => condition,
    }));
}

/// The clauses within the parentheses of a call.
pub(super) fn clauses_of(function: &mut Function) -> Option<&mut Vec<FunctionArgumentClause>> {
    match &mut function.args {
        FunctionArguments::List(list) => Some(&mut list.clauses),
        _ => None,
    }
}

/// A table in FROM: the index of an item of the list, and of a table in it. 0 is its first table, and `n` that of its `n`th join.
pub(super) type Position = (usize, usize);

/// The positions of all tables, in the order of the text.
pub(super) fn positions(from: &[TableWithJoins]) -> impl Iterator<Item = Position> + use<> {
    let joins: Vec<usize> = from.iter().map(|table| table.joins.len()).collect();
    joins.into_iter().enumerate().flat_map(|(item, joins)| (0..=joins).map(move |table| (item, table)))
}

pub(super) fn table_at(from: &mut [TableWithJoins], (item, table): Position) -> &mut TableFactor {
    match table {
        0 => &mut from[item].relation,
        join => &mut from[item].joins[join - 1].relation,
    }
}
