//! Builds and reads parts of the syntax tree.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, Ident, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Query, Select,
    SelectItem, SetExpr, TableAlias, TableFactor, TableWithJoins, UnaryOperator, Value,
};
use datafusion::sql::sqlparser::parser::{Parser, ParserError};
use datafusion::sql::sqlparser::tokenizer::TokenWithSpan;

use crate::dialect::HiveQl;
use quarry_functions::hive::types;
use quarry_planner::hive::TRUTH;
use quarry_sql::errors;
pub(crate) use quarry_sql::syntax::call;
use quarry_sql::syntax::query_of;
use quarry_sql::syntax::visitor::visit_relations;
use quarry_types::{Error, ErrorCode, Result};

/// The outcome of a rewrite of a part of the syntax tree; an error ends the traversal.
pub(crate) type Rewritten = ControlFlow<Box<Error>>;

/// Deepest nesting that the parser follows; `quarry_sql::limits` refuses texts that come near it.
const MAX_PARSER_DEPTH: usize = 200;

/// A parser of tokens.
pub(crate) fn parser(tokens: &[TokenWithSpan]) -> Parser<'static> {
    Parser::new(&HiveQl).with_recursion_limit(MAX_PARSER_DEPTH).with_tokens_with_locations(tokens.to_vec())
}

/// The error of the parser as ours.
pub(crate) fn syntax_error(error: ParserError) -> Error {
    errors::from_sqlparser(&error)
}

/// Parses an expression that this crate has made.
pub(crate) fn parse_expression(text: &str) -> Result<Expr> {
    Parser::new(&HiveQl).try_with_sql(text).and_then(|mut parser| parser.parse_expr()).map_err(syntax_error)
}

/// A table by its name.
pub(crate) fn table(name: &str) -> Result<TableFactor> {
    let parts: Vec<String> = name.split('.').map(|part| format!("`{part}`")).collect();
    let parser = Parser::new(&HiveQl).try_with_sql(&parts.join("."));
    parser.and_then(|mut parser| parser.parse_table_factor()).map_err(syntax_error)
}

/// `SELECT * FROM table WHERE condition`.
pub(crate) fn select_all(table: TableFactor, condition: Option<Expr>) -> Query {
    query_of(vec![SelectItem::Wildcard(Default::default())], vec![relation(table)], condition)
}

pub(crate) fn relation(table: TableFactor) -> TableWithJoins {
    TableWithJoins { relation: table, joins: Vec::new() }
}

pub(crate) fn alias(name: Ident) -> TableAlias {
    TableAlias { explicit: true, name, columns: Vec::new(), at: None }
}

pub(crate) fn subquery(query: Query, name: Option<Ident>) -> TableFactor {
    TableFactor::Derived { lateral: false, subquery: Box::new(query), alias: name.map(alias), sample: None }
}

/// All relations of FROM as one whose tables keep their names; a table of one row for a query without FROM.
pub(crate) fn join_all(from: Vec<TableWithJoins>) -> TableFactor {
    let mut relations = from.into_iter();
    let Some(mut first) = relations.next() else {
        let item = SelectItem::ExprWithAlias {
            expr: Expr::Value(Value::Number("1".to_string(), false).into()),
            alias: Ident::new("__one"),
        };
        return subquery(query_of(vec![item], Vec::new(), None), Some(Ident::new("__one_row")));
    };
    let nested = |joins| TableFactor::NestedJoin { table_with_joins: Box::new(joins), alias: None };
    for other in relations {
        let relation = if other.joins.is_empty() { other.relation } else { nested(other) };
        let join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
        first.joins.push(Join { relation, global: false, join_operator });
    }
    if first.joins.is_empty() { first.relation } else { nested(first) }
}

/// The last part of a name such as `schema.table`.
pub(crate) fn last_part(ObjectName(parts): &ObjectName) -> Option<&Ident> {
    parts.last().and_then(ObjectNamePart::as_ident)
}

/// The name by which the columns of a table are qualified.
pub(crate) fn table_alias(table: &TableFactor) -> Option<&Ident> {
    match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(&alias.name)
        }
        TableFactor::Table { name, .. } => last_part(name),
        _ => None,
    }
}

/// The names of the tables that a query reads, in lower case.
pub(crate) fn tables_read(query: &Query) -> Vec<String> {
    let mut tables = Vec::new();
    let _ = visit_relations(query, |ObjectName(parts)| {
        let parts = parts.iter().filter_map(|part| part.as_ident()).map(|part| part.value.to_lowercase());
        tables.push(parts.collect::<Vec<_>>().join("."));
        ControlFlow::<()>::Continue(())
    });
    tables
}

/// The value of a column of a SELECT.
pub(crate) fn item_expression(item: SelectItem) -> Option<Expr> {
    match item {
        SelectItem::ExprWithAlias { expr, .. } | SelectItem::UnnamedExpr(expr) => Some(expr),
        _ => None,
    }
}

/// Takes the SELECT list of a query, which gets another one.
pub(crate) fn take_projection(query: &mut Query) -> Vec<SelectItem> {
    select_of(query).map(|select| std::mem::take(&mut select.projection)).unwrap_or_default()
}

/// The SELECT of a query without set operations.
pub(crate) fn select_of(query: &mut Query) -> Option<&mut Select> {
    match query.body.as_mut() {
        SetExpr::Select(select) => Some(select),
        _ => None,
    }
}

/// Ends a traversal with an error.
pub(crate) fn refuse(message: &str) -> Rewritten {
    ControlFlow::Break(not_allowed(message))
}

pub(crate) fn not_allowed(message: &str) -> Box<Error> {
    Box::new(Error::new(ErrorCode::NotAllowed, message))
}

pub(crate) fn null() -> Expr {
    Expr::Value(Value::Null.into())
}

pub(crate) fn boolean(truth: bool) -> Expr {
    Expr::Value(Value::Boolean(truth).into())
}

pub(crate) fn text(value: &str) -> Expr {
    Expr::Value(Value::SingleQuotedString(value.to_string()).into())
}

/// A number as Hive types it: whole numbers are whole, with a point it is a decimal without the zeros at its end, with an
/// exponent a double.
pub(crate) fn number(digits: &str) -> Expr {
    let is_double = digits.contains(['e', 'E']);
    let is_whole = digits.parse::<i64>().is_ok();
    let digits = match digits.contains('.') && !is_double {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    let digits = if digits.is_empty() { "0" } else { digits };
    let data_type = match digits {
        _ if is_double => DataType::Double(ExactNumberInfo::None),
        digits if digits.contains('.') || is_whole => {
            return Expr::Value(Value::Number(digits.to_string(), true).into());
        }
        digits => DataType::Decimal(ExactNumberInfo::PrecisionAndScale(digits.len().clamp(1, 38) as u64, 0)),
    };
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(text(digits)), data_type, array: false, format: None }
}

/// The number of a literal that is a whole number.
pub(crate) fn whole_number(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// An operator between two expressions.
pub(crate) fn operation(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

pub(crate) fn nested(expr: Expr) -> Expr {
    Expr::Nested(Box::new(expr))
}

/// An operator between two expressions, in parentheses.
pub(crate) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    nested(operation(left, op, right))
}

pub(crate) fn and(left: Expr, right: Expr) -> Expr {
    operation(left, BinaryOperator::And, right)
}

pub(crate) fn equals(left: Expr, right: Expr) -> Expr {
    operation(left, BinaryOperator::Eq, right)
}

pub(crate) fn not(expr: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(nested(expr)) }
}

/// `NOT expr`, or the expression itself.
pub(crate) fn negate_if(negated: bool, expr: Expr) -> Expr {
    if negated { not(expr) } else { expr }
}

pub(crate) fn is_not_null(expr: Expr) -> Expr {
    Expr::IsNotNull(Box::new(expr))
}

/// `CASE WHEN condition THEN a ELSE b END`.
pub(crate) fn case(condition: Expr, then: Expr, otherwise: Option<Expr>) -> Expr {
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition, result: then }],
        else_result: otherwise.map(Box::new),
    }
}

/// A cast to a Hive type by its name.
pub(crate) fn cast(expr: Expr, data_type: &str) -> Result<Expr, Box<Error>> {
    if types::field("cast", data_type).is_none() {
        return Err(Box::new(Error::new(ErrorCode::InvalidQuery, format!("There is no type {data_type}."))));
    }
    Ok(call("hive_cast", vec![expr, text(data_type)]))
}

/// Takes an expression and leaves NULL in its place.
pub(crate) fn take(expr: &mut Expr) -> Expr {
    std::mem::replace(expr, null())
}

/// Casts a value that is used as a condition to boolean. Comparisons and other predicates are boolean already.
pub(crate) fn condition(expr: &mut Expr) {
    use BinaryOperator::{
        BitwiseAnd, BitwiseOr, BitwiseXor, Divide, Minus, Modulo, Multiply, MyIntegerDivide, Plus, StringConcat,
    };
    match expr {
        Expr::Nested(inner) => return condition(inner),
        Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::CompoundFieldAccess { .. }
        | Expr::Value(_)
        | Expr::Cast { .. }
        | Expr::Case { .. }
        | Expr::Function(_) => {}
        Expr::BinaryOp { op: Plus | Minus | Multiply | Divide | Modulo | MyIntegerDivide, .. }
        | Expr::BinaryOp { op: StringConcat | BitwiseAnd | BitwiseOr | BitwiseXor, .. } => {}
        _ => return,
    }
    *expr = operation(take(expr), BinaryOperator::Custom(TRUTH.to_string()), boolean(true));
}

pub(crate) fn argument(expr: Expr) -> FunctionArg {
    FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
}

/// The arguments of a call; `None` if one of them is not an expression.
pub(crate) fn arguments(function: &Function) -> Option<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let value = |arg: &FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    };
    list.args.iter().map(value).collect()
}

/// The function of a call without its arguments.
pub(crate) fn renamed(function: &Function, name: &str) -> Function {
    Function { name: ObjectName::from(vec![Ident::new(name)]), ..function.clone() }
}

/// Whether an expression is a literal: a text, a number, a boolean, a day or NULL.
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => {
            matches!(value.value, Value::Number(..) | Value::SingleQuotedString(_) | Value::Boolean(_) | Value::Null)
        }
        Expr::UnaryOp { .. } | Expr::TypedString(_) => true,
        _ => false,
    }
}

/// The text of a literal; `None` for NULL.
pub(crate) fn literal_text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) | Value::SingleQuotedString(text) => Some(text.clone()),
            Value::Boolean(truth) => Some(truth.to_string()),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => literal_text(expr).map(|digits| format!("-{digits}")),
        Expr::TypedString(typed) => typed.value.value.clone().into_string(),
        _ => None,
    }
}
