//! Tables of files that other tools wrote, with the engine's types for their columns.

use datafusion::catalog::TableProvider;
use datafusion::catalog::view::ViewTable;
use datafusion::common::Column;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::LogicalPlanBuilder;
use quarry_types::foreign_columns::{engine_column, engine_field};

use crate::prelude::*;

fn engine_column_udf() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "of_file",
        1..=1,
        |args| Ok(engine_field(&args.arg_fields[0])),
        |args, to| engine_column(&args[0], to),
    ))
}

/// A table of files with the engine's types.
pub fn with_engine_types(name: &str, table: Arc<dyn TableProvider>) -> Result<Arc<dyn TableProvider>> {
    let schema = table.schema();
    let changes = |field: &FieldRef| engine_field(field) != *field;
    if !schema.fields().iter().any(changes) {
        return Ok(table);
    }
    let columns = schema.fields().iter().map(|field| {
        let column = Expr::Column(Column::from_name(field.name()));
        if changes(field) { engine_column_udf().call(vec![column]).alias(field.name()) } else { column }
    });
    let plan = LogicalPlanBuilder::scan(name, provider_as_source(table), None)?.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}
