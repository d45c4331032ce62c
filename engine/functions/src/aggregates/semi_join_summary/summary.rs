//! Summaries of groups.

use std::fmt::Debug;
use std::hash::Hash;

use datafusion::logical_expr::Operator;

use crate::aggregates::per_group::PerGroup;

/// How an ordering comparison `x op value` ranks values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Ranking {
    /// Whether the greatest value is the best: if `x < value` holds for any value, it holds for the greatest.
    pub(super) greatest: bool,
    pub(super) or_equal: bool,
}

impl Ranking {
    pub(super) fn from_operator(op: Operator) -> Ranking {
        Ranking {
            greatest: matches!(op, Operator::Lt | Operator::LtEq),
            or_equal: matches!(op, Operator::LtEq | Operator::GtEq),
        }
    }

    /// The operator that ranks so.
    pub(super) fn sign(self) -> &'static str {
        match (self.greatest, self.or_equal) {
            (true, false) => "<",
            (true, true) => "<=",
            (false, false) => ">",
            (false, true) => ">=",
        }
    }

    /// The ranking of an operator that [`Ranking::sign`] gave.
    pub(super) fn from_sign(sign: &str) -> Option<Ranking> {
        let operator = match sign {
            "<" => Operator::Lt,
            "<=" => Operator::LtEq,
            ">" => Operator::Gt,
            ">=" => Operator::GtEq,
            _ => return None,
        };
        Some(Ranking::from_operator(operator))
    }
}

/// A summary of the rows of a group, from which two comparisons are answered. State and result have type `BinaryView`.
pub(super) trait Summary: PerGroup + Copy + Eq + Hash {
    /// The name of the aggregate.
    const NAME: &'static str;
    /// The name of the function that answers from it.
    const REACHES_NAME: &'static str;

    /// How it ranks its values.
    fn rankings(&self) -> &[Ranking];

    /// The summary that ranks its values so; `None` for another number of them.
    fn from_rankings(rankings: &[Ranking]) -> Option<Self>;

    /// Whether both comparisons of a row hold for any row of the group.
    fn reaches(&self, encoded: &[u8], columns: &Self::Columns, row: usize) -> bool;
}
