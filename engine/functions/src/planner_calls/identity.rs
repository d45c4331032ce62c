//! Functions that return their argument: under another name, as a nullable column, as one value a row, or with its zeros and NaNs
//! normalized.

use arrow::array::{ListArray, PrimitiveArray, StructArray};
use arrow::datatypes::{ArrowPrimitiveType, Float32Type};
use datafusion::common::internal_err;
use datafusion::common::utils::normalize_float_zero;

use crate::prelude::*;

/// For casts, which the planner leaves out of the names of columns: the value, and the name of its type.
pub const CAST_APART: &str = "cast_apart";

pub(super) fn cast_apart() -> ScalarUDF {
    scalar_udf(CAST_APART, 2..=2, returns_first, |args, _| Ok(args[0].clone()))
}

/// For a column that may be null though the values it is made of never are.
pub fn may_be_null() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "may_be_null",
        1..=1,
        |args| Ok(Arc::new(args.arg_fields[0].as_ref().clone().with_nullable(true))),
        |args, _| Ok(args[0].clone()),
    ))
}

/// `-0.0` becomes `0.0` and every NaN the same one, also inside lists and rows, so that equal doubles are equal bit by bit.
pub fn one_zero() -> Arc<ScalarUDF> {
    shared!(scalar_udf("one_zero", 1..=1, returns_first, |args, _| normalized(&args[0])))
}

/// Whether [`one_zero`] may change values of a type: doubles, and lists and rows with some.
pub fn has_floats(data_type: &DataType) -> bool {
    match data_type {
        DataType::List(item) => has_floats(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_floats(field.data_type())),
        other => other.is_floating(),
    }
}

fn normalized(values: &ArrayRef) -> Result<ArrayRef> {
    Ok(match values.data_type() {
        other if !has_floats(other) => Arc::clone(values),
        DataType::List(item) => {
            let lists = values.as_list::<i32>();
            let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
            Arc::new(ListArray::try_new(Arc::clone(item), offsets, normalized(lists.values())?, nulls)?)
        }
        DataType::Struct(fields) => {
            let rows = values.as_struct();
            let columns = rows.columns().iter().map(normalized).collect::<Result<Vec<ArrayRef>>>()?;
            let nulls = rows.nulls().cloned();
            Arc::new(StructArray::try_new_with_length(fields.clone(), columns, nulls, rows.len())?)
        }
        _ => one_nan(normalize_float_zero(values)),
    })
}

/// Processors make NaN with a sign (`inf - inf`), which sorts before all numbers.
fn one_nan(values: ArrayRef) -> ArrayRef {
    if let Some(doubles) = values.as_primitive_opt::<Float64Type>() {
        return replaced(doubles, |value| value.is_nan().then_some(f64::NAN)).unwrap_or(values);
    }
    if let Some(floats) = values.as_primitive_opt::<Float32Type>() {
        return replaced(floats, |value| value.is_nan().then_some(f32::NAN)).unwrap_or(values);
    }
    values
}

/// The values with those replaced that have a replacement; `None` if none has.
fn replaced<T: ArrowPrimitiveType>(
    values: &PrimitiveArray<T>,
    replacement: impl Fn(T::Native) -> Option<T::Native>,
) -> Option<ArrayRef> {
    let any = values.values().iter().any(|value| replacement(*value).is_some());
    any.then(|| Arc::new(values.unary::<_, T>(|value| replacement(value).unwrap_or(value))) as ArrayRef)
}

/// For constants that must not be taken for one, since they belong to the rows of an operator.
pub fn per_row() -> Arc<ScalarUDF> {
    shared!(ScalarUDF::from(PerRow { signature: Signature::any(1, Volatility::Immutable) }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PerRow {
    signature: Signature,
}

impl ScalarUDFImpl for PerRow {
    fn name(&self) -> &str {
        "per_row"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("per_row has the field of its argument")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        returns_first(&args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        args.args[0].to_array(args.number_rows).map(ColumnarValue::Array)
    }
}
