//! `approx_percentile` of whole numbers, decimals without a fraction among them: one of the numbers, as in Trino, not something
//! between two of them.
//!
//! Numbers are kept as they come until there are too many; then every second one in their order goes, and those that stay
//! stand for two, for four, and so on (Munro and Paterson, "Selection and Sorting with Limited Storage", 1980). Of up to
//! [`KEPT`] numbers the answer is exact.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Int64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_aggregate::approx_percentile_cont::approx_percentile_cont_udaf;
use datafusion::functions_aggregate::approx_percentile_cont_with_weight::approx_percentile_cont_with_weight_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, Signature};

use super::adapt::{Takes, any_arguments};
use super::adapt_aggregate::adapted;
use super::hive::constant;
use super::simple::{Doc, invalid};

/// Numbers of one weight that are kept.
const KEPT: usize = 1 << 14;
/// Weights of numbers are below two to the power of this.
const LEVELS: usize = 63;
/// Numbers of a state before those that are kept: the least and the greatest.
const ENDS: usize = 2;
/// As what numbers of 64 bits are not enough for, as gas prices and values in wei, are taken, and all are kept.
const WIDE: DataType = DataType::Decimal128(38, 0);

/// The aggregate that `approx_quantiles` is made of; people don't write it.
pub(crate) const NEAREST_PERCENTILE: &str = "nearest_percentile";

const DOC: Doc = Doc {
    signature: "approx_percentile(number, weight, share)",
    text: "The number of a group that lies above so large a share of it, about: of whole numbers one of them, of fractions one that may lie between two; the weight, which may be left out, is how often each counts.",
    example: "select approx_percentile(gas_used, 0.9) from blocks",
};

pub(super) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let all = [
        Percentile {
            name: "approx_percentile",
            above: true,
            documentation: Some(DOC.documentation()),
            signature: any_arguments(),
        },
        Percentile { name: NEAREST_PERCENTILE, above: false, documentation: None, signature: any_arguments() },
    ];
    all.map(|function| adapted(&Arc::new(AggregateUDF::new_from_impl(function)), Takes::WholeOrDoubles, &[])).into()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Percentile {
    name: &'static str,
    /// Whether more than the share must lie up to the answer (Trino), or as much is enough (BigQuery).
    above: bool,
    documentation: Option<Documentation>,
    signature: Signature,
}

/// What answers for fractions, with weights or without.
fn stock(arguments: usize) -> Arc<AggregateUDF> {
    match arguments {
        3 => approx_percentile_cont_with_weight_udaf(),
        _ => approx_percentile_cont_udaf(),
    }
}

fn is_whole(data_type: &DataType) -> bool {
    data_type.is_integer() && *data_type != DataType::UInt64
}

/// As what the values are taken when they, and their weights where they have them, are whole numbers.
fn whole_type(types: &[DataType]) -> Option<DataType> {
    let (value, rest) = types.split_first()?;
    let (_, weights) = rest.split_last()?;
    match value {
        _ if !weights.iter().all(is_whole) => None,
        DataType::Decimal128(_, 0) => Some(WIDE),
        value => is_whole(value).then_some(DataType::Int64),
    }
}

fn types_of(fields: &[FieldRef]) -> Vec<DataType> {
    fields.iter().map(|field| field.data_type().clone()).collect()
}

impl AggregateUDFImpl for Percentile {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if !(2..=3).contains(&types.len()) {
            return Err(invalid("approx_percentile takes a number, perhaps a weight, and a share from 0 to 1."));
        }
        if let Some(value) = whole_type(types)
            && types.last().is_some_and(DataType::is_numeric)
        {
            let mut taken = vec![DataType::Int64; types.len()];
            taken[0] = value;
            taken[types.len() - 1] = DataType::Float64;
            return Ok(taken);
        }
        let stock_type = |of: &DataType| if of.is_decimal() { DataType::Float64 } else { of.clone() };
        let fields: Vec<FieldRef> =
            types.iter().map(|of| Arc::new(Field::new("argument", stock_type(of), true))).collect();
        Ok(types_of(&fields_with_udf(&fields, stock(types.len()).as_ref())?))
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match whole_type(types) {
            Some(value) => Ok(value),
            None => stock(types.len()).return_type(types),
        }
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if whole_type(&types_of(args.input_fields)).is_none() {
            return stock(args.input_fields.len()).state_fields(args);
        }
        let name = format_state_name(args.name, "kept");
        Ok(vec![Arc::new(Field::new_list(name, Field::new_list_field(WIDE, true), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let Some(value) = whole_type(&types_of(args.expr_fields)) else {
            return stock(args.exprs.len()).accumulator(args);
        };
        const SHARE: &str = "approx_percentile takes a share from 0 to 1 that is the same for every row.";
        let share = args.exprs.last().map(|share| constant(share, SHARE)).transpose()?.unwrap_or_default();
        match share.first() {
            Some(share) if (0.0..=1.0).contains(share) => Ok(Box::new(Kept::new(*share, self.above, value))),
            _ => Err(invalid(SHARE)),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.documentation.as_ref()
    }
}

/// The numbers that are kept, by how many each stands for.
#[derive(Debug)]
struct Kept {
    share: f64,
    above: bool,
    /// The type of the numbers.
    of: DataType,
    /// The least and the greatest.
    ends: Option<(i128, i128)>,
    levels: Vec<Vec<i128>>,
    /// Which of two numbers stays, in turn.
    odd: bool,
}

impl Kept {
    fn new(share: f64, above: bool, of: DataType) -> Kept {
        Kept { share, above, of, ends: None, levels: Vec::new(), odd: false }
    }

    fn add(&mut self, number: i128, level: usize) {
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

    fn answer(&self) -> Option<i128> {
        let (least, greatest) = self.ends?;
        let weighted = self.levels.iter().enumerate();
        let mut all: Vec<(i128, u128)> =
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

impl Accumulator for Kept {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let (small, wide) = (arrays[0].as_primitive_opt::<Int64Type>(), arrays[0].as_primitive_opt::<Decimal128Type>());
        let number = |row| match small {
            Some(numbers) => i128::from(numbers.value(row)),
            None => wide.map_or(0, |numbers| numbers.value(row)),
        };
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
            (0..LEVELS).filter(|level| weight >> level & 1 == 1).for_each(|level| self.add(number(row), level));
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for state in states[0].as_list::<i32>().iter().flatten().filter(|state| state.len() > ENDS) {
            let state = state.as_primitive::<Decimal128Type>().values().clone();
            // What stands behind the ends are levels: how many numbers, then the numbers.
            let (mut at, mut level) = (ENDS, 0);
            while at < state.len() {
                let count = usize::try_from(state[at]).unwrap_or_default();
                state.iter().skip(at + 1).take(count).for_each(|number| self.add(*number, level));
                (at, level) = (at + 1 + count, level + 1);
            }
            let (least, most) = self.ends.unwrap_or((state[0], state[1]));
            self.ends = Some((least.min(state[0]), most.max(state[1])));
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let mut state = Vec::new();
        if let Some((least, most)) = self.ends {
            state.extend([least, most]);
        }
        for numbers in &self.levels {
            state.push(numbers.len() as i128);
            state.extend(numbers);
        }
        let state = Decimal128Array::from(state).with_data_type(WIDE);
        Ok(vec![SingleRowListArrayBuilder::new(Arc::new(state)).build_list_scalar()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let answer = self.answer();
        Ok(match self.of {
            DataType::Int64 => ScalarValue::Int64(answer.and_then(|number| i64::try_from(number).ok())),
            _ => ScalarValue::Decimal128(answer, 38, 0),
        })
    }

    fn size(&self) -> usize {
        self.levels.iter().map(|numbers| numbers.capacity() * size_of::<i128>()).sum::<usize>() + size_of_val(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(share: f64, above: bool) -> Kept {
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
            let state = other.state().unwrap().remove(0).to_array().unwrap();
            one.merge_batch(&[state]).unwrap();
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
