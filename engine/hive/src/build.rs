//! Pieces of a parsed query, made by hand.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, CastKind, DataType, ExactNumberInfo, Expr, Ident, Join, JoinConstraint, JoinOperator,
    Query, Select, SetExpr, TableAlias, TableFactor, TableWithJoins, UnaryOperator, Value,
};
use datafusion::sql::sqlparser::parser::{Parser, ParserError};

use super::dialect::HiveQl;
use quarry_functions::hive::types;
use quarry_planner::hive::TRUTH;
use quarry_sql::errors;
pub(super) use quarry_sql::syntax::call;
use quarry_types::{Error, ErrorCode};

/// Ends a visit with a sentence.
pub(super) fn refuse<T>(message: &str) -> ControlFlow<Box<Error>, T> {
    ControlFlow::Break(invalid(message))
}

pub(super) fn invalid(message: &str) -> Box<Error> {
    Box::new(Error::new(ErrorCode::NotAllowed, message))
}

/// An operator between two expressions, in parentheses.
pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::Nested(Box::new(Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }))
}

pub(super) fn text(value: &str) -> Expr {
    Expr::Value(Value::SingleQuotedString(value.to_string()).into())
}

pub(super) fn not(expr: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(Expr::Nested(Box::new(expr))) }
}

/// A number as Hive types it: whole numbers are whole, with a point it is a decimal without the zeros at its end, with an
/// exponent a double.
pub(super) fn number(digits: &str) -> Expr {
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

/// A value as a Hive type by its name.
pub(super) fn typed(expr: Expr, data_type: &str) -> Result<Expr, Box<Error>> {
    if types::field("cast", data_type).is_none() {
        return Err(Box::new(Error::new(ErrorCode::InvalidQuery, format!("There is no type {data_type}."))));
    }
    Ok(call("hive_cast", vec![expr, text(data_type)]))
}

/// A condition: what is no truth is one as a cast has it.
pub(super) fn condition(expr: &mut Expr) {
    match expr {
        Expr::Nested(inner) => return condition(inner),
        Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::CompoundFieldAccess { .. }
        | Expr::Value(_)
        | Expr::Cast { .. }
        | Expr::Case { .. }
        | Expr::Function(_) => {}
        Expr::BinaryOp { op, .. } if is_arithmetic(op) => {}
        // Comparisons and the like are truths already.
        _ => return,
    }
    let yes = Box::new(Expr::Value(Value::Boolean(true).into()));
    let left = Box::new(std::mem::replace(expr, Expr::Value(Value::Null.into())));
    *expr = Expr::BinaryOp { left, op: BinaryOperator::Custom(TRUTH.to_string()), right: yes };
}

fn is_arithmetic(op: &BinaryOperator) -> bool {
    use BinaryOperator::{
        BitwiseAnd, BitwiseOr, BitwiseXor, Divide, Minus, Modulo, Multiply, MyIntegerDivide, Plus, StringConcat,
    };
    matches!(
        op,
        Plus | Minus
            | Multiply
            | Divide
            | Modulo
            | MyIntegerDivide
            | StringConcat
            | BitwiseAnd
            | BitwiseOr
            | BitwiseXor
    )
}

/// `CASE WHEN condition THEN a ELSE b END`.
pub(super) fn choose(condition: Expr, then: Expr, otherwise: Option<Expr>) -> Expr {
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition, result: then }],
        else_result: otherwise.map(Box::new),
    }
}

/// A table of one row, for a query that reads none.
pub(super) fn one_row() -> TableFactor {
    let alias = TableAlias { explicit: true, name: Ident::new("__one_row"), columns: Vec::new(), at: None };
    #[expect(clippy::expect_used, reason = "the text is ours and always the same")]
    let subquery = parsed("select 1 as __one").expect("a query");
    TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None }
}

/// `SELECT *` from nothing yet.
pub(super) fn select_everything() -> Select {
    #[expect(clippy::expect_used, reason = "the text is ours and always the same")]
    let query = parsed("select *").expect("a query");
    match *query.body {
        SetExpr::Select(select) => *select,
        _ => unreachable!("the text is a SELECT"),
    }
}

pub(super) fn parsed(text: &str) -> Result<Box<Query>, ParserError> {
    Parser::new(&HiveQl).try_with_sql(text)?.parse_query()
}

/// Everything in FROM as one relation whose tables keep their names.
pub(super) fn join_all(from: Vec<TableWithJoins>) -> TableFactor {
    let mut parts = from.into_iter();
    let Some(mut first) = parts.next() else { return one_row() };
    for part in parts {
        let relation = if part.joins.is_empty() {
            part.relation
        } else {
            TableFactor::NestedJoin { table_with_joins: Box::new(part), alias: None }
        };
        let join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
        first.joins.push(Join { relation, global: false, join_operator });
    }
    if first.joins.is_empty() {
        return first.relation;
    }
    TableFactor::NestedJoin { table_with_joins: Box::new(first), alias: None }
}

/// `SELECT * FROM name`.
pub(super) fn everything(name: &str) -> quarry_types::Result<Query> {
    let parts: Vec<String> = name.split('.').map(|part| format!("`{part}`")).collect();
    let query = parsed(&format!("select * from {}", parts.join(".")));
    query.map(|query| *query).map_err(|error| errors::from_sqlparser(&error))
}

/// A table by its name.
pub(super) fn table_of(name: &str) -> quarry_types::Result<TableFactor> {
    match *everything(name)?.body {
        SetExpr::Select(mut select) if !select.from.is_empty() => Ok(select.from.remove(0).relation),
        _ => Err(Error::internal("the query reads a table")),
    }
}

/// An expression as it is written.
pub(super) fn expression(text: &str) -> quarry_types::Result<Expr> {
    let parsed = Parser::new(&HiveQl).try_with_sql(text).and_then(|mut parser| parser.parse_expr());
    parsed.map_err(|error| errors::from_sqlparser(&error))
}
