//! Plans as bytes, and back in a process of the same build. A plan that does not come back as it was is refused (`guard`).

mod codec;
mod context;
mod converter;
mod fields;
mod function_states;
mod functions;
mod guard;
mod messages;
mod plans;
mod subqueries;

pub(crate) use guard::one_line;
pub use plans::Wire;
