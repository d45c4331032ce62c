//! A scalar function made of a name, its documentation and two plain functions.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::concat;
use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{
    AggregateUDF, ColumnarValue, DocSection, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, TypeSignature, Volatility,
};

use quarry_runtime::check_stopped;

/// Section of the documentation in which our functions stand.
const ETHEREUM: DocSection = DocSection { include: true, label: "Ethereum functions", description: None };

/// Texts of a function for people.
#[derive(Debug, Clone, Copy)]
pub struct Doc {
    /// `name(argument)`.
    pub signature: &'static str,
    /// One sentence.
    pub text: &'static str,
    /// A query that runs on any lake.
    pub example: &'static str,
}

impl Doc {
    pub fn documentation(self) -> Documentation {
        Documentation::builder(ETHEREUM, self.text, self.signature).with_sql_example(self.example).build()
    }
}

/// The most arguments of a function that takes any number of them.
pub(super) const MANY: usize = usize::MAX;

/// Most bytes that copies of arguments take which are the same in each row.
const COPIES: usize = 16 << 20;

type Returns = fn(&ReturnFieldArgs) -> Result<FieldRef>;
type Invoke = fn(&[ArrayRef], &FieldRef) -> Result<ArrayRef>;

/// A function that looks at whole columns.
#[derive(Debug)]
pub(super) struct Simple {
    name: &'static str,
    signature: Signature,
    returns: Returns,
    invoke: Invoke,
    documentation: Option<Documentation>,
}

impl Simple {
    /// A function of `arguments` arguments of any type; `returns` refuses those it can't take.
    pub fn udf(
        name: &'static str,
        arguments: std::ops::RangeInclusive<usize>,
        doc: Option<Doc>,
        returns: Returns,
        invoke: Invoke,
    ) -> ScalarUDF {
        let counts = match arguments.clone().into_inner() {
            (0, 0) => vec![TypeSignature::Nullary],
            (0, MANY) => vec![TypeSignature::VariadicAny, TypeSignature::Nullary],
            (_, MANY) => vec![TypeSignature::VariadicAny],
            _ => arguments.map(TypeSignature::Any).collect(),
        };
        let signature = Signature::one_of(counts, Volatility::Immutable);
        let documentation = doc.map(Doc::documentation);
        ScalarUDF::new_from_impl(Simple { name, signature, returns, invoke, documentation })
    }
}

// Names are unique among our functions, so they stand for the whole.
impl PartialEq for Simple {
    fn eq(&self, other: &Simple) -> bool {
        self.name == other.name
    }
}

impl Eq for Simple {}

impl Hash for Simple {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for Simple {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Err(DataFusionError::Internal("the type depends on the fields".to_string()))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        (self.returns)(&args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        check_stopped()?;
        let scalars = args.args.iter().filter_map(|arg| match arg {
            ColumnarValue::Scalar(value) => Some(value.size()),
            ColumnarValue::Array(_) => None,
        });
        let (count, size) = scalars.fold((0, 0), |(count, size), each| (count + 1, size + each));
        if count == args.args.len() {
            let arrays = ColumnarValue::values_to_arrays(&args.args)?;
            let result = (self.invoke)(&arrays, &args.return_field)?;
            // A list as it is: the stock way forgets what its field says of the items, that they are JSON.
            return Ok(ColumnarValue::Scalar(match result.as_list_opt::<i32>() {
                Some(list) => ScalarValue::List(Arc::new(list.slice(0, 1))),
                None => ScalarValue::try_from_array(&result, 0)?,
            }));
        }
        // Each row gets its own copy of what is the same in all of them: of a long list, for few rows at a time.
        let at_once = (COPIES / size.max(1)).max(1);
        let parts = (0..args.number_rows.max(1)).step_by(at_once).map(|first| {
            let rows = at_once.min(args.number_rows - first);
            let part = |arg: &ColumnarValue| match arg {
                ColumnarValue::Array(array) => Ok(array.slice(first, rows)),
                ColumnarValue::Scalar(value) => value.to_array_of_size(rows),
            };
            let arrays = args.args.iter().map(part).collect::<Result<Vec<ArrayRef>>>()?;
            (self.invoke)(&arrays, &args.return_field)
        });
        let mut parts = parts.collect::<Result<Vec<ArrayRef>>>()?;
        Ok(ColumnarValue::Array(match (parts.len(), parts.pop()) {
            (1, Some(whole)) => whole,
            (_, last) => {
                parts.extend(last);
                concat(&parts.iter().map(AsRef::as_ref).collect::<Vec<_>>())?
            }
        }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.documentation.as_ref()
    }
}

/// A scalar function by value, shared.
pub(crate) fn shared(function: ScalarUDF) -> Arc<ScalarUDF> {
    Arc::new(function)
}

/// An aggregate function by value, shared.
pub(crate) fn shared_aggregate(function: AggregateUDF) -> Arc<AggregateUDF> {
    Arc::new(function)
}
