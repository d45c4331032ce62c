//! `numeric_histogram(bars, number, weight)`: a histogram of a limited number of bars that follow the values.

use arrow::array::{MapArray, StructArray};
use arrow::buffer::OffsetBuffer;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation};

use super::adapted::adapted;
use super::methods::name_and_signature;
use super::streaming_histogram::{StreamingHistogram, state_field};
use crate::maps::map_field;
use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, any_arguments};

/// Most bars: each new value is compared with every bar.
const MAX_BARS: usize = 1_000;

const DOC: Doc = Doc {
    signature: "numeric_histogram(bars, number, weight)",
    text: "An approximate histogram: a map of at most the given number of bar centers, from 2 to 1000, to the total weight around each, or to the number of values if there are no weights.",
    example: "select numeric_histogram(5, gas_used) from transactions",
};

pub(crate) fn aggregate() -> Arc<AggregateUDF> {
    let function = NumericHistogram { signature: any_arguments(), documentation: DOC.documentation() };
    adapted(&Arc::new(AggregateUDF::new_from_impl(function)), Coercion::NoBytes, &[])
}

fn map_type() -> DataType {
    map_field(&DataType::Float64, &DataType::Float64).data_type().clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct NumericHistogram {
    signature: Signature,
    documentation: Documentation,
}

impl AggregateUDFImpl for NumericHistogram {
    name_and_signature!("numeric_histogram");

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let known = types.iter().all(|data_type| data_type.is_numeric() || data_type.is_null());
        match types {
            [bars, rest @ ..] if known && !bars.is_floating() && (1..=2).contains(&rest.len()) => {
                let doubles = rest.iter().map(|_| DataType::Float64);
                Ok(std::iter::once(DataType::Int64).chain(doubles).collect())
            }
            _ => {
                Err(invalid("numeric_histogram expects the maximum number of bars, a number and optionally a weight."))
            }
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(map_type())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![state_field(args.name)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match args.is_distinct {
            true => Err(invalid("numeric_histogram does not support DISTINCT.")),
            false => Ok(Box::new(Bars { histogram: None })),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

#[derive(Debug)]
struct Bars {
    /// `None` before the first row, which has the number of bars.
    histogram: Option<StreamingHistogram>,
}

impl Bars {
    fn histogram(&mut self, bars: i64) -> Result<&mut StreamingHistogram> {
        match usize::try_from(bars) {
            Ok(bars @ 2..=MAX_BARS) => Ok(self.histogram.get_or_insert_with(|| StreamingHistogram::new(bars))),
            _ => Err(invalid(format!("numeric_histogram supports 2 to {MAX_BARS} bars."))),
        }
    }
}

impl Accumulator for Bars {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let (bars, numbers) = (arrays[0].as_primitive::<Int64Type>(), arrays[1].as_primitive::<Float64Type>());
        let weights = arrays.get(2).map(|weights| weights.as_primitive::<Float64Type>());
        for row in (0..numbers.len()).filter(|row| numbers.is_valid(*row) && bars.is_valid(*row)) {
            let histogram = self.histogram(bars.value(row))?;
            let weight = match weights {
                None => 1.0,
                Some(weights) if weights.is_null(row) => continue,
                Some(weights) => weights.value(row),
            };
            if !(weight > 0.0 && weight.is_finite()) {
                return Err(invalid("A weight of numeric_histogram must be greater than 0."));
            }
            if numbers.value(row).is_finite() {
                histogram.add(numbers.value(row), weight);
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        // As many bars as the largest part has are enough: bars are merged by their weights.
        let bars = states[0].as_list::<i32>().iter().flatten().map(|bars| bars.len()).max().unwrap_or_default();
        let histogram = self.histogram.get_or_insert_with(|| StreamingHistogram::new(bars.max(2)));
        histogram.allow_bins(bars);
        histogram.merge_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        match &mut self.histogram {
            Some(histogram) => histogram.state(),
            None => StreamingHistogram::new(2).state(),
        }
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let none = ScalarValue::try_from(&map_type());
        let Some(ScalarValue::List(bars)) = self.histogram.as_mut().map(Accumulator::evaluate).transpose()? else {
            return none;
        };
        let DataType::Map(entries, _) = map_type() else { return none };
        let DataType::Struct(fields) = entries.data_type() else { return none };
        if bars.is_null(0) {
            return none;
        }
        let items = StructArray::try_new(fields.clone(), bars.value(0).as_struct().columns().to_vec(), None)?;
        let offsets = OffsetBuffer::from_lengths([items.len()]);
        Ok(ScalarValue::Map(Arc::new(MapArray::try_new(entries, offsets, items, None, false)?)))
    }

    fn size(&self) -> usize {
        self.histogram.as_ref().map_or(0, Accumulator::size) + size_of_val(self)
    }
}
