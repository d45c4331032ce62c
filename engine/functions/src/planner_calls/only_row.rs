//! The value of a scalar subquery, which has one row at most. Which row that is may be known only when the rows of the outer query
//! are joined, so a value travels with the number of rows it was taken from.

use arrow::array::StructArray;
use arrow::compute::nullif;
use arrow::datatypes::Fields;
use datafusion::common::internal_err;

use crate::prelude::*;

/// Makes a value and the number of its rows one value.
pub fn value_of_rows() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "value_of_rows",
        2..=2,
        |args| {
            let field = |index: usize, name: &str| args.arg_fields[index].as_ref().clone().with_name(name);
            let fields = Fields::from(vec![field(0, "value").with_nullable(true), field(1, "rows")]);
            Ok(Arc::new(Field::new("value_of_rows", DataType::Struct(fields), true)))
        },
        |args, field| match field.data_type() {
            DataType::Struct(fields) => Ok(Arc::new(StructArray::try_new(fields.clone(), args.to_vec(), None)?)),
            other => internal_err!("{other} has no rows"),
        },
    ))
}

/// Takes the value out again; an error where it was taken from more than one row.
pub fn only_row() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "only_row",
        1..=1,
        |args| match args.arg_fields[0].data_type() {
            DataType::Struct(fields) if fields.len() == 2 => Ok(fields[0].clone()),
            other => internal_err!("{other} has no rows"),
        },
        |args, _| only_values(&args[0]),
    ))
}

fn only_values(counted: &ArrayRef) -> Result<ArrayRef> {
    let counted = counted.as_struct();
    let rows = counted.column(1).as_primitive::<Int64Type>();
    if (0..counted.len()).any(|row| counted.is_valid(row) && rows.is_valid(row) && rows.value(row) > 1) {
        return Err(invalid("A scalar subquery returned more than one row."));
    }
    // Where the whole is null, no row of the subquery was joined.
    match counted.nulls() {
        None => Ok(counted.column(0).clone()),
        Some(nulls) => Ok(nullif(counted.column(0), &(!nulls.inner()).into())?),
    }
}
