//! `+ - * %` and the minus sign of numbers of one type by Arrow's checked kernels: DataFusion's operators wrap around on overflow,
//! and its optimizer takes `x % 1` of decimals for 0.

use arrow::array::{Datum, Scalar};
use arrow::compute::kernels::numeric;
use arrow::error::ArrowError;
use datafusion::logical_expr::Operator;
use datafusion::logical_expr::type_coercion::binary::BinaryTypeCoercer;

use crate::prelude::*;

pub(crate) const REMAINDER: &str = "remainder";

#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
enum Kernel {
    Add,
    Subtract,
    Multiply,
    Negate,
    Remainder,
}

/// The checked form of an operator on integers of one type.
pub fn checked(operator: Operator) -> Option<Arc<ScalarUDF>> {
    match operator {
        Operator::Plus => Some(shared!(udf(Kernel::Add))),
        Operator::Minus => Some(shared!(udf(Kernel::Subtract))),
        Operator::Multiply => Some(shared!(udf(Kernel::Multiply))),
        _ => None,
    }
}

/// The checked minus sign.
pub fn checked_negative() -> Arc<ScalarUDF> {
    shared!(udf(Kernel::Negate))
}

/// The remainder of two numbers, at least one of them a decimal; division by zero is an error.
pub fn remainder() -> Arc<ScalarUDF> {
    shared!(udf(Kernel::Remainder))
}

fn udf(kernel: Kernel) -> ScalarUDF {
    let arguments = if kernel == Kernel::Negate { 1 } else { 2 };
    ScalarUDF::new_from_impl(KernelOperator { kernel, signature: Signature::any(arguments, Volatility::Immutable) })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct KernelOperator {
    kernel: Kernel,
    signature: Signature,
}

impl ScalarUDFImpl for KernelOperator {
    fn name(&self) -> &str {
        match self.kernel {
            Kernel::Add => "checked_add",
            Kernel::Subtract => "checked_subtract",
            Kernel::Multiply => "checked_multiply",
            Kernel::Negate => "checked_negate",
            Kernel::Remainder => REMAINDER,
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match (self.kernel, types) {
            (Kernel::Remainder, [left, right]) => {
                BinaryTypeCoercer::new(left, &Operator::Modulo, right).get_result_type()
            }
            (_, [first, ..]) => Ok(first.clone()),
            (_, []) => Err(invalid("An operator needs an argument.")),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let nullable = args.arg_fields.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(self.name(), self.return_type(&types)?, nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let computed = match (self.kernel, args.args.as_slice()) {
            (Kernel::Negate, [value]) => {
                numeric::neg(value.clone().into_array(args.number_rows)?.as_ref()).map_err(overflow)
            }
            (Kernel::Remainder, [left, right]) => {
                let (from, by) = (left.data_type(), right.data_type());
                let (from, by) = BinaryTypeCoercer::new(&from, &Operator::Modulo, &by).get_input_types()?;
                let (left, right) = (left.cast_to(&from, None)?, right.cast_to(&by, None)?);
                numeric::rem(datum(&left)?.as_ref(), datum(&right)?.as_ref()).map_err(Into::into)
            }
            (kernel, [left, right]) => {
                let compute = match kernel {
                    Kernel::Add => numeric::add,
                    Kernel::Subtract => numeric::sub,
                    _ => numeric::mul,
                };
                compute(datum(left)?.as_ref(), datum(right)?.as_ref()).map_err(overflow)
            }
            _ => return Err(invalid("An operator needs two arguments.")),
        };
        columnar(computed?, &args.args)
    }
}

fn datum(value: &ColumnarValue) -> Result<Box<dyn Datum>> {
    Ok(match value {
        ColumnarValue::Array(array) => Box::new(array.clone()),
        ColumnarValue::Scalar(scalar) => Box::new(Scalar::<ArrayRef>::new(scalar.to_array()?)),
    })
}

/// An error of Arrow's arithmetic, with a sentence for an overflow.
pub(super) fn overflow(error: ArrowError) -> DataFusionError {
    match error {
        ArrowError::ArithmeticOverflow(_) => too_large(),
        other => other.into(),
    }
}

pub(super) fn too_large() -> DataFusionError {
    out_of_range("An integer is out of range for its type; cast to decimal(38,0) before calculating.")
}
