//! `numeric_histogram(bars, number, weight)`: at most so many bars whose places follow the values.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, MapArray, StructArray};
use arrow::datatypes::{DataType, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, Signature, Volatility};

use crate::aggregates::adapted::adapted;
use crate::aggregates::bars::{Bars, state_field};
use crate::maps::map_field;
use crate::simple::Doc;
use crate::stock::adapt::Takes;
use quarry_types::invalid;

/// Bars that may be asked for: each new value is compared with every bar.
const MOST: i64 = 1_000;

const DOC: Doc = Doc {
    signature: "numeric_histogram(bars, number, weight)",
    text: "A map of at most so many places, from 2 to 1000, to how much lies around each; without weights how many numbers.",
    example: "select numeric_histogram(5, gas_used) from transactions",
};

pub(crate) fn aggregate() -> Arc<AggregateUDF> {
    let signature = Signature::user_defined(Volatility::Immutable);
    let function = Histogram { signature, documentation: DOC.documentation() };
    adapted(&Arc::new(AggregateUDF::new_from_impl(function)), Takes::NoBytes, &[])
}

fn places() -> DataType {
    map_field(&DataType::Float64, &DataType::Float64).data_type().clone()
}

#[derive(Debug)]
struct Histogram {
    signature: Signature,
    documentation: Documentation,
}

impl PartialEq for Histogram {
    fn eq(&self, _: &Histogram) -> bool {
        true
    }
}

impl Eq for Histogram {}

impl std::hash::Hash for Histogram {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl AggregateUDFImpl for Histogram {
    fn name(&self) -> &str {
        "numeric_histogram"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let known = types.iter().all(|data_type| data_type.is_numeric() || data_type.is_null());
        match types {
            [bars, rest @ ..] if known && !bars.is_floating() && (1..=2).contains(&rest.len()) => {
                let doubles = rest.iter().map(|_| DataType::Float64);
                Ok(std::iter::once(DataType::Int64).chain(doubles).collect())
            }
            _ => Err(invalid("numeric_histogram takes how many bars there may be, a number and perhaps a weight.")),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(places())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![state_field(args.name)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return Err(invalid("numeric_histogram takes no DISTINCT."));
        }
        Ok(Box::new(Places { bars: None }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

#[derive(Debug)]
struct Places {
    /// Once their number is known.
    bars: Option<Bars>,
}

impl Places {
    fn of(&mut self, most: i64) -> Result<&mut Bars> {
        match usize::try_from(most) {
            Ok(most @ 2..) if most as i64 <= MOST => Ok(self.bars.get_or_insert_with(|| Bars::new(most))),
            _ => Err(invalid(format!("numeric_histogram makes from 2 to {MOST} bars."))),
        }
    }
}

impl Accumulator for Places {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let (most, numbers) = (arrays[0].as_primitive::<Int64Type>(), arrays[1].as_primitive::<Float64Type>());
        let weights = arrays.get(2).map(|weights| weights.as_primitive::<Float64Type>());
        for row in (0..numbers.len()).filter(|row| numbers.is_valid(*row) && most.is_valid(*row)) {
            let bars = self.of(most.value(row))?;
            let weight = match weights {
                None => 1.0,
                Some(weights) if weights.is_null(row) => continue,
                Some(weights) => weights.value(row),
            };
            if !(weight > 0.0 && weight.is_finite()) {
                return Err(invalid("A weight of numeric_histogram is above zero."));
            }
            if numbers.value(row).is_finite() {
                bars.add(numbers.value(row), weight);
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        // As many bars as each part has are enough for all: what is joined later is joined by its weight.
        let most = states[0].as_list::<i32>().iter().flatten().map(|bars| bars.len()).max().unwrap_or_default();
        let bars = self.bars.get_or_insert_with(|| Bars::new(most.max(2)));
        bars.widen(most);
        bars.merge_batch(states)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        match &mut self.bars {
            Some(bars) => bars.state(),
            None => Bars::new(2).state(),
        }
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let Some(ScalarValue::List(list)) = self.bars.as_mut().map(Bars::evaluate).transpose()? else {
            return ScalarValue::try_from(&places());
        };
        let DataType::Map(entries, _) = places() else { return ScalarValue::try_from(&places()) };
        let DataType::Struct(fields) = entries.data_type() else { return ScalarValue::try_from(&places()) };
        if list.is_null(0) {
            return ScalarValue::try_from(&places());
        }
        let columns = list.value(0).as_struct().columns().to_vec();
        let items = StructArray::try_new(fields.clone(), columns, None)?;
        let offsets = arrow::buffer::OffsetBuffer::from_lengths([items.len()]);
        Ok(ScalarValue::Map(Arc::new(MapArray::try_new(entries, offsets, items, None, false)?)))
    }

    fn size(&self) -> usize {
        self.bars.as_ref().map_or(0, Accumulator::size) + size_of_val(self)
    }
}
