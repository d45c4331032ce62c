//! The value itself, under another name: for casts that the planner's names leave out.

use datafusion::logical_expr::ScalarUDF;

use crate::simple::Simple;

/// Name of the function; people don't write it.
pub const APART: &str = "cast_apart";

/// Its arguments are a value and the name of its type.
pub(super) fn udf() -> ScalarUDF {
    Simple::udf(APART, 2..=2, None, |args| Ok(args.arg_fields[0].clone()), |args, _| Ok(args[0].clone()))
}
