//! Visitors of the expressions of a plan.

use std::collections::BTreeSet;

use super::plan::{Expand, Expr, Kind, MapItem, MatchStep, Operator, Projection, Query, Slot};

/// Replaces expressions by what the function returns for them, from the outside in.
pub(crate) fn replace(mut expression: Expr, with: &mut dyn FnMut(&Expr) -> Option<Kind>) -> Expr {
    visit(&mut expression, &mut |one| match with(one) {
        Some(kind) => {
            one.kind = kind;
            false
        }
        None => true,
    });
    expression
}

/// The first match of the function in an expression, from the outside in.
pub(crate) fn find<T>(expression: &Expr, mut wanted: impl FnMut(&Expr) -> Option<T>) -> Option<T> {
    let mut found = None;
    visit(&mut expression.clone(), &mut |one| {
        if found.is_none() {
            found = wanted(one);
        }
        found.is_none()
    });
    found
}

/// Whether the expression uses the result of an aggregate.
pub(crate) fn has_aggregate(expression: &Expr) -> bool {
    find(expression, |one| matches!(one.kind, Kind::Aggregate(_)).then_some(())).is_some()
}

/// The slots an expression reads and does not fill itself.
pub(crate) fn free_slots(expression: &Expr) -> BTreeSet<Slot> {
    let mut slots = Slots::default();
    slots.expression(&mut expression.clone());
    slots.read.difference(&slots.filled).copied().collect()
}

#[derive(Default)]
struct Slots {
    read: BTreeSet<Slot>,
    filled: BTreeSet<Slot>,
}

impl Slots {
    fn expression(&mut self, expression: &mut Expr) {
        visit(expression, &mut |one| {
            match &one.kind {
                Kind::Slot(slot) => {
                    self.read.insert(*slot);
                }
                Kind::Comprehension { slot, .. } | Kind::Quantifier { slot, .. } => {
                    self.filled.insert(*slot);
                }
                Kind::Reduce { accumulator, slot, .. } => self.filled.extend([*accumulator, *slot]),
                Kind::PatternComprehension { steps, .. } | Kind::PatternExists(steps) => self.steps(steps),
                Kind::PatternPaths { steps, .. } => self.steps(steps),
                Kind::Subquery(_, query) => self.query(query),
                _ => {}
            }
            true
        });
    }

    fn steps(&mut self, steps: &[MatchStep]) {
        for step in steps {
            match step {
                MatchStep::ScanNodes { slot, .. } => {
                    self.filled.insert(*slot);
                }
                MatchStep::CheckNode { slot, .. } => {
                    self.read.insert(*slot);
                }
                MatchStep::Expand(expand) => self.expand(expand),
                MatchStep::ShortestPath(shortest) => {
                    self.expand(&shortest.expand);
                    self.filled.insert(shortest.path);
                }
                MatchStep::BuildPath { slot, .. } => {
                    self.filled.insert(*slot);
                }
                MatchStep::Filter(_) => {}
            }
        }
    }

    fn expand(&mut self, expand: &Expand) {
        self.read.insert(expand.from);
        let ends = [(expand.to, expand.to_bound), (expand.relationship, expand.relationship_bound)];
        for (slot, bound) in ends {
            if bound { &mut self.read } else { &mut self.filled }.insert(slot);
        }
        self.filled.extend(expand.conditions.iter().map(|(slot, _)| *slot));
    }

    /// A clause inside a subquery starts from the outer row; its first projection starts slots from 0 again, so only the
    /// clauses before it can read outer slots.
    fn query(&mut self, query: &Query) {
        for operators in &query.branches {
            for operator in operators {
                match operator {
                    Operator::Match(one) => self.steps(&one.steps),
                    Operator::Unwind { slot, .. } => {
                        self.filled.insert(*slot);
                    }
                    Operator::Call(call) => self.filled.extend(call.outputs.iter().map(|(_, slot)| *slot)),
                    Operator::Filter(_) => {}
                    Operator::Project(_) => break,
                }
            }
        }
    }
}

/// Visits an expression and, if the function returns true, the expressions inside it.
pub(crate) fn visit(expression: &mut Expr, f: &mut dyn FnMut(&mut Expr) -> bool) {
    if !f(expression) {
        return;
    }
    match &mut expression.kind {
        Kind::Constant(_) | Kind::Slot(_) | Kind::Aggregate(_) => {}
        Kind::List(items) | Kind::Call(_, items) => items.iter_mut().for_each(|item| visit(item, f)),
        Kind::Map(entries) => entries.iter_mut().for_each(|(_, value)| visit(value, f)),
        Kind::MapProjection { base, items } => {
            visit(base, f);
            for item in items {
                if let MapItem::Entry(_, value) = item {
                    visit(value, f);
                }
            }
        }
        Kind::Property(one, _)
        | Kind::Not(one)
        | Kind::Negate(one)
        | Kind::IsNull(one, _)
        | Kind::HasLabels(one, _) => visit(one, f),
        Kind::Binary(_, a, b) => {
            visit(a, f);
            visit(b, f);
        }
        Kind::Slice(list, from, to) => {
            visit(list, f);
            [from, to].into_iter().flatten().for_each(|bound| visit(bound, f));
        }
        Kind::Case { operand, arms, otherwise } => {
            [operand, otherwise].into_iter().flatten().for_each(|one| visit(one, f));
            for (tests, then) in arms {
                tests.iter_mut().for_each(|test| visit(test, f));
                visit(then, f);
            }
        }
        Kind::Comprehension { list, filter, item, .. } => {
            visit(list, f);
            [filter, item].into_iter().flatten().for_each(|one| visit(one, f));
        }
        Kind::Quantifier { list, predicate, .. } => {
            visit(list, f);
            visit(predicate, f);
        }
        Kind::Reduce { initial, list, step, .. } => {
            visit(initial, f);
            visit(list, f);
            visit(step, f);
        }
        Kind::PatternComprehension { steps, item } => {
            visit_steps(steps, f);
            visit(item, f);
        }
        Kind::PatternExists(steps) | Kind::PatternPaths { steps, .. } => visit_steps(steps, f),
        Kind::Subquery(_, query) => visit_query(query, f),
    }
}

fn visit_steps(steps: &mut [MatchStep], f: &mut dyn FnMut(&mut Expr) -> bool) {
    for step in steps {
        match step {
            MatchStep::ScanNodes { seek, .. } => seek.iter_mut().for_each(|seek| visit(&mut seek.value, f)),
            MatchStep::Expand(expand) => visit_expand(expand, f),
            MatchStep::ShortestPath(shortest) => visit_expand(&mut shortest.expand, f),
            MatchStep::Filter(filter) => visit(filter, f),
            MatchStep::CheckNode { .. } | MatchStep::BuildPath { .. } => {}
        }
    }
}

fn visit_expand(expand: &mut Expand, f: &mut dyn FnMut(&mut Expr) -> bool) {
    expand.properties.iter_mut().for_each(|(_, value)| visit(value, f));
    expand.conditions.iter_mut().for_each(|(_, predicate)| visit(predicate, f));
}

/// Only up to the first projection of each branch: what follows reads other rows.
fn visit_query(query: &mut Query, f: &mut dyn FnMut(&mut Expr) -> bool) {
    for operators in &mut query.branches {
        for operator in operators {
            match operator {
                Operator::Match(one) => visit_steps(&mut one.steps, f),
                Operator::Unwind { list, .. } => visit(list, f),
                Operator::Call(call) => call.arguments.iter_mut().for_each(|one| visit(one, f)),
                Operator::Filter(filter) => visit(filter, f),
                Operator::Project(projection) => {
                    visit_projection(projection, f);
                    break;
                }
            }
        }
    }
}

fn visit_projection(projection: &mut Projection, f: &mut dyn FnMut(&mut Expr) -> bool) {
    if let Some(group) = &mut projection.group {
        group.keys.iter_mut().for_each(|key| visit(key, f));
        group.aggregates.iter_mut().flat_map(|one| &mut one.arguments).for_each(|one| visit(one, f));
    } else {
        projection.items.iter_mut().for_each(|item| visit(item, f));
    }
}
