//! What is kept of many groups at once, and of all rows as of one group.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryViewArray, BooleanArray};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

use super::Kept;
use crate::aggregates::exact::groups::chosen;

#[derive(Debug)]
pub(super) struct Groups<K: Kept> {
    order: K::Order,
    groups: Vec<K>,
    /// Bytes that they take beside themselves.
    held: usize,
}

impl<K: Kept> Groups<K> {
    pub fn new(order: K::Order) -> Groups<K> {
        Groups { order, groups: Vec::new(), held: 0 }
    }

    fn change(&mut self, group: usize, change: impl FnOnce(&mut K)) {
        let kept = &mut self.groups[group];
        self.held -= kept.size();
        change(kept);
        self.held += kept.size();
    }

    fn take(&mut self, emit_to: EmitTo) -> ArrayRef {
        let taken = emit_to.take_needed(&mut self.groups);
        self.held -= taken.iter().map(K::size).sum::<usize>();
        Arc::new(BinaryViewArray::from_iter_values(taken.into_iter().map(K::written)))
    }
}

impl<K: Kept> GroupsAccumulator for Groups<K> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.groups.resize_with(total, K::default);
        let rows = K::rows(values, self.order)?;
        let chosen = chosen(filter);
        for (row, &group) in groups.iter().enumerate() {
            if chosen(row) {
                self.change(group, |kept| kept.add(&rows, row));
            }
        }
        Ok(())
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.resize_with(total, K::default);
        for (written, &group) in values[0].as_binary_view().iter().zip(groups) {
            self.change(group, |kept| kept.merge(written.unwrap_or_default()));
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
        let mut rows = Groups::<K>::new(self.order);
        let each: Vec<usize> = (0..values[0].len()).collect();
        rows.update_batch(values, &each, filter, each.len())?;
        rows.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.held + self.groups.capacity() * size_of::<K>()
    }
}

/// What is kept of all rows.
#[derive(Debug)]
pub(super) struct OfAll<K: Kept>(pub Groups<K>);

impl<K: Kept> Accumulator for OfAll<K> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.update_batch(values, &vec![0; values[0].len()], None, 1)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge_batch(states, &vec![0; states[0].len()], 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let groups = self.0.evaluate(EmitTo::All)?;
        match groups.is_empty() {
            true => Ok(ScalarValue::BinaryView(Some(Vec::new()))),
            false => ScalarValue::try_from_array(&groups, 0),
        }
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn size(&self) -> usize {
        self.0.size()
    }
}
