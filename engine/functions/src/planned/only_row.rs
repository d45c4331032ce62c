//! The value of a query that stands in the place of a value, which has one row at most. Which row that is may be known only when
//! the rows around it are joined, so a value travels with the number of rows it was taken from.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, AsArray, StructArray};
use arrow::datatypes::{DataType, Field, Fields, Int64Type};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::ScalarUDF;

use crate::shared;
use crate::simple::Simple;
use quarry_types::invalid;

static COUNTED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "value_of_rows",
        2..=2,
        None,
        |args| {
            let field = |place: usize, name: &str| args.arg_fields[place].as_ref().clone().with_name(name);
            let fields = Fields::from(vec![field(0, "value").with_nullable(true), field(1, "rows")]);
            Ok(Arc::new(Field::new("value_of_rows", DataType::Struct(fields), true)))
        },
        |args, field| {
            let DataType::Struct(fields) = field.data_type() else {
                return internal_err!("a value and its rows are a row");
            };
            Ok(Arc::new(StructArray::try_new(fields.clone(), args.to_vec(), None)?))
        },
    ))
});

static ONLY: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    shared(Simple::udf(
        "only_row",
        1..=1,
        None,
        |args| match args.arg_fields[0].data_type() {
            DataType::Struct(fields) if fields.len() == 2 => Ok(fields[0].clone()),
            other => internal_err!("{other} has no rows"),
        },
        |args, _| only(&args[0]),
    ))
});

/// The shared function that makes a value and the number of its rows one; people don't write it.
pub fn value_of_rows() -> Arc<ScalarUDF> {
    COUNTED.clone()
}

/// The shared function that takes the value out again, and fails where it was taken from more rows than one.
pub fn only_row() -> Arc<ScalarUDF> {
    ONLY.clone()
}

fn only(counted: &ArrayRef) -> Result<ArrayRef> {
    let counted = counted.as_struct();
    let rows = counted.column(1).as_primitive::<Int64Type>();
    let many = (0..counted.len()).any(|row| counted.is_valid(row) && rows.is_valid(row) && rows.value(row) > 1);
    if many {
        return Err(invalid("A query in the place of a value gave more than one row."));
    }
    // No row around it has a partner where the whole is null.
    let (_, arrays, nulls) = counted.clone().into_parts();
    match nulls {
        None => Ok(arrays[0].clone()),
        Some(nulls) => arrow::compute::nullif(&arrays[0], &(!nulls.inner()).into()).map_err(Into::into),
    }
}
