//! Expressions: their value for one row.

mod evaluate;
mod operators;
