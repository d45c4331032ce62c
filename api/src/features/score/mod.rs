//! Scores: the rules of credits, the ledger, and what each user gained.

pub mod model;
pub mod routes;
