//! `avg`, exact: whole numbers, decimals and uint256 are added up as `sum` adds them, and divided once. The built-in one adds up
//! whole numbers as doubles, cuts the last digit of decimals, and wraps around without an error.

use std::sync::LazyLock;

use arrow::datatypes::{DECIMAL256_MAX_PRECISION, DECIMAL256_MAX_SCALE};
use datafusion::functions_aggregate::average::avg_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF,
};

use super::exact::accumulators::{DistinctAccumulator, ExactAccumulator};
use super::exact::answer::{MeanAs, UINT256_MEAN};
use super::exact::exact_sum::{INTERVAL, SUM_STATE};
use super::exact::groups::GroupMeans;
use super::exact::moving::{Frame, Moving, moving};
use super::exact::with_exact_kind;
use super::methods::as_builtin;
use super::methods::name_and_signature;
use super::sliding::recomputed::recomputed;
use super::sliding::{SlidingAccumulator, SlidingNumbers};
use crate::prelude::*;
use crate::wrappers::adapt::any_arguments;

/// The least scale of a mean of decimals.
const QUOTIENT_SCALE: i8 = 18;

static AVG: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let avg = Avg { builtin: avg_udaf(), signature: any_arguments(), aliases: vec!["mean".to_string()] };
    Arc::new(AggregateUDF::new_from_impl(avg))
});

/// The shared function.
pub(crate) fn avg() -> Arc<AggregateUDF> {
    AVG.clone()
}

/// The type of a partial sum; `None` for types that the built-in function sums.
fn state_type(from: &DataType) -> Option<DataType> {
    match from {
        DataType::Int64 | DataType::UInt64 => Some(DataType::Decimal128(38, 0)),
        DataType::Decimal128(_, scale) => Some(DataType::Decimal128(38, *scale)),
        DataType::Decimal256(_, scale) => Some(DataType::Decimal256(76, *scale)),
        from if is_number(from) => Some(SUM_STATE),
        &INTERVAL => Some(INTERVAL),
        _ => None,
    }
}

/// How values of one type are averaged to another; `None` for types that the built-in function sums.
fn mean_as(from: &DataType, to: &DataType) -> Option<MeanAs> {
    let more_digits = match (from, to) {
        (DataType::Decimal128(_, from), DataType::Decimal128(_, to))
        | (DataType::Decimal256(_, from), DataType::Decimal256(_, to)) => to.abs_diff(*from).into(),
        (_, DataType::Decimal256(_, to)) => to.unsigned_abs().into(),
        _ => 0,
    };
    Some(MeanAs { to: to.clone(), more_digits, state: state_type(from)? })
}

/// The type of the argument of a call, and how its mean is made.
fn call_mean(args: &AccumulatorArgs) -> Option<(DataType, MeanAs)> {
    let from = args.expr_fields.first()?.data_type();
    Some((from.clone(), mean_as(from, args.return_field.data_type())?))
}

/// The means of many groups; `None` for types that the built-in function sums.
pub(crate) fn group_means(from: &DataType, to: &DataType) -> Option<Box<dyn GroupsAccumulator>> {
    let mean = mean_as(from, to)?;
    with_exact_kind!(from, kind => Box::new(GroupMeans::new(kind, mean)) as Box<dyn GroupsAccumulator>)
}

/// The means of moving frames; `None` for types that the built-in function sums.
pub(crate) fn moving_means(from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    let mean = mean_as(from, to)?;
    with_exact_kind!(from, kind => moving(kind, mean, frame))
}

/// The type of a mean of decimals: four more fraction digits than the values have, and at least as many as a quotient. The mean
/// of 1.0, 0.0 and 0.0 needs them, and sums of whole numbers are decimals too.
fn mean_of_decimals(precision: u8, scale: i8) -> DataType {
    let wanted = scale.saturating_add(4).clamp(QUOTIENT_SCALE, DECIMAL256_MAX_SCALE);
    let before = i16::from(precision) - i16::from(scale);
    let precision = u8::try_from(before + i16::from(wanted)).unwrap_or(DECIMAL256_MAX_PRECISION);
    DataType::Decimal256(precision.clamp(1, DECIMAL256_MAX_PRECISION), wanted)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Avg {
    builtin: Arc<AggregateUDF>,
    signature: Signature,
    aliases: Vec<String>,
}

impl AggregateUDFImpl for Avg {
    name_and_signature!("avg");

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            // No number of rows can overflow this type.
            [DataType::Decimal128(precision, scale)] => Ok(vec![DataType::Decimal256(*precision, *scale)]),
            [DataType::Decimal256(..)] | [DataType::Duration(_)] | [DataType::UInt64] => Ok(types.to_vec()),
            [DataType::Interval(_)] => Ok(vec![INTERVAL]),
            [number] if is_number(number) => Ok(types.to_vec()),
            [number] if number.is_integer() => Ok(vec![DataType::Int64]),
            [number] if number.is_numeric() || number.is_null() => Ok(vec![DataType::Float64]),
            _ => Err(quarry_types::invalid("avg expects a number; cast to a number first.")),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types.first() {
            Some(from) if is_number(from) => Ok(UINT256_MEAN),
            Some(&INTERVAL) => Ok(INTERVAL),
            Some(DataType::Int64 | DataType::UInt64) => Ok(DataType::Float64),
            Some(DataType::Decimal256(precision, scale)) => Ok(mean_of_decimals(*precision, *scale)),
            _ => self.builtin.return_type(types),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let state = args.input_fields.first().and_then(|field| state_type(field.data_type()));
        let Some(state) = state else { return self.builtin.state_fields(args) };
        let sum = format_state_name(args.name, "sum");
        if args.is_distinct {
            return Ok(vec![Arc::new(Field::new(sum, DataType::new_list(state, true), true))]);
        }
        let count = Field::new(format_state_name(args.name, "count"), DataType::Int64, true);
        Ok(vec![Arc::new(Field::new(sum, state, true)), Arc::new(count)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let Some((from, mean)) = call_mean(&args) else { return self.builtin.accumulator(args) };
        let accumulator: Option<Box<dyn Accumulator>> = match args.is_distinct {
            true => with_exact_kind!(&from, kind => Box::new(DistinctAccumulator::new(kind, mean))),
            false => with_exact_kind!(&from, kind => Box::new(ExactAccumulator::new(kind, mean))),
        };
        accumulator.map_or_else(|| self.builtin.accumulator(args), Ok)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return Ok(recomputed(&avg(), &args));
        }
        if call_mean(&args).is_some() {
            return self.accumulator(args);
        }
        match args.return_field.data_type() {
            DataType::Float64 => Ok(Box::new(SlidingAccumulator(SlidingNumbers::mean()))),
            _ => self.builtin.create_sliding_accumulator(args),
        }
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        match call_mean(&args) {
            Some(_) => !args.is_distinct,
            None => self.builtin.groups_accumulator_supported(args),
        }
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let from = args.expr_fields.first().map(|field| field.data_type());
        let means = from.and_then(|from| group_means(from, args.return_field.data_type()));
        means.map_or_else(|| self.builtin.create_groups_accumulator(args), Ok)
    }

    as_builtin! {
        reverse_expr() -> ReversedUDAF;
        documentation() -> Option<&Documentation>;
    }
}
