//! WITH and RETURN: items, grouping, DISTINCT, ORDER BY, SKIP, LIMIT, and the variables that remain.

use open_cypher::ast::{self, ProjectionItemKind, SetQuantifier, SortDirection};

use super::analyzer::Analyzer;
use super::scope::Scope;
use crate::logical_plan::{
    Aggregate, BinaryOperator, Expr, Group, Kind, Projection, Slot, SortKey, find, free_slots, has_aggregate, replace,
};
use crate::query_text::At;
use crate::values::{Value, ValueType};
use quarry_types::Result;

/// A projection, and what comes after it.
pub(super) struct Projected {
    pub projection: Projection,
    pub scope: Scope,
    pub columns: Vec<String>,
}

struct Item {
    name: String,
    expression: Expr,
    at: At,
}

/// What ORDER BY, WHERE and grouped items may read instead of the old values.
struct OutputScope<'a> {
    items: &'a [Expr],
    first: Slot,
    group: Option<&'a Group>,
    distinct: bool,
    scope: &'a Scope,
}

impl Analyzer<'_> {
    pub fn projection(
        &self,
        scope: &Scope,
        clause: &ast::ProjectionClause,
        is_return: bool,
        filter: Option<&ast::Expr>,
    ) -> Result<Projected> {
        let mut aggregates = Vec::new();
        let items = self.items(scope, clause, is_return, &mut aggregates)?;
        let distinct = clause.quantifier.as_ref().is_some_and(|one| one.kind == SetQuantifier::Distinct);
        let first_key = scope.free();
        let keys: Vec<Expr> =
            items.iter().filter(|item| !has_aggregate(&item.expression)).map(|item| item.expression.clone()).collect();
        let grouped = items.iter().any(|item| has_aggregate(&item.expression));
        let key_slots = if grouped { keys.len() } else { 0 };
        (0..key_slots + items.len()).for_each(|_| {
            scope.unnamed();
        });
        let first = first_key + key_slots;

        let mut named = scope.clone();
        for (index, item) in items.iter().enumerate() {
            named.bind(&item.name, first + index, item.expression.value_type);
        }
        let mut order = Vec::new();
        for one in clause.order_by.iter().flat_map(|order| &order.items) {
            let expression = self.lower(&one.expression, &named, if grouped { Some(&mut aggregates) } else { None })?;
            order.push(SortKey {
                expression,
                descending: one.direction.as_ref().is_some_and(|one| one.kind == SortDirection::Descending),
                nulls_first: one.nulls.as_ref().map(|nulls| nulls.kind == ast::NullOrder::First),
            });
        }
        let filter = filter.map(|filter| self.condition(filter, &named)).transpose()?;

        let originals: Vec<Expr> = items.iter().map(|item| item.expression.clone()).collect();
        let first_aggregate = scope.free();
        aggregates.iter().for_each(|_: &Aggregate| {
            scope.unnamed();
        });
        let group = grouped.then_some(Group { keys, first_key, aggregates, first_aggregate });
        let after = OutputScope { items: &originals, first, group: group.as_ref(), distinct, scope };
        let order = order
            .into_iter()
            .map(|key| Ok(SortKey { expression: self.read_output(key.expression, &after)?, ..key }))
            .collect::<Result<Vec<_>>>()?;
        let filter = filter.map(|filter| self.read_output(filter, &after)).transpose()?;
        let within = OutputScope { items: &[], ..after };
        let mut planned = Vec::new();
        for item in &items {
            planned.push(if grouped {
                self.read_output(item.expression.clone(), &within)?
            } else {
                item.expression.clone()
            });
        }
        let skip = clause.skip.as_ref().or(clause.offset.as_ref());
        let skip = skip.map(|one| self.count("SKIP", one, scope)).transpose()?;
        let limit = clause.limit.as_ref().map(|one| self.count("LIMIT", one, scope)).transpose()?;
        let columns = items.iter().map(|item| item.name.clone()).collect();
        let next = Scope::new(items.into_iter().map(|item| (item.name, item.expression.value_type)));
        let projection = Projection { group, items: planned, first, distinct, order, skip, limit, filter };
        Ok(Projected { projection, scope: next, columns })
    }

    /// The row count of SKIP or LIMIT, which is the same for the whole query.
    fn count(&self, word: &str, count: &ast::Expr, scope: &Scope) -> Result<Expr> {
        let count = self.expression(count, scope)?;
        if !free_slots(&count).is_empty() {
            let message = format!("{word} expects a constant number and can't use variables.");
            return Err(self.text.invalid(message, count.at));
        }
        let negative = matches!(count.kind, Kind::Constant(Value::Int(number)) if number < 0);
        if negative || !count.value_type.may_be(&[ValueType::Integer]) {
            return Err(self.text.invalid(format!("{word} expects a non-negative integer."), count.at));
        }
        Ok(count)
    }

    /// All variables as they are: what a procedure that is called alone returns.
    pub fn everything(&self, scope: &Scope) -> (Projection, Vec<String>) {
        let mut variables = scope.visible();
        variables.sort_by_key(|variable| variable.slot);
        let first = scope.free();
        let items = variables.iter().map(|one| one.expr(At(0))).collect();
        let projection = Projection {
            group: None,
            items,
            first,
            distinct: false,
            order: Vec::new(),
            skip: None,
            limit: None,
            filter: None,
        };
        (projection, variables.into_iter().map(|one| one.name).collect())
    }

    fn items(
        &self,
        scope: &Scope,
        clause: &ast::ProjectionClause,
        is_return: bool,
        aggregates: &mut Vec<Aggregate>,
    ) -> Result<Vec<Item>> {
        let mut items: Vec<Item> = Vec::new();
        for item in &clause.items {
            let at = At(item.span.start);
            match &item.kind {
                ProjectionItemKind::Wildcard => {
                    let visible = scope.visible();
                    if visible.is_empty() && is_return {
                        return Err(self
                            .text
                            .invalid("* is not allowed here, as there are no variables in scope.", at));
                    }
                    for variable in visible {
                        let expression = variable.expr(at);
                        items.push(Item { name: variable.name, expression, at });
                    }
                }
                ProjectionItemKind::Expression { expression, alias } => {
                    let lowered = self.lower(expression, scope, Some(aggregates))?;
                    let variable = match &expression.kind {
                        ast::ExprKind::Variable(name) => scope.find(&name.kind.text),
                        _ => None,
                    };
                    let name = match (alias, variable) {
                        (Some(alias), _) => alias.kind.text.clone(),
                        (None, Some(variable)) => variable.name.clone(),
                        (None, None) if is_return => {
                            expression.span.text(self.text.0).unwrap_or_default().trim().to_string()
                        }
                        (None, None) => {
                            return Err(self
                                .text
                                .invalid("An expression in WITH needs an alias: write … AS name.", at));
                        }
                    };
                    items.push(Item { name, expression: lowered, at });
                }
                _ => return Err(self.text.unsupported("This column", at)),
            }
        }
        for (index, item) in items.iter().enumerate() {
            if items[..index].iter().any(|before| before.name == item.name) {
                return Err(self.text.invalid(format!("Two columns are named {}.", item.name), item.at));
            }
        }
        Ok(items)
    }

    /// Rewrites an expression so that it reads items, keys and aggregates; refuses one that reads a variable which grouping removes.
    fn read_output(&self, expression: Expr, output: &OutputScope) -> Result<Expr> {
        let OutputScope { items, first, group, distinct, scope } = output;
        let at = expression.at;
        // Next to an aggregate, openCypher allows only grouping keys that are variables or properties of variables.
        let mixed = has_aggregate(&expression);
        let is_part = |of: &Expr| !mixed || is_property_path(of) || has_aggregate(of);
        let expression = replace(expression, &mut |one| {
            if let Some(index) = items.iter().position(|item| item == one && is_part(item)) {
                return Some(Kind::Slot(first + index));
            }
            let group = group.as_ref()?;
            if let Kind::Aggregate(index) = one.kind {
                return Some(Kind::Slot(group.first_aggregate + index));
            }
            let key = group.keys.iter().position(|key| key == one && is_part(key));
            key.map(|index| Kind::Slot(group.first_key + index))
        });
        if group.is_some() || *distinct {
            let kept = |slot: Slot| {
                group.is_some_and(|group| group.keys.iter().any(|key| key.kind == Kind::Slot(slot)))
                    || group.is_none() && items.is_empty()
            };
            let lost = free_slots(&expression)
                .into_iter()
                .find(|slot| scope.visible().iter().any(|variable| variable.slot == *slot) && !kept(*slot));
            if let Some(slot) = lost {
                let name = scope.visible().into_iter().find(|one| one.slot == slot).map(|one| one.name);
                let name = name.unwrap_or_default();
                let message = format!(
                    "{name} is neither a grouping key nor aggregated here; make it a separate column, or aggregate it."
                );
                let place = find(&expression, |one| (one.kind == Kind::Slot(slot)).then_some(one.at));
                return Err(self.text.invalid(message, place.unwrap_or(at)));
            }
        }
        Ok(expression)
    }
}

/// Whether it is a variable, or a property or a constant index of one.
fn is_property_path(expression: &Expr) -> bool {
    match &expression.kind {
        Kind::Slot(_) => true,
        Kind::Property(of, _) => is_property_path(of),
        Kind::Binary(BinaryOperator::Index, of, place) => {
            is_property_path(of) && matches!(place.kind, Kind::Constant(_))
        }
        _ => false,
    }
}
