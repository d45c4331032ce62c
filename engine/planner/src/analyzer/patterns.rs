//! Patterns of regular expressions as the optimizer may read them.

use datafusion::logical_expr::Expr;
use datafusion::prelude::lit;

use super::literal;

/// The pattern that every text matches, in a form that leaves null unknown: of `.*` the optimizer makes IS NOT NULL.
pub(super) fn of_any_text(pattern: Expr) -> Expr {
    match literal::text(&pattern) {
        Some(".*") => lit(""),
        _ => pattern,
    }
}
