//! `staircase(a, b)` gathers the pairs of a group of which no other is better in both; `staircase_reaches(stairs, x, y)` tells
//! from them whether a group has a pair with `a < x` and `b > y`, say. Planned in where a join only asks whether a row has such a
//! partner (`exec::partners`); people don't call them.

mod points;

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryViewArray, BooleanArray, PrimitiveArray};
use arrow::datatypes::{DataType, Decimal128Type};
use datafusion::common::Result;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, EmitTo, Expr, GroupsAccumulator, Operator,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::aggregate::groups::chosen;
use super::aggregate::of_all::OfAll;
use points::{Points, numbers, reaches, read};

pub(crate) use points::has_order;

/// The pairs of two values of a group, for comparisons `x op value`.
pub(crate) fn staircase(values: [Expr; 2], ops: [Operator; 2]) -> Expr {
    let signature = Signature::any(2, Volatility::Immutable);
    AggregateUDF::new_from_impl(Staircase { greatest: ops.map(wants_greatest), signature }).call(values.into())
}

/// Whether a group has a pair for which both comparisons hold.
pub(crate) fn staircase_reaches(stairs: Expr, values: [Expr; 2], ops: [Operator; 2]) -> Expr {
    let signature = Signature::any(3, Volatility::Immutable);
    let reaches = Reaches { greatest: ops.map(wants_greatest), or_equal: ops.map(or_equal), signature };
    let [x, y] = values;
    ScalarUDF::new_from_impl(reaches).call(vec![stairs, x, y])
}

/// `x < value` holds of some value if it holds of the greatest.
fn wants_greatest(op: Operator) -> bool {
    matches!(op, Operator::Lt | Operator::LtEq)
}

fn or_equal(op: Operator) -> bool {
    matches!(op, Operator::LtEq | Operator::GtEq)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Staircase {
    /// Whether the greater is the better, of each value.
    greatest: [bool; 2],
    signature: Signature,
}

impl AggregateUDFImpl for Staircase {
    fn name(&self) -> &str {
        "staircase"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::BinaryView)
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OfAll(Stairs::new(self.greatest))))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Stairs::new(self.greatest)))
    }
}

/// The staircases of many groups.
#[derive(Debug)]
struct Stairs {
    greatest: [bool; 2],
    groups: Vec<Points>,
    /// Bytes of their points.
    held: usize,
}

/// Pairs as columns of numbers.
struct Pairs([PrimitiveArray<Decimal128Type>; 2]);

impl Pairs {
    fn of(values: &[ArrayRef], greatest: [bool; 2]) -> Result<Pairs> {
        Ok(Pairs([numbers(&values[0], greatest[0])?, numbers(&values[1], greatest[1])?]))
    }

    /// The pair of a row, both of whose values are known.
    fn at(&self, row: usize) -> Option<[i128; 2]> {
        let Pairs([a, b]) = self;
        (a.is_valid(row) && b.is_valid(row)).then(|| [a.value(row), b.value(row)])
    }
}

impl Stairs {
    fn new(greatest: [bool; 2]) -> Stairs {
        Stairs { greatest, groups: Vec::new(), held: 0 }
    }

    fn add(&mut self, group: usize, pairs: impl Iterator<Item = [i128; 2]>) {
        let points = &mut self.groups[group];
        self.held -= points.size();
        pairs.for_each(|pair| points.add(pair));
        self.held += points.size();
    }

    fn take(&mut self, emit_to: EmitTo) -> ArrayRef {
        let taken = emit_to.take_needed(&mut self.groups);
        self.held -= taken.iter().map(Points::size).sum::<usize>();
        Arc::new(BinaryViewArray::from_iter_values(taken.into_iter().map(Points::written)))
    }
}

impl GroupsAccumulator for Stairs {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.groups.resize_with(total, Points::default);
        let pairs = Pairs::of(values, self.greatest)?;
        let chosen = chosen(filter);
        for (row, &group) in groups.iter().enumerate() {
            if chosen(row) {
                self.add(group, pairs.at(row).into_iter());
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.resize_with(total, Points::default);
        for (stairs, &group) in values[0].as_binary_view().iter().zip(groups) {
            self.add(group, read(stairs.unwrap_or_default()));
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        Ok(self.take(emit_to))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.take(emit_to)])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let mut rows = Stairs::new(self.greatest);
        let each: Vec<usize> = (0..values[0].len()).collect();
        rows.update_batch(values, &each, filter, each.len())?;
        rows.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.held + self.groups.capacity() * size_of::<Points>()
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Reaches {
    greatest: [bool; 2],
    or_equal: [bool; 2],
    signature: Signature,
}

impl ScalarUDFImpl for Reaches {
    fn name(&self) -> &str {
        "staircase_reaches"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let (stairs, pairs) = (arrays[0].as_binary_view(), Pairs::of(&arrays[1..], self.greatest)?);
        let reached = |row: usize| {
            let pair = pairs.at(row).filter(|_| stairs.is_valid(row));
            pair.is_some_and(|pair| reaches(stairs.value(row), pair, self.or_equal))
        };
        let reached = BooleanArray::from_iter((0..stairs.len()).map(|row| Some(reached(row))));
        Ok(ColumnarValue::Array(Arc::new(reached)))
    }
}
