//! `reduce(list, first, (state, item) -> …, state -> …)`: one value made of a list, item by item.
//!
//! The state has one type all the way. It begins as that of the first value and widens to what the lambda makes of it:
//! `reduce([1.5, 2], 0, (s, x) -> s + x)` adds decimals. The items of all rows at a position go through the lambda at once.

use arrow::array::{ListArray, UInt32Array, new_null_array};
use arrow::compute::{CastOptions, cast_with_options, concat, take, take_arrays};
use datafusion::logical_expr::binary::type_union_resolution;
use datafusion::logical_expr::{
    HigherOrderFunctionArgs, HigherOrderReturnFieldArgs, HigherOrderSignature, HigherOrderUDF, HigherOrderUDFImpl,
    LambdaArgument, LambdaParametersProgress, ValueOrLambda,
};

use super::list_types::{as_list, item_field, lists_of};
use crate::prelude::*;
use quarry_runtime::check_stopped;
use quarry_types::uint256::NUMBER;

/// The longest list.
const MAX_LENGTH: i32 = 1_000_000;
/// Most bytes of the states of one batch of rows.
const MAX_STATE_BYTES: usize = 64 << 20;
/// How often the type of the state may widen.
const MAX_WIDENINGS: usize = 3;
/// Most fraction digits of a state: each product has more than the one before.
const MAX_SCALE: i8 = 36;

pub(super) const DOC: Doc = Doc {
    signature: "reduce(list, first, (state, item) -> state, state -> value)",
    text: "A single value computed from a list: the first lambda combines the state with each element in turn, the second turns the final state into the result.",
    example: "select reduce([5, 20, 50], 0, (s, x) -> s + x, s -> s)",
};

pub(super) fn function() -> HigherOrderUDF {
    let signature = HigherOrderSignature::user_defined(Volatility::Immutable);
    HigherOrderUDF::new_from_impl(Reduce { signature })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Reduce {
    signature: HigherOrderSignature,
}

/// The arguments of a call; the second lambda may be left out.
struct Arguments<V, L> {
    list: V,
    first: V,
    merge: L,
    finish: Option<L>,
}

fn arguments<V: Clone, L: Clone>(args: &[ValueOrLambda<V, L>]) -> Result<Arguments<V, L>> {
    use ValueOrLambda::{Lambda, Value};
    let (list, first, merge, finish) = match args {
        [Value(list), Value(first), Lambda(merge)] => (list, first, merge, None),
        [Value(list), Value(first), Lambda(merge), Lambda(finish)] => (list, first, merge, Some(finish.clone())),
        _ => return Err(wrong_arguments()),
    };
    Ok(Arguments { list: list.clone(), first: first.clone(), merge: merge.clone(), finish })
}

fn wrong_arguments() -> DataFusionError {
    invalid(
        "reduce expects a list, an initial value and lambdas such as (state, item) -> state + item and state -> state.",
    )
}

/// The type of a state that begins as one type and becomes the other.
pub fn widened(first: &DataType, next: &DataType) -> DataType {
    let wide = match (first, next) {
        (same, other) if same == other => return same.clone(),
        (null, other) | (other, null) if null.is_null() => other.clone(),
        (number, other) | (other, number) if is_number(number) && other.is_integer() => NUMBER,
        (float, other) | (other, float) if float.is_floating() && other.is_numeric() => DataType::Float64,
        _ => type_union_resolution(&[first.clone(), next.clone()]).unwrap_or_else(|| next.clone()),
    };
    // Each addition needs a digit more, up to the widest type.
    match wide {
        DataType::Decimal128(_, scale) => DataType::Decimal128(38, scale),
        DataType::Decimal256(_, scale) => DataType::Decimal256(76, scale.min(MAX_SCALE)),
        other => other,
    }
}

/// Whether a state that went through the lambda twice has the fraction digits of both items.
fn is_product(first: &DataType, item: &DataType, state: &DataType) -> bool {
    let places = |data_type: &DataType| match data_type {
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) => i32::from(*scale),
        _ => 0,
    };
    places(item) > 0 && places(state) == places(first) + 2 * places(item)
}

fn state_field(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("state", data_type, true))
}

impl HigherOrderUDFImpl for Reduce {
    fn name(&self) -> &str {
        "reduce"
    }

    fn signature(&self) -> &HigherOrderSignature {
        &self.signature
    }

    fn coerce_value_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [list, first] => Ok(vec![as_list(list)?, first.clone()]),
            _ => Err(wrong_arguments()),
        }
    }

    fn lambda_parameters(
        &self,
        step: usize,
        fields: &[ValueOrLambda<FieldRef, Option<FieldRef>>],
    ) -> Result<LambdaParametersProgress> {
        let arguments = arguments(fields)?;
        let first = arguments.first.data_type();
        let settled = arguments.merge.as_ref().map(|merged| widened(first, merged.data_type()));
        // All answers are known from the start once the call is planned.
        let planned = arguments.finish.as_ref().map_or(step == 0, Option::is_some);
        let done = settled.as_ref().is_some_and(|state| planned || state == first || step >= MAX_WIDENINGS);
        let item = item_field(&arguments.list)?;
        let state = settled.unwrap_or_else(|| first.clone());
        let product = step == 2 && !planned && is_product(first, item.data_type(), &state);
        let state = state_field(if product { DataType::Decimal256(76, MAX_SCALE) } else { state });
        let merge = vec![state.clone(), item];
        if done {
            let finish = arguments.finish.is_some().then(|| vec![state]);
            return Ok(LambdaParametersProgress::Complete([merge].into_iter().chain(finish).collect()));
        }
        let finish = arguments.finish.is_some().then_some(None);
        Ok(LambdaParametersProgress::Partial([Some(merge)].into_iter().chain(finish).collect()))
    }

    fn coerce_values_for_lambdas(&self, types: &[ValueOrLambda<DataType, DataType>]) -> Result<Option<Vec<DataType>>> {
        let arguments = arguments(types)?;
        Ok(Some(vec![arguments.list, widened(&arguments.first, &arguments.merge)]))
    }

    fn return_field_from_args(&self, args: HigherOrderReturnFieldArgs) -> Result<FieldRef> {
        let arguments = arguments(args.arg_fields)?;
        let state = widened(arguments.first.data_type(), arguments.merge.data_type());
        Ok(match arguments.finish {
            Some(finish) => Arc::new(finish.as_ref().clone().with_name("reduced").with_nullable(true)),
            None => Arc::new(
                arguments.first.as_ref().clone().with_name("reduced").with_data_type(state).with_nullable(true),
            ),
        })
    }

    fn invoke_with_args(&self, args: HigherOrderFunctionArgs) -> Result<ColumnarValue> {
        let types = arguments(&args.arg_fields)?;
        let state = widened(types.first.data_type(), types.merge.data_type());
        let arguments = arguments(&args.args)?;
        let rows = args.number_rows;
        let lists = arguments.list.into_array(rows)?;
        let lists = lists_of(&lists)?;
        let known: UInt32Array = (0..rows as u32).filter(|row| lists.is_valid(*row as usize)).collect();
        if known.is_empty() {
            return Ok(ColumnarValue::Array(new_null_array(args.return_type(), rows)));
        }
        let first = as_state(take(&arguments.first.into_array(rows)?, &known, None)?, &state)?;
        let last = states(lists, &known, first, &arguments.merge)?;
        let answers = match &arguments.finish {
            Some(finish) => {
                let answers =
                    finish.evaluate(&[&|| Ok(last.clone())], |captured| Ok(take_arrays(captured, &known, None)?))?;
                answers.into_array(known.len())?
            }
            None => last,
        };
        let mut places = vec![None; rows];
        known.values().iter().enumerate().for_each(|(place, row)| places[*row as usize] = Some(place as u32));
        Ok(ColumnarValue::Array(take(&answers, &UInt32Array::from(places), None)?))
    }
}

/// The state after the last item of each of the rows.
fn states(lists: &ListArray, rows: &UInt32Array, first: ArrayRef, merge: &LambdaArgument) -> Result<ArrayRef> {
    let data_type = first.data_type().clone();
    // The indices of the rows with more items.
    let mut active: UInt32Array = (0..rows.len() as u32).collect();
    let mut state = first;
    let mut done: Vec<ArrayRef> = Vec::new();
    let mut order = vec![0; rows.len()];
    let mut finished = 0;
    for place in 0..=MAX_LENGTH {
        check_stopped()?;
        let row = |index: u32| rows.value(active.value(index as usize) as usize) as usize;
        let ends = |index: &u32| lists.value_length(row(*index)) <= place;
        let (over, on): (Vec<u32>, Vec<u32>) = (0..active.len() as u32).partition(ends);
        if !over.is_empty() {
            for index in &over {
                order[active.value(*index as usize) as usize] = finished;
                finished += 1;
            }
            done.push(take(&state, &UInt32Array::from(over), None)?);
            let on = UInt32Array::from(on);
            state = take(&state, &on, None)?;
            active = take(&active, &on, None)?.as_primitive().clone();
        }
        if active.is_empty() {
            let done: Vec<&dyn Array> = done.iter().map(AsRef::as_ref).collect();
            return Ok(take(&concat(&done)?, &UInt32Array::from(order), None)?);
        }
        let active_rows: UInt32Array = active.values().iter().map(|index| rows.value(*index as usize)).collect();
        let items = active_rows.values().iter().map(|row| (lists.value_offsets()[*row as usize] + place) as u32);
        let items = take(lists.values(), &items.collect::<UInt32Array>(), None)?;
        let next = merge.evaluate(&[&|| Ok(state.clone()), &|| Ok(items.clone())], |captured| {
            Ok(take_arrays(captured, &active_rows, None)?)
        })?;
        state = as_state(next.into_array(active.len())?, &data_type)?;
        if state.get_array_memory_size() > MAX_STATE_BYTES {
            return Err(refuse(ErrorCode::TooComplex, "The state of reduce grew too large."));
        }
    }
    Err(refuse(ErrorCode::TooComplex, format!("reduce supports lists of at most {MAX_LENGTH} items.")))
}

/// The answer of the lambda as the type of the state.
fn as_state(array: ArrayRef, to: &DataType) -> Result<ArrayRef> {
    if array.data_type() == to {
        return Ok(array);
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let state = cast_with_options(&array, to, &options).map_err(|_| {
        out_of_range("The state of reduce is out of range for its type; cast the initial value to a wider type.")
    })?;
    // Lost digits are an error.
    let back = cast_with_options(&state, array.data_type(), &options);
    if array.data_type().is_decimal()
        && to.is_decimal()
        && back.ok().is_none_or(|back| back.to_data() != array.to_data())
    {
        return Err(out_of_range("The state of reduce gains digits with each item; cast the initial value to double."));
    }
    Ok(state)
}
