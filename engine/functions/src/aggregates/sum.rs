//! `sum`, exact: whole numbers add up in 128 bits to a decimal, decimals and uint256 with an error when they leave their
//! type. The built-in `sum` wraps around without an error.

use std::sync::LazyLock;

use arrow::datatypes::TimeUnit;
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
};

use super::exact::accumulators::{DistinctAccumulator, ExactAccumulator};
use super::exact::answer::SumAs;
use super::exact::exact_sum::{INTERVAL, SUM_STATE};
use super::exact::groups::GroupSums;
use super::exact::moving::{Frame, Moving, moving};
use super::exact::with_exact_kind;
use super::methods::name_and_signature;
use super::sliding::recomputed::recomputed;
use super::sliding::{SlidingAccumulator, SlidingNumbers};
use crate::prelude::*;
use crate::wrappers::adapt::any_arguments;
use quarry_types::uint256::is_signed;

const DOC: Doc = Doc {
    signature: "sum(number)",
    text: "The exact sum. Integers give a decimal of 38 digits, decimals keep their scale, uint256 stays uint256; differences of timestamps and intervals can be summed too.",
    example: "select sum(value) from transactions",
};

/// Differences of times.
const DURATION: DataType = DataType::Duration(TimeUnit::Microsecond);

static SUM: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let sum = Sum { builtin: sum_udaf(), signature: any_arguments(), documentation: DOC.documentation() };
    Arc::new(AggregateUDF::new_from_impl(sum))
});

/// The shared function.
pub(crate) fn sum() -> Arc<AggregateUDF> {
    SUM.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Sum {
    /// Sums doubles.
    builtin: Arc<AggregateUDF>,
    signature: Signature,
    documentation: Documentation,
}

/// Evaluates an expression with the kind of values of a column type; `None` for doubles.
macro_rules! with_kind {
    ($from:expr, $kind:ident => $accumulator:expr) => {
        with_exact_kind!($from, $kind => $accumulator, &DURATION => DurationValues)
    };
}

/// The sums of many groups; `None` for doubles, which the built-in function sums.
pub(crate) fn group_sums(from: &DataType, to: &DataType) -> Option<Box<dyn GroupsAccumulator>> {
    with_kind!(from, kind => Box::new(GroupSums::new(kind, to.clone())) as Box<dyn GroupsAccumulator>)
}

/// The sums of moving frames; `None` for doubles, whose sums depend on the order of additions.
pub(crate) fn moving_sums(from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    with_kind!(from, kind => moving(kind, SumAs(to.clone()), frame))
}

fn unsupported(from: &DataType) -> DataFusionError {
    DataFusionError::Internal(format!("sum of {from}"))
}

fn input(args: &AccumulatorArgs) -> DataType {
    args.expr_fields.first().map_or(DataType::Null, |field| field.data_type().clone())
}

impl AggregateUDFImpl for Sum {
    name_and_signature!("sum");

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [from] = types else { return Err(invalid("sum expects one number.")) };
        let to = match from {
            DataType::UInt64 => DataType::Decimal128(20, 0),
            DataType::Null => DataType::Int64,
            from if from.is_integer() => DataType::Int64,
            from if from.is_floating() => DataType::Float64,
            DataType::Decimal32(precision, scale) | DataType::Decimal64(precision, scale) => {
                DataType::Decimal128(*precision, *scale)
            }
            DataType::Decimal128(..) | DataType::Decimal256(..) => from.clone(),
            DataType::Duration(_) => DURATION,
            DataType::Interval(_) => INTERVAL,
            from if is_number(from) => from.clone(),
            DataType::FixedSizeBinary(32) => {
                return Err(invalid("A hash is not a number; convert it with uint256(…)."));
            }
            _ => return Err(invalid("sum expects a number; cast to a number first.")),
        };
        Ok(vec![to])
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [DataType::Int64] => Ok(DataType::Decimal128(38, 0)),
            [DataType::Float64] => Ok(DataType::Float64),
            [duration @ (DURATION | INTERVAL)] => Ok(duration.clone()),
            [DataType::Decimal128(_, scale)] => Ok(DataType::Decimal128(38, *scale)),
            [DataType::Decimal256(_, scale)] => Ok(DataType::Decimal256(76, *scale)),
            [from] if is_number(from) => Ok(from.clone()),
            _ => Err(invalid("sum expects a number; cast to a number first.")),
        }
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type().clone()).collect();
        let data_type = self.return_type(&types)?;
        match fields.first() {
            Some(field) if is_number(&data_type) => Ok(quarry_types::uint256::field("sum", is_signed(field))),
            _ => Ok(Arc::new(Field::new("sum", data_type, true))),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if args.input_fields.first().is_some_and(|field| field.data_type() == &DataType::Float64) {
            return self.builtin.state_fields(args);
        }
        let name = format_state_name(args.name, "sum");
        let to = if is_number(args.return_type()) { SUM_STATE } else { args.return_type().clone() };
        let to = if args.is_distinct { DataType::new_list(to, true) } else { to };
        Ok(vec![Arc::new(Field::new(name, to, true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let from = input(&args);
        if from == DataType::Float64 {
            return self.builtin.accumulator(args);
        }
        let to = SumAs(args.return_field.data_type().clone());
        let accumulator: Option<Box<dyn Accumulator>> = match args.is_distinct {
            true => with_kind!(&from, kind => Box::new(DistinctAccumulator::new(kind, to))),
            false => with_kind!(&from, kind => Box::new(ExactAccumulator::new(kind, to))),
        };
        accumulator.ok_or_else(|| unsupported(&from))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match input(&args) {
            // A value may be in the frame more than once, so no row that leaves may remove it from the set.
            _ if args.is_distinct => Ok(recomputed(&sum(), &args)),
            DataType::Float64 => Ok(Box::new(SlidingAccumulator(SlidingNumbers::sum()))),
            _ => self.accumulator(args),
        }
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let from = input(&args);
        if from == DataType::Float64 {
            return self.builtin.create_groups_accumulator(args);
        }
        group_sums(&from, args.return_field.data_type()).ok_or_else(|| unsupported(&from))
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }

    fn set_monotonicity(&self, _: &DataType) -> SetMonotonicity {
        SetMonotonicity::NotMonotonic
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
