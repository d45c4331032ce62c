//! The value of an expression for one row.

use std::sync::Arc;

use super::operators;
use super::{Machine, Row, get, set};
use crate::functions::Function;
use crate::plan::{At, Expr, Kind, Labels, MapItem, Quantifier, Query, Slot, Subquery, TextTest};
use crate::store::Flow;
use crate::value::{Map, Value, equal, negate};
use quarry_types::{ErrorCode, Result};

/// Most bytes a compiled regular expression may take.
const PATTERN_SIZE: usize = 1 << 20;

impl Machine<'_> {
    pub fn evaluate(&self, expression: &Expr, row: &mut Row) -> Result<Value> {
        let at = expression.at;
        Ok(match &expression.kind {
            Kind::Constant(value) => value.clone(),
            Kind::Slot(slot) => get(row, *slot).clone(),
            // The planner gave every aggregate a slot.
            Kind::Aggregate(_) => {
                return Err(self.error(ErrorCode::InvalidQuery, "An aggregate can't stand here.", at));
            }
            Kind::List(items) => {
                let items = items.iter().map(|item| self.evaluate(item, row)).collect::<Result<_>>()?;
                self.affordable(Value::list(items))?
            }
            Kind::Map(entries) => {
                let entry = |(key, value): &(Arc<str>, Expr)| Ok((key.clone(), self.evaluate(value, row)?));
                self.affordable(Value::map(entries.iter().map(entry).collect::<Result<_>>()?))?
            }
            Kind::MapProjection { base, items } => self.map_projection(base, items, row)?,
            Kind::Property(of, name) => {
                let of = self.evaluate(of, row)?;
                self.placed(operators::property(self.graph(), &of, name), at)?
            }
            Kind::Index(of, index) => {
                let (of, index) = (self.evaluate(of, row)?, self.evaluate(index, row)?);
                self.placed(operators::index(self.graph(), &of, &index), at)?
            }
            Kind::Slice(list, from, to) => {
                let list = self.evaluate(list, row)?;
                let mut bound = |one: &Option<Box<Expr>>| one.as_deref().map(|one| self.evaluate(one, row)).transpose();
                let (from, to) = (bound(from)?, bound(to)?);
                self.placed(operators::slice(&list, from.as_ref(), to.as_ref()), at)?
            }
            Kind::Not(one) => self.truth(one, row)?.map(|truth| !truth).into(),
            Kind::Negate(one) => match self.evaluate(one, row)? {
                Value::Null => Value::Null,
                value => self.placed(negate(&value).unwrap_or_else(|| Err(operators::mismatch("-", &value))), at)?,
            },
            Kind::And(a, b) => match self.truth(a, row)? {
                Some(false) => Value::Bool(false),
                a => match (a, self.truth(b, row)?) {
                    (_, Some(false)) => Value::Bool(false),
                    (Some(_), Some(_)) => Value::Bool(true),
                    _ => Value::Null,
                },
            },
            Kind::Or(a, b) => match self.truth(a, row)? {
                Some(true) => Value::Bool(true),
                a => match (a, self.truth(b, row)?) {
                    (_, Some(true)) => Value::Bool(true),
                    (Some(_), Some(_)) => Value::Bool(false),
                    _ => Value::Null,
                },
            },
            Kind::Xor(a, b) => match (self.truth(a, row)?, self.truth(b, row)?) {
                (Some(a), Some(b)) => Value::Bool(a != b),
                _ => Value::Null,
            },
            Kind::Arithmetic(operation, a, b) => {
                let (a, b) = (self.evaluate(a, row)?, self.evaluate(b, row)?);
                self.affordable(self.placed(operators::calculate(*operation, &a, &b), at)?)?
            }
            Kind::Power(a, b) => {
                let (a, b) = (self.evaluate(a, row)?, self.evaluate(b, row)?);
                self.placed(operators::power(&a, &b), at)?
            }
            Kind::Concat(a, b) => {
                let (a, b) = (self.evaluate(a, row)?, self.evaluate(b, row)?);
                self.affordable(self.placed(operators::concat(&a, &b), at)?)?
            }
            Kind::Compare(comparison, a, b) => {
                let (a, b) = (self.evaluate(a, row)?, self.evaluate(b, row)?);
                operators::compare(*comparison, &a, &b).into()
            }
            Kind::In(one, list) => {
                let (one, list) = (self.evaluate(one, row)?, self.evaluate(list, row)?);
                self.placed(operators::is_in(&one, &list), at)?
            }
            Kind::TextTest(test, a, b) => {
                let (a, b) = (self.evaluate(a, row)?, self.evaluate(b, row)?);
                match (&a, &b) {
                    (Value::Text(a), Value::Text(b)) => Value::Bool(self.test_text(*test, a, b, at)?),
                    _ => Value::Null,
                }
            }
            Kind::IsNull(one, negated) => Value::Bool(self.evaluate(one, row)?.is_null() != *negated),
            Kind::HasLabels(of, labels) => match self.evaluate(of, row)? {
                Value::Null => Value::Null,
                of @ (Value::Node(_) | Value::Relationship(_)) => Value::Bool(self.has_labels(&of, labels)),
                other => {
                    let message = format!("A value of type {} has no labels.", other.type_name());
                    return Err(self.error(ErrorCode::InvalidQuery, message, at));
                }
            },
            Kind::Call(function, arguments) => self.call(function, arguments, row, at)?,
            Kind::Case { operand, arms, otherwise } => {
                let operand = operand.as_deref().map(|one| self.evaluate(one, row)).transpose()?;
                for (tests, then) in arms {
                    for test in tests {
                        let holds = match &operand {
                            Some(operand) => equal(operand, &self.evaluate(test, row)?),
                            None => self.truth(test, row)?,
                        };
                        if holds == Some(true) {
                            return self.evaluate(then, row);
                        }
                    }
                }
                otherwise.as_deref().map_or(Ok(Value::Null), |one| self.evaluate(one, row))?
            }
            Kind::Comprehension { list, slot, filter, item } => {
                let Some(items) = self.items(list, row)? else { return Ok(Value::Null) };
                let mut kept = Vec::new();
                for value in items.iter() {
                    self.budget.step()?;
                    set(row, *slot, value.clone());
                    if filter.as_deref().map_or(Ok(Some(true)), |filter| self.truth(filter, row))? == Some(true) {
                        kept.push(item.as_deref().map_or_else(|| Ok(value.clone()), |item| self.evaluate(item, row))?);
                    }
                }
                Value::list(kept)
            }
            Kind::Quantifier { kind, list, slot, predicate } => self.quantifier(*kind, list, *slot, predicate, row)?,
            Kind::Reduce { accumulator, initial, slot, list, step } => {
                let Some(items) = self.items(list, row)? else { return Ok(Value::Null) };
                let mut value = self.evaluate(initial, row)?;
                for item in items.iter() {
                    self.budget.step()?;
                    set(row, *accumulator, value);
                    set(row, *slot, item.clone());
                    value = self.evaluate(step, row)?;
                }
                value
            }
            Kind::PatternComprehension { steps, item } => {
                let mut items = Vec::new();
                let _ = self.walk(steps, row, &mut |row| {
                    let value = self.evaluate(item, row)?;
                    self.budget.hold(size_of::<Value>() + value.size())?;
                    items.push(value);
                    Ok(Flow::Continue(()))
                })?;
                Value::list(items)
            }
            Kind::PatternExists(steps) => Value::Bool(self.walk(steps, row, &mut |_| Ok(Flow::Break(())))?.is_break()),
            Kind::PatternPaths { steps, path, all } => {
                let mut paths = Vec::new();
                let _ = self.walk(steps, row, &mut |row| {
                    paths.push(get(row, *path).clone());
                    Ok(if *all { Flow::Continue(()) } else { Flow::Break(()) })
                })?;
                if *all { Value::list(paths) } else { paths.pop().unwrap_or(Value::Null) }
            }
            Kind::Subquery(kind, query) => self.subquery(*kind, query, row)?,
        })
    }

    /// A value that was just made, unless there is no memory for one of its size.
    fn affordable(&self, value: Value) -> Result<Value> {
        if matches!(value, Value::List(_) | Value::Map(_) | Value::Text(_)) {
            let held = self.budget.held();
            self.budget.hold(value.size())?;
            self.budget.release_to(held);
        }
        Ok(value)
    }

    /// A condition: true, false or unknown.
    pub fn truth(&self, condition: &Expr, row: &mut Row) -> Result<Option<bool>> {
        match self.evaluate(condition, row)? {
            Value::Bool(truth) => Ok(Some(truth)),
            Value::Null => Ok(None),
            other => {
                let message = format!("A condition is true or false, not a value of type {}.", other.type_name());
                Err(self.error(ErrorCode::InvalidQuery, message, condition.at))
            }
        }
    }

    /// The items of a list expression; `None` when it is null.
    fn items(&self, list: &Expr, row: &mut Row) -> Result<Option<Arc<Vec<Value>>>> {
        match self.evaluate(list, row)? {
            Value::Null => Ok(None),
            Value::List(items) => Ok(Some(items)),
            other => {
                let message = format!("A list is expected here, not a value of type {}.", other.type_name());
                Err(self.error(ErrorCode::InvalidQuery, message, list.at))
            }
        }
    }

    fn call(&self, function: &Function, arguments: &[Expr], row: &mut Row, at: At) -> Result<Value> {
        let values = arguments.iter().map(|one| self.evaluate(one, row)).collect::<Result<Vec<_>>>()?;
        if !function.sees_null && values.iter().any(Value::is_null) {
            return Ok(Value::Null);
        }
        self.affordable(self.placed((function.call)(&self.context, &values), at)?)
    }

    fn map_projection(&self, base: &Expr, items: &[MapItem], row: &mut Row) -> Result<Value> {
        let of = self.evaluate(base, row)?;
        if of.is_null() {
            return Ok(Value::Null);
        }
        let mut map = Map::new();
        for item in items {
            match item {
                MapItem::All => map.extend(self.placed(operators::all_properties(self.graph(), &of), base.at)?),
                MapItem::Property(name) => {
                    let value = self.placed(operators::property(self.graph(), &of, name), base.at)?;
                    map.insert(name.clone(), value);
                }
                MapItem::Entry(name, value) => {
                    map.insert(name.clone(), self.evaluate(value, row)?);
                }
            }
        }
        Ok(Value::map(map))
    }

    fn quantifier(&self, kind: Quantifier, list: &Expr, slot: Slot, predicate: &Expr, row: &mut Row) -> Result<Value> {
        let Some(items) = self.items(list, row)? else { return Ok(Value::Null) };
        let (mut holds, mut fails, mut unknown) = (0_usize, 0_usize, 0_usize);
        for item in items.iter() {
            self.budget.step()?;
            set(row, slot, item.clone());
            match self.truth(predicate, row)? {
                Some(true) => holds += 1,
                Some(false) => fails += 1,
                None => unknown += 1,
            }
        }
        let truth = match kind {
            Quantifier::All if fails > 0 => Some(false),
            Quantifier::Any if holds > 0 => Some(true),
            Quantifier::None if holds > 0 => Some(false),
            Quantifier::Single if holds > 1 => Some(false),
            _ if unknown > 0 => None,
            Quantifier::All | Quantifier::None => Some(true),
            Quantifier::Any => Some(false),
            Quantifier::Single => Some(holds == 1),
        };
        Ok(truth.into())
    }

    fn subquery(&self, kind: Subquery, query: &Query, row: &Row) -> Result<Value> {
        let mut count = 0;
        let mut items = Vec::new();
        let _ = self.query(query, row, &mut |answer| {
            count += 1;
            if kind == Subquery::Collect {
                let value = answer.first().cloned().unwrap_or(Value::Null);
                self.budget.hold(size_of::<Value>() + value.size())?;
                items.push(value);
            }
            Ok(if kind == Subquery::Exists { Flow::Break(()) } else { Flow::Continue(()) })
        })?;
        Ok(match kind {
            Subquery::Exists => Value::Bool(count > 0),
            Subquery::Count => Value::Int(count),
            Subquery::Collect => Value::list(items),
        })
    }

    fn has_labels(&self, of: &Value, labels: &Labels) -> bool {
        match labels {
            Labels::Label(label, type_id) => match of {
                Value::Node(node) => label.is_some_and(|label| self.graph().has_label(*node, label)),
                Value::Relationship(one) => *type_id == Some(self.graph().type_of(*one)),
                _ => false,
            },
            Labels::Any => match of {
                Value::Node(node) => !self.graph().labels_of(*node).is_empty(),
                _ => true,
            },
            Labels::Not(one) => !self.has_labels(of, one),
            Labels::And(parts) => parts.iter().all(|one| self.has_labels(of, one)),
            Labels::Or(parts) => parts.iter().any(|one| self.has_labels(of, one)),
        }
    }

    fn test_text(&self, test: TextTest, text: &str, with: &Arc<str>, at: At) -> Result<bool> {
        Ok(match test {
            TextTest::StartsWith => text.starts_with(&**with),
            TextTest::EndsWith => text.ends_with(&**with),
            TextTest::Contains => text.contains(&**with),
            TextTest::Matches => {
                let mut patterns = self.patterns.borrow_mut();
                if !patterns.contains_key(with) {
                    let whole = format!("^(?:{with})$");
                    let built = regex::RegexBuilder::new(&whole).size_limit(PATTERN_SIZE).build().map_err(|_| {
                        self.error(ErrorCode::InvalidQuery, format!("{with} is not a regular expression."), at)
                    })?;
                    patterns.insert(with.clone(), built);
                }
                patterns.get(with).is_some_and(|pattern| pattern.is_match(text))
            }
        })
    }
}
