//! The accumulator of aggregates that keep one value for each group.

use std::fmt::Debug;

use datafusion::logical_expr::{EmitTo, GroupsAccumulator};

use super::exact::groups::passes;
use crate::prelude::*;

/// An aggregate that keeps a [`PerGroup::Group`] for each group.
pub(super) trait PerGroup: Clone + Debug + Send + Sync + 'static {
    type Group: Default + Send + Sync;
    /// The columns of the arguments, ready to be read row by row.
    type Columns;

    fn columns(&self, values: &[ArrayRef]) -> Result<Self::Columns>;

    /// Adds a row, unless one of its values is null.
    fn add(&self, group: &mut Self::Group, columns: &Self::Columns, row: usize);

    /// Adds a state that [`PerGroup::state`] made.
    fn merge(&self, group: &mut Self::Group, states: &ArrayRef, row: usize);

    /// Heap bytes of a group.
    fn heap_size(group: &Self::Group) -> usize;

    fn state(&self, groups: Vec<Self::Group>) -> Result<ArrayRef>;

    fn evaluate(&self, groups: Vec<Self::Group>) -> Result<ArrayRef> {
        self.state(groups)
    }
}

pub(super) struct PerGroupAccumulator<A: PerGroup> {
    aggregate: A,
    groups: Vec<A::Group>,
    heap_size: usize,
}

impl<A: PerGroup> PerGroupAccumulator<A> {
    pub fn new(aggregate: A) -> PerGroupAccumulator<A> {
        PerGroupAccumulator { aggregate, groups: Vec::new(), heap_size: 0 }
    }

    fn change(&mut self, group: usize, change: impl FnOnce(&A, &mut A::Group)) {
        let group = &mut self.groups[group];
        self.heap_size -= A::heap_size(group);
        change(&self.aggregate, group);
        self.heap_size += A::heap_size(group);
    }

    fn take(&mut self, emit_to: EmitTo) -> Vec<A::Group> {
        let taken = emit_to.take_needed(&mut self.groups);
        self.heap_size -= taken.iter().map(A::heap_size).sum::<usize>();
        taken
    }
}

impl<A: PerGroup> GroupsAccumulator for PerGroupAccumulator<A> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.groups.resize_with(total, A::Group::default);
        let columns = self.aggregate.columns(values)?;
        let passes = passes(filter);
        for (row, &group) in groups.iter().enumerate().filter(|(row, _)| passes(*row)) {
            self.change(group, |aggregate, group| aggregate.add(group, &columns, row));
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.resize_with(total, A::Group::default);
        for (row, &group) in groups.iter().enumerate().filter(|(row, _)| states[0].is_valid(*row)) {
            self.change(group, |aggregate, group| aggregate.merge(group, &states[0], row));
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let groups = self.take(emit_to);
        self.aggregate.evaluate(groups)
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let groups = self.take(emit_to);
        Ok(vec![self.aggregate.state(groups)?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let mut rows = PerGroupAccumulator::new(self.aggregate.clone());
        let each: Vec<usize> = (0..values[0].len()).collect();
        rows.update_batch(values, &each, filter, each.len())?;
        rows.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.heap_size + self.groups.capacity() * size_of::<A::Group>()
    }
}
