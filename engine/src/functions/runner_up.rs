//! `runner_up(best, other)` keeps two rows of a group: the best one, and the best of those with another `other`;
//! `runner_up_reaches(kept, x, y)` tells from them whether a group has a row with `best < x` and `other <> y`, say. Planned in
//! where a join only asks whether a row has such a partner (`exec::partners`); people don't call them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryViewArray, BooleanArray};
use arrow::compute::SortOptions;
use arrow::datatypes::DataType;
use arrow::row::{RowConverter, Rows, SortField};
use datafusion::common::Result;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, ColumnarValue, EmitTo, Expr, GroupsAccumulator, Operator,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::aggregate::groups::chosen;
use super::aggregate::of_all::OfAll;

/// The two rows of a group, for comparisons `x op best` and `y <> other`.
pub(crate) fn runner_up(best: Expr, other: Expr, op: Operator) -> Expr {
    let signature = Signature::any(2, Volatility::Immutable);
    AggregateUDF::new_from_impl(RunnerUp { greatest: wants_greatest(op), signature }).call(vec![best, other])
}

/// Whether a group has a row for which both comparisons hold.
pub(crate) fn runner_up_reaches(kept: Expr, best: Expr, other: Expr, op: Operator) -> Expr {
    let signature = Signature::any(3, Volatility::Immutable);
    let or_equal = matches!(op, Operator::LtEq | Operator::GtEq);
    ScalarUDF::new_from_impl(Reaches { greatest: wants_greatest(op), or_equal, signature })
        .call(vec![kept, best, other])
}

/// `x < best` holds of some row if it holds of the greatest.
fn wants_greatest(op: Operator) -> bool {
    matches!(op, Operator::Lt | Operator::LtEq)
}

/// Values as bytes that have their order, or the other one where the greatest is wanted; none of a row with a null.
struct Pairs {
    best: Rows,
    other: Rows,
    known: BooleanArray,
}

impl Pairs {
    fn of(values: &[ArrayRef], greatest: bool) -> Result<Pairs> {
        let rows = |values: &ArrayRef, descending| {
            let options = SortOptions { descending, nulls_first: false };
            let field = SortField::new_with_options(values.data_type().clone(), options);
            RowConverter::new(vec![field])?.convert_columns(std::slice::from_ref(values))
        };
        let known = (0..values[0].len()).map(|row| Some(values.iter().all(|column| column.is_valid(row))));
        Ok(Pairs {
            best: rows(&values[0], greatest)?,
            other: rows(&values[1], false)?,
            known: BooleanArray::from_iter(known),
        })
    }

    fn at(&self, row: usize) -> Option<[&[u8]; 2]> {
        self.known.value(row).then(|| [self.best.row(row).data(), self.other.row(row).data()])
    }
}

/// A row: how good it is, the lower the better, and its other value.
type Kept = [Box<[u8]>; 2];

/// The best row of a group, and the best of the rows with another value.
#[derive(Debug, Default)]
struct Two {
    first: Option<Kept>,
    second: Option<Kept>,
}

impl Two {
    fn add(&mut self, [best, other]: [&[u8]; 2]) {
        let kept = || Some([Box::from(best), Box::from(other)]);
        match &mut self.first {
            Some(first) if *first[1] == *other => {
                if *best < *first[0] {
                    first[0] = Box::from(best);
                }
            }
            Some(first) if *best >= *first[0] => {
                if self.second.as_ref().is_none_or(|second| *best < *second[0]) {
                    self.second = kept();
                }
            }
            first => {
                self.second = first.take();
                self.first = kept();
            }
        }
    }

    /// Bytes of their values.
    fn size(&self) -> usize {
        [&self.first, &self.second].into_iter().flatten().flatten().map(|value| value.len()).sum()
    }

    /// Each value behind its length.
    fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in [&self.first, &self.second].into_iter().flatten().flatten() {
            bytes.extend((value.len() as u64).to_be_bytes());
            bytes.extend_from_slice(value);
        }
        bytes
    }
}

/// The rows of [`Two::written`].
fn read(mut bytes: &[u8]) -> impl Iterator<Item = [&[u8]; 2]> {
    let mut value = move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (value, rest) = rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        bytes = rest;
        Some(value)
    };
    std::iter::from_fn(move || Some([value()?, value()?]))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct RunnerUp {
    /// Whether the greater is the better.
    greatest: bool,
    signature: Signature,
}

impl AggregateUDFImpl for RunnerUp {
    fn name(&self) -> &str {
        "runner_up"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::BinaryView)
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(OfAll(Groups::new(self.greatest))))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Groups::new(self.greatest)))
    }
}

/// The rows that are kept of many groups.
#[derive(Debug)]
struct Groups {
    greatest: bool,
    groups: Vec<Two>,
    /// Bytes of their values.
    held: usize,
}

impl Groups {
    fn new(greatest: bool) -> Groups {
        Groups { greatest, groups: Vec::new(), held: 0 }
    }

    fn add(&mut self, group: usize, row: [&[u8]; 2]) {
        let two = &mut self.groups[group];
        self.held -= two.size();
        two.add(row);
        self.held += two.size();
    }

    fn take(&mut self, emit_to: EmitTo) -> ArrayRef {
        let taken = emit_to.take_needed(&mut self.groups);
        self.held -= taken.iter().map(Two::size).sum::<usize>();
        Arc::new(BinaryViewArray::from_iter_values(taken.iter().map(Two::written)))
    }
}

impl GroupsAccumulator for Groups {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.groups.resize_with(total, Two::default);
        let pairs = Pairs::of(values, self.greatest)?;
        let chosen = chosen(filter);
        for (row, &group) in groups.iter().enumerate() {
            if let Some(pair) = pairs.at(row).filter(|_| chosen(row)) {
                self.add(group, pair);
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.resize_with(total, Two::default);
        for (kept, &group) in values[0].as_binary_view().iter().zip(groups) {
            read(kept.unwrap_or_default()).for_each(|row| self.add(group, row));
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
        let mut rows = Groups::new(self.greatest);
        let each: Vec<usize> = (0..values[0].len()).collect();
        rows.update_batch(values, &each, filter, each.len())?;
        rows.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.held + self.groups.capacity() * size_of::<Two>()
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Reaches {
    greatest: bool,
    or_equal: bool,
    signature: Signature,
}

impl ScalarUDFImpl for Reaches {
    fn name(&self) -> &str {
        "runner_up_reaches"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let (kept, pairs) = (arrays[0].as_binary_view(), Pairs::of(&arrays[1..], self.greatest)?);
        let reached = |row: usize| {
            let pair = pairs.at(row).filter(|_| kept.is_valid(row));
            pair.is_some_and(|[than, not]| {
                read(kept.value(row))
                    .any(|[best, other]| other != not && (best < than || self.or_equal && best == than))
            })
        };
        let reached = BooleanArray::from_iter((0..kept.len()).map(|row| Some(reached(row))));
        Ok(ColumnarValue::Array(Arc::new(reached)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_tell_what_all_would() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [((state >> 33) % below) as u8]
        };
        for count in [0, 1, 2, 3, 9, 50].repeat(20) {
            let all: Vec<_> = (0..count).map(|_| [number(9), number(4)]).collect();
            let mut halves = [Two::default(), Two::default()];
            all.iter().enumerate().for_each(|(at, [best, other])| halves[at % 2].add([best, other]));
            let mut merged = Two::default();
            for half in &halves {
                read(&half.written()).for_each(|row| merged.add(row));
            }
            let kept = merged.written();
            for (than, not) in (0..10u8).flat_map(|than| (0..5u8).map(move |not| ([than], [not]))) {
                let wanted = all.iter().any(|[best, other]| *best < than && *other != not);
                let reached = read(&kept).any(|[best, other]| best < than.as_slice() && other != not.as_slice());
                assert_eq!(reached, wanted, "{all:?} {than:?} {not:?}");
            }
        }
    }
}
