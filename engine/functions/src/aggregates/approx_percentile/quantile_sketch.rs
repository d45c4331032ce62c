//! A sketch of quantiles. Numbers are collected until there are too many; then they are sorted, and every second one moves to
//! the next level, where it counts twice (Munro and Paterson, "Selection and Sorting with Limited Storage", 1980). Up to
//! [`LEVEL_SIZE`] numbers the answer is exact.

use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::logical_expr::Accumulator;

use crate::aggregates::ordered_number::OrderedNumber;
use crate::prelude::*;

/// Most numbers of one weight.
const LEVEL_SIZE: usize = 1 << 14;
/// Weights of numbers are below two to the power of this.
const LEVELS: usize = 63;
/// The first numbers of a state: the least and the greatest.
const ENDS: usize = 2;
/// The type in which whole numbers are kept: more than 64 bits for gas prices and values in wei.
pub(super) const WHOLE: DataType = DataType::Decimal128(38, 0);
/// The same of decimals with more digits.
pub(super) const WIDE_WHOLE: DataType = DataType::Decimal256(76, 0);

/// The type in which numbers of a type are kept.
pub(super) fn kept_type(from: &DataType) -> DataType {
    if *from == DataType::Int64 { WHOLE } else { from.clone() }
}

/// The numbers that are kept, by their weights.
#[derive(Debug)]
pub(super) struct QuantileSketch<T> {
    share: f64,
    above: bool,
    /// The type of the numbers.
    data_type: DataType,
    /// The least and the greatest.
    ends: Option<(T, T)>,
    levels: Vec<Vec<T>>,
    /// Whether the odd or the even ones stay, alternately.
    odd: bool,
}

impl<T: OrderedNumber> QuantileSketch<T> {
    pub fn new(share: f64, above: bool, data_type: DataType) -> QuantileSketch<T> {
        QuantileSketch { share, above, data_type, ends: None, levels: Vec::new(), odd: false }
    }

    fn add(&mut self, number: T, level: usize) {
        self.ends = Some(self.ends.map_or((number, number), |(least, most)| (least.min(number), most.max(number))));
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        self.levels[level].push(number);
        if self.levels[level].len() >= LEVEL_SIZE && level + 1 < LEVELS {
            self.thin(level);
        }
    }

    /// Moves every second number of a full level to the next level and drops the rest.
    fn thin(&mut self, level: usize) {
        let mut numbers = std::mem::take(&mut self.levels[level]);
        numbers.sort_unstable();
        let skipped = usize::from(self.odd);
        self.odd = !self.odd;
        // `LEVEL_SIZE` is even, so half of the numbers stay, and the total weight is the same.
        numbers.into_iter().skip(skipped).step_by(2).for_each(|number| self.add(number, level + 1));
    }

    fn answer(&self) -> Option<T> {
        let (least, greatest) = self.ends?;
        let weighted = self.levels.iter().enumerate();
        let mut all: Vec<(T, u128)> =
            weighted.flat_map(|(level, numbers)| numbers.iter().map(move |number| (*number, 1u128 << level))).collect();
        all.sort_unstable();
        let rank = self.share * all.iter().map(|(_, weight)| *weight).sum::<u128>() as f64;
        match self.share {
            0.0 => return Some(least),
            1.0 => return Some(greatest),
            _ => {}
        }
        let mut before = 0;
        let answer = all.into_iter().find(|(_, weight)| {
            before += weight;
            if self.above { before as f64 > rank } else { before as f64 >= rank }
        });
        Some(answer.map_or(greatest, |(number, _)| number))
    }
}

impl<T: OrderedNumber> Accumulator for QuantileSketch<T> {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let weights = (arrays.len() == 3).then(|| arrays[1].as_primitive::<Int64Type>());
        for row in (0..arrays[0].len()).filter(|row| arrays[0].is_valid(*row)) {
            let weight = match weights {
                None => 1,
                Some(weights) if weights.is_null(row) => continue,
                Some(weights) => weights.value(row),
            };
            if weight < 1 {
                return Err(invalid("A weight of approx_percentile must be greater than 0."));
            }
            let number = T::read(&arrays[0], row);
            (0..LEVELS).filter(|level| weight >> level & 1 == 1).for_each(|level| self.add(number, level));
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let (numbers, counts) = (states[0].as_list::<i32>().iter(), states[1].as_list::<i32>().iter());
        for (numbers, counts) in numbers.flatten().zip(counts.flatten()).filter(|(numbers, _)| numbers.len() > ENDS) {
            let mut at = ENDS;
            for (level, count) in counts.as_primitive::<Int64Type>().values().iter().enumerate() {
                let end = at + usize::try_from(*count).unwrap_or_default();
                (at..end.min(numbers.len())).for_each(|row| self.add(T::read(&numbers, row), level));
                at = end;
            }
            let (from, to) = (T::read(&numbers, 0), T::read(&numbers, 1));
            self.ends = Some(self.ends.map_or((from, to), |(least, most)| (least.min(from), most.max(to))));
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let ends = self.ends.into_iter().flat_map(|(least, most)| [least, most]);
        let numbers = ends.chain(self.levels.iter().flatten().copied()).collect();
        let numbers = T::write(numbers, &kept_type(&self.data_type))?;
        let counts: Int64Array = self.levels.iter().map(|numbers| numbers.len() as i64).collect();
        let list = |items: ArrayRef| SingleRowListArrayBuilder::new(items).build_list_scalar();
        Ok(vec![list(numbers), list(Arc::new(counts))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.answer() {
            Some(answer) => {
                let answer = T::write(vec![answer], &kept_type(&self.data_type))?;
                ScalarValue::try_from_array(&answer, 0)?.cast_to(&self.data_type)
            }
            None => ScalarValue::try_from(&self.data_type),
        }
    }

    fn size(&self) -> usize {
        self.levels.iter().map(|numbers| numbers.capacity() * size_of::<T>()).sum::<usize>() + size_of_val(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(share: f64, above: bool) -> QuantileSketch<i128> {
        QuantileSketch::new(share, above, DataType::Int64)
    }

    #[test]
    fn few_numbers_are_exact() {
        let of = |share, above| {
            let mut all = sketch(share, above);
            [4, 1, 3, 2].into_iter().for_each(|number| all.add(number, 0));
            all.answer().unwrap()
        };
        assert_eq!([0.0, 0.25, 0.5, 0.51, 1.0].map(|share| of(share, true)), [1, 2, 3, 3, 4]);
        assert_eq!([0.0, 0.25, 0.5, 0.51, 1.0].map(|share| of(share, false)), [1, 1, 2, 3, 4]);
        assert_eq!(sketch(0.5, true).answer(), None);
    }

    #[test]
    fn many_numbers_are_close_and_of_the_input() {
        let count = 3_000_000i128;
        for share in [0.0, 0.001, 0.25, 0.5, 0.9, 1.0] {
            let (mut one, mut other) = (sketch(share, true), sketch(share, true));
            // Every number twice, in no order.
            (0..count).for_each(|n| if n % 3 == 0 { &mut one } else { &mut other }.add(n * 7919 % count * 2, 0));
            let state: Vec<ArrayRef> = other.state().unwrap().iter().map(|part| part.to_array().unwrap()).collect();
            one.merge_batch(&state).unwrap();
            let answer = one.answer().unwrap();
            let expected = (share * count as f64 * 2.0) as i128;
            assert!(answer % 2 == 0 && (answer - expected).abs() < count / 500, "{share}: {answer}, not {expected}");
            assert!(one.levels.iter().all(|level| level.len() < LEVEL_SIZE));
        }
    }

    #[test]
    fn weights_are_counts() {
        let mut all = sketch(0.5, true);
        let arrays: [ArrayRef; 3] = [
            Arc::new(Int64Array::from(vec![1, 3, 2])),
            Arc::new(Int64Array::from(vec![1, 1, 10])),
            Arc::new(arrow::array::Float64Array::from(vec![0.5; 3])),
        ];
        all.update_batch(&arrays).unwrap();
        assert_eq!(all.answer(), Some(2));
    }
}
