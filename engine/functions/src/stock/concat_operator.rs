//! `||` of texts, bytes and lists. The stock operator makes a column of any size at once; here it is checked first against what
//! the job may still hold.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::common::utils::list_ndims;
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::type_coercion::binary::BinaryTypeCoercer;
use datafusion::logical_expr::{
    ColumnarValue, Expr, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{BinaryExpr, Column, Literal};

use super::bounded::{self, whole_size};
use quarry_runtime::{check_free, check_stopped};
use quarry_types::byte_columns::{is_bytes, is_text};

static CONCAT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(ScalarUDF::from(ConcatOperator { signature: Signature::user_defined(Volatility::Immutable) }))
});

static CONCAT_LISTS: LazyLock<Arc<ScalarUDF>> = LazyLock::new(bounded::array_concat);

/// `left || right` of two texts, bytes or lists; `None` where the stock operator says what they make, or refuses them.
pub fn concat_operator(left: &Expr, from: &Field, right: &Expr, by: &Field) -> Option<Expr> {
    let (from, by) = (from.data_type(), by.data_type());
    let depth = list_ndims(from);
    if depth > 0 && depth == list_ndims(by) {
        return Some(CONCAT_LISTS.call(vec![left.clone(), right.clone()]));
    }
    let made = BinaryTypeCoercer::new(from, &Operator::StringConcat, by).get_result_type().ok()?;
    let is_one_value = |kind: &DataType| is_text(kind) || is_bytes(kind);
    let made_of_values = is_one_value(&made) && !from.is_nested() && !by.is_nested();
    made_of_values.then(|| CONCAT.call(vec![left.clone(), right.clone()]))
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
        let bytes = whole_size(&args)?;
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
