//! `approx_set` and `merge`, and `cardinality` of their sketches: approximate distinct counts that can be merged later. A sketch is
//! the registers of a HyperLogLog, one byte each; the cardinality is estimated after Ertl, "New cardinality estimation
//! algorithms for HyperLogLog sketches" (2017).

use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation};
use twox_hash::XxHash64;

use quarry_types::byte_columns::memory_of;

use super::methods::name_and_signature;
use crate::prelude::*;

/// Bits of a hash that choose a register.
const INDEX_BITS: u32 = 14;
/// Registers of a sketch.
const REGISTERS: usize = 1 << INDEX_BITS;
/// The largest value of a register: the position of the first set bit among the remaining bits of a hash, or one more if none is.
const MAX_RANK: u8 = 64 - INDEX_BITS as u8 + 1;

const SET_DOC: Doc = Doc {
    signature: "approx_set(value)",
    text: "A sketch of the distinct values of a group; cardinality returns their approximate number, merge combines sketches.",
    example: "select cardinality(approx_set(from_address)) from transactions",
};
const MERGE_DOC: Doc = Doc {
    signature: "merge(sketch)",
    text: "The approx_set sketches of a group merged into one.",
    example: "select cardinality(merge(s)) from (select approx_set(from_address) as s from transactions group by block_number)",
};
const EMPTY_DOC: Doc = Doc {
    signature: "empty_approx_set()",
    text: "An empty approx_set sketch.",
    example: "select cardinality(empty_approx_set())",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![EMPTY_DOC.udf(
        0..=0,
        |_| Ok(Arc::new(Field::new("sketch", DataType::Binary, true))),
        |_, _| Ok(Arc::new(BinaryArray::from_vec(vec![[0; REGISTERS].as_slice()]))),
    )]
}

pub(super) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let aggregate = |name, merges, doc: Doc| {
        let signature = Signature::any(1, Volatility::Immutable);
        Arc::new(AggregateUDF::new_from_impl(Sketch { name, merges, signature, documentation: doc.documentation() }))
    };
    vec![aggregate("approx_set", false, SET_DOC), aggregate("merge", true, MERGE_DOC)]
}

/// Whether a type may hold sketches.
pub(crate) fn may_hold_sketches(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

/// About how many values differ in each sketch.
pub(crate) fn cardinality(sketches: &ArrayRef) -> Result<ArrayRef> {
    let counts = bytes_of(sketches)?.into_iter().map(|sketch| sketch.map(|sketch| Ok(estimate(registers(sketch)?))));
    Ok(Arc::new(counts.map(Option::transpose).collect::<Result<Int64Array>>()?))
}

/// The registers of a sketch; an error for other bytes.
fn registers(sketch: &[u8]) -> Result<&[u8]> {
    let valid = sketch.len() == REGISTERS && sketch.iter().all(|register| *register <= MAX_RANK);
    if valid { Ok(sketch) } else { Err(invalid("These bytes are not an approx_set sketch.")) }
}

fn estimate(registers: &[u8]) -> i64 {
    let mut counts = [0.0; MAX_RANK as usize + 1];
    registers.iter().for_each(|register| counts[usize::from(*register)] += 1.0);
    let all = REGISTERS as f64;
    let last = usize::from(MAX_RANK);
    let above = all * tau(1.0 - counts[last] / all);
    let sum = counts[1..last].iter().rev().fold(above, |sum, count| 0.5 * (sum + count));
    let sum = sum + all * sigma(counts[0] / all);
    (all * all / (2.0 * std::f64::consts::LN_2 * sum)).round() as i64
}

/// The contribution of registers that are zero; the sigma of Ertl's paper.
fn sigma(share: f64) -> f64 {
    if share >= 1.0 {
        return f64::INFINITY;
    }
    let (mut power, mut weight, mut sum) = (share, 1.0, share);
    loop {
        power *= power;
        let next = sum + power * weight;
        if next == sum {
            return sum;
        }
        (sum, weight) = (next, weight * 2.0);
    }
}

/// The contribution of registers that are full; the tau of Ertl's paper.
fn tau(share: f64) -> f64 {
    if share <= 0.0 || share >= 1.0 {
        return 0.0;
    }
    let (mut root, mut weight, mut sum) = (share, 1.0, 1.0 - share);
    loop {
        root = root.sqrt();
        weight *= 0.5;
        let next = sum - (1.0 - root).powi(2) * weight;
        if next == sum {
            return sum / 3.0;
        }
        sum = next;
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Sketch {
    name: &'static str,
    /// Whether it takes sketches, not values.
    merges: bool,
    signature: Signature,
    documentation: Documentation,
}

impl AggregateUDFImpl for Sketch {
    name_and_signature!();

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let from = &types[0];
        if self.merges && !may_hold_sketches(from) && !from.is_null() {
            let from = type_name(from, false);
            return Err(invalid(format!("merge expects sketches created by approx_set, got {from}.")));
        }
        if !self.merges && from.is_nested() {
            return Err(invalid(format!("approx_set does not support {}.", type_name(from, false))));
        }
        Ok(DataType::Binary)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "sketch"), DataType::Binary, true))])
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(SketchAccumulator { registers: Vec::new(), merges: self.merges }))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// The sketch of one group.
#[derive(Debug)]
struct SketchAccumulator {
    /// Empty before the first value that is not null.
    registers: Vec<u8>,
    merges: bool,
}

impl SketchAccumulator {
    fn registers(&mut self) -> &mut [u8] {
        self.registers.resize(REGISTERS, 0);
        &mut self.registers
    }

    fn add_one(&mut self, value: &[u8]) {
        let hash = XxHash64::oneshot(0, value);
        let place = hash as usize % REGISTERS;
        let rank = ((hash >> INDEX_BITS | 1 << (64 - INDEX_BITS)).trailing_zeros() + 1) as u8;
        let register = &mut self.registers()[place];
        *register = rank.max(*register);
    }

    fn add(&mut self, values: &ArrayRef) -> Result<()> {
        match values.data_type() {
            from if is_bytes(from) => memory_of(values)?.into_iter().flatten().for_each(|value| self.add_one(value)),
            from if is_text(from) => {
                text_of(values)?.into_iter().flatten().for_each(|value| self.add_one(value.as_bytes()));
            }
            // The same number is the same value, however wide its type is.
            from if from.is_integer() && *from != DataType::UInt64 => {
                let numbers = cast(values, &DataType::Int64)?;
                let numbers = numbers.as_primitive::<Int64Type>().iter().flatten();
                numbers.for_each(|value| self.add_one(&value.to_le_bytes()));
            }
            _ => self.add(&cast(values, &DataType::Utf8)?)?,
        }
        Ok(())
    }
}

impl Accumulator for SketchAccumulator {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        if self.merges { self.merge_batch(arrays) } else { self.add(&arrays[0]) }
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for sketch in bytes_of(&states[0])?.into_iter().flatten() {
            let registers = self.registers().iter_mut().zip(registers(sketch)?);
            registers.for_each(|(register, other)| *register = (*register).max(*other));
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Binary(Some(self.registers.clone()).filter(|registers| !registers.is_empty())))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.registers.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_close() {
        for count in [0u32, 1, 10, 1_000, 20_000, 300_000] {
            let mut sketch = SketchAccumulator { registers: vec![0; REGISTERS], merges: false };
            (0..count).for_each(|value| sketch.add_one(&value.to_le_bytes()));
            let estimated = estimate(registers(&sketch.registers).unwrap()) as f64;
            assert!((estimated - f64::from(count)).abs() <= f64::from(count) * 0.025, "{count}: {estimated}");
        }
    }
}
