//! Tables of files, whose uint256 columns are 32 bytes, as tables of numbers.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray};
use arrow::buffer::Buffer;
use datafusion::catalog::TableProvider;
use datafusion::catalog::view::ViewTable;
use datafusion::common::{Column, Result};
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, ScalarUDF};

use super::{WIDTH, field, is_stored, read, write};
use crate::functions::shared;
use crate::functions::simple::Simple;

static WIDEN: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "widen_uint256",
        1..=1,
        None,
        |args| Ok(Arc::new(field("uint256", false).as_ref().clone().with_nullable(args.arg_fields[0].is_nullable()))),
        |args, _| widen(&args[0]),
    ))
});

/// The same table with its uint256 columns as numbers.
pub(crate) fn with_numbers(name: &str, table: Arc<dyn TableProvider>) -> Result<Arc<dyn TableProvider>> {
    let schema = table.schema();
    if !schema.fields().iter().any(|field| is_stored(field)) {
        return Ok(table);
    }
    let columns = schema.fields().iter().map(|field| {
        let column = Expr::Column(Column::from_name(field.name()));
        if is_stored(field) { WIDEN.call(vec![column]).alias(field.name()) } else { column }
    });
    let plan = LogicalPlanBuilder::scan(name, provider_as_source(table), None)?.project(columns)?.build()?;
    Ok(Arc::new(ViewTable::new(plan, None)))
}

/// 32 big-endian bytes with the sign before them.
fn widen(array: &ArrayRef) -> Result<ArrayRef> {
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
