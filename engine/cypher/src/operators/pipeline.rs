//! Runs a plan: each operator passes its rows to the next one at once; only sorting and grouping hold rows.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use super::project::ProjectionState;
use crate::executor::{Executor, Row, Sink, set};
use crate::graph::Flow;
use crate::logical_plan::{Call, Operator, Query};
use crate::procedures;
use crate::values::{Key, Value};
use quarry_types::Result;

impl Executor<'_> {
    /// Passes every row of a query to the sink. `input` is the row a subquery begins with.
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
        for operators in &query.branches {
            if self.branch(operators, input.clone(), &mut once)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }

    fn branch(&self, operators: &[Operator], mut row: Row, sink: &mut Sink) -> Result<Flow> {
        let states = operators.iter().map(|operator| match operator {
            Operator::Project(projection) => {
                ProjectionState::new(self, projection).map(|state| RefCell::new(Some(state)))
            }
            _ => Ok(RefCell::new(None)),
        });
        let states = states.collect::<Result<Vec<_>>>()?;
        let pipeline =
            Pipeline { executor: self, operators, states, sink: RefCell::new(sink), stopped: Cell::new(false) };
        // A clause with a LIMIT stops those before it; those after it still finish.
        let _ = pipeline.push(0, &mut row)?;
        for (index, operator) in operators.iter().enumerate() {
            if let Operator::Project(projection) = operator
                && !pipeline.stopped.get()
                && let Some(state) = pipeline.states[index].take()
            {
                let _ = state.finish(self, projection, &mut |row| pipeline.push(index + 1, row))?;
            }
        }
        Ok(if pipeline.stopped.get() { Flow::Break(()) } else { Flow::Continue(()) })
    }
}

struct Pipeline<'p, 's> {
    executor: &'p Executor<'p>,
    operators: &'p [Operator],
    states: Vec<RefCell<Option<ProjectionState>>>,
    sink: RefCell<&'s mut Sink<'s>>,
    /// The sink takes no more rows.
    stopped: Cell<bool>,
}

impl Pipeline<'_, '_> {
    fn push(&self, index: usize, row: &mut Row) -> Result<Flow> {
        self.executor.budget.step()?;
        let Some(operator) = self.operators.get(index) else {
            let flow = (*self.sink.borrow_mut())(row)?;
            if flow.is_break() {
                self.stopped.set(true);
            }
            return Ok(flow);
        };
        let executor = self.executor;
        match operator {
            Operator::Match(one) => {
                let mut found = false;
                let flow = executor.match_steps(&one.steps, row, &mut |row| {
                    found = true;
                    self.push(index + 1, row)
                })?;
                if found || !one.optional {
                    return Ok(flow);
                }
                one.new.iter().for_each(|slot| set(row, *slot, Value::Null));
                self.push(index + 1, row)
            }
            Operator::Unwind { list, slot } => {
                let value = executor.evaluate(list, row)?;
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
            Operator::Call(call) => self.call(call, index, row),
            Operator::Filter(filter) => match executor.truth(filter, row)? {
                Some(true) => self.push(index + 1, row),
                _ => Ok(Flow::Continue(())),
            },
            Operator::Project(projection) => {
                // Taken out while it runs: what follows may come to other operators, never back to this one.
                let Some(mut state) = self.states[index].take() else { return Ok(Flow::Break(())) };
                let flow = state.take_row(executor, projection, row, &mut |row| self.push(index + 1, row));
                self.states[index].replace(Some(state));
                flow
            }
        }
    }

    fn call(&self, call: &Call, index: usize, row: &mut Row) -> Result<Flow> {
        let executor = self.executor;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(executor.evaluate(argument, row)?);
        }
        let mut found = false;
        let mut flow = Flow::Continue(());
        let outcome = procedures::call(call.procedure, executor.graph(), executor.budget, &arguments, &mut |answer| {
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
        executor.text.locate(outcome, call.at)?;
        // A procedure without columns lets its row pass once.
        if call.procedure.columns.is_empty() || call.optional && !found {
            call.outputs.iter().for_each(|(_, slot)| set(row, *slot, Value::Null));
            return self.push(index + 1, row);
        }
        Ok(flow)
    }
}
