//! Positions of expressions in the text.

use datafusion::sql::sqlparser::ast::{Expr, Ident, ObjectNamePart};
use datafusion::sql::sqlparser::tokenizer::{Location, Span};

use quarry_types::{Error, Position};

/// The position of a location of the parser; `None` for one of what is not in the text.
pub fn location_position(location: Location) -> Option<Position> {
    (location.line > 0).then_some(Position { line: location.line, column: location.column })
}

/// An error at a position, where there is one.
pub fn error_at(error: Error, position: Option<Position>) -> Error {
    match position {
        Some(position) => error.at(position),
        None => error,
    }
}

/// Where an expression begins: a call at its name, an operator at what stands before it, a cast at its value.
pub fn expr_position(expr: &Expr) -> Option<Position> {
    let location = match expr {
        Expr::Function(function) => function.name.0.first().and_then(ObjectNamePart::as_ident)?.span.start,
        Expr::Identifier(name) => name.span.start,
        Expr::CompoundIdentifier(names) => names.first()?.span.start,
        Expr::Value(value) => value.span.start,
        Expr::TypedString(typed) => typed.value.span.start,
        Expr::Case { case_token, .. } => case_token.0.span.start,
        Expr::Interval(interval) => return expr_position(&interval.value),
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
        | Expr::CompoundFieldAccess { root: inner, .. } => return expr_position(inner),
        _ => return None,
    };
    location_position(location)
}

/// Gives an expression that was rewritten as a call or a number the position of the one before.
pub fn keep_position(expr: &mut Expr, position: Option<Position>) {
    let Some(Position { line, column }) = position else { return };
    let span = match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => return keep_position(inner, position),
        Expr::Function(function) => match function.name.0.first_mut() {
            Some(ObjectNamePart::Identifier(Ident { span, .. })) => span,
            _ => return,
        },
        Expr::Value(value) => &mut value.span,
        Expr::Case { case_token, .. } => &mut case_token.0.span,
        _ => return,
    };
    if span.start.line == 0 {
        let start = Location { line, column };
        *span = Span { start, end: start };
    }
}
