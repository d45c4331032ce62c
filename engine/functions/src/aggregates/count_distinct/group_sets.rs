//! Distinct values of many groups in one set of (group, value) pairs.

use alloy_primitives::map::HashSet;
use arrow::array::ListArray;
use arrow::buffer::OffsetBuffer;
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};

use super::hash_values::HashValues;
use crate::aggregates::exact::groups::passes;
use crate::prelude::*;

pub(super) struct GroupSets<V: HashValues> {
    kind: V,
    pairs: HashSet<(u32, V::Value)>,
    counts: Vec<i64>,
    /// Heap bytes of the values.
    heap_size: usize,
}

impl<V: HashValues> GroupSets<V> {
    pub fn new(kind: V) -> GroupSets<V> {
        GroupSets { kind, pairs: HashSet::default(), counts: Vec::new(), heap_size: 0 }
    }

    fn add(&mut self, array: &ArrayRef, group: impl Fn(usize) -> Option<usize>) -> Result<()> {
        let GroupSets { kind, pairs, counts, heap_size } = self;
        kind.read(array, &mut |row, value| {
            let Some(group) = group(row) else { return };
            let more = kind.heap_size(&value);
            if pairs.insert((group as u32, value)) {
                counts[group] += 1;
                *heap_size += more;
            }
        })
    }

    /// The values of each group as a list; `values` are ordered by group.
    fn lists(&self, counts: &[i64], values: Vec<V::Value>) -> Result<ArrayRef> {
        let values = self.kind.write(values)?;
        let item = Arc::new(Field::new_list_field(values.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths(counts.iter().map(|count| *count as usize));
        Ok(Arc::new(ListArray::try_new(item, offsets, values, None)?))
    }
}

impl<V: HashValues> GroupsAccumulator for GroupSets<V> {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.counts.resize(total, 0);
        let passes = passes(filter);
        self.add(&values[0], |row| passes(row).then(|| groups[row]))
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.counts.resize(total, 0);
        let lists = states[0].as_list::<i32>();
        for (row, &group) in groups.iter().enumerate().filter(|(row, _)| lists.is_valid(*row)) {
            self.add(&lists.value(row), |_| Some(group))?;
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        if let EmitTo::First(first) = emit_to {
            self.drop_first(first as u32);
        } else {
            self.pairs = HashSet::default();
            self.heap_size = 0;
        }
        Ok(Arc::new(Int64Array::from(emit_to.take_needed(&mut self.counts))))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let counts = emit_to.take_needed(&mut self.counts);
        let pairs = std::mem::take(&mut self.pairs);
        let (mut emitted, remaining): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(group, _)| (*group as usize) < counts.len());
        let first = counts.len() as u32;
        self.heap_size = remaining.iter().map(|(_, value)| self.kind.heap_size(value)).sum();
        self.pairs = remaining.into_iter().map(|(group, value)| (group - first, value)).collect();
        emitted.sort_unstable_by_key(|(group, _)| *group);
        let values = emitted.into_iter().map(|(_, value)| value).collect();
        Ok(vec![self.lists(&counts, values)?])
    }

    fn convert_to_state(&self, values: &[ArrayRef], filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let mut counts = vec![0; values[0].len()];
        let mut single = Vec::new();
        let passes = passes(filter);
        self.kind.read(&values[0], &mut |row, value| {
            if passes(row) {
                counts[row] = 1;
                single.push(value);
            }
        })?;
        Ok(vec![self.lists(&counts, single)?])
    }

    fn size(&self) -> usize {
        self.pairs.capacity() * (size_of::<(u32, V::Value)>() + 1) + self.counts.capacity() * 8 + self.heap_size
    }
}

impl<V: HashValues> GroupSets<V> {
    /// Drops the first groups and renumbers the rest.
    fn drop_first(&mut self, first: u32) {
        let pairs = std::mem::take(&mut self.pairs);
        self.pairs = pairs
            .into_iter()
            .filter(|(group, _)| *group >= first)
            .map(|(group, value)| (group - first, value))
            .collect();
        self.heap_size = self.pairs.iter().map(|(_, value)| self.kind.heap_size(value)).sum();
    }
}
