//! At most so many bars whose places follow the values, after Ben-Haim and Tom-Tov, "A Streaming Parallel Decision Tree
//! Algorithm".

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array, ListArray, StructArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Float64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use crate::hive_values::java_random::{double, state_of};

/// Seed of the numbers that choose among gaps of the same width, so that an answer is the same every time.
const SEED: u64 = 31183;

fn bar() -> Fields {
    Fields::from(vec![Field::new("x", DataType::Float64, true), Field::new("y", DataType::Float64, true)])
}

/// The type of bars.
pub(crate) fn bars() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Struct(bar()), true)))
}

/// What is kept between the steps of a histogram.
pub(crate) fn state_field(name: &str) -> FieldRef {
    Arc::new(Field::new(format!("{name}_bars"), bars(), true))
}

#[derive(Debug)]
pub(crate) struct Bars {
    most: usize,
    /// Places and counts, in the order of the places.
    bars: Vec<(f64, f64)>,
    random: u64,
}

impl Bars {
    pub fn new(most: usize) -> Bars {
        Bars { most, bars: Vec::new(), random: state_of(SEED) }
    }

    pub fn add(&mut self, place: f64, count: f64) {
        let at = self.bars.partition_point(|(held, _)| *held < place);
        match self.bars.get_mut(at) {
            Some((held, bar)) if *held == place => *bar += count,
            _ => self.bars.insert(at, (place, count)),
        }
        while self.bars.len() > self.most {
            self.join_nearest();
        }
    }

    /// Lets there be so many bars at least.
    pub fn widen(&mut self, most: usize) {
        self.most = self.most.max(most);
    }

    /// The value at a share of the way through the bars.
    pub fn share(&self, share: f64) -> Option<f64> {
        at_share(self.bars.iter().copied(), self.bars.iter().map(|(_, count)| count).sum(), share)
    }

    /// Makes one bar of the two that are nearest to each other.
    fn join_nearest(&mut self) {
        let (mut nearest, mut smallest, mut same) = (0, f64::INFINITY, 0u32);
        for at in 0..self.bars.len() - 1 {
            let gap = self.bars[at + 1].0 - self.bars[at].0;
            if gap < smallest {
                (nearest, smallest, same) = (at, gap, 1);
            } else if gap == smallest {
                same += 1;
                if double(&mut self.random) <= 1.0 / f64::from(same) {
                    nearest = at;
                }
            }
        }
        let ((a, left), (b, right)) = (self.bars[nearest], self.bars.remove(nearest + 1));
        let count = left + right;
        // In the order in which Hive multiplies and divides: the last digit depends on it.
        self.bars[nearest] = (a * (left / count) + b / count * right, count);
    }
}

/// The value at a share of the way through bars, on a line from the bar before the one in which it is reached.
pub(crate) fn at_share(bars: impl Iterator<Item = (f64, f64)>, all: f64, share: f64) -> Option<f64> {
    let (mut passed, mut before) = (0.0, None);
    for (place, count) in bars {
        if (passed + count) / all >= share {
            return Some(before.map_or(place, |before| before + (share * all - passed) * (place - before) / count));
        }
        passed += count;
        before = Some(place);
    }
    None
}

impl Accumulator for Bars {
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
        if self.bars.is_empty() {
            return ScalarValue::try_from(&bars());
        }
        let (places, counts): (Vec<f64>, Vec<f64>) = self.bars.iter().copied().unzip();
        let columns: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(places)), Arc::new(Float64Array::from(counts))];
        let structs = StructArray::try_new(bar(), columns, None)?;
        let item = Arc::new(Field::new_list_field(DataType::Struct(bar()), true));
        let offsets = OffsetBuffer::from_lengths([structs.len()]);
        Ok(ScalarValue::List(Arc::new(ListArray::try_new(item, offsets, Arc::new(structs), None)?)))
    }

    fn size(&self) -> usize {
        size_of::<Bars>() + self.bars.capacity() * size_of::<(f64, f64)>()
    }
}
