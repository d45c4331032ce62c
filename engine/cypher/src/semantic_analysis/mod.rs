//! Semantic analysis: a syntax tree → the logical plan. It resolves names, checks types, and orders the steps of MATCH.

mod analyzer;
mod clauses;
mod edge_bounds;
mod expressions;
mod function_calls;
mod match_order;
mod patterns;
mod projection;
mod scope;
mod type_checks;

pub(crate) use clauses::analyze;
