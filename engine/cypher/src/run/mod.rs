//! Runs a plan: each clause hands its rows to the next as it makes them; only what must wait is held.

mod evaluate;
mod machine;
mod operators;
mod paths;
mod project;
mod walk;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use super::plan::{Call, Query, Stage};
use super::procedures;
use super::store::Flow;
use super::value::{Key, Value};
use quarry_types::Result;

pub(super) use machine::{Machine, Row};
use machine::{Sink, get, set};
use project::Projecting;

impl Machine<'_> {
    /// Hands every row of a query to the sink. `input` is the row a subquery begins with.
    pub fn query(&self, query: &Query, input: &Row, sink: &mut Sink) -> Result<Flow> {
        let mut seen = HashSet::new();
        let mut once = |row: &mut Row| {
            if query.distinct {
                self.budget.hold_row(row)?;
                if !seen.insert(Key(row.clone())) {
                    return Ok(Flow::Continue(()));
                }
            }
            sink(row)
        };
        for stages in &query.branches {
            if self.branch(stages, input.clone(), &mut once)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }

    fn branch(&self, stages: &[Stage], mut row: Row, sink: &mut Sink) -> Result<Flow> {
        let states = stages.iter().map(|stage| match stage {
            Stage::Project(projection) => Projecting::new(self, projection).map(|state| RefCell::new(Some(state))),
            _ => Ok(RefCell::new(None)),
        });
        let states = states.collect::<Result<Vec<_>>>()?;
        let pipe = Pipe { machine: self, stages, states, sink: RefCell::new(sink), stopped: Cell::new(false) };
        // A clause with a LIMIT stops those before it; those behind it still get to their end.
        let _ = pipe.push(0, &mut row)?;
        for (index, stage) in stages.iter().enumerate() {
            if let Stage::Project(projection) = stage
                && !pipe.stopped.get()
                && let Some(state) = pipe.states[index].take()
            {
                let _ = state.finish(self, projection, &mut |row| pipe.push(index + 1, row))?;
            }
        }
        Ok(if pipe.stopped.get() { Flow::Break(()) } else { Flow::Continue(()) })
    }
}

struct Pipe<'p, 's> {
    machine: &'p Machine<'p>,
    stages: &'p [Stage],
    states: Vec<RefCell<Option<Projecting>>>,
    sink: RefCell<&'s mut Sink<'s>>,
    /// The sink wants no more.
    stopped: Cell<bool>,
}

impl Pipe<'_, '_> {
    fn push(&self, index: usize, row: &mut Row) -> Result<Flow> {
        self.machine.budget.step()?;
        let Some(stage) = self.stages.get(index) else {
            let flow = (*self.sink.borrow_mut())(row)?;
            if flow.is_break() {
                self.stopped.set(true);
            }
            return Ok(flow);
        };
        let machine = self.machine;
        match stage {
            Stage::Match(one) => {
                let mut found = false;
                let flow = machine.walk(&one.steps, row, &mut |row| {
                    found = true;
                    self.push(index + 1, row)
                })?;
                if found || !one.optional {
                    return Ok(flow);
                }
                one.new.iter().for_each(|slot| set(row, *slot, Value::Null));
                self.push(index + 1, row)
            }
            Stage::Unwind { list, slot } => {
                let value = machine.evaluate(list, row)?;
                let items = match &value {
                    Value::Null => return Ok(Flow::Continue(())),
                    Value::List(items) => items.as_slice(),
                    one => std::slice::from_ref(one),
                };
                for item in items {
                    set(row, *slot, item.clone());
                    if self.push(index + 1, row)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                Ok(Flow::Continue(()))
            }
            Stage::Call(call) => self.call(call, index, row),
            Stage::Filter(filter) => match machine.truth(filter, row)? {
                Some(true) => self.push(index + 1, row),
                _ => Ok(Flow::Continue(())),
            },
            Stage::Project(projection) => {
                // Taken out while it runs: what follows may come to other stages, never back to this one.
                let Some(mut state) = self.states[index].take() else { return Ok(Flow::Break(())) };
                let flow = state.take_row(machine, projection, row, &mut |row| self.push(index + 1, row));
                self.states[index].replace(Some(state));
                flow
            }
        }
    }

    fn call(&self, call: &Call, index: usize, row: &mut Row) -> Result<Flow> {
        let machine = self.machine;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(machine.evaluate(argument, row)?);
        }
        let mut found = false;
        let mut flow = Flow::Continue(());
        let outcome = procedures::call(call.procedure, machine.graph(), machine.budget, &arguments, &mut |answer| {
            found = true;
            for (column, slot) in &call.outputs {
                set(row, *slot, answer.get(*column).cloned().unwrap_or(Value::Null));
            }
            if call.procedure.columns.is_empty() {
                return Ok(Flow::Continue(()));
            }
            flow = self.push(index + 1, row)?;
            Ok(flow)
        });
        machine.placed(outcome, call.at)?;
        // A procedure without columns lets its row pass once.
        if call.procedure.columns.is_empty() || call.optional && !found {
            call.outputs.iter().for_each(|(_, slot)| set(row, *slot, Value::Null));
            return self.push(index + 1, row);
        }
        Ok(flow)
    }
}
