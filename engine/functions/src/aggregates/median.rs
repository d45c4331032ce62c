//! `median` of decimals and of 256-bit numbers, exact: the stock one is made of doubles, which tell whole numbers apart up to
//! 2^53 only. Of two decimals in the middle the answer is what lies between, with a digit more; of two 256-bit numbers it is that
//! rounded down, since no decimal holds them all.

use std::fmt::Debug;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Decimal256Array, ListArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{
    DECIMAL256_MAX_PRECISION, DECIMAL256_MAX_SCALE, DataType, Decimal128Type, Decimal256Type, Field, FieldRef, i256,
};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_aggregate::median::median_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, EmitTo, GroupsAccumulator, Signature,
};

use super::exact::groups::chosen;
use crate::aggregates::adapted::adapted;
use crate::simple::Doc;
use crate::stock::adapt::{Takes, any_arguments};
use crate::uint256::{self};
use quarry_types::uint256::{NUMBER, Number, is_number, is_signed};
use quarry_types::{invalid, out_of_range};

const DOC: Doc = Doc {
    signature: "median(number)",
    text: "The number in the middle of a group, or halfway between the two in the middle: exact of decimals and, rounded down, of uint256; a double of others.",
    example: "select median(value) / 1e18 from transactions",
};

pub(crate) fn aggregate() -> Arc<AggregateUDF> {
    let (stock, documentation, signature) = (median_udaf(), DOC.documentation(), any_arguments());
    let median = AggregateUDF::new_from_impl(Median { stock, documentation, signature });
    adapted(&Arc::new(median), Takes::DecimalsOrDoubles, &[])
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Median {
    stock: Arc<AggregateUDF>,
    documentation: Documentation,
    signature: Signature,
}

/// Whether the stock function answers all the same.
fn by_stock(of: &DataType) -> bool {
    !matches!(of, DataType::Decimal128(..) | DataType::Decimal256(..)) && !is_number(of)
}

impl AggregateUDFImpl for Median {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [of] = types else { return Err(invalid("median takes one number.")) };
        if !by_stock(of) {
            return Ok(types.to_vec());
        }
        let field = Arc::new(Field::new("argument", of.clone(), true));
        let taken = fields_with_udf(&[field], self.stock.as_ref())?;
        Ok(taken.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(match types {
            [DataType::Decimal128(digits, behind) | DataType::Decimal256(digits, behind)] => {
                let behind = behind.saturating_add(1).min(DECIMAL256_MAX_SCALE);
                DataType::Decimal256((digits + 1).min(DECIMAL256_MAX_PRECISION), behind)
            }
            [of] if is_number(of) => NUMBER,
            _ => return self.stock.return_type(types),
        })
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let types: Vec<DataType> = fields.iter().map(|field| field.data_type().clone()).collect();
        let to = self.return_type(&types)?;
        Ok(match fields {
            [of] if is_number(&to) => quarry_types::uint256::field("median", is_signed(of)),
            _ => Arc::new(Field::new("median", to, true)),
        })
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let of = args.input_fields[0].data_type();
        if by_stock(of) {
            return self.stock.state_fields(args);
        }
        let item = Field::new_list_field(of.clone(), true);
        Ok(vec![Arc::new(Field::new_list(format_state_name(args.name, "median"), item, true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(match args.expr_fields[0].data_type() {
            DataType::Decimal128(..) => Box::new(All(Values::<i128>::new(&args))),
            DataType::Decimal256(..) => Box::new(All(Values::<i256>::new(&args))),
            of if is_number(of) => Box::new(All(Values::<Number256>::new(&args))),
            _ => return self.stock.accumulator(args),
        })
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !by_stock(args.expr_fields[0].data_type()) || self.stock.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(match args.expr_fields[0].data_type() {
            DataType::Decimal128(..) => Box::new(Values::<i128>::new(&args)),
            DataType::Decimal256(..) => Box::new(Values::<i256>::new(&args)),
            of if is_number(of) => Box::new(Values::<Number256>::new(&args)),
            _ => return self.stock.create_groups_accumulator(args),
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// A 256-bit number as it is in a column: its bytes are in the order of the numbers.
type Number256 = [u8; quarry_types::uint256::WIDTH as usize];

/// A number that has a middle with another.
trait Middle: Copy + Ord + Debug + Send + Sync + 'static {
    /// The number in a row that is not null.
    fn at(array: &ArrayRef, row: usize) -> Self;

    /// Numbers as a column of their type.
    fn column(numbers: Vec<Self>, of: &DataType) -> Result<ArrayRef>;

    /// What lies between the two numbers of each row, of the type of answers.
    fn middles(pairs: Vec<Option<(Self, Self)>>, of: &DataType, to: &DataType) -> Result<ArrayRef>;
}

fn too_large() -> datafusion::common::DataFusionError {
    out_of_range("The median has more digits than a decimal holds; cast to double before.")
}

impl Middle for i128 {
    fn at(array: &ArrayRef, row: usize) -> i128 {
        array.as_primitive::<Decimal128Type>().value(row)
    }

    fn column(numbers: Vec<i128>, of: &DataType) -> Result<ArrayRef> {
        Ok(Arc::new(Decimal128Array::from(numbers).with_data_type(of.clone())))
    }

    fn middles(pairs: Vec<Option<(i128, i128)>>, of: &DataType, to: &DataType) -> Result<ArrayRef> {
        let wide = |(lower, upper)| (i256::from_i128(lower), i256::from_i128(upper));
        i256::middles(pairs.into_iter().map(|pair| pair.map(wide)).collect(), of, to)
    }
}

impl Middle for i256 {
    fn at(array: &ArrayRef, row: usize) -> i256 {
        array.as_primitive::<Decimal256Type>().value(row)
    }

    fn column(numbers: Vec<i256>, of: &DataType) -> Result<ArrayRef> {
        Ok(Arc::new(Decimal256Array::from(numbers).with_data_type(of.clone())))
    }

    /// With the digit more that halves need, where there is room for it.
    fn middles(pairs: Vec<Option<(i256, i256)>>, of: &DataType, to: &DataType) -> Result<ArrayRef> {
        let more = uint256::scale(to) > uint256::scale(of);
        let middle = |(lower, upper): (i256, i256)| {
            let sum = lower.checked_add(upper)?;
            if more { sum.checked_mul(i256::from_i128(5)) } else { sum.checked_div(i256::from_i128(2)) }
        };
        let middles = pairs.into_iter().map(|pair| pair.map(|pair| middle(pair).ok_or_else(too_large)).transpose());
        let middles = middles.collect::<Result<Decimal256Array>>()?.with_data_type(to.clone());
        middles.validate_decimal_precision(DECIMAL256_MAX_PRECISION).map_err(|_| too_large())?;
        Ok(Arc::new(middles))
    }
}

impl Middle for Number256 {
    fn at(array: &ArrayRef, row: usize) -> Number256 {
        array.as_fixed_size_binary().value(row).try_into().unwrap_or([0; quarry_types::uint256::WIDTH as usize])
    }

    fn column(numbers: Vec<Number256>, _: &DataType) -> Result<ArrayRef> {
        uint256::write(numbers.iter().map(|number| Some(Number::decode(number))).collect())
    }

    fn middles(pairs: Vec<Option<(Number256, Number256)>>, _: &DataType, _: &DataType) -> Result<ArrayRef> {
        let middle = |(lower, upper): (Number256, Number256)| {
            let sum = Number::decode(&lower).widen() + Number::decode(&upper).widen();
            // The middle of two such numbers is one. The shift rounds down, below zero too.
            Number::narrow(sum.asr(1)).unwrap_or_default()
        };
        uint256::write(pairs.into_iter().map(|pair| pair.map(middle)).collect())
    }
}

/// The numbers of many groups.
#[derive(Debug)]
struct Values<T> {
    of: DataType,
    to: DataType,
    distinct: bool,
    groups: Vec<Vec<T>>,
    /// Bytes of them.
    held: usize,
}

impl<T: Middle> Values<T> {
    fn new(args: &AccumulatorArgs) -> Values<T> {
        let (of, to) = (args.expr_fields[0].data_type().clone(), args.return_field.data_type().clone());
        Values { of, to, distinct: args.is_distinct, groups: Vec::new(), held: 0 }
    }

    fn add(&mut self, group: usize, array: &ArrayRef, rows: impl Iterator<Item = usize>) {
        let values = &mut self.groups[group];
        let before = values.capacity();
        values.extend(rows.filter(|row| array.is_valid(*row)).map(|row| T::at(array, row)));
        self.held += (values.capacity() - before) * size_of::<T>();
    }

    fn take(&mut self, emit_to: EmitTo) -> Vec<Vec<T>> {
        let taken = emit_to.take_needed(&mut self.groups);
        self.held -= taken.iter().map(|values| values.capacity() * size_of::<T>()).sum::<usize>();
        taken
    }

    /// The two numbers in the middle, which are the same of an odd count.
    fn middle(&self, mut values: Vec<T>) -> Option<(T, T)> {
        if self.distinct {
            values.sort_unstable();
            values.dedup();
        }
        let last = values.len().checked_sub(1)?;
        let half = values.len() / 2;
        let (below, upper, _) = values.select_nth_unstable(half);
        let upper = *upper;
        let lower = below.iter().max().filter(|_| last % 2 == 1);
        Some((lower.copied().unwrap_or(upper), upper))
    }
}

impl<T: Middle> GroupsAccumulator for Values<T> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.groups.resize_with(total, Vec::new);
        let chosen = chosen(filter);
        for (row, &group) in groups.iter().enumerate() {
            if chosen(row) {
                self.add(group, &values[0], std::iter::once(row));
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.resize_with(total, Vec::new);
        for (values, &group) in values[0].as_list::<i32>().iter().zip(groups) {
            if let Some(values) = values {
                self.add(group, &values, 0..values.len());
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let middles = self.take(emit_to).into_iter().map(|values| self.middle(values)).collect();
        T::middles(middles, &self.of, &self.to)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let groups = self.take(emit_to);
        let offsets = OffsetBuffer::from_lengths(groups.iter().map(Vec::len));
        let values = T::column(groups.into_iter().flatten().collect(), &self.of)?;
        let item = Arc::new(Field::new_list_field(self.of.clone(), true));
        Ok(vec![Arc::new(ListArray::try_new(item, offsets, values, None)?)])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let (of, to) = (self.of.clone(), self.to.clone());
        let mut rows = Values::<T> { of, to, distinct: self.distinct, groups: Vec::new(), held: 0 };
        let each: Vec<usize> = (0..values[0].len()).collect();
        rows.update_batch(values, &each, filter, each.len())?;
        rows.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.held + self.groups.capacity() * size_of::<Vec<T>>()
    }
}

/// All numbers as one group.
#[derive(Debug)]
struct All<T>(Values<T>);

impl<T: Middle> Accumulator for All<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.groups.resize_with(1, Vec::new);
        self.0.add(0, &values[0], 0..values[0].len());
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge_batch(states, &vec![0; states[0].len()], 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.0.groups.resize_with(1, Vec::new);
        ScalarValue::try_from_array(&GroupsAccumulator::evaluate(&mut self.0, EmitTo::All)?, 0)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.0.groups.resize_with(1, Vec::new);
        let state = GroupsAccumulator::state(&mut self.0, EmitTo::All)?;
        state.iter().map(|state| ScalarValue::try_from_array(state, 0)).collect()
    }

    fn size(&self) -> usize {
        GroupsAccumulator::size(&self.0)
    }
}
