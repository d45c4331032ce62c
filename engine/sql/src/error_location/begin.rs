//! Where an expression begins.

use datafusion::sql::sqlparser::ast::{Expr, ObjectNamePart};

use quarry_types::Position;

/// Where an expression begins: a call at its name, an operator at what stands before it, a cast at its value.
pub fn place(expr: &Expr) -> Option<Position> {
    let location = match expr {
        Expr::Function(function) => function.name.0.first().and_then(ObjectNamePart::as_ident)?.span.start,
        Expr::Identifier(name) => name.span.start,
        Expr::CompoundIdentifier(names) => names.first()?.span.start,
        Expr::Value(value) => value.span.start,
        Expr::TypedString(typed) => typed.value.span.start,
        Expr::Case { case_token, .. } => case_token.0.span.start,
        Expr::Interval(interval) => return place(&interval.value),
        Expr::BinaryOp { left: inner, .. }
        | Expr::UnaryOp { expr: inner, .. }
        | Expr::Nested(inner)
        | Expr::Cast { expr: inner, .. }
        | Expr::Extract { expr: inner, .. }
        | Expr::Substring { expr: inner, .. }
        | Expr::Position { expr: inner, .. }
        | Expr::Ceil { expr: inner, .. }
        | Expr::Floor { expr: inner, .. }
        | Expr::Trim { expr: inner, .. }
        | Expr::AtTimeZone { timestamp: inner, .. }
        | Expr::Between { expr: inner, .. }
        | Expr::InList { expr: inner, .. }
        | Expr::Like { expr: inner, .. }
        | Expr::ILike { expr: inner, .. }
        | Expr::SimilarTo { expr: inner, .. }
        | Expr::RLike { expr: inner, .. }
        | Expr::IsNull(inner)
        | Expr::IsNotNull(inner)
        | Expr::IsTrue(inner)
        | Expr::IsNotTrue(inner)
        | Expr::IsFalse(inner)
        | Expr::IsNotFalse(inner)
        | Expr::CompoundFieldAccess { root: inner, .. } => return place(inner),
        _ => return None,
    };
    (location.line > 0).then_some(Position { line: location.line, column: location.column })
}
