//! Scalar functions over whole columns: documentation, a rule for the type of the result and a kernel, in place of a struct and a
//! trait implementation for each.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::concat;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, DocSection, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    TypeSignature, Volatility,
};

use quarry_runtime::check_stopped;
use quarry_types::invalid;

/// Section of the documentation that lists our functions.
const ETHEREUM: DocSection = DocSection { include: true, label: "Ethereum functions", description: None };

/// Documentation of a function.
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

    /// The function that this describes, by the name in its signature.
    pub(crate) fn udf(self, arguments: RangeInclusive<usize>, returns: impl Returns, kernel: impl Kernel) -> ScalarUDF {
        doc(self.signature, self.text, self.example).udf(arguments, returns, kernel)
    }
}

/// The arguments on whose values it depends whether a call fails. An overflow does not count, nor a text where a function expects a
/// time: nobody writes a condition against these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailsOn {
    /// It never fails.
    Nothing,
    /// All but the first one.
    Divisor,
    AnyArgument,
}

/// What a function is, besides its type rule and its kernel.
pub(crate) struct Definition {
    name: Cow<'static, str>,
    aliases: Vec<String>,
    documentation: Option<Documentation>,
    fails_on: FailsOn,
}

/// A documented function: `name(argument)`, one sentence, and a query that runs on any lake. Its name is that in its signature.
pub(crate) fn doc(signature: &'static str, text: &'static str, example: &'static str) -> Definition {
    let name = signature.split_once('(').map_or(signature, |(name, _)| name);
    Definition { documentation: Some(Doc { signature, text, example }.documentation()), ..undocumented(name) }
}

/// A function without documentation: one that only the planner calls, or one that takes the documentation of another.
pub(crate) fn undocumented(name: impl Into<Cow<'static, str>>) -> Definition {
    Definition { name: name.into(), aliases: Vec::new(), documentation: None, fails_on: FailsOn::Nothing }
}

impl Definition {
    /// Another name than that in the signature.
    pub fn named(self, name: &'static str) -> Definition {
        Definition { name: name.into(), ..self }
    }

    /// Other names. `ScalarUDF::with_aliases` would hide [`FailsOn`].
    pub fn aliases(self, names: impl IntoIterator<Item = &'static str>) -> Definition {
        Definition { aliases: names.into_iter().map(str::to_string).collect(), ..self }
    }

    pub fn fails_on(self, fails_on: FailsOn) -> Definition {
        Definition { fails_on, ..self }
    }

    /// A function that fails for some values of its arguments.
    pub fn fallible(self) -> Definition {
        self.fails_on(FailsOn::AnyArgument)
    }

    pub fn udf(self, arguments: RangeInclusive<usize>, returns: impl Returns, kernel: impl Kernel) -> ScalarUDF {
        let counts = match arguments.clone().into_inner() {
            (0, MANY) => vec![TypeSignature::VariadicAny, TypeSignature::Nullary],
            (_, MANY) => vec![TypeSignature::VariadicAny],
            _ => arguments
                .map(|count| if count == 0 { TypeSignature::Nullary } else { TypeSignature::Any(count) })
                .collect(),
        };
        let signature = Signature::one_of(counts, Volatility::Immutable);
        let (returns, kernel) = (Box::new(returns), Box::new(kernel));
        ScalarUDF::new_from_impl(KernelUdf { definition: self, signature, returns, kernel })
    }
}

/// The upper end of a range of arguments that has none.
pub(crate) const MANY: usize = usize::MAX;

/// The most bytes that copies of a constant argument take, one for each row.
const MAX_COPIED_BYTES: usize = 16 << 20;

/// The rule for the field of a result; it refuses arguments that the function can't take.
pub(crate) trait Returns: Fn(&ReturnFieldArgs<'_>) -> Result<FieldRef> + Send + Sync + 'static {}
impl<F: Fn(&ReturnFieldArgs<'_>) -> Result<FieldRef> + Send + Sync + 'static> Returns for F {}

/// Computes the column of results from the columns of the arguments; it also gets the field that [`Returns`] made.
pub(crate) trait Kernel: Fn(&[ArrayRef], &FieldRef) -> Result<ArrayRef> + Send + Sync + 'static {}
impl<F: Fn(&[ArrayRef], &FieldRef) -> Result<ArrayRef> + Send + Sync + 'static> Kernel for F {}

/// An [`undocumented`] function that does not fail.
pub(crate) fn scalar_udf(
    name: impl Into<Cow<'static, str>>,
    arguments: RangeInclusive<usize>,
    returns: impl Returns,
    kernel: impl Kernel,
) -> ScalarUDF {
    undocumented(name).udf(arguments, returns, kernel)
}

/// The result has this type, whatever the arguments are.
pub(crate) fn returns(data_type: DataType) -> impl Returns {
    let field: FieldRef = Arc::new(Field::new("value", data_type, true));
    move |_: &ReturnFieldArgs<'_>| Ok(Arc::clone(&field))
}

/// The result has the field of the first argument.
pub(crate) fn returns_first(args: &ReturnFieldArgs<'_>) -> Result<FieldRef> {
    Ok(Arc::clone(&args.arg_fields[0]))
}

/// A test of the type of an argument.
pub(crate) type TypeTest = fn(&DataType) -> bool;

/// The result has this type if the arguments are null or pass these tests, the last of which is for all further arguments; other
/// arguments are an error with this message.
pub(crate) fn takes<const N: usize>(tests: [TypeTest; N], otherwise: &'static str, to: DataType) -> impl Returns {
    let returns = returns(to);
    move |args: &ReturnFieldArgs<'_>| match passes(args, &tests) {
        true => returns(args),
        false => Err(invalid(otherwise)),
    }
}

/// Whether every argument is null or passes its test; the last test is for all arguments that follow.
pub(crate) fn passes(args: &ReturnFieldArgs<'_>, tests: &[TypeTest]) -> bool {
    args.arg_fields.iter().enumerate().all(|(index, field)| {
        let test = tests.get(index).or(tests.last());
        field.data_type().is_null() || test.is_some_and(|test| test(field.data_type()))
    })
}

/// Functions of which planner rules have one instance for the whole process. Most are in no session, so a list is submitted where
/// they are made.
pub(crate) struct SharedFunctions(pub fn() -> Vec<Arc<ScalarUDF>>);

inventory::collect!(SharedFunctions);

/// The functions of which planner rules have one instance for the whole process, in any order, also those that no query called yet.
/// No two have a name in common.
pub fn shared_functions() -> impl Iterator<Item = Arc<ScalarUDF>> {
    inventory::iter::<SharedFunctions>.into_iter().flat_map(|SharedFunctions(functions)| functions())
}

/// The same function for every caller, made at the first call and listed by [`shared_functions`].
macro_rules! shared {
    ($udf:expr) => {{
        static UDF: std::sync::LazyLock<std::sync::Arc<datafusion::logical_expr::ScalarUDF>> =
            std::sync::LazyLock::new(|| std::sync::Arc::new($udf));
        inventory::submit! {
            $crate::scalar_udf::SharedFunctions(|| vec![std::sync::Arc::clone(&UDF)])
        }
        std::sync::Arc::clone(&UDF)
    }};
}
pub(crate) use shared;

/// The adapter of a type rule and a kernel to DataFusion's trait.
pub(crate) struct KernelUdf {
    definition: Definition,
    signature: Signature,
    returns: Box<dyn Returns>,
    kernel: Box<dyn Kernel>,
}

impl KernelUdf {
    pub fn fails_on(&self) -> FailsOn {
        self.definition.fails_on
    }
}

impl fmt::Debug for KernelUdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KernelUdf").field("name", &self.definition.name).finish_non_exhaustive()
    }
}

// No two of these functions have a name in common.
impl PartialEq for KernelUdf {
    fn eq(&self, other: &KernelUdf) -> bool {
        self.definition.name == other.definition.name
    }
}

impl Eq for KernelUdf {}

impl Hash for KernelUdf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.definition.name.hash(state);
    }
}

impl ScalarUDFImpl for KernelUdf {
    fn name(&self) -> &str {
        &self.definition.name
    }

    fn aliases(&self) -> &[String] {
        &self.definition.aliases
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
            let result = (self.kernel)(&arrays, &args.return_field)?;
            // `ScalarValue::try_from_array` drops the metadata of a list's items, which says that they are JSON.
            return Ok(ColumnarValue::Scalar(match result.as_list_opt::<i32>() {
                Some(list) => ScalarValue::List(Arc::new(list.slice(0, 1))),
                None => ScalarValue::try_from_array(&result, 0)?,
            }));
        }
        // Each row gets its own copy of a constant: of a long list, for few rows at a time.
        let rows_at_once = (MAX_COPIED_BYTES / size.max(1)).max(1);
        let chunks = (0..args.number_rows.max(1)).step_by(rows_at_once).map(|first| {
            let rows = rows_at_once.min(args.number_rows - first);
            let chunk = |arg: &ColumnarValue| match arg {
                ColumnarValue::Array(array) => Ok(array.slice(first, rows)),
                ColumnarValue::Scalar(value) => value.to_array_of_size(rows),
            };
            let arrays = args.args.iter().map(chunk).collect::<Result<Vec<ArrayRef>>>()?;
            (self.kernel)(&arrays, &args.return_field)
        });
        let chunks = chunks.collect::<Result<Vec<ArrayRef>>>()?;
        Ok(ColumnarValue::Array(match chunks.as_slice() {
            [whole] => Arc::clone(whole),
            chunks => concat(&chunks.iter().map(AsRef::as_ref).collect::<Vec<_>>())?,
        }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.definition.documentation.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn shared_functions_are_listed_before_they_are_called() {
        let names: Vec<String> = shared_functions().map(|function| function.name().to_string()).collect();
        for name in ["widen_uint256", "time_of_text", "||", "divide_by_1e38", "element_at", "hive_stack"] {
            assert!(names.iter().any(|known| known == name), "{name} is missing");
        }
        let mut seen = HashSet::new();
        let twice: Vec<&String> = names.iter().filter(|name| !seen.insert(name.as_str())).collect();
        assert!(twice.is_empty(), "the name tells them apart: {twice:?}");
    }

    #[test]
    fn a_shared_function_is_the_one_that_rules_call() {
        let called = crate::element_at();
        assert!(shared_functions().any(|function| Arc::ptr_eq(function.inner(), called.inner())));
    }
}
