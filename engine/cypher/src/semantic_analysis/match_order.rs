//! The order of the steps that match a pattern: it starts at the node that is found fastest, and checks each condition as soon as
//! its variables are bound.

use std::collections::BTreeSet;
use std::sync::Arc;

use open_cypher::ast;

use super::analyzer::Analyzer;
use super::edge_bounds::narrow;
use super::patterns::{Part, Parts, Relationship};
use super::scope::Scope;
use crate::logical_plan::{
    BinaryOperator, Comparison, Direction, Expand, Expr, Hops, Kind, Labels, Match, MatchStep, Operator, Quantifier,
    Seek, ShortestPath, Slot, free_slots,
};
use crate::query_text::At;
use quarry_types::Result;

impl Analyzer<'_> {
    pub fn match_clause(&self, clause: &ast::MatchClause, scope: &mut Scope, at: At) -> Result<Match> {
        if clause.mode.is_some() || !clause.hints.is_empty() {
            return Err(self.text.unsupported("A path mode or a hint", at));
        }
        let parts = self.parts(&clause.pattern.parts, scope)?;
        let mut parts = parts;
        if let Some(filter) = &clause.where_clause {
            parts.filters.push(self.condition(filter, scope)?);
        }
        let new = parts.new.clone();
        Ok(Match { optional: clause.optional, steps: self.steps(parts)?, new })
    }

    /// The steps that find every match of a pattern; what is not new in it is known.
    pub fn steps(&self, parts: Parts) -> Result<Vec<MatchStep>> {
        let Parts { parts, filters, new } = parts;
        let mut conjuncts = Vec::new();
        filters.into_iter().for_each(|filter| split(filter, &mut conjuncts));
        let filters = conjuncts.into_iter().map(|filter| (free_slots(&filter), filter)).collect();
        let known = BTreeSet::new();
        let mut ordering =
            Ordering { analyzer: self, steps: Vec::new(), new: new.into_iter().collect(), known, filters };
        ordering.flush();
        let mut parts = parts;
        while !parts.is_empty() {
            let ranks = parts.iter().map(|part| part.nodes.iter().map(|node| ordering.rank(*node)).min());
            let best = ranks.enumerate().min_by_key(|(_, rank)| *rank).map_or(0, |(index, _)| index);
            ordering.part(parts.remove(best));
        }
        ordering.flush();
        Ok(ordering.steps)
    }
}

/// Takes `a AND b` apart.
fn split(filter: Expr, into: &mut Vec<Expr>) {
    match filter.kind {
        Kind::Binary(BinaryOperator::And, a, b) => {
            split(*a, into);
            split(*b, into);
        }
        _ => into.push(filter),
    }
}

struct Ordering<'a> {
    analyzer: &'a Analyzer<'a>,
    steps: Vec<MatchStep>,
    /// Slots of the pattern, and those of them that are filled already.
    new: BTreeSet<Slot>,
    known: BTreeSet<Slot>,
    /// Conditions that still wait, with the slots they read.
    filters: Vec<(BTreeSet<Slot>, Expr)>,
}

impl Ordering<'_> {
    fn is_known(&self, slot: Slot) -> bool {
        !self.new.contains(&slot) || self.known.contains(&slot)
    }

    /// How costly it is to begin at a node: known, found by an index, by a label, by looking at all.
    fn rank(&self, node: Slot) -> u8 {
        if self.is_known(node) {
            0
        } else if self.seek(node).is_some() {
            1
        } else if self.label(node).is_some() {
            2
        } else {
            3
        }
    }

    fn seek(&self, node: Slot) -> Option<Seek> {
        self.filters.iter().find_map(|(_, filter)| {
            let indexed = |one: &Expr| match &one.kind {
                Kind::Property(of, name) if of.kind == Kind::Slot(node) && self.analyzer.graph.has_index(name) => {
                    Some(name.clone())
                }
                _ => None,
            };
            let seek = |property: Arc<str>, value: &Expr, any_of| {
                let ready = free_slots(value).iter().all(|slot| self.is_known(*slot));
                ready.then(|| Seek { property, value: value.clone(), any_of })
            };
            match &filter.kind {
                Kind::Binary(BinaryOperator::Compare(Comparison::Equal), a, b) => match (indexed(a), indexed(b)) {
                    (Some(property), _) => seek(property, b, false),
                    (_, Some(property)) => seek(property, a, false),
                    _ => None,
                },
                Kind::Binary(BinaryOperator::In, one, list) => {
                    indexed(one).and_then(|property| seek(property, list, true))
                }
                _ => None,
            }
        })
    }

    /// A label that the node must have.
    fn label(&self, node: Slot) -> Option<u32> {
        self.filters.iter().find_map(|(_, filter)| match &filter.kind {
            Kind::HasLabels(of, labels) if of.kind == Kind::Slot(node) => match labels {
                Labels::Label(label, _) => *label,
                Labels::And(parts) => parts.iter().find_map(|part| match part {
                    Labels::Label(label, _) => *label,
                    _ => None,
                }),
                _ => None,
            },
            _ => None,
        })
    }

    fn fill(&mut self, slot: Slot) {
        self.known.insert(slot);
        self.flush();
    }

    /// Puts in the conditions whose variables are all known now.
    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.filters);
        for (slots, filter) in waiting {
            if slots.iter().all(|slot| self.is_known(*slot)) {
                self.steps.push(MatchStep::Filter(filter));
            } else {
                self.filters.push((slots, filter));
            }
        }
    }

    fn begin(&mut self, node: Slot, at: At) {
        if self.is_known(node) {
            self.steps.push(MatchStep::CheckNode { slot: node, at });
        } else {
            let (seek, label) = (self.seek(node), self.label(node));
            self.steps.push(MatchStep::ScanNodes { slot: node, seek, label });
            self.fill(node);
        }
    }

    fn part(&mut self, part: Part) {
        let Part { nodes, relationships, path, shortest, at } = part;
        let parts: Vec<Slot> = (0..nodes.len())
            .flat_map(|index| [Some(nodes[index]), relationships.get(index).map(|one| one.slot)])
            .flatten()
            .collect();
        if let Some(all) = shortest {
            self.begin(nodes[0], at);
            self.begin(nodes[1], at);
            let path = path.unwrap_or_else(|| parts[1]);
            for one in relationships {
                let slot = one.slot;
                let mut expand = self.expansion(one, nodes[0], nodes[1], false);
                expand.hops.get_or_insert(Hops { min: 1, max: 1 });
                self.steps.push(MatchStep::ShortestPath(Box::new(ShortestPath { expand, path, all })));
                self.known.insert(slot);
            }
            self.fill(path);
            return;
        }
        let start = (0..nodes.len()).min_by_key(|index| self.rank(nodes[*index])).unwrap_or(0);
        self.begin(nodes[start], at);
        let mut left = relationships;
        let right = left.split_off(start);
        for (index, one) in right.into_iter().enumerate() {
            self.expand(one, nodes[start + index], nodes[start + index + 1], false);
        }
        for (index, one) in left.into_iter().enumerate().rev() {
            self.expand(one, nodes[index + 1], nodes[index], true);
        }
        if let Some(slot) = path {
            self.steps.push(MatchStep::BuildPath { slot, parts });
            self.fill(slot);
        }
    }

    fn expand(&mut self, one: Relationship, from: Slot, to: Slot, reversed: bool) {
        let slot = one.slot;
        let expand = self.expansion(one, from, to, reversed);
        self.steps.push(MatchStep::Expand(Box::new(expand)));
        self.known.insert(slot);
        self.fill(to);
    }

    fn expansion(&mut self, one: Relationship, from: Slot, to: Slot, reversed: bool) -> Expand {
        let other_relationships = self.steps.iter().filter_map(|step| match step {
            MatchStep::Expand(expand) => Some(expand.relationship),
            MatchStep::ShortestPath(shortest) => Some(shortest.expand.relationship),
            _ => None,
        });
        let other_relationships = other_relationships.collect();
        let mut edges = one.edges;
        let conditions = if one.hops.is_some() && !one.bound { self.take_conditions(one.slot) } else { Vec::new() };
        conditions.iter().for_each(|(slot, condition)| narrow(&mut edges, *slot, condition));
        if one.hops.is_none() {
            self.filters.iter().for_each(|(_, condition)| narrow(&mut edges, one.slot, condition));
        }
        Expand {
            from,
            relationship: one.slot,
            to,
            to_bound: self.is_known(to),
            relationship_bound: one.bound,
            direction: if reversed { one.direction.reversed() } else { one.direction },
            edges,
            matches_nothing: one.matches_nothing,
            properties: one.properties,
            conditions,
            hops: one.hops,
            reversed,
            is_named: one.is_named,
            ends_only: false,
            other_relationships,
            at: one.at,
        }
    }

    /// `all(r IN relationships WHERE …)` becomes a condition on each relationship.
    fn take_conditions(&mut self, relationships: Slot) -> Vec<(Slot, Expr)> {
        let mut conditions = Vec::new();
        let waiting = std::mem::take(&mut self.filters);
        for (slots, filter) in waiting {
            if let Kind::Quantifier { kind: Quantifier::All, list, slot, predicate } = &filter.kind
                && list.kind == Kind::Slot(relationships)
                && slots.iter().all(|slot| *slot == relationships || self.is_known(*slot))
                && !free_slots(predicate).contains(&relationships)
            {
                conditions.push((*slot, (**predicate).clone()));
            } else {
                self.filters.push((slots, filter));
            }
        }
        conditions
    }
}

/// Lets the last MATCH find only the nodes at its end when the projection does not depend on how often each is found.
pub(super) fn need_ends_only(operators: &mut [Operator]) {
    if let [.., Operator::Match(one), Operator::Project(last)] = operators {
        let ignores_duplicates = match &last.group {
            None => last.distinct,
            Some(group) => group.aggregates.iter().all(|one| one.distinct || one.function.ignores_duplicates),
        };
        if ignores_duplicates {
            need_ends(&mut one.steps);
        }
    }
}

/// Lets a variable-length relationship that is alone in its pattern, and has a direction, find each node at its end once: by
/// the shortest path to it, which never uses a relationship twice.
pub(super) fn need_ends(steps: &mut [MatchStep]) {
    let count = steps.iter().filter(|step| matches!(step, MatchStep::Expand(_) | MatchStep::ShortestPath(_))).count();
    if count != 1 || steps.iter().any(|step| matches!(step, MatchStep::BuildPath { .. })) {
        return;
    }
    for step in steps {
        if let MatchStep::Expand(expand) = step {
            let one_way = expand.direction != Direction::Both && !expand.relationship_bound;
            expand.ends_only = !expand.is_named && one_way && expand.hops.is_some_and(|hops| hops.min <= 1);
        }
    }
}
