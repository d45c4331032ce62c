//! Names of relations and of the columns of a SELECT.

pub(crate) mod output_names;
pub(crate) mod relation;
