//! Steps on the tokens of a statement: what the parser does not know becomes what it knows.

pub(crate) mod from_first;
pub(crate) mod intervals;
pub(crate) mod literals;
pub(crate) mod sort_by;
pub(crate) mod tables;
