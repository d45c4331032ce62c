//! A function of values and one lambda, made of its name and plain functions, as `Simple` is for functions of values.

use std::hash::{Hash, Hasher};

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, HigherOrderFunctionArgs, HigherOrderReturnFieldArgs, HigherOrderSignature, HigherOrderUDF,
    HigherOrderUDFImpl, LambdaArgument, LambdaParametersProgress, ValueOrLambda, Volatility,
};

use quarry_types::invalid;

/// What a function does.
#[derive(Debug)]
pub(super) struct Higher {
    pub name: &'static str,
    /// What the arguments are, for the error of a call that has others.
    pub arguments: &'static str,
    /// The types it takes its values as; how many they are is known.
    pub values: fn(&[DataType]) -> Result<Vec<DataType>>,
    pub count: usize,
    /// The parameters of its lambda.
    pub parameters: fn(&[FieldRef]) -> Result<Vec<FieldRef>>,
    /// What it answers for values and the answer of its lambda.
    pub returns: fn(&[FieldRef], &FieldRef) -> Result<FieldRef>,
    pub invoke: fn(&[ArrayRef], &LambdaArgument, &FieldRef) -> Result<ArrayRef>,
}

#[derive(Debug)]
struct Function {
    parts: Higher,
    signature: HigherOrderSignature,
}

impl Higher {
    pub fn function(self) -> HigherOrderUDF {
        let signature = HigherOrderSignature::user_defined(Volatility::Immutable);
        HigherOrderUDF::new_from_impl(Function { parts: self, signature })
    }
}

// Names are unique among our functions, so they stand for the whole.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.parts.name == other.parts.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts.name.hash(state);
    }
}

impl Function {
    fn refused(&self) -> datafusion::common::DataFusionError {
        invalid(format!("{} takes {}.", self.parts.name, self.parts.arguments))
    }

    /// The values, and the lambda behind them.
    fn parts<V: Clone, L: Clone>(&self, args: &[ValueOrLambda<V, L>]) -> Result<(Vec<V>, L)> {
        let Some((ValueOrLambda::Lambda(lambda), values)) = args.split_last() else { return Err(self.refused()) };
        let values = values.iter().map(|value| match value {
            ValueOrLambda::Value(value) => Ok(value.clone()),
            ValueOrLambda::Lambda(_) => Err(self.refused()),
        });
        let values = values.collect::<Result<Vec<V>>>()?;
        match values.len() == self.parts.count {
            true => Ok((values, lambda.clone())),
            false => Err(self.refused()),
        }
    }
}

impl HigherOrderUDFImpl for Function {
    fn name(&self) -> &str {
        self.parts.name
    }

    fn signature(&self) -> &HigherOrderSignature {
        &self.signature
    }

    fn coerce_value_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types.len() == self.parts.count {
            true => (self.parts.values)(types),
            false => Err(self.refused()),
        }
    }

    fn lambda_parameters(
        &self,
        _: usize,
        fields: &[ValueOrLambda<FieldRef, Option<FieldRef>>],
    ) -> Result<LambdaParametersProgress> {
        let (values, _) = self.parts(fields)?;
        Ok(LambdaParametersProgress::Complete(vec![(self.parts.parameters)(&values)?]))
    }

    fn return_field_from_args(&self, args: HigherOrderReturnFieldArgs) -> Result<FieldRef> {
        let (values, lambda) = self.parts(args.arg_fields)?;
        (self.parts.returns)(&values, &lambda)
    }

    fn invoke_with_args(&self, args: HigherOrderFunctionArgs) -> Result<ColumnarValue> {
        let (values, lambda) = self.parts(&args.args)?;
        let values = values.into_iter().map(|value| value.into_array(args.number_rows));
        let values = values.collect::<Result<Vec<ArrayRef>>>()?;
        (self.parts.invoke)(&values, &lambda, &args.return_field).map(ColumnarValue::Array)
    }
}
