//! `||` of texts, bytes and lists. The built-in operator makes a column of any size at once; here its size is first checked against
//! the memory that the job may still use.

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::Schema;
use datafusion::common::internal_err;
use datafusion::common::utils::list_ndims;
use datafusion::logical_expr::Operator;
use datafusion::logical_expr::type_coercion::binary::BinaryTypeCoercer;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{BinaryExpr, Column, Literal};
use quarry_runtime::{check_free, check_stopped};

use super::bounded::{array_concat, total_bytes};
use super::null_lists::{array_append, array_prepend};
use crate::prelude::*;

/// `left || right` of two texts, bytes or lists; `None` where the built-in operator decides what they make, or refuses them.
pub fn concat_operator(left: &Expr, from: &Field, right: &Expr, by: &Field) -> Option<Expr> {
    let (from, by) = (from.data_type(), by.data_type());
    let sides = vec![left.clone(), right.clone()];
    match (list_ndims(from), list_ndims(by)) {
        (0, 0) => {}
        (left, right) if left == right => return Some(array_concat().call(sides)),
        (left, right) if left > right => return Some(array_append().call(sides)),
        _ => return Some(array_prepend().call(sides)),
    }
    let result = BinaryTypeCoercer::new(from, &Operator::StringConcat, by).get_result_type().ok()?;
    let is_one_value = |kind: &DataType| is_text(kind) || is_bytes(kind);
    let makes_value = is_one_value(&result) && !from.is_nested() && !by.is_nested();
    let concat =
        || shared!(ScalarUDF::from(ConcatOperator { signature: Signature::user_defined(Volatility::Immutable) }));
    makes_value.then(|| concat().call(sides))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ConcatOperator {
    signature: Signature,
}

impl ScalarUDFImpl for ConcatOperator {
    fn name(&self) -> &'static str {
        "||"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [left, right] = types else { return internal_err!("|| has two sides") };
        let (left, right) = BinaryTypeCoercer::new(left, &Operator::StringConcat, right).get_input_types()?;
        Ok(vec![left, right])
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        internal_err!("the type of || comes with its field")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let [left, right] = args.arg_fields else { return internal_err!("|| has two sides") };
        let coercer = BinaryTypeCoercer::new(left.data_type(), &Operator::StringConcat, right.data_type());
        let is_nullable = left.is_nullable() || right.is_nullable();
        Ok(Arc::new(Field::new(self.name(), coercer.get_result_type()?, is_nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        check_stopped()?;
        // A builder doubles what it has, so it holds half as much again while it grows.
        let bytes = total_bytes(&args)?;
        check_free(bytes.saturating_add(bytes / 2))?;
        let mut fields: Vec<FieldRef> = Vec::new();
        let mut columns: Vec<ArrayRef> = Vec::new();
        let mut sides: Vec<Arc<dyn PhysicalExpr>> = Vec::new();
        for arg in args.args {
            match arg {
                ColumnarValue::Scalar(value) => sides.push(Arc::new(Literal::new(value))),
                ColumnarValue::Array(array) => {
                    sides.push(Arc::new(Column::new("side", columns.len())));
                    fields.push(Arc::new(Field::new("side", array.data_type().clone(), true)));
                    columns.push(array);
                }
            }
        }
        let [left, right] = sides.as_slice() else { return internal_err!("|| has two sides") };
        let options = RecordBatchOptions::new().with_row_count(Some(args.number_rows));
        let rows = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)?;
        BinaryExpr::new(Arc::clone(left), Operator::StringConcat, Arc::clone(right)).evaluate(&rows)
    }
}
