//! Walks over the expressions of a plan.

use std::collections::BTreeSet;

use super::{Expr, Kind, MapItem, Projection, Query, Slot, Stage, Step};

/// Replaces expressions from the outside in: where the function answers, its answer stands.
pub(super) fn replace(mut expression: Expr, with: &mut dyn FnMut(&Expr) -> Option<Kind>) -> Expr {
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
pub(super) fn find<T>(expression: &Expr, mut wanted: impl FnMut(&Expr) -> Option<T>) -> Option<T> {
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
pub(super) fn has_aggregate(expression: &Expr) -> bool {
    find(expression, |one| matches!(one.kind, Kind::Aggregate(_)).then_some(())).is_some()
}

/// The slots an expression reads and does not fill itself.
pub(super) fn free_slots(expression: &Expr) -> BTreeSet<Slot> {
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

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Nodes { slot, .. } => {
                    self.filled.insert(*slot);
                }
                Step::IsNode { slot, .. } => {
                    self.read.insert(*slot);
                }
                Step::Expand(walk) => self.walk(walk),
                Step::Shortest(shortest) => {
                    self.walk(&shortest.walk);
                    self.filled.insert(shortest.path);
                }
                Step::Path { slot, .. } => {
                    self.filled.insert(*slot);
                }
                Step::Filter(_) => {}
            }
        }
    }

    fn walk(&mut self, walk: &super::Expand) {
        self.read.insert(walk.from);
        let ends = [(walk.to, walk.to_bound), (walk.relationship, walk.relationship_bound)];
        for (slot, bound) in ends {
            if bound { &mut self.read } else { &mut self.filled }.insert(slot);
        }
        self.filled.extend(walk.each.iter().map(|(slot, _)| *slot));
    }

    /// A clause inside a subquery starts from the outer row; after its first projection slots count anew, so only the
    /// clauses before it can read outer slots.
    fn query(&mut self, query: &Query) {
        for stages in &query.branches {
            for stage in stages {
                match stage {
                    Stage::Match(one) => self.steps(&one.steps),
                    Stage::Unwind { slot, .. } => {
                        self.filled.insert(*slot);
                    }
                    Stage::Call(call) => self.filled.extend(call.outputs.iter().map(|(_, slot)| *slot)),
                    Stage::Filter(_) => {}
                    Stage::Project(_) => break,
                }
            }
        }
    }
}

/// Visits an expression and, where the function says so, what is inside it.
pub(super) fn visit(expression: &mut Expr, f: &mut dyn FnMut(&mut Expr) -> bool) {
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
        Kind::Index(a, b)
        | Kind::And(a, b)
        | Kind::Or(a, b)
        | Kind::Xor(a, b)
        | Kind::Arithmetic(_, a, b)
        | Kind::Power(a, b)
        | Kind::Concat(a, b)
        | Kind::Compare(_, a, b)
        | Kind::In(a, b)
        | Kind::TextTest(_, a, b) => {
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

fn visit_steps(steps: &mut [Step], f: &mut dyn FnMut(&mut Expr) -> bool) {
    for step in steps {
        match step {
            Step::Nodes { seek, .. } => seek.iter_mut().for_each(|seek| visit(&mut seek.value, f)),
            Step::Expand(walk) => visit_walk(walk, f),
            Step::Shortest(shortest) => visit_walk(&mut shortest.walk, f),
            Step::Filter(filter) => visit(filter, f),
            Step::IsNode { .. } | Step::Path { .. } => {}
        }
    }
}

fn visit_walk(walk: &mut super::Expand, f: &mut dyn FnMut(&mut Expr) -> bool) {
    walk.properties.iter_mut().for_each(|(_, value)| visit(value, f));
    walk.each.iter_mut().for_each(|(_, predicate)| visit(predicate, f));
}

/// Only up to the first projection of each branch: what follows reads other rows.
fn visit_query(query: &mut Query, f: &mut dyn FnMut(&mut Expr) -> bool) {
    for stages in &mut query.branches {
        for stage in stages {
            match stage {
                Stage::Match(one) => visit_steps(&mut one.steps, f),
                Stage::Unwind { list, .. } => visit(list, f),
                Stage::Call(call) => call.arguments.iter_mut().for_each(|one| visit(one, f)),
                Stage::Filter(filter) => visit(filter, f),
                Stage::Project(projection) => {
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
