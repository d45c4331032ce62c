//! The exact sums of many groups at once.

use arrow::array::{Array, ArrayRef, BooleanArray};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};

use super::number::{Kind, too_large};

#[derive(Debug)]
pub(in crate::functions) struct GroupSums<K: Kind> {
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
        let chosen = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        for (row, &group) in groups.iter().enumerate() {
            if array.is_valid(row) && chosen(row) {
                self.sums[group] = self.kind.add(self.sums[group], value(row)).ok_or_else(too_large)?;
                self.seen[group] = true;
            }
        }
        Ok(())
    }
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
        let sums = emit_to.take_needed(&mut self.sums);
        let seen = emit_to.take_needed(&mut self.seen);
        self.kind.write(sums, seen, &self.to)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let sums = emit_to.take_needed(&mut self.sums);
        let seen = emit_to.take_needed(&mut self.seen);
        Ok(vec![self.kind.write(sums, seen, &self.kind.state(&self.to))?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let array = &values[0];
        let value = self.kind.read(array, false);
        let chosen = |row: usize| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        let valid: Vec<bool> = (0..array.len()).map(|row| array.is_valid(row) && chosen(row)).collect();
        let sum = |row: usize| if valid[row] { value(row) } else { K::Sum::default() };
        let sums = (0..array.len()).map(sum).collect();
        Ok(vec![self.kind.write(sums, valid, &self.kind.state(&self.to))?])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<K::Sum>() + self.seen.capacity()
    }
}
