//! `avg`, exact: whole numbers, decimals and uint256 are added up as `sum` adds them, and divided once. The stock one adds up
//! whole numbers as doubles, cuts the last digit of decimals, and wraps around without a word.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DECIMAL256_MAX_PRECISION, DECIMAL256_MAX_SCALE, DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::functions_aggregate::average::avg_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, Signature, Volatility,
};

use super::exact::groups::GroupMeans;
use super::exact::length::{INTERVAL, Span};
use super::exact::mean::{Answer, DistinctMean, MEAN, Mean};
use super::exact::moving::{self, Frame, Moving};
use super::exact::number::{Decimal, Number, SUM_STATE, Unsigned, Whole, Wide};
use super::exact::recomputed::recomputed;
use super::exact::sliding::{InFrame, Sliding};
use crate::shared_aggregate;
use quarry_types::uint256::is_number;

/// Fewest digits behind the point of a mean of decimals.
const QUOTIENT_SCALE: i8 = 18;

static AVG: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let signature = Signature::user_defined(Volatility::Immutable);
    shared_aggregate(AggregateUDF::new_from_impl(Avg {
        stock: avg_udaf(),
        signature,
        aliases: vec!["mean".to_string()],
    }))
});

/// The shared function.
pub(crate) fn avg() -> Arc<AggregateUDF> {
    AVG.clone()
}

/// The type of an unfinished sum; `None` for what the stock function adds up.
fn state_of(from: &DataType) -> Option<DataType> {
    match from {
        DataType::Int64 | DataType::UInt64 => Some(DataType::Decimal128(38, 0)),
        DataType::Decimal128(_, scale) => Some(DataType::Decimal128(38, *scale)),
        DataType::Decimal256(_, scale) => Some(DataType::Decimal256(76, *scale)),
        from if is_number(from) => Some(SUM_STATE),
        &INTERVAL => Some(INTERVAL),
        _ => None,
    }
}

/// The type of an argument, what the mean of it is, and the type of an unfinished sum of it.
fn exact(args: &AccumulatorArgs) -> Option<(DataType, Answer, DataType)> {
    exact_of(args.expr_fields.first()?.data_type(), args.return_field.data_type())
}

fn exact_of(from: &DataType, to: &DataType) -> Option<(DataType, Answer, DataType)> {
    let digits = match (from, to) {
        (DataType::Decimal128(_, from), DataType::Decimal128(_, to))
        | (DataType::Decimal256(_, from), DataType::Decimal256(_, to)) => to.abs_diff(*from).into(),
        (_, DataType::Decimal256(_, to)) => to.unsigned_abs().into(),
        _ => 0,
    };
    state_of(from).map(|state| (from.clone(), Answer { to: to.clone(), digits }, state))
}

/// Makes what adds up one kind of number, where the stock function does not.
macro_rules! of_kind {
    ($exact:expr, $make:ident, $made:ty) => {
        $exact.map(|(from, answer, state)| -> Box<$made> {
            match from {
                DataType::Int64 => Box::new($make::new(Whole, answer, state)),
                DataType::UInt64 => Box::new($make::new(Unsigned, answer, state)),
                DataType::Decimal128(..) => Box::new($make::new(Decimal, answer, state)),
                DataType::Decimal256(..) => Box::new($make::new(Wide, answer, state)),
                INTERVAL => Box::new($make::new(Span, answer, state)),
                _ => Box::new($make::new(Number, answer, state)),
            }
        })
    };
}

fn groups(exact: Option<(DataType, Answer, DataType)>) -> Option<Box<dyn GroupsAccumulator>> {
    of_kind!(exact, GroupMeans, dyn GroupsAccumulator)
}

/// What makes the means of many groups; `None` for what the stock function adds up.
pub(crate) fn means(from: &DataType, to: &DataType) -> Option<Box<dyn GroupsAccumulator>> {
    groups(exact_of(from, to))
}

/// What makes the means of a frame that moves; nothing for what the stock function adds up.
pub(crate) fn moving(from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    let (from, answer, _) = exact_of(from, to)?;
    Some(match from {
        DataType::Int64 => moving::means(Whole, answer, frame),
        DataType::UInt64 => moving::means(Unsigned, answer, frame),
        DataType::Decimal128(..) => moving::means(Decimal, answer, frame),
        DataType::Decimal256(..) => moving::means(Wide, answer, frame),
        INTERVAL => moving::means(Span, answer, frame),
        _ => moving::means(Number, answer, frame),
    })
}

/// The type of a mean of decimals: four digits more than they have, and no fewer than a quotient of them has: the mean of
/// 1.0 and twice 0.0 is a share, and a sum of whole numbers is a decimal too.
fn decimal(precision: u8, scale: i8) -> DataType {
    let wanted = scale.saturating_add(4).clamp(QUOTIENT_SCALE, DECIMAL256_MAX_SCALE);
    let before = i16::from(precision) - i16::from(scale);
    let precision = u8::try_from(before + i16::from(wanted)).unwrap_or(DECIMAL256_MAX_PRECISION);
    DataType::Decimal256(precision.clamp(1, DECIMAL256_MAX_PRECISION), wanted)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Avg {
    stock: Arc<AggregateUDF>,
    signature: Signature,
    aliases: Vec<String>,
}

impl AggregateUDFImpl for Avg {
    fn name(&self) -> &str {
        "avg"
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            // Where no number of rows can overflow.
            [DataType::Decimal128(precision, scale)] => Ok(vec![DataType::Decimal256(*precision, *scale)]),
            [DataType::Decimal256(..)] | [DataType::Duration(_)] | [DataType::UInt64] => Ok(types.to_vec()),
            [DataType::Interval(_)] => Ok(vec![INTERVAL]),
            [number] if is_number(number) => Ok(types.to_vec()),
            [number] if number.is_integer() => Ok(vec![DataType::Int64]),
            [number] if number.is_numeric() || number.is_null() => Ok(vec![DataType::Float64]),
            _ => Err(quarry_types::invalid("avg takes a number; cast to a number first.")),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types.first() {
            Some(from) if is_number(from) => Ok(MEAN),
            Some(&INTERVAL) => Ok(INTERVAL),
            Some(DataType::Int64 | DataType::UInt64) => Ok(DataType::Float64),
            Some(DataType::Decimal256(precision, scale)) => Ok(decimal(*precision, *scale)),
            _ => self.stock.return_type(types),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let state = args.input_fields.first().and_then(|field| state_of(field.data_type()));
        let Some(state) = state else { return self.stock.state_fields(args) };
        let sum = format_state_name(args.name, "sum");
        if args.is_distinct {
            return Ok(vec![Arc::new(Field::new(sum, DataType::new_list(state, true), true))]);
        }
        let count = Field::new(format_state_name(args.name, "count"), DataType::Int64, true);
        Ok(vec![Arc::new(Field::new(sum, state, true)), Arc::new(count)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let exact: Option<Box<dyn Accumulator>> = if args.is_distinct {
            of_kind!(exact(&args), DistinctMean, dyn Accumulator)
        } else {
            of_kind!(exact(&args), Mean, dyn Accumulator)
        };
        exact.map_or_else(|| self.stock.accumulator(args), Ok)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return Ok(recomputed(&avg(), &args));
        }
        if exact(&args).is_some() {
            return self.accumulator(args);
        }
        match args.return_field.data_type() {
            DataType::Float64 => Ok(Box::new(InFrame(Sliding::new(true)))),
            _ => self.stock.create_sliding_accumulator(args),
        }
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        match exact(&args) {
            Some(_) => !args.is_distinct,
            None => self.stock.groups_accumulator_supported(args),
        }
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        let exact = exact(&args);
        groups(exact).map_or_else(|| self.stock.create_groups_accumulator(args), Ok)
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.stock.reverse_udf()
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}
