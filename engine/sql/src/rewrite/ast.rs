//! Small pieces of parsed SQL, to build with.

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, CastKind, DataType, Expr, Select, TableFactor, UnaryOperator, Value,
};

pub(super) use crate::syntax::arguments;
pub use crate::syntax::{call, query_of};

pub(super) fn number(digits: &str) -> Expr {
    Expr::Value(Value::Number(digits.to_string(), false).into())
}

pub(super) fn text(text: &str) -> Expr {
    Expr::Value(Value::SingleQuotedString(text.to_string()).into())
}

pub(super) fn bytes(bytes: &[u8]) -> Expr {
    Expr::Value(Value::HexStringLiteral(::hex::encode(bytes)).into())
}

pub(super) fn cast(expr: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, array: false, format: None }
}

pub(super) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(Expr::Nested(Box::new(left))), op, right: Box::new(Expr::Nested(Box::new(right))) }
}

/// The tables of a SELECT, those of its joins too.
pub(super) fn tables(select: &mut Select) -> impl Iterator<Item = &mut TableFactor> {
    select.from.iter_mut().flat_map(|table| {
        std::iter::once(&mut table.relation).chain(table.joins.iter_mut().map(|join| &mut join.relation))
    })
}

/// Whether an expression is a query, in whatever parentheses.
pub(super) fn is_query(expr: &Expr) -> bool {
    match expr {
        Expr::Subquery(_) => true,
        Expr::Nested(inner) => is_query(inner),
        _ => false,
    }
}

pub(super) fn truth() -> Expr {
    Expr::Value(Value::Boolean(true).into())
}

/// Both of two conditions.
pub(super) fn and(left: Expr, right: Expr) -> Expr {
    binary(left, BinaryOperator::And, right)
}

pub(super) fn not(condition: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(Expr::Nested(Box::new(condition))) }
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
