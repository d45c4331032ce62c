//! Numbers are kept as they come until there are too many; then every second one in their order goes, and those that stay
//! stand for two, for four, and so on (Munro and Paterson, "Selection and Sorting with Limited Storage", 1980). Of up to
//! [`KEPT`] numbers the answer is exact.

use std::fmt::Debug;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Decimal256Array, FixedSizeBinaryArray, Int64Array};
use arrow::datatypes::{DataType, Decimal128Type, Decimal256Type, Int64Type, i256};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use quarry_types::invalid;
use quarry_types::uint256::WIDTH;

/// Numbers of one weight that are kept.
const KEPT: usize = 1 << 14;
/// Weights of numbers are below two to the power of this.
const LEVELS: usize = 63;
/// Numbers of a state before those that are kept: the least and the greatest.
const ENDS: usize = 2;
/// As what numbers of 64 bits are not enough for, as gas prices and values in wei, are taken, and all of them are kept.
pub(super) const WIDE: DataType = DataType::Decimal128(38, 0);
/// The same of decimals with more digits.
pub(super) const WIDEST: DataType = DataType::Decimal256(76, 0);
/// A 256-bit number as it is in a column: its bytes are in the order of the numbers.
pub(super) type Number256 = [u8; WIDTH as usize];

/// The type in which numbers of a type are kept.
pub(super) fn as_kept(of: &DataType) -> DataType {
    if *of == DataType::Int64 { WIDE } else { of.clone() }
}

/// A whole number of one of the types that are kept.
pub(super) trait Whole: Copy + Ord + Debug + Send + Sync + 'static {
    /// The number in a row that is not null.
    fn at(array: &ArrayRef, row: usize) -> Self;

    /// Numbers as a column of the type in which they are kept.
    fn column(numbers: Vec<Self>) -> Result<ArrayRef>;
}

impl Whole for i128 {
    fn at(array: &ArrayRef, row: usize) -> i128 {
        match array.as_primitive_opt::<Int64Type>() {
            Some(numbers) => numbers.value(row).into(),
            None => array.as_primitive::<Decimal128Type>().value(row),
        }
    }

    fn column(numbers: Vec<i128>) -> Result<ArrayRef> {
        Ok(Arc::new(Decimal128Array::from(numbers).with_data_type(WIDE)))
    }
}

impl Whole for i256 {
    fn at(array: &ArrayRef, row: usize) -> i256 {
        array.as_primitive::<Decimal256Type>().value(row)
    }

    fn column(numbers: Vec<i256>) -> Result<ArrayRef> {
        Ok(Arc::new(Decimal256Array::from(numbers).with_data_type(WIDEST)))
    }
}

impl Whole for Number256 {
    fn at(array: &ArrayRef, row: usize) -> Number256 {
        array.as_fixed_size_binary().value(row).try_into().unwrap_or([0; WIDTH as usize])
    }

    fn column(numbers: Vec<Number256>) -> Result<ArrayRef> {
        let rows = numbers.iter().map(|number| Some(number.as_slice()));
        Ok(Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows, WIDTH)?))
    }
}

/// The numbers that are kept, by how many each stands for.
#[derive(Debug)]
pub(super) struct Kept<T> {
    share: f64,
    above: bool,
    /// The type of the numbers.
    of: DataType,
    /// The least and the greatest.
    ends: Option<(T, T)>,
    levels: Vec<Vec<T>>,
    /// Which of two numbers stays, in turn.
    odd: bool,
}

impl<T: Whole> Kept<T> {
    pub fn new(share: f64, above: bool, of: DataType) -> Kept<T> {
        Kept { share, above, of, ends: None, levels: Vec::new(), odd: false }
    }

    fn add(&mut self, number: T, level: usize) {
        self.ends = Some(self.ends.map_or((number, number), |(least, most)| (least.min(number), most.max(number))));
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Vec::new());
        }
        self.levels[level].push(number);
        if self.levels[level].len() >= KEPT && level + 1 < LEVELS {
            self.thin(level);
        }
    }

    /// Every second number of a level goes; the others stand for twice as many.
    fn thin(&mut self, level: usize) {
        let mut numbers = std::mem::take(&mut self.levels[level]);
        numbers.sort_unstable();
        let skipped = usize::from(self.odd);
        self.odd = !self.odd;
        // `KEPT` is even, so that as many are left as went.
        numbers.into_iter().skip(skipped).step_by(2).for_each(|number| self.add(number, level + 1));
    }

    fn answer(&self) -> Option<T> {
        let (least, greatest) = self.ends?;
        let weighted = self.levels.iter().enumerate();
        let mut all: Vec<(T, u128)> =
            weighted.flat_map(|(level, numbers)| numbers.iter().map(move |number| (*number, 1u128 << level))).collect();
        all.sort_unstable();
        let sought = self.share * all.iter().map(|(_, weight)| *weight).sum::<u128>() as f64;
        match self.share {
            0.0 => return Some(least),
            1.0 => return Some(greatest),
            _ => {}
        }
        let mut before = 0;
        let found = all.into_iter().find(|(_, weight)| {
            before += weight;
            if self.above { before as f64 > sought } else { before as f64 >= sought }
        });
        Some(found.map_or(greatest, |(number, _)| number))
    }
}

impl<T: Whole> Accumulator for Kept<T> {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let weights = (arrays.len() == 3).then(|| arrays[1].as_primitive::<Int64Type>());
        for row in (0..arrays[0].len()).filter(|row| arrays[0].is_valid(*row)) {
            let weight = match weights {
                None => 1,
                Some(weights) if weights.is_null(row) => continue,
                Some(weights) => weights.value(row),
            };
            if weight < 1 {
                return Err(invalid("A weight of approx_percentile is above zero."));
            }
            let number = T::at(&arrays[0], row);
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
                (at..end.min(numbers.len())).for_each(|row| self.add(T::at(&numbers, row), level));
                at = end;
            }
            let (from, to) = (T::at(&numbers, 0), T::at(&numbers, 1));
            self.ends = Some(self.ends.map_or((from, to), |(least, most)| (least.min(from), most.max(to))));
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let ends = self.ends.into_iter().flat_map(|(least, most)| [least, most]);
        let numbers = T::column(ends.chain(self.levels.iter().flatten().copied()).collect())?;
        let counts: Int64Array = self.levels.iter().map(|numbers| numbers.len() as i64).collect();
        let list = |items: ArrayRef| SingleRowListArrayBuilder::new(items).build_list_scalar();
        Ok(vec![list(numbers), list(Arc::new(counts))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.answer() {
            Some(answer) => ScalarValue::try_from_array(&T::column(vec![answer])?, 0)?.cast_to(&self.of),
            None => ScalarValue::try_from(&self.of),
        }
    }

    fn size(&self) -> usize {
        self.levels.iter().map(|numbers| numbers.capacity() * size_of::<T>()).sum::<usize>() + size_of_val(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(share: f64, above: bool) -> Kept<i128> {
        Kept::new(share, above, DataType::Int64)
    }

    #[test]
    fn few_numbers_are_exact() {
        let of = |share, above| {
            let mut all = kept(share, above);
            [4, 1, 3, 2].into_iter().for_each(|number| all.add(number, 0));
            all.answer().unwrap()
        };
        assert_eq!([0.0, 0.25, 0.5, 0.51, 1.0].map(|share| of(share, true)), [1, 2, 3, 3, 4]);
        assert_eq!([0.0, 0.25, 0.5, 0.51, 1.0].map(|share| of(share, false)), [1, 1, 2, 3, 4]);
        assert_eq!(kept(0.5, true).answer(), None);
    }

    #[test]
    fn many_numbers_are_close_and_of_the_input() {
        let count = 3_000_000i128;
        for share in [0.0, 0.001, 0.25, 0.5, 0.9, 1.0] {
            let (mut one, mut other) = (kept(share, true), kept(share, true));
            // Every number twice, in no order.
            (0..count).for_each(|n| if n % 3 == 0 { &mut one } else { &mut other }.add(n * 7919 % count * 2, 0));
            let state: Vec<ArrayRef> = other.state().unwrap().iter().map(|part| part.to_array().unwrap()).collect();
            one.merge_batch(&state).unwrap();
            let found = one.answer().unwrap();
            let wanted = (share * count as f64 * 2.0) as i128;
            assert!(found % 2 == 0 && (found - wanted).abs() < count / 500, "{share}: {found}, not {wanted}");
            assert!(one.levels.iter().all(|level| level.len() < KEPT));
        }
    }

    #[test]
    fn weights_are_counts() {
        let mut all = kept(0.5, true);
        let arrays: [ArrayRef; 3] = [
            Arc::new(arrow::array::Int64Array::from(vec![1, 3, 2])),
            Arc::new(arrow::array::Int64Array::from(vec![1, 1, 10])),
            Arc::new(arrow::array::Float64Array::from(vec![0.5; 3])),
        ];
        all.update_batch(&arrays).unwrap();
        assert_eq!(all.answer(), Some(2));
    }
}
