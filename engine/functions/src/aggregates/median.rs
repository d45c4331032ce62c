//! `median` of decimals and of 256-bit numbers, exact: the built-in one computes with doubles, which are exact only up to 2^53.
//! Between two decimals the answer has one more digit; between two 256-bit numbers it is rounded down, since they may not fit a
//! decimal.

use std::marker::PhantomData;

use arrow::array::{Decimal256Array, ListArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DECIMAL256_MAX_PRECISION, DECIMAL256_MAX_SCALE, i256};
use datafusion::functions_aggregate::median::median_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator};

use super::ordered_number::{Number256, OrderedNumber};
use super::per_group::{PerGroup, PerGroupAccumulator};
use super::single_group::SingleGroup;
use crate::aggregates::adapted::adapted;
use crate::prelude::*;
use crate::uint256::{self};
use crate::wrappers::adapt::{Coercion, any_arguments};
use quarry_types::uint256::{NUMBER, is_signed};

const DOC: Doc = Doc {
    signature: "median(number)",
    text: "The median of a group, or the midpoint of the two middle values if there are two: exact for decimals and, rounded down, for uint256; a double for other numbers.",
    example: "select median(value) / 1e18 from transactions",
};

pub(crate) fn aggregate() -> Arc<AggregateUDF> {
    let (builtin, documentation, signature) = (median_udaf(), DOC.documentation(), any_arguments());
    let median = AggregateUDF::new_from_impl(Median { builtin, documentation, signature });
    adapted(&Arc::new(median), Coercion::DecimalsOrDoubles, &[])
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Median {
    builtin: Arc<AggregateUDF>,
    documentation: Documentation,
    signature: Signature,
}

fn is_left_to_builtin(from: &DataType) -> bool {
    !matches!(from, DataType::Decimal128(..) | DataType::Decimal256(..)) && !is_number(from)
}

impl AggregateUDFImpl for Median {
    fn name(&self) -> &str {
        self.builtin.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [from] = types else { return Err(invalid("median expects one number.")) };
        if !is_left_to_builtin(from) {
            return Ok(types.to_vec());
        }
        let field = Arc::new(Field::new("argument", from.clone(), true));
        let taken = fields_with_udf(&[field], self.builtin.as_ref())?;
        Ok(taken.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(match types {
            [DataType::Decimal128(digits, behind) | DataType::Decimal256(digits, behind)] => {
                let behind = behind.saturating_add(1).min(DECIMAL256_MAX_SCALE);
                DataType::Decimal256((digits + 1).min(DECIMAL256_MAX_PRECISION), behind)
            }
            [from] if is_number(from) => NUMBER,
            _ => return self.builtin.return_type(types),
        })
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type().clone()).collect();
        let to = self.return_type(&types)?;
        Ok(match fields {
            [from] if is_number(&to) => quarry_types::uint256::field("median", is_signed(from)),
            _ => Arc::new(Field::new("median", to, true)),
        })
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let from = args.input_fields[0].data_type();
        if is_left_to_builtin(from) {
            return self.builtin.state_fields(args);
        }
        let item = Field::new_list_field(from.clone(), true);
        Ok(vec![Arc::new(Field::new_list(format_state_name(args.name, "median"), item, true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(match args.expr_fields[0].data_type() {
            DataType::Decimal128(..) => Box::new(SingleGroup::new(ExactMedian::<i128>::accumulator(&args), &args)),
            DataType::Decimal256(..) => Box::new(SingleGroup::new(ExactMedian::<i256>::accumulator(&args), &args)),
            from if is_number(from) => Box::new(SingleGroup::new(ExactMedian::<Number256>::accumulator(&args), &args)),
            _ => return self.builtin.accumulator(args),
        })
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !is_left_to_builtin(args.expr_fields[0].data_type()) || self.builtin.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(match args.expr_fields[0].data_type() {
            DataType::Decimal128(..) => Box::new(ExactMedian::<i128>::accumulator(&args)),
            DataType::Decimal256(..) => Box::new(ExactMedian::<i256>::accumulator(&args)),
            from if is_number(from) => Box::new(ExactMedian::<Number256>::accumulator(&args)),
            _ => return self.builtin.create_groups_accumulator(args),
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// A number that has a middle with another.
trait Middle: OrderedNumber {
    /// The middles between the two numbers of each group, as a column of type `to`.
    fn middles(pairs: Vec<Option<(Self, Self)>>, from: &DataType, to: &DataType) -> Result<ArrayRef>;
}

fn too_large() -> DataFusionError {
    out_of_range("The median has too many digits for a decimal; cast to double first.")
}

impl Middle for i128 {
    fn middles(pairs: Vec<Option<(i128, i128)>>, from: &DataType, to: &DataType) -> Result<ArrayRef> {
        let wide = |(lower, upper)| (i256::from_i128(lower), i256::from_i128(upper));
        i256::middles(pairs.into_iter().map(|pair| pair.map(wide)).collect(), from, to)
    }
}

impl Middle for i256 {
    /// With one more digit for halves, where there is room for it.
    fn middles(pairs: Vec<Option<(i256, i256)>>, from: &DataType, to: &DataType) -> Result<ArrayRef> {
        let one_digit_more = uint256::scale(to) > uint256::scale(from);
        let middle = |(lower, upper): (i256, i256)| {
            let sum = lower.checked_add(upper)?;
            if one_digit_more { sum.checked_mul(i256::from_i128(5)) } else { sum.checked_div(i256::from_i128(2)) }
        };
        let middles = pairs.into_iter().map(|pair| pair.map(|pair| middle(pair).ok_or_else(too_large)).transpose());
        let middles = middles.collect::<Result<Decimal256Array>>()?.with_data_type(to.clone());
        middles.validate_decimal_precision(DECIMAL256_MAX_PRECISION).map_err(|_| too_large())?;
        Ok(Arc::new(middles))
    }
}

impl Middle for Number256 {
    fn middles(pairs: Vec<Option<(Number256, Number256)>>, _: &DataType, _: &DataType) -> Result<ArrayRef> {
        let middle = |(lower, upper): (Number256, Number256)| {
            let sum = Number::decode(&lower).widen() + Number::decode(&upper).widen();
            // The middle of two such numbers is one. The shift rounds down, below zero too.
            Number::narrow(sum.asr(1)).unwrap_or_default()
        };
        uint256::write(pairs.into_iter().map(|pair| pair.map(middle)).collect())
    }
}

/// The median of numbers that are kept as `T`.
#[derive(Debug, Clone)]
struct ExactMedian<T> {
    from: DataType,
    to: DataType,
    distinct: bool,
    number: PhantomData<T>,
}

impl<T: Middle> ExactMedian<T> {
    fn accumulator(args: &AccumulatorArgs) -> PerGroupAccumulator<ExactMedian<T>> {
        let (from, to) = (args.expr_fields[0].data_type().clone(), args.return_field.data_type().clone());
        PerGroupAccumulator::new(ExactMedian { from, to, distinct: args.is_distinct, number: PhantomData })
    }

    /// The two numbers in the middle, which are the same of an odd count.
    fn middle(&self, mut numbers: Vec<T>) -> Option<(T, T)> {
        if self.distinct {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let last = numbers.len().checked_sub(1)?;
        let half = numbers.len() / 2;
        let (below, upper, _) = numbers.select_nth_unstable(half);
        let upper = *upper;
        let lower = below.iter().max().filter(|_| last % 2 == 1);
        Some((lower.copied().unwrap_or(upper), upper))
    }
}

impl<T: Middle> PerGroup for ExactMedian<T> {
    type Group = Vec<T>;
    type Columns = ArrayRef;

    fn columns(&self, values: &[ArrayRef]) -> Result<ArrayRef> {
        Ok(Arc::clone(&values[0]))
    }

    fn add(&self, numbers: &mut Vec<T>, column: &ArrayRef, row: usize) {
        if column.is_valid(row) {
            numbers.push(T::read(column, row));
        }
    }

    fn merge(&self, numbers: &mut Vec<T>, states: &ArrayRef, row: usize) {
        let list = states.as_list::<i32>().value(row);
        numbers.extend((0..list.len()).map(|row| T::read(&list, row)));
    }

    fn heap_size(numbers: &Vec<T>) -> usize {
        numbers.capacity() * size_of::<T>()
    }

    fn evaluate(&self, groups: Vec<Vec<T>>) -> Result<ArrayRef> {
        T::middles(groups.into_iter().map(|numbers| self.middle(numbers)).collect(), &self.from, &self.to)
    }

    fn state(&self, groups: Vec<Vec<T>>) -> Result<ArrayRef> {
        let offsets = OffsetBuffer::from_lengths(groups.iter().map(Vec::len));
        let numbers = T::write(groups.into_iter().flatten().collect(), &self.from)?;
        let item = Arc::new(Field::new_list_field(self.from.clone(), true));
        Ok(Arc::new(ListArray::try_new(item, offsets, numbers, None)?))
    }
}
