//! Exact sums and means of many groups at once.

use datafusion::logical_expr::{EmitTo, GroupsAccumulator};

use super::answer::{Answer, ExactMean, MeanAs};
use super::exact_sum::{ExactSum, too_large};
use crate::prelude::*;

#[derive(Debug)]
pub(crate) struct GroupSums<K: ExactSum> {
    kind: K,
    to: DataType,
    sums: Vec<K::Sum>,
    /// Whether a group has a value; without any its sum is null.
    has_value: Vec<bool>,
}

impl<K: ExactSum> GroupSums<K> {
    pub fn new(kind: K, to: DataType) -> GroupSums<K> {
        GroupSums { kind, to, sums: Vec::new(), has_value: Vec::new() }
    }

    /// Takes out the sums of groups, and whether they have values.
    fn take(&mut self, emit_to: EmitTo) -> (Vec<K::Sum>, Vec<bool>) {
        (emit_to.take_needed(&mut self.sums), emit_to.take_needed(&mut self.has_value))
    }

    fn add(&mut self, column: &ArrayRef, groups: &[usize], filter: Option<&BooleanArray>, total: usize) -> Result<()> {
        self.sums.resize(total, K::Sum::default());
        self.has_value.resize(total, false);
        if column.null_count() == 0 && filter.is_none() {
            groups.iter().for_each(|&group| self.has_value[group] = true);
            return self.kind.add_to_groups(column, groups, &mut self.sums);
        }
        let value = self.kind.read(column);
        let passes = passes(filter);
        for (row, &group) in groups.iter().enumerate() {
            if column.is_valid(row) && passes(row) {
                self.sums[group] = self.kind.add(self.sums[group], value(row)).ok_or_else(too_large)?;
                self.has_value[group] = true;
            }
        }
        Ok(())
    }
}

/// Whether a row passes a filter.
pub(crate) fn passes(filter: Option<&BooleanArray>) -> impl Fn(usize) -> bool {
    move |row| filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row))
}

impl<K: ExactSum> GroupsAccumulator for GroupSums<K> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.add(&values[0], groups, filter, total)
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.add(&states[0], groups, None, total)
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let (sums, valid) = self.take(emit_to);
        self.kind.write(sums, valid, &self.to)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let (sums, valid) = self.take(emit_to);
        Ok(vec![self.kind.write(sums, valid, &self.kind.state_type(&self.to))?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let column = &values[0];
        let value = self.kind.read(column);
        let passes = passes(filter);
        let valid: Vec<bool> = (0..column.len()).map(|row| column.is_valid(row) && passes(row)).collect();
        let sums = valid.iter().enumerate().map(|(row, valid)| if *valid { value(row) } else { K::Sum::default() });
        Ok(vec![self.kind.write(sums.collect(), valid.clone(), &self.kind.state_type(&self.to))?])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<K::Sum>() + self.has_value.capacity()
    }
}

/// The means of many groups: their sums, and how many values each has.
#[derive(Debug)]
pub(crate) struct GroupMeans<K: ExactMean> {
    kind: K,
    answer: MeanAs,
    sums: GroupSums<K>,
    counts: Vec<i64>,
}

impl<K: ExactMean> GroupMeans<K> {
    pub fn new(kind: K, answer: MeanAs) -> GroupMeans<K> {
        GroupMeans { kind, sums: GroupSums::new(kind, answer.state.clone()), answer, counts: Vec::new() }
    }
}

impl<K: ExactMean> GroupsAccumulator for GroupMeans<K> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.sums.add(&values[0], groups, filter, total)?;
        self.counts.resize(total, 0);
        if values[0].null_count() == 0 && filter.is_none() {
            groups.iter().for_each(|&group| self.counts[group] += 1);
            return Ok(());
        }
        let passes = passes(filter);
        for (row, &group) in groups.iter().enumerate() {
            self.counts[group] += i64::from(values[0].is_valid(row) && passes(row));
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.sums.add(&states[0], groups, None, total)?;
        self.counts.resize(total, 0);
        for (count, &group) in states[1].as_primitive::<Int64Type>().values().iter().zip(groups) {
            self.counts[group] += count;
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let (sums, _) = self.sums.take(emit_to);
        self.answer.all(self.kind, sums, &emit_to.take_needed(&mut self.counts))
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
