//! `histogram_numeric(x, n)`: a histogram of at most n bars that follow the values.

use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl};

use crate::aggregates::constant_argument::constant_numbers;
use crate::aggregates::distinct_values::{self, distinct};
use crate::aggregates::methods::name_and_signature;
use crate::aggregates::streaming_histogram::{StreamingHistogram, bins_type, state_field};
use crate::prelude::*;

const MAX_BARS: f64 = 100_000.0;

#[derive(Debug, PartialEq, Eq, Hash)]
struct HistogramNumeric {
    signature: Signature,
}

pub(super) fn udaf() -> AggregateUDF {
    AggregateUDF::new_from_impl(HistogramNumeric { signature: Signature::user_defined(Volatility::Immutable) })
}

impl AggregateUDFImpl for HistogramNumeric {
    name_and_signature!("histogram_numeric");

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [_, _] => Ok(vec![DataType::Float64, DataType::Float64]),
            _ => Err(invalid("histogram_numeric expects a number and the maximum number of bars.")),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(bins_type())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![match args.is_distinct {
            true => distinct_values::state_field(args.name, &DataType::Float64),
            false => state_field(args.name),
        }])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let bars = constant_numbers(&args.exprs[1], "The number of bars must be a constant.")?;
        match bars.first() {
            Some(bars) if (2.0..=MAX_BARS).contains(bars) => {
                let histogram: Box<dyn Accumulator> = Box::new(StreamingHistogram::new(*bars as usize));
                Ok(if args.is_distinct { distinct(DataType::Float64, histogram) } else { histogram })
            }
            _ => Err(invalid(format!("histogram_numeric supports 2 to {MAX_BARS} bars."))),
        }
    }
}
