//! Tables of files that other tools wrote, with the types that the engine has for their columns.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::FieldRef;
use datafusion::catalog::TableProvider;
use datafusion::catalog::view::ViewTable;
use datafusion::common::{Column, Result};
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, ScalarUDF};

use crate::shared;
use crate::simple::Simple;
use quarry_types::foreign_columns::{engine_column, engine_field};

static OF_FILE: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "of_file",
        1..=1,
        None,
        |args| Ok(engine_field(&args.arg_fields[0])),
        |args, to| engine_column(&args[0], to),
    ))
});

/// A table of files with its columns as the engine has them.
pub fn with_own_types(name: &str, table: Arc<dyn TableProvider>) -> Result<Arc<dyn TableProvider>> {
    let schema = table.schema();
    let changes = |field: &FieldRef| engine_field(field) != *field;
    if !schema.fields().iter().any(changes) {
        return Ok(table);
    }
    let columns = schema.fields().iter().map(|field| {
        let column = Expr::Column(Column::from_name(field.name()));
        if changes(field) { OF_FILE.call(vec![column]).alias(field.name()) } else { column }
    });
    let plan = LogicalPlanBuilder::scan(name, provider_as_source(table), None)?.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}
