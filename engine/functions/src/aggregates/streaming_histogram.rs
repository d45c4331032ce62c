//! A histogram of a limited number of bins that follow the values, after Ben-Haim and Tom-Tov, "A Streaming Parallel Decision
//! Tree Algorithm".

use arrow::array::StructArray;
use arrow::datatypes::Fields;
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::logical_expr::Accumulator;

use crate::hive_values::java_random::{double, state_of};
use crate::prelude::*;

/// Seed of the random choice among gaps of the same width: every run has the same answer.
const SEED: u64 = 31183;

fn bin_fields() -> Fields {
    Fields::from(vec![Field::new("x", DataType::Float64, true), Field::new("y", DataType::Float64, true)])
}

/// The type of a list of bins.
pub(crate) fn bins_type() -> DataType {
    DataType::new_list(DataType::Struct(bin_fields()), true)
}

/// The state of a histogram.
pub(crate) fn state_field(name: &str) -> FieldRef {
    Arc::new(Field::new(format!("{name}_bars"), bins_type(), true))
}

#[derive(Debug)]
pub(crate) struct StreamingHistogram {
    max_bins: usize,
    /// Places and counts, in the order of the places.
    bins: Vec<(f64, f64)>,
    random: u64,
}

impl StreamingHistogram {
    pub fn new(max_bins: usize) -> StreamingHistogram {
        StreamingHistogram { max_bins, bins: Vec::new(), random: state_of(SEED) }
    }

    pub fn add(&mut self, place: f64, count: f64) {
        let at = self.bins.partition_point(|(known, _)| *known < place);
        match self.bins.get_mut(at) {
            Some((known, total)) if *known == place => *total += count,
            _ => self.bins.insert(at, (place, count)),
        }
        while self.bins.len() > self.max_bins {
            self.merge_nearest();
        }
    }

    /// Raises the limit of bins.
    pub fn allow_bins(&mut self, max_bins: usize) {
        self.max_bins = self.max_bins.max(max_bins);
    }

    /// The value at a share of the way through the bins.
    pub fn percentile(&self, share: f64) -> Option<f64> {
        percentile(self.bins.iter().copied(), self.bins.iter().map(|(_, count)| count).sum(), share)
    }

    /// Merges the two bins that are nearest to each other.
    fn merge_nearest(&mut self) {
        let (mut nearest, mut smallest, mut same) = (0, f64::INFINITY, 0u32);
        for at in 0..self.bins.len() - 1 {
            let gap = self.bins[at + 1].0 - self.bins[at].0;
            if gap < smallest {
                (nearest, smallest, same) = (at, gap, 1);
            } else if gap == smallest {
                same += 1;
                if double(&mut self.random) <= 1.0 / f64::from(same) {
                    nearest = at;
                }
            }
        }
        let ((a, left), (b, right)) = (self.bins[nearest], self.bins.remove(nearest + 1));
        let count = left + right;
        // In the order in which Hive multiplies and divides: the last digit depends on it.
        self.bins[nearest] = (a * (left / count) + b / count * right, count);
    }
}

/// The value at a share of the way through bins, on a line from the bin before the one in which it is reached.
pub(crate) fn percentile(bins: impl Iterator<Item = (f64, f64)>, total: f64, share: f64) -> Option<f64> {
    let (mut passed, mut before) = (0.0, None);
    for (place, count) in bins {
        if (passed + count) / total >= share {
            return Some(before.map_or(place, |before| before + (share * total - passed) * (place - before) / count));
        }
        passed += count;
        before = Some(place);
    }
    None
}

impl Accumulator for StreamingHistogram {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let places = arrays[0].as_primitive::<Float64Type>().iter().flatten();
        places.filter(|place| place.is_finite()).for_each(|place| self.add(place, 1.0));
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for list in states[0].as_list::<i32>().iter().flatten() {
            let list = list.as_struct();
            let column = |at: usize| list.column(at).as_primitive::<Float64Type>();
            for (place, count) in column(0).iter().zip(column(1)) {
                if let (Some(place), Some(count)) = (place, count) {
                    self.add(place, count);
                }
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        if self.bins.is_empty() {
            return ScalarValue::try_from(&bins_type());
        }
        let (places, counts): (Vec<f64>, Vec<f64>) = self.bins.iter().copied().unzip();
        let columns: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(places)), Arc::new(Float64Array::from(counts))];
        let bins = StructArray::try_new(bin_fields(), columns, None)?;
        Ok(SingleRowListArrayBuilder::new(Arc::new(bins)).build_list_scalar())
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.bins.capacity() * size_of::<(f64, f64)>()
    }
}
