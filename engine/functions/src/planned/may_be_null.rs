//! The value itself, for a column that may be null though the values it is made of never are.

use std::sync::{Arc, LazyLock};

use datafusion::logical_expr::ScalarUDF;

use crate::shared;
use crate::simple::Simple;

static SHARED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "may_be_null",
        1..=1,
        None,
        |args| Ok(Arc::new(args.arg_fields[0].as_ref().clone().with_nullable(true))),
        |args, _| Ok(args[0].clone()),
    ))
});

/// The shared function; people don't write it.
pub fn may_be_null() -> Arc<ScalarUDF> {
    SHARED.clone()
}
