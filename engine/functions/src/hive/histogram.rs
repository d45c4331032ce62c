//! `histogram_numeric(x, n)`: at most n bars whose places follow the values.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};

use crate::aggregates::bars::{Bars, bars, state_field};
use crate::aggregates::constant::constant;
use crate::aggregates::distinct;
use quarry_types::invalid;

/// Bars that may be asked for.
const MOST: f64 = 100_000.0;
#[derive(Debug, PartialEq, Eq, Hash)]
struct Histogram {
    signature: Signature,
}

pub(super) fn udaf() -> AggregateUDF {
    AggregateUDF::new_from_impl(Histogram { signature: Signature::user_defined(Volatility::Immutable) })
}

impl AggregateUDFImpl for Histogram {
    fn name(&self) -> &str {
        "histogram_numeric"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [_, _] => Ok(vec![DataType::Float64, DataType::Float64]),
            _ => Err(invalid("histogram_numeric takes a number and how many bars there may be.")),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(bars())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![match args.is_distinct {
            true => distinct::state_field(args.name, &DataType::Float64),
            false => state_field(args.name),
        }])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let most = constant(&args.exprs[1], "The number of bars is the same for every row.")?;
        match most.first() {
            Some(most) if (2.0..=MOST).contains(most) => {
                let bars: Box<dyn Accumulator> = Box::new(Bars::new(*most as usize));
                Ok(if args.is_distinct { distinct::once(DataType::Float64, bars) } else { bars })
            }
            _ => Err(invalid(format!("histogram_numeric makes from 2 to {MOST} bars."))),
        }
    }
}
