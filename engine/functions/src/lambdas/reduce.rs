//! `reduce(list, first, (state, item) -> …, state -> …)`: one value made of a list, item by item.
//!
//! The state has one type all the way. It begins as that of the first value and widens to what the lambda makes of it:
//! `reduce([1.5, 2], 0, (s, x) -> s + x)` adds decimals. The items of all rows that have one at a place go through the lambda at once.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, UInt32Array, new_null_array};
use arrow::compute::{CastOptions, cast_with_options, concat, take, take_arrays};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::binary::type_union_resolution;
use datafusion::logical_expr::{
    ColumnarValue, HigherOrderFunctionArgs, HigherOrderReturnFieldArgs, HigherOrderSignature, HigherOrderUDF,
    HigherOrderUDFImpl, LambdaArgument, LambdaParametersProgress, ValueOrLambda, Volatility,
};

use super::{as_list, item_of, lists_of};
use crate::simple::Doc;
use quarry_types::ErrorCode;
use quarry_types::uint256::{NUMBER, is_number};
use quarry_types::{invalid, out_of_range, refuse};

/// The longest list, since nothing stops a function at its work.
const MOST: i32 = 1_000_000;
/// Most bytes of the states of one batch of rows.
const LARGEST: usize = 64 << 20;
/// How often the state may widen before it has the type that it keeps.
const WIDENINGS: usize = 3;
/// Most digits behind the point of a state: those of products, of which each has more than the one before.
const PLACES: i8 = 36;

pub(super) const DOC: Doc = Doc {
    signature: "reduce(list, first, (state, item) -> state, state -> value)",
    text: "One value of a list: the first lambda takes the state and each item in turn, the second makes the answer of the last state.",
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
struct Parts<V, L> {
    list: V,
    first: V,
    merge: L,
    finish: Option<L>,
}

fn parts<V: Clone, L: Clone>(args: &[ValueOrLambda<V, L>]) -> Result<Parts<V, L>> {
    use ValueOrLambda::{Lambda, Value};
    let (list, first, merge, finish) = match args {
        [Value(list), Value(first), Lambda(merge)] => (list, first, merge, None),
        [Value(list), Value(first), Lambda(merge), Lambda(finish)] => (list, first, merge, Some(finish.clone())),
        _ => return Err(refused()),
    };
    Ok(Parts { list: list.clone(), first: first.clone(), merge: merge.clone(), finish })
}

fn refused() -> datafusion::common::DataFusionError {
    invalid("reduce takes a list, a first value and lambdas such as (state, item) -> state + item and state -> state.")
}

/// The type that a state has when it begins as one and becomes the other.
pub fn widened(first: &DataType, next: &DataType) -> DataType {
    let wide = match (first, next) {
        (same, other) if same == other => return same.clone(),
        (null, other) | (other, null) if null.is_null() => other.clone(),
        (number, other) | (other, number) if is_number(number) && other.is_integer() => NUMBER,
        (float, other) | (other, float) if float.is_floating() && other.is_numeric() => DataType::Float64,
        _ => type_union_resolution(&[first.clone(), next.clone()]).unwrap_or_else(|| next.clone()),
    };
    // Each addition needs a digit more: there is no end before the widest.
    match wide {
        DataType::Decimal128(_, scale) => DataType::Decimal128(38, scale),
        DataType::Decimal256(_, scale) => DataType::Decimal256(76, scale.min(PLACES)),
        other => other,
    }
}

/// Whether a state that went through the lambda twice has the digits of both items behind its point.
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
            _ => Err(refused()),
        }
    }

    fn lambda_parameters(
        &self,
        step: usize,
        fields: &[ValueOrLambda<FieldRef, Option<FieldRef>>],
    ) -> Result<LambdaParametersProgress> {
        let parts = parts(fields)?;
        let first = parts.first.data_type();
        let settled = parts.merge.as_ref().map(|merged| widened(first, merged.data_type()));
        // All answers are known from the start once the call is planned.
        let planned = parts.finish.as_ref().map_or(step == 0, Option::is_some);
        let done = settled.as_ref().is_some_and(|state| planned || state == first || step >= WIDENINGS);
        let item = item_of(&parts.list)?;
        let state = settled.unwrap_or_else(|| first.clone());
        let product = step == 2 && !planned && is_product(first, item.data_type(), &state);
        let state = state_field(if product { DataType::Decimal256(76, PLACES) } else { state });
        let merge = vec![state.clone(), item];
        if done {
            let finish = parts.finish.is_some().then(|| vec![state]);
            return Ok(LambdaParametersProgress::Complete([merge].into_iter().chain(finish).collect()));
        }
        let finish = parts.finish.is_some().then_some(None);
        Ok(LambdaParametersProgress::Partial([Some(merge)].into_iter().chain(finish).collect()))
    }

    fn coerce_values_for_lambdas(&self, types: &[ValueOrLambda<DataType, DataType>]) -> Result<Option<Vec<DataType>>> {
        let parts = parts(types)?;
        Ok(Some(vec![parts.list, widened(&parts.first, &parts.merge)]))
    }

    fn return_field_from_args(&self, args: HigherOrderReturnFieldArgs) -> Result<FieldRef> {
        let parts = parts(args.arg_fields)?;
        let state = widened(parts.first.data_type(), parts.merge.data_type());
        Ok(match parts.finish {
            Some(finish) => Arc::new(finish.as_ref().clone().with_name("reduced").with_nullable(true)),
            None => {
                Arc::new(parts.first.as_ref().clone().with_name("reduced").with_data_type(state).with_nullable(true))
            }
        })
    }

    fn invoke_with_args(&self, args: HigherOrderFunctionArgs) -> Result<ColumnarValue> {
        let types = parts(&args.arg_fields)?;
        let state = widened(types.first.data_type(), types.merge.data_type());
        let parts = parts(&args.args)?;
        let rows = args.number_rows;
        let lists = parts.list.into_array(rows)?;
        let lists = lists_of(&lists)?;
        let known: UInt32Array = (0..rows as u32).filter(|row| lists.is_valid(*row as usize)).collect();
        if known.is_empty() {
            return Ok(ColumnarValue::Array(new_null_array(args.return_type(), rows)));
        }
        let first = as_state(take(&parts.first.into_array(rows)?, &known, None)?, &state)?;
        let last = states(lists, &known, first, &parts.merge)?;
        let answers = match &parts.finish {
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

/// The state behind the last item of each of the rows.
fn states(lists: &ListArray, rows: &UInt32Array, first: ArrayRef, merge: &LambdaArgument) -> Result<ArrayRef> {
    let data_type = first.data_type().clone();
    // Where in the answer each of the rows stands whose list goes on.
    let mut active: UInt32Array = (0..rows.len() as u32).collect();
    let mut state = first;
    let mut done: Vec<ArrayRef> = Vec::new();
    let mut order = vec![0; rows.len()];
    let mut finished = 0;
    for place in 0..=MOST {
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
            let parts: Vec<&dyn Array> = done.iter().map(AsRef::as_ref).collect();
            return Ok(take(&concat(&parts)?, &UInt32Array::from(order), None)?);
        }
        let of: UInt32Array = active.values().iter().map(|index| rows.value(*index as usize)).collect();
        let items = of.values().iter().map(|row| (lists.value_offsets()[*row as usize] + place) as u32);
        let items = take(lists.values(), &items.collect::<UInt32Array>(), None)?;
        let next = merge.evaluate(&[&|| Ok(state.clone()), &|| Ok(items.clone())], |captured| {
            Ok(take_arrays(captured, &of, None)?)
        })?;
        state = as_state(next.into_array(active.len())?, &data_type)?;
        if state.get_array_memory_size() > LARGEST {
            return Err(refuse(ErrorCode::TooComplex, "The state of reduce grows beyond all bounds."));
        }
    }
    Err(refuse(ErrorCode::TooComplex, format!("reduce takes lists of at most {MOST} items.")))
}

/// What the lambda made, as the type that the state keeps.
fn as_state(array: ArrayRef, to: &DataType) -> Result<ArrayRef> {
    if array.data_type() == to {
        return Ok(array);
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let state = cast_with_options(&array, to, &options).map_err(|_| {
        out_of_range("The state of reduce left the range of its type; cast the first value to a wider one.")
    })?;
    // Digits must not go in silence.
    let back = cast_with_options(&state, array.data_type(), &options);
    if array.data_type().is_decimal()
        && to.is_decimal()
        && back.ok().is_none_or(|back| back.to_data() != array.to_data())
    {
        return Err(out_of_range(
            "The state of reduce has more digits with each item; cast the first value to double.",
        ));
    }
    Ok(state)
}
