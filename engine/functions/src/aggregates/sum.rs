//! `sum`, exact: whole numbers add up in 128 bits to a decimal, decimals and uint256 with an error when they leave their
//! type. The stock `sum` wraps around without a word.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use datafusion::common::{DataFusionError, Result};
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
    Signature, Volatility,
};

use super::exact::distinct::DistinctSum;
use super::exact::groups::GroupSums;
use super::exact::length::{INTERVAL, Length, Span};
use super::exact::moving::{self, Frame, Moving};
use super::exact::number::{Decimal, Number, SUM_STATE, Whole, Wide};
use super::exact::recomputed::recomputed;
use super::exact::single::Sum as SingleSum;
use super::exact::sliding::{InFrame, Sliding};
use crate::shared_aggregate;
use crate::simple::Doc;
use quarry_types::invalid;
use quarry_types::uint256::{is_number, is_signed};

const DOC: Doc = Doc {
    signature: "sum(number)",
    text: "The exact sum: whole numbers give a decimal of 38 digits, decimals keep their scale, uint256 stays uint256. Differences of times and intervals add up too.",
    example: "select sum(value) from transactions",
};

/// Differences of times.
const LENGTH: DataType = DataType::Duration(TimeUnit::Microsecond);

static SUM: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| shared_aggregate(AggregateUDF::new_from_impl(Sum::new())));

/// The shared function.
pub(crate) fn sum() -> Arc<AggregateUDF> {
    SUM.clone()
}

#[derive(Debug)]
struct Sum {
    signature: Signature,
    documentation: Documentation,
}

impl Sum {
    fn new() -> Sum {
        Sum { signature: Signature::user_defined(Volatility::Immutable), documentation: DOC.documentation() }
    }
}

impl PartialEq for Sum {
    fn eq(&self, _: &Sum) -> bool {
        true
    }
}

impl Eq for Sum {}

impl std::hash::Hash for Sum {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        "quarry_sum".hash(state);
    }
}

/// Runs an expression with the kind of number that a column holds.
macro_rules! with_number {
    ($from:expr, $number:ident => $work:expr) => {
        match $from {
            DataType::Int64 => {
                let $number = Whole;
                Ok($work)
            }
            DataType::Decimal128(..) => {
                let $number = Decimal;
                Ok($work)
            }
            DataType::Decimal256(..) => {
                let $number = Wide;
                Ok($work)
            }
            &LENGTH => {
                let $number = Length;
                Ok($work)
            }
            &INTERVAL => {
                let $number = Span;
                Ok($work)
            }
            from if is_number(from) => {
                let $number = Number;
                Ok($work)
            }
            other => Err(unsupported(other)),
        }
    };
}

fn unsupported(data_type: &DataType) -> DataFusionError {
    DataFusionError::Internal(format!("sum of {data_type}"))
}

/// What adds up the values of many groups; doubles are left to the stock function.
pub(crate) fn groups(from: &DataType, to: &DataType) -> Result<Box<dyn GroupsAccumulator>> {
    with_number!(from, number => Box::new(GroupSums::new(number, to.clone())) as Box<dyn GroupsAccumulator>)
}

/// What adds up the rows of a frame that moves; nothing for doubles, whose sums depend on the order of additions.
pub(crate) fn moving(from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    let moving: Result<_> = with_number!(from, number => moving::sums(number, to.clone(), frame));
    moving.ok()
}

fn input(args: &AccumulatorArgs) -> DataType {
    args.expr_fields.first().map_or(DataType::Null, |field| field.data_type().clone())
}

impl AggregateUDFImpl for Sum {
    fn name(&self) -> &str {
        "sum"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [from] = types else { return Err(invalid("sum takes one number.")) };
        let to = match from {
            DataType::UInt64 => DataType::Decimal128(20, 0),
            DataType::Null => DataType::Int64,
            from if from.is_integer() => DataType::Int64,
            from if from.is_floating() => DataType::Float64,
            DataType::Decimal32(precision, scale) | DataType::Decimal64(precision, scale) => {
                DataType::Decimal128(*precision, *scale)
            }
            DataType::Decimal128(..) | DataType::Decimal256(..) => from.clone(),
            DataType::Duration(_) => LENGTH,
            DataType::Interval(_) => INTERVAL,
            from if is_number(from) => from.clone(),
            DataType::FixedSizeBinary(32) => return Err(invalid("A hash is not a number; uint256(…) makes it one.")),
            _ => return Err(invalid("sum takes a number; cast to a number first.")),
        };
        Ok(vec![to])
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [DataType::Int64] => Ok(DataType::Decimal128(38, 0)),
            [DataType::Float64] => Ok(DataType::Float64),
            [length @ (LENGTH | INTERVAL)] => Ok(length.clone()),
            [DataType::Decimal128(_, scale)] => Ok(DataType::Decimal128(38, *scale)),
            [DataType::Decimal256(_, scale)] => Ok(DataType::Decimal256(76, *scale)),
            [from] if is_number(from) => Ok(from.clone()),
            _ => Err(invalid("sum takes a number; cast to a number first.")),
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
            return sum_udaf().state_fields(args);
        }
        let name = format_state_name(args.name, "sum");
        let to = if is_number(args.return_type()) { SUM_STATE } else { args.return_type().clone() };
        Ok(vec![if args.is_distinct {
            Arc::new(Field::new(name, DataType::List(Arc::new(Field::new_list_field(to, true))), true))
        } else {
            Arc::new(Field::new(name, to, true))
        }])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let from = input(&args);
        if from == DataType::Float64 {
            return sum_udaf().accumulator(args);
        }
        let to = args.return_field.data_type().clone();
        if args.is_distinct {
            return with_number!(&from, number => Box::new(DistinctSum::new(number, to)) as Box<dyn Accumulator>);
        }
        with_number!(&from, number => Box::new(SingleSum::new(number, to)) as Box<dyn Accumulator>)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match input(&args) {
            // A value may be in the frame more than once: none is taken out of the set when it leaves.
            _ if args.is_distinct => Ok(recomputed(&sum(), &args)),
            DataType::Float64 => Ok(Box::new(InFrame(Sliding::new(false)))),
            _ => self.accumulator(args),
        }
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let from = input(&args);
        if from == DataType::Float64 {
            return sum_udaf().create_groups_accumulator(args);
        }
        groups(&from, args.return_field.data_type())
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
