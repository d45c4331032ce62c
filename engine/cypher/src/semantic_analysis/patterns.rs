//! Patterns as they are written → nodes and relationships with their slots and conditions.

use std::sync::Arc;

use open_cypher::ast::{
    self, ExprKind, LabelExpressionKind, PathFactorKind, PathSelector, QuantifierKind, RelationshipDirection,
};

use super::analyzer::Analyzer;
use super::scope::Scope;
use crate::graph::Edges;
use crate::logical_plan::{BinaryOperator, Comparison, Direction, Expr, Hops, Kind, Labels, Slot};
use crate::query_text::At;
use crate::values::ValueType;
use quarry_types::nearest_name::nearest;
use quarry_types::{ErrorCode, Result};

/// A relationship of a pattern, seen from left to right.
pub(super) struct Relationship {
    pub slot: Slot,
    pub bound: bool,
    pub is_named: bool,
    pub direction: Direction,
    pub edges: Edges,
    pub matches_nothing: bool,
    pub properties: Vec<(Arc<str>, Expr)>,
    pub hops: Option<Hops>,
    pub at: At,
}

/// One comma-separated part: nodes, and between each two a relationship.
pub(super) struct Part {
    pub nodes: Vec<Slot>,
    pub relationships: Vec<Relationship>,
    pub path: Option<Slot>,
    /// Shortest paths only: one, or all.
    pub shortest: Option<bool>,
    pub at: At,
}

/// A whole pattern, and what its nodes and relationships must satisfy.
#[derive(Default)]
pub(super) struct Parts {
    pub parts: Vec<Part>,
    pub filters: Vec<Expr>,
    /// Slots this pattern fills.
    pub new: Vec<Slot>,
}

impl Analyzer<'_> {
    /// Reads the parts of a pattern; new variables are added to the scope.
    pub fn parts(&self, parts: &[ast::PatternPart], scope: &mut Scope) -> Result<Parts> {
        let mut read = Parts::default();
        for part in parts {
            let at = At(part.span.start);
            let mut factors = &part.kind.path.kind.factors;
            let mut shortest = match part.kind.selector.as_ref().map(|selector| &selector.kind) {
                None | Some(PathSelector::All) => None,
                Some(PathSelector::AnyShortest) => Some(false),
                Some(PathSelector::AllShortest) => Some(true),
                Some(_) => return Err(self.text.unsupported("This path selector", at)),
            };
            if let [factor] = factors.as_slice()
                && let PathFactorKind::LegacyShortest { all, pattern } = &factor.kind
            {
                shortest = Some(*all);
                factors = &pattern.kind.factors;
            }
            let path = part.kind.binding.as_ref();
            let path = path.map(|name| self.new_variable(name, ValueType::Path, scope)).transpose()?;
            read.new.extend(path);
            let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
            for factor in factors {
                match &factor.kind {
                    PathFactorKind::Node(node) => {
                        nodes.push(self.node(node, At(factor.span.start), scope, &mut read)?);
                    }
                    PathFactorKind::Relationship(one) => {
                        relationships.push(self.relationship(one, At(factor.span.start), scope, &mut read)?);
                    }
                    _ => return Err(self.text.unsupported("This form of pattern", At(factor.span.start))),
                }
            }
            if nodes.len() != relationships.len() + 1 || shortest.is_some() && relationships.len() != 1 {
                return Err(self.text.invalid("A pattern must lead from node to node.", at));
            }
            read.parts.push(Part { nodes, relationships, path, shortest, at });
        }
        Ok(read)
    }

    fn node(&self, node: &ast::NodePattern, at: At, scope: &mut Scope, read: &mut Parts) -> Result<Slot> {
        let slot = match &node.variable {
            None => {
                let slot = scope.unnamed();
                read.new.push(slot);
                slot
            }
            Some(name) => match scope.find(&name.kind.text) {
                Some(known) if known.kind.may_be(&[ValueType::Node]) => known.slot,
                Some(known) => {
                    let message = format!("{} is {} and can't be a node.", name.kind.text, known.kind.name());
                    return Err(self.text.invalid(message, At(name.span.start)));
                }
                None => {
                    let slot = scope.add(&name.kind.text, ValueType::Node);
                    read.new.push(slot);
                    slot
                }
            },
        };
        let this = |at| Expr { kind: Kind::Slot(slot), at, value_type: ValueType::Node };
        if let Some(labels) = &node.labels {
            let labels = self.labels(labels, true)?;
            read.filters.push(Expr::new(Kind::HasLabels(Box::new(this(at)), labels), at));
        }
        for (key, value) in self.pattern_properties(node.properties.as_deref(), scope)? {
            self.known_property(&key, value.at)?;
            let property = Expr::new(Kind::Property(Box::new(this(at)), key), value.at);
            let at = value.at;
            let compare = Kind::Binary(BinaryOperator::Compare(Comparison::Equal), Box::new(property), Box::new(value));
            read.filters.push(Expr::new(compare, at));
        }
        if let Some(filter) = &node.where_clause {
            read.filters.push(self.condition(filter, scope)?);
        }
        Ok(slot)
    }

    fn relationship(
        &self,
        one: &ast::RelationshipPattern,
        at: At,
        scope: &mut Scope,
        read: &mut Parts,
    ) -> Result<Relationship> {
        let quantifier = one.legacy_quantifier.as_ref().or(one.graph_quantifier.as_ref());
        let mut hops = quantifier.map(|quantifier| self.hops(quantifier)).transpose()?;
        // `[*]` means one or more, `-[]->*` zero or more.
        if let (Some(hops), Some(legacy)) = (&mut hops, &one.legacy_quantifier)
            && legacy.kind == QuantifierKind::ZeroOrMore
        {
            hops.min = 1;
        }
        let kind = if hops.is_some() { ValueType::Relationships } else { ValueType::Relationship };
        let (slot, bound) = match &one.variable {
            None => (scope.unnamed(), false),
            Some(name) => match scope.find(&name.kind.text) {
                Some(known) if read.new.contains(&known.slot) => {
                    let message = format!("The variable {} can't be bound twice in one pattern.", name.kind.text);
                    return Err(self.text.invalid(message, At(name.span.start)));
                }
                Some(known) if known.kind.may_be(&[kind]) || hops.is_some() && known.kind == ValueType::List => {
                    (known.slot, true)
                }
                Some(known) => {
                    let message = format!("{} is {} and can't be {}.", name.kind.text, known.kind.name(), kind.name());
                    return Err(self.text.invalid(message, At(name.span.start)));
                }
                None => (scope.add(&name.kind.text, kind), false),
            },
        };
        if !bound {
            read.new.push(slot);
        }
        let (edges, matches_nothing) = match &one.labels {
            Some(labels) => self.types(labels)?,
            None => (Edges::ALL, false),
        };
        let properties = self.pattern_properties(one.properties.as_deref(), scope)?;
        for (key, value) in &properties {
            self.known_property(key, value.at)?;
        }
        if let Some(filter) = &one.where_clause {
            if hops.is_some() {
                return Err(self.text.unsupported("WHERE inside a variable-length pattern", At(filter.span.start)));
            }
            read.filters.push(self.condition(filter, scope)?);
        }
        let direction = match one.direction.kind {
            RelationshipDirection::Left => Direction::In,
            RelationshipDirection::Right => Direction::Out,
            _ => Direction::Both,
        };
        Ok(Relationship {
            slot,
            bound,
            is_named: one.variable.is_some(),
            direction,
            edges,
            matches_nothing,
            properties,
            hops,
            at,
        })
    }

    fn pattern_properties(&self, map: Option<&ast::Expr>, scope: &Scope) -> Result<Vec<(Arc<str>, Expr)>> {
        let Some(map) = map else { return Ok(Vec::new()) };
        let ExprKind::Map(entries) = &map.kind else {
            let message = "The properties of a pattern must be a map literal: {name: $value}.";
            return Err(self.text.invalid(message, At(map.span.start)));
        };
        let entry = |entry: &ast::MapEntry| {
            Ok((Arc::from(entry.key.kind.text.as_str()), self.with_amounts(&entry.value, scope)?))
        };
        entries.iter().map(entry).collect()
    }

    fn hops(&self, quantifier: &ast::Quantifier) -> Result<Hops> {
        let at = At(quantifier.span.start);
        let number = |text: &String| {
            text.replace('_', "").parse().map_err(|_| self.text.invalid(format!("{text} hops are too many."), at))
        };
        Ok(match &quantifier.kind {
            QuantifierKind::ZeroOrMore => Hops { min: 0, max: u32::MAX },
            QuantifierKind::OneOrMore => Hops { min: 1, max: u32::MAX },
            QuantifierKind::Optional => Hops { min: 0, max: 1 },
            QuantifierKind::Fixed(count) => Hops { min: number(count)?, max: number(count)? },
            QuantifierKind::Range { lower, upper } => {
                Hops { min: lower.as_ref().map_or(Ok(1), number)?, max: upper.as_ref().map_or(Ok(u32::MAX), number)? }
            }
            _ => return Err(self.text.unsupported("This quantifier", at)),
        })
    }

    /// The labels of a node, or the types of a relationship, as an expression of both.
    pub fn labels(&self, labels: &ast::LabelExpression, of_node: bool) -> Result<Labels> {
        let all = |parts: &[ast::LabelExpression]| {
            parts.iter().map(|one| self.labels(one, of_node)).collect::<Result<Vec<_>>>()
        };
        Ok(match &labels.kind {
            LabelExpressionKind::Name(name) => {
                let text = &name.kind.text;
                let (label, one_type) = (self.graph.label(text), self.graph.type_id(text));
                if self.graph.fixed_vocabulary()
                    && (if of_node { label.is_none() } else { label.or(one_type).is_none() })
                {
                    let names = self.graph.names();
                    return Err(self.unknown(
                        ErrorCode::UnknownTable,
                        "label",
                        text,
                        &names.labels,
                        At(name.span.start),
                    ));
                }
                Labels::Label(label, one_type)
            }
            LabelExpressionKind::Wildcard => Labels::Any,
            LabelExpressionKind::Not(one) => Labels::Not(Box::new(self.labels(one, of_node)?)),
            LabelExpressionKind::And(parts) => Labels::And(all(parts)?),
            LabelExpressionKind::Or(parts) => Labels::Or(all(parts)?),
            LabelExpressionKind::Parenthesized(one) => self.labels(one, of_node)?,
            _ => return Err(self.text.unsupported("This label", At(labels.span.start))),
        })
    }

    /// The types that a relationship may have, as bits, and whether the graph has none of them.
    fn types(&self, labels: &ast::LabelExpression) -> Result<(Edges, bool)> {
        let bits = self.type_bits(labels)?;
        Ok((Edges::of_types(bits), bits == 0))
    }

    fn type_bits(&self, labels: &ast::LabelExpression) -> Result<u64> {
        Ok(match &labels.kind {
            LabelExpressionKind::Name(name) => match self.graph.type_id(&name.kind.text) {
                Some(id) => 1 << id,
                None if self.graph.fixed_vocabulary() => {
                    let types = self.graph.names().types;
                    let (text, at) = (&name.kind.text, At(name.span.start));
                    return Err(self.unknown(ErrorCode::UnknownTable, "relationship type", text, &types, at));
                }
                None => 0,
            },
            LabelExpressionKind::Wildcard => u64::MAX,
            LabelExpressionKind::Not(one) => !self.type_bits(one)?,
            LabelExpressionKind::And(parts) => parts
                .iter()
                .try_fold(u64::MAX, |bits, one| Ok::<_, quarry_types::Error>(bits & self.type_bits(one)?))?,
            LabelExpressionKind::Or(parts) => {
                parts.iter().try_fold(0, |bits, one| Ok::<_, quarry_types::Error>(bits | self.type_bits(one)?))?
            }
            LabelExpressionKind::Parenthesized(one) => self.type_bits(one)?,
            _ => return Err(self.text.unsupported("This type", At(labels.span.start))),
        })
    }

    /// In a graph with a fixed vocabulary, a property that no node has is an error.
    pub fn known_property(&self, name: &str, at: At) -> Result<()> {
        if !self.graph.fixed_vocabulary() {
            return Ok(());
        }
        let properties = self.graph.names().properties;
        if properties.iter().any(|known| known == name) {
            return Ok(());
        }
        Err(self.unknown(ErrorCode::UnknownColumn, "property", name, &properties, at))
    }

    pub fn unknown(&self, code: ErrorCode, what: &str, name: &str, known: &[String], at: At) -> quarry_types::Error {
        let mut message = format!("There is no {what} {name}.");
        match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => message.push_str(&format!(" Did you mean {near}?")),
            None if known.len() <= 20 => message.push_str(&format!(" Available: {}.", known.join(", "))),
            None => {}
        }
        self.text.error(code, message, at)
    }
}
