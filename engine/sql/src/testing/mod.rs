//! Tests of all functions.

mod every_function;
pub mod function_calls;
