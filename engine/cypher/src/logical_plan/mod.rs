//! The logical plan of a query, the static types of its expressions, and visitors of them.

mod expr_type;
mod plan;
mod visit;

pub(crate) use plan::{
    Aggregate, BinaryOperator, Call, Comparison, Direction, Expand, Expr, Group, Hops, Kind, Labels, MapItem, Match,
    MatchStep, Operator, Projection, Quantifier, Query, Seek, ShortestPath, Slot, SortKey, Subquery, TextTest,
};
pub(crate) use visit::{find, free_slots, has_aggregate, replace};
