//! The execution of the operators of a plan.

mod match_pattern;
mod pipeline;
mod project;
mod variable_length;
