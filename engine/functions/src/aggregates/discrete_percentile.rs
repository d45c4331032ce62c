//! `percentile_disc` over a window: the first value in order up to which lies a share of all that are known.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{SortOptions, filter, is_not_null, sort_to_indices};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};

use super::array_agg::joined;
use crate::aggregates::constant::constant;
use quarry_types::invalid;

/// Of a value, a share, and one where the greatest comes first; people write `percentile_disc`.
pub const DISCRETE_PERCENTILE: &str = "discrete_percentile";

const SHARE: &str = "percentile_disc takes a share from 0 to 1 that is the same for every row.";
/// What doubles may be off by when a share of a count is made of them.
const OFF: f64 = 1e-9;

pub(super) fn aggregate() -> Arc<AggregateUDF> {
    let signature = Signature::any(3, Volatility::Immutable);
    Arc::new(AggregateUDF::new_from_impl(DiscretePercentile { signature }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct DiscretePercentile {
    signature: Signature,
}

impl AggregateUDFImpl for DiscretePercentile {
    fn name(&self) -> &str {
        DISCRETE_PERCENTILE
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(types[0].clone())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let item = Field::new_list_field(args.input_fields[0].data_type().clone(), true);
        Ok(vec![Arc::new(Field::new_list(format_state_name(args.name, "values"), item, true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let [_, share, descending] = args.exprs else { return Err(invalid(SHARE)) };
        match constant(share, SHARE)?.first() {
            Some(share) if (0.0..=1.0).contains(share) => Ok(Box::new(Values {
                of: args.expr_fields[0].data_type().clone(),
                share: *share,
                descending: constant(descending, SHARE)?.first().is_some_and(|descending| *descending > 0.0),
                parts: Vec::new(),
                held: 0,
            })),
            _ => Err(invalid(SHARE)),
        }
    }
}

#[derive(Debug)]
struct Values {
    of: DataType,
    share: f64,
    descending: bool,
    /// All that are known, as they came.
    parts: Vec<ArrayRef>,
    /// Bytes of them.
    held: usize,
}

impl Values {
    fn add(&mut self, values: &ArrayRef) -> Result<()> {
        let known = filter(values, &is_not_null(values)?)?;
        if !known.is_empty() {
            self.held += known.get_array_memory_size();
            self.parts.push(known);
        }
        Ok(())
    }
}

impl Accumulator for Values {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.add(&arrays[0])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|values| self.add(&values))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![SingleRowListArrayBuilder::new(joined(&self.parts, &self.of)?).build_list_scalar()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let values = joined(&self.parts, &self.of)?;
        if values.is_empty() {
            return ScalarValue::try_from(&self.of);
        }
        let options = SortOptions { descending: self.descending, nulls_first: false };
        let order = sort_to_indices(&values, Some(options), None)?;
        let place = (self.share * values.len() as f64 - OFF).ceil().max(1.0) as usize;
        ScalarValue::try_from_array(&values, order.value(place.min(values.len()) - 1) as usize)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.held + self.parts.capacity() * size_of::<ArrayRef>()
    }
}
