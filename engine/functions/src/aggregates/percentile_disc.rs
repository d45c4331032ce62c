//! `percentile_disc` over a window: the first value, in order, up to which a share of all values lies. Nulls do not count.

use arrow::compute::{SortOptions, filter, is_not_null, sort_to_indices};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl};

use super::array_agg::concat_or_empty;
use super::constant_argument::{constant_between, constant_numbers};
use super::methods::name_and_signature;
use crate::prelude::*;

/// Takes a value, a share, and 1 where the greatest comes first; people write `percentile_disc`.
pub const DISCRETE_PERCENTILE: &str = "discrete_percentile";

const SHARE: &str = "percentile_disc expects a constant percentile from 0 to 1.";
/// The rounding error that a share of a count may have as a double.
const TOLERANCE: f64 = 1e-9;

pub(super) fn aggregate() -> Arc<AggregateUDF> {
    let signature = Signature::any(3, Volatility::Immutable);
    Arc::new(AggregateUDF::new_from_impl(PercentileDisc { signature }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PercentileDisc {
    signature: Signature,
}

impl AggregateUDFImpl for PercentileDisc {
    name_and_signature!(DISCRETE_PERCENTILE);

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(types[0].clone())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let item = Field::new_list_field(args.input_fields[0].data_type().clone(), true);
        Ok(vec![Arc::new(Field::new_list(format_state_name(args.name, "values"), item, true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let [_, share, descending] = args.exprs else { return Err(invalid(SHARE)) };
        Ok(Box::new(Values {
            data_type: args.expr_fields[0].data_type().clone(),
            share: constant_between(share, 0.0, 1.0, SHARE)?,
            descending: constant_numbers(descending, SHARE)?.first().is_some_and(|descending| *descending > 0.0),
            parts: Vec::new(),
            bytes: 0,
        }))
    }
}

#[derive(Debug)]
struct Values {
    data_type: DataType,
    share: f64,
    descending: bool,
    /// All values that are not null, as they came.
    parts: Vec<ArrayRef>,
    bytes: usize,
}

impl Accumulator for Values {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let values = filter(&arrays[0], &is_not_null(&arrays[0])?)?;
        if !values.is_empty() {
            self.bytes += values.get_array_memory_size();
            self.parts.push(values);
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|values| self.update_batch(&[values]))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![SingleRowListArrayBuilder::new(concat_or_empty(&self.parts, &self.data_type)?).build_list_scalar()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let values = concat_or_empty(&self.parts, &self.data_type)?;
        if values.is_empty() {
            return ScalarValue::try_from(&self.data_type);
        }
        let options = SortOptions { descending: self.descending, nulls_first: false };
        let order = sort_to_indices(&values, Some(options), None)?;
        let place = (self.share * values.len() as f64 - TOLERANCE).ceil().max(1.0) as usize;
        ScalarValue::try_from_array(&values, order.value(place.min(values.len()) - 1) as usize)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.bytes + self.parts.capacity() * size_of::<ArrayRef>()
    }
}
