//! Steps of the front, and which of them change a query.

/// One step of a list.
#[derive(Debug)]
pub struct Step<F> {
    pub name: &'static str,
    /// What it does, and why where that is not obvious.
    pub does: &'static str,
    pub run: F,
}

impl<F> Step<F> {
    pub const fn new(name: &'static str, run: F, does: &'static str) -> Step<F> {
        Step { name, does, run }
    }
}

/// A query or plan that differs from the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanChange {
    /// The stage (`text`, `tokens`, `statement`, `node`, `names`, `initial`, `analyzer`, `optimizer`, `physical`), and the name of
    /// the step where it has one.
    pub step: String,
    /// What the step does; empty for a step of DataFusion's own.
    pub does: String,
    /// The query, the first node that the step changed, or the plan with an operator a line.
    pub plan: String,
}

/// Notes the steps that change a query, if it is on.
#[derive(Debug, Default)]
pub struct Trace {
    pub changes: Vec<PlanChange>,
    pub is_on: bool,
}

impl Trace {
    /// Notes a step that changed a query, which is given as text.
    pub fn note<F>(&mut self, stage: &str, step: &Step<F>, before: &str, after: &str) {
        if before != after {
            let (step, does) = (format!("{stage} {}", step.name), step.does.to_string());
            self.changes.push(PlanChange { step, does, plan: after.to_string() });
        }
    }

    /// Notes a step on nodes of the syntax tree with the first one that it changed.
    pub fn note_node<F>(&mut self, step: &Step<F>, before: &str, after: &str) {
        if !self.changes.iter().any(|change| change.step.strip_prefix("node ") == Some(step.name)) {
            self.note("node", step, before, after);
        }
    }
}
