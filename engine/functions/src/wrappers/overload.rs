//! One name for two functions, chosen by the types of the arguments: a built-in one for texts or numbers, and another one for bytes,
//! lists or 256-bit numbers.

use std::any::Any;

use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use quarry_types::uint256::NUMBER;

use super::adapt::{Adapted, coerced, types_of};
use super::null_propagation::null_where_any_is;
use super::wrapper::{Wrapped, Wrapper, wrapped};
use crate::prelude::*;

/// When the other function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum When {
    /// Every argument at these places is bytes or null, and at least one is bytes. An empty list means all places.
    Bytes(&'static [usize]),
    /// An argument is a list; all others are lists or null.
    Lists,
    /// An argument is a list; others may be texts, and nulls are left out.
    ListsAndTexts,
    /// The first argument is neither a text nor null.
    FirstIsNoText,
    /// The first argument is a 256-bit number; a number of decimal places may follow it.
    Number { with_places: bool },
}

pub(crate) fn overloaded(builtin: ScalarUDF, when: When, other: Arc<ScalarUDF>) -> ScalarUDF {
    wrapped(builtin, Overload { when, other })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Overload {
    when: When,
    other: Arc<ScalarUDF>,
}

fn is_list(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..))
}

impl Overload {
    fn calls_other(&self, types: &[DataType]) -> bool {
        match self.when {
            When::Bytes(places) => {
                let is_tested = |place: usize| places.is_empty() || places.contains(&place);
                let tested = || types.iter().enumerate().filter(|(place, _)| is_tested(*place)).map(|(_, from)| from);
                let is_bytes = |from: &DataType| is_bytes(from) && !is_number(from);
                tested().any(is_bytes)
                    && types.len() > places.last().copied().unwrap_or_default()
                    && tested().all(|from| is_bytes(from) || from.is_null())
            }
            When::Lists | When::ListsAndTexts => types.iter().any(is_list),
            When::FirstIsNoText => types.first().is_some_and(|from| !is_text(from) && !from.is_null()),
            When::Number { with_places } => match types {
                [number] => is_number(number),
                [number, places] => with_places && is_number(number) && (places.is_integer() || places.is_null()),
                _ => false,
            },
        }
    }

    fn function<'a>(&'a self, builtin: &'a ScalarUDF, types: &[DataType]) -> &'a ScalarUDF {
        if self.calls_other(types) { &self.other } else { builtin }
    }
}

impl Wrapper for Overload {
    const OWN_TYPES: bool = true;

    fn keeps_properties(&self) -> bool {
        !matches!(self.when, When::Number { .. })
    }

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        if !self.calls_other(types) {
            return coerced(builtin, types);
        }
        match self.when {
            When::Bytes(_) => {
                Ok(types.iter().map(|from| if from.is_null() { DataType::Binary } else { from.clone() }).collect())
            }
            When::Lists => {
                if !types.iter().all(|from| is_list(from) || from.is_null()) {
                    return Err(invalid(format!("{} expects lists or strings, not both.", builtin.name())));
                }
                // A null is taken for a list.
                let list = types.iter().find(|from| is_list(from));
                let typed = types.iter().map(|from| list.filter(|_| from.is_null()).unwrap_or(from).clone());
                coerced(&self.other, &typed.collect::<Vec<_>>())
            }
            When::ListsAndTexts | When::FirstIsNoText => coerced(&self.other, types),
            When::Number { .. } => Ok([NUMBER, DataType::Int64][..types.len()].to_vec()),
        }
    }

    fn return_type(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<DataType> {
        match self.when {
            When::Number { .. } if self.calls_other(types) => Ok(NUMBER),
            _ => self.function(builtin, types).return_type(types),
        }
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.function(builtin, &types_of(args.arg_fields)).return_field_from_args(args)
    }

    fn invoke(&self, builtin: &ScalarUDF, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let function = self.function(builtin, &types_of(&args.arg_fields)).clone();
        match self.when {
            // As with `||`; the built-in functions leave nulls out.
            When::Lists => null_where_any_is(args, |args| function.invoke_with_args(args)),
            _ => function.invoke_with_args(args),
        }
    }

    fn simplify(&self, builtin: &ScalarUDF, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let types = args.iter().map(|arg| context.get_data_type(arg)).collect::<Result<Vec<DataType>>>()?;
        // The built-in function of several texts leaves out nulls.
        let leaves_out_nulls = self.when == When::Lists && types.len() > 1;
        match self.calls_other(&types) || leaves_out_nulls || !self.keeps_properties() {
            true => Ok(ExprSimplifyResult::Original(args)),
            false => builtin.simplify(args, context),
        }
    }
}

/// The types as which a function takes its arguments, when it is a built-in one that takes bytes or 256-bit numbers too.
pub fn argument_fields(function: &ScalarUDF, types: &[DataType]) -> Option<Vec<FieldRef>> {
    let inner: &dyn Any = function.inner().as_ref();
    if let Some(adapted) = inner.downcast_ref::<Wrapped<Adapted>>() {
        return adapted.wrapper.argument_fields(&adapted.builtin, types).ok();
    }
    let Wrapped { builtin, wrapper, .. } = inner.downcast_ref::<Wrapped<Overload>>()?;
    match wrapper.when {
        When::FirstIsNoText => None,
        When::Bytes(_) | When::Number { .. } if wrapper.calls_other(types) => None,
        _ => argument_fields(builtin, types),
    }
}
