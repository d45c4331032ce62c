//! Executes WITH and RETURN: groups, DISTINCT, ORDER BY, SKIP and LIMIT.

use std::cmp::Ordering;

use alloy_primitives::map::{HashMap, HashSet};

use crate::executor::{Executor, Row, Sink, get, set};
use crate::functions::Accumulator;
use crate::graph::Flow;
use crate::logical_plan::{Aggregate, Expr, Group, Projection, SortKey};
use crate::memory_budget::row_size;
use crate::values::{Key, Value, order};
use quarry_types::Result;

/// Rows kept above a LIMIT before a sort drops the surplus.
const SORT_SLACK: usize = 4_096;

/// The state of one projection.
pub(super) struct ProjectionState {
    groups: Option<Groups>,
    seen: HashSet<Key>,
    sorted: Vec<SortedRow>,
    skip: u64,
    left: u64,
}

#[derive(Default)]
struct Groups {
    index: HashMap<Key, usize>,
    list: Vec<GroupState>,
    /// The arguments of one aggregate, used again for every row.
    arguments: Vec<Value>,
}

struct GroupState {
    /// The first row of the group: where its keys are variables, it has their values.
    row: Row,
    keys: Vec<Value>,
    accumulators: Vec<(Accumulator, HashSet<Key>)>,
}

struct SortedRow {
    keys: Vec<Value>,
    row: Row,
}

impl ProjectionState {
    pub fn new(executor: &Executor, projection: &Projection) -> Result<ProjectionState> {
        let count = |bound: &Option<Expr>, word: &str, absent: u64| {
            let Some(bound) = bound else { return Ok(absent) };
            match executor.evaluate(bound, &mut Row::new())? {
                Value::Int(count) if count >= 0 => Ok(count as u64),
                _ => {
                    let message = format!("{word} expects a non-negative integer.");
                    Err(executor.text.invalid(message, bound.at))
                }
            }
        };
        Ok(ProjectionState {
            groups: projection.group.as_ref().map(|_| Groups::default()),
            seen: HashSet::default(),
            sorted: Vec::new(),
            skip: count(&projection.skip, "SKIP", 0)?,
            left: count(&projection.limit, "LIMIT", u64::MAX)?,
        })
    }

    /// Takes one row of the clause before.
    pub fn take_row(
        &mut self,
        executor: &Executor,
        projection: &Projection,
        row: &mut Row,
        next: &mut Sink,
    ) -> Result<Flow> {
        if self.left == 0 {
            return Ok(Flow::Break(()));
        }
        match (&mut self.groups, &projection.group) {
            (Some(groups), Some(group)) => {
                groups.add(executor, group, row)?;
                Ok(Flow::Continue(()))
            }
            _ => self.project(executor, projection, row, next),
        }
    }

    /// Passes on what waited for the last row.
    pub fn finish(mut self, executor: &Executor, projection: &Projection, next: &mut Sink) -> Result<Flow> {
        if let (Some(mut groups), Some(group)) = (self.groups.take(), &projection.group) {
            if groups.list.is_empty() && group.keys.is_empty() {
                groups.list.push(GroupState::new(Row::new(), Vec::new(), &group.aggregates));
            }
            for state in groups.list {
                let mut row = state.row;
                for (index, key) in state.keys.into_iter().enumerate() {
                    set(&mut row, group.first_key + index, key);
                }
                for (index, (accumulator, _)) in state.accumulators.into_iter().enumerate() {
                    set(&mut row, group.first_aggregate + index, accumulator.finish());
                }
                if self.project(executor, projection, &mut row, next)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
        }
        self.sort(&projection.order, usize::MAX);
        for sorted in std::mem::take(&mut self.sorted) {
            let mut row = sorted.row;
            if self.pass(executor, projection, &mut row, next)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }

    /// Adds the items to a row, then passes it on or keeps it for sorting.
    fn project(
        &mut self,
        executor: &Executor,
        projection: &Projection,
        row: &mut Row,
        next: &mut Sink,
    ) -> Result<Flow> {
        for (index, item) in projection.items.iter().enumerate() {
            let value = executor.evaluate(item, row)?;
            set(row, projection.first + index, value);
        }
        if projection.distinct {
            let key = Key((0..projection.items.len()).map(|item| get(row, projection.first + item).clone()).collect());
            executor.budget.hold(row_size(&key.0))?;
            if !self.seen.insert(key) {
                return Ok(Flow::Continue(()));
            }
        }
        if projection.order.is_empty() {
            return self.pass(executor, projection, row, next);
        }
        let keys = projection.order.iter().map(|key| executor.evaluate(&key.expression, row));
        let keys = keys.collect::<Result<Vec<_>>>()?;
        executor.budget.hold(row_size(&keys) + row_size(row))?;
        self.sorted.push(SortedRow { keys, row: row.clone() });
        let wanted = usize::try_from(self.skip.saturating_add(self.left)).unwrap_or(usize::MAX);
        if projection.filter.is_none() && self.sorted.len() >= wanted.saturating_mul(2).saturating_add(SORT_SLACK) {
            self.sort(&projection.order, wanted);
        }
        Ok(Flow::Continue(()))
    }

    /// Sorts what is kept and cuts it; equal rows stay in the order they came in.
    fn sort(&mut self, order: &[SortKey], keep: usize) {
        self.sorted.sort_by(|a, b| compare(order, &a.keys, &b.keys));
        self.sorted.truncate(keep);
    }

    /// SKIP, LIMIT, WHERE, and the row that the next clause sees.
    fn pass(&mut self, executor: &Executor, projection: &Projection, row: &mut Row, next: &mut Sink) -> Result<Flow> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(Flow::Continue(()));
        }
        if self.left == 0 {
            return Ok(Flow::Break(()));
        }
        self.left -= 1;
        let fits = match &projection.filter {
            Some(filter) => executor.truth(filter, row)? == Some(true),
            None => true,
        };
        if fits {
            let items = projection.first..projection.first + projection.items.len();
            let mut out: Row = items.map(|slot| get(row, slot).clone()).collect();
            if next(&mut out)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(if self.left == 0 { Flow::Break(()) } else { Flow::Continue(()) })
    }
}

fn compare(order_by: &[SortKey], a: &[Value], b: &[Value]) -> Ordering {
    for (key, (a, b)) in order_by.iter().zip(a.iter().zip(b)) {
        let mut decided = order(a, b);
        if key.descending {
            decided = decided.reverse();
        }
        if let (Some(first), true) = (key.nulls_first, a.is_null() != b.is_null()) {
            decided = if a.is_null() == first { Ordering::Less } else { Ordering::Greater };
        }
        if decided.is_ne() {
            return decided;
        }
    }
    Ordering::Equal
}

impl GroupState {
    fn new(row: Row, keys: Vec<Value>, aggregates: &[Aggregate]) -> GroupState {
        let accumulators = aggregates.iter().map(|one| ((one.function.start)(), HashSet::default())).collect();
        GroupState { row, keys, accumulators }
    }
}

impl Groups {
    fn add(&mut self, executor: &Executor, group: &Group, row: &mut Row) -> Result<()> {
        let index = self.find(executor, group, row)?;
        for (position, aggregate) in group.aggregates.iter().enumerate() {
            self.arguments.clear();
            for one in &aggregate.arguments {
                self.arguments.push(executor.evaluate(one, row)?);
            }
            let (accumulator, seen) = &mut self.list[index].accumulators[position];
            if aggregate.distinct {
                if self.arguments.first().is_some_and(Value::is_null) {
                    continue;
                }
                let held = row_size(&self.arguments);
                if !seen.insert(Key(self.arguments.clone())) {
                    continue;
                }
                executor.budget.hold(held)?;
            }
            let bytes = executor.text.locate(accumulator.add(&self.arguments), aggregate.at)?;
            executor.budget.hold(bytes)?;
        }
        Ok(())
    }

    /// The group of a row, made when it is the first of its group.
    fn find(&mut self, executor: &Executor, group: &Group, row: &mut Row) -> Result<usize> {
        if group.keys.is_empty() && !self.list.is_empty() {
            return Ok(0);
        }
        let keys = group.keys.iter().map(|key| executor.evaluate(key, row)).collect::<Result<Vec<_>>>()?;
        let key = Key(keys);
        if let Some(index) = self.index.get(&key) {
            return Ok(*index);
        }
        executor.budget.hold(2 * row_size(&key.0) + row_size(row))?;
        self.list.push(GroupState::new(row.clone(), key.0.clone(), &group.aggregates));
        self.index.insert(key, self.list.len() - 1);
        Ok(self.list.len() - 1)
    }
}
