//! The exact sums and means of many groups at once.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};

use super::mean::{Answer, Means};
use super::number::{Kind, too_large};

#[derive(Debug)]
pub(crate) struct GroupSums<K: Kind> {
    kind: K,
    to: DataType,
    sums: Vec<K::Sum>,
    /// Whether a group has a value; without any its sum is null.
    seen: Vec<bool>,
}

impl<K: Kind> GroupSums<K> {
    pub fn new(kind: K, to: DataType) -> GroupSums<K> {
        GroupSums { kind, to, sums: Vec::new(), seen: Vec::new() }
    }

    /// The sums of groups, and whether they have values; they are forgotten.
    fn take(&mut self, emit_to: EmitTo) -> (Vec<K::Sum>, Vec<bool>) {
        (emit_to.take_needed(&mut self.sums), emit_to.take_needed(&mut self.seen))
    }

    fn add(
        &mut self,
        array: &ArrayRef,
        state: bool,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.sums.resize(total, K::Sum::default());
        self.seen.resize(total, false);
        if array.null_count() == 0 && filter.is_none() {
            groups.iter().for_each(|&group| self.seen[group] = true);
            return self.kind.add_all(array, state, groups, &mut self.sums);
        }
        let value = self.kind.read(array, state);
        let chosen = chosen(filter);
        for (row, &group) in groups.iter().enumerate() {
            if array.is_valid(row) && chosen(row) {
                self.sums[group] = self.kind.add(self.sums[group], value(row)).ok_or_else(too_large)?;
                self.seen[group] = true;
            }
        }
        Ok(())
    }
}

/// Whether a filter leaves a row.
pub(crate) fn chosen(filter: Option<&BooleanArray>) -> impl Fn(usize) -> bool {
    move |row| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

impl<K: Kind> GroupsAccumulator for GroupSums<K> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.add(&values[0], false, groups, filter, total)
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.add(&values[0], true, groups, None, total)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let (sums, seen) = self.take(emit_to);
        self.kind.write(sums, seen, &self.to)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let (sums, seen) = self.take(emit_to);
        Ok(vec![self.kind.write(sums, seen, &self.kind.state(&self.to))?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let array = &values[0];
        let value = self.kind.read(array, false);
        let chosen = chosen(filter);
        let valid: Vec<bool> = (0..array.len()).map(|row| array.is_valid(row) && chosen(row)).collect();
        let sum = |row: usize| if valid[row] { value(row) } else { K::Sum::default() };
        let sums = (0..array.len()).map(sum).collect();
        Ok(vec![self.kind.write(sums, valid, &self.kind.state(&self.to))?])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<K::Sum>() + self.seen.capacity()
    }
}

/// Means of many groups: their sums, and how many values each has.
#[derive(Debug)]
pub(crate) struct GroupMeans<K: Means> {
    kind: K,
    answer: Answer,
    sums: GroupSums<K>,
    counts: Vec<i64>,
}

impl<K: Means> GroupMeans<K> {
    pub fn new(kind: K, answer: Answer, state: DataType) -> GroupMeans<K> {
        GroupMeans { kind, answer, sums: GroupSums::new(kind, state), counts: Vec::new() }
    }
}

impl<K: Means> GroupsAccumulator for GroupMeans<K> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.sums.add(&values[0], false, groups, filter, total)?;
        self.counts.resize(total, 0);
        if values[0].null_count() == 0 && filter.is_none() {
            groups.iter().for_each(|&group| self.counts[group] += 1);
            return Ok(());
        }
        let chosen = chosen(filter);
        for (row, &group) in groups.iter().enumerate() {
            self.counts[group] += i64::from(values[0].is_valid(row) && chosen(row));
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.sums.add(&values[0], true, groups, None, total)?;
        self.counts.resize(total, 0);
        for (count, &group) in values[1].as_primitive::<Int64Type>().values().iter().zip(groups) {
            self.counts[group] += count;
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let (sums, _) = self.sums.take(emit_to);
        self.kind.means(&sums, &emit_to.take_needed(&mut self.counts), &self.answer)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let mut state = self.sums.state(emit_to)?;
        state.push(Arc::new(Int64Array::from(emit_to.take_needed(&mut self.counts))));
        Ok(state)
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let mut state = self.sums.convert_to_state(values, filter)?;
        let counts = (0..state[0].len()).map(|row| i64::from(state[0].is_valid(row)));
        state.push(Arc::new(counts.collect::<Int64Array>()));
        Ok(state)
    }

    fn size(&self) -> usize {
        self.sums.size() + self.counts.capacity() * size_of::<i64>()
    }
}
