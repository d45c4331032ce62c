//! Tables of files, whose uint256 columns are 32 bytes, as tables of numbers.

use std::any::Any;

use arrow::array::FixedSizeBinaryArray;
use arrow::buffer::Buffer;
use arrow::datatypes::{Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TransformedResult};
use datafusion::common::{Column, ColumnStatistics, DFSchema, Statistics};
use datafusion::datasource::TableType;
use datafusion::logical_expr::TableProviderFilterPushDown;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;
use quarry_types::uint256::{WIDTH, field, is_stored};

use super::{read, write};
use crate::prelude::*;
use crate::tree_walk::TreeWalk;

/// The same table with its uint256 columns as numbers.
pub fn with_numbers(table: Arc<dyn TableProvider>) -> Arc<dyn TableProvider> {
    let stored = table.schema();
    if !stored.fields().iter().any(|field| is_stored(field)) {
        return table;
    }
    let fields = stored.fields().iter().map(|field| match is_stored(field) {
        true => Arc::new(widened(field).with_name(field.name())),
        false => Arc::clone(field),
    });
    Arc::new(WidenedTable { schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())), table })
}

/// The table of files behind a table that a query reads.
pub fn stored_table(table: &dyn TableProvider) -> &dyn TableProvider {
    let any: &dyn Any = table;
    any.downcast_ref::<WidenedTable>().map_or(table, |widened| widened.table.as_ref())
}

/// A table whose numbers are widened as they leave the scan. It is no view: each rule of the planner would walk over all the
/// columns of one, however few a query names.
#[derive(Debug)]
struct WidenedTable {
    table: Arc<dyn TableProvider>,
    schema: SchemaRef,
}

impl WidenedTable {
    /// A column in terms of the table of files.
    fn widened_column(&self, column: &Column) -> Expr {
        let stored = Expr::Column(Column::from_name(column.name()));
        let is_number = self.table.schema().field_with_name(column.name()).is_ok_and(is_stored);
        if is_number { widen().call(vec![stored]) } else { stored }
    }

    /// A filter in terms of the table of files.
    fn stored_filter(&self, filter: &Expr) -> Result<Expr> {
        let replace = |expr: Expr| match &expr {
            Expr::Column(column) => Ok(Transformed::yes(self.widened_column(column))),
            _ => Ok(Transformed::no(expr)),
        };
        filter.clone().transform_up(replace).data()
    }

    /// The numbers among the columns of a plan, widened.
    fn widened(&self, state: &dyn Session, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let stored = plan.schema();
        if !stored.fields().iter().any(|field| is_stored(field)) {
            return Ok(plan);
        }
        let names = DFSchema::try_from(Arc::clone(&stored))?;
        let columns = stored.fields().iter().map(|field| {
            let column = self.widened_column(&Column::from_name(field.name()));
            Ok((state.create_physical_expr(column, &names)?, field.name().clone()))
        });
        Ok(Arc::new(ProjectionExec::try_new(columns.collect::<Result<Vec<_>>>()?, plan)?))
    }
}

#[async_trait]
impl TableProvider for WidenedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    fn statistics(&self) -> Option<Statistics> {
        let mut statistics = self.table.statistics()?;
        let columns = self.table.schema();
        for (column, known) in columns.fields().iter().zip(&mut statistics.column_statistics) {
            if is_stored(column) {
                *known = ColumnStatistics::new_unknown();
            }
        }
        Some(statistics)
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let stored = filters.iter().map(|filter| self.stored_filter(filter)).collect::<Result<Vec<_>>>()?;
        self.table.supports_filters_pushdown(&stored.iter().collect::<Vec<_>>())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let filters = filters.iter().map(|filter| self.stored_filter(filter)).collect::<Result<Vec<_>>>()?;
        let plan = self.table.scan(state, projection, &filters, limit).await?;
        self.widened(state, plan)
    }
}

/// The field of the numbers of a stored field.
fn widened(stored: &Field) -> Field {
    field("uint256", false).as_ref().clone().with_nullable(stored.is_nullable())
}

fn widen() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "widen_uint256",
        1..=1,
        |args| Ok(Arc::new(widened(&args.arg_fields[0]))),
        |args, _| widened_values(&args[0]),
    ))
}

/// 32 big-endian bytes with the sign before them.
fn widened_values(array: &ArrayRef) -> Result<ArrayRef> {
    let Some(stored) = array.as_fixed_size_binary_opt().filter(|stored| stored.value_length() == 32) else {
        return write(read(array)?);
    };
    let mut bytes = vec![1; stored.len() * WIDTH as usize];
    let (rows, values) = (bytes.chunks_exact_mut(WIDTH as usize), stored.value_data().chunks_exact(32));
    for (row, value) in rows.zip(values) {
        row[1..].copy_from_slice(value);
    }
    let nulls = stored.nulls().cloned();
    Ok(Arc::new(FixedSizeBinaryArray::try_new(WIDTH, Buffer::from_vec(bytes), nulls)?))
}
