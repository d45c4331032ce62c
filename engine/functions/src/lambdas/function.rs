//! Functions of values and one lambda, made of a name and functions, as `scalar_udf` makes functions of values.

use std::hash::{Hash, Hasher};

use arrow::array::UInt32Array;
use arrow::compute::{take, take_arrays};
use datafusion::logical_expr::{
    HigherOrderFunctionArgs, HigherOrderReturnFieldArgs, HigherOrderSignature, HigherOrderUDF, HigherOrderUDFImpl,
    LambdaArgument, LambdaParametersProgress, ValueOrLambda,
};

use crate::prelude::*;
use quarry_runtime::check_stopped;

#[derive(Debug)]
pub(super) struct LambdaFunction {
    pub name: &'static str,
    /// A description of the arguments, for error messages.
    pub arguments: &'static str,
    /// How many values there are before the lambda.
    pub values: usize,
    /// The types that its values are coerced to.
    pub value_types: fn(&[DataType]) -> Result<Vec<DataType>>,
    /// The parameters of its lambda.
    pub parameters: fn(&[FieldRef]) -> Result<Vec<FieldRef>>,
    /// The answer for values and the answer of the lambda.
    pub returns: fn(&[FieldRef], &FieldRef) -> Result<FieldRef>,
    pub invoke: fn(&[ArrayRef], &LambdaArgument, &FieldRef) -> Result<ArrayRef>,
}

#[derive(Debug)]
struct Function {
    function: LambdaFunction,
    signature: HigherOrderSignature,
}

impl LambdaFunction {
    pub fn udf(self) -> HigherOrderUDF {
        let signature = HigherOrderSignature::user_defined(Volatility::Immutable);
        HigherOrderUDF::new_from_impl(Function { function: self, signature })
    }
}

/// Evaluates a lambda for rows of columns, one column for each parameter; `rows` are the rows of the query that they belong to.
pub(super) fn evaluate(
    lambda: &LambdaArgument,
    parameters: &[(&dyn Array, &UInt32Array)],
    rows: &UInt32Array,
) -> Result<ArrayRef> {
    check_stopped()?;
    let columns =
        parameters.iter().map(|&(column, rows)| move || -> Result<ArrayRef> { Ok(take(column, rows, None)?) });
    let columns: Vec<_> = columns.collect();
    let columns: Vec<&dyn Fn() -> Result<ArrayRef>> =
        columns.iter().map(|column| column as &dyn Fn() -> Result<ArrayRef>).collect();
    let answers = lambda.evaluate(&columns, |captured| Ok(take_arrays(captured, rows, None)?))?;
    answers.into_array(rows.len())
}

/// Refuses a lambda that is no condition.
pub(super) fn check_condition(lambda: &FieldRef) -> Result<()> {
    match lambda.data_type() {
        DataType::Boolean | DataType::Null => Ok(()),
        other => Err(invalid(format!("Expected a boolean here, got {}.", type_name(other, false)))),
    }
}

// Names are unique among our functions.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl Function {
    fn wrong_arguments(&self) -> DataFusionError {
        invalid(format!("{} expects {}.", self.function.name, self.function.arguments))
    }

    /// The values, and the lambda after them.
    fn split<V: Clone, L: Clone>(&self, args: &[ValueOrLambda<V, L>]) -> Result<(Vec<V>, L)> {
        let Some((ValueOrLambda::Lambda(lambda), values)) = args.split_last() else {
            return Err(self.wrong_arguments());
        };
        let values = values.iter().map(|value| match value {
            ValueOrLambda::Value(value) => Some(value.clone()),
            ValueOrLambda::Lambda(_) => None,
        });
        let values = values.collect::<Option<Vec<V>>>().filter(|values| values.len() == self.function.values);
        Ok((values.ok_or_else(|| self.wrong_arguments())?, lambda.clone()))
    }
}

impl HigherOrderUDFImpl for Function {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &HigherOrderSignature {
        &self.signature
    }

    fn coerce_value_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types.len() == self.function.values {
            true => (self.function.value_types)(types),
            false => Err(self.wrong_arguments()),
        }
    }

    fn lambda_parameters(
        &self,
        _: usize,
        fields: &[ValueOrLambda<FieldRef, Option<FieldRef>>],
    ) -> Result<LambdaParametersProgress> {
        let (values, _) = self.split(fields)?;
        Ok(LambdaParametersProgress::Complete(vec![(self.function.parameters)(&values)?]))
    }

    fn return_field_from_args(&self, args: HigherOrderReturnFieldArgs) -> Result<FieldRef> {
        let (values, lambda) = self.split(args.arg_fields)?;
        (self.function.returns)(&values, &lambda)
    }

    fn invoke_with_args(&self, args: HigherOrderFunctionArgs) -> Result<ColumnarValue> {
        let (values, lambda) = self.split(&args.args)?;
        let values = values.into_iter().map(|value| value.into_array(args.number_rows));
        let values = values.collect::<Result<Vec<ArrayRef>>>()?;
        (self.function.invoke)(&values, &lambda, &args.return_field).map(ColumnarValue::Array)
    }
}
