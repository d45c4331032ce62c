//! The value of an expression for one row.

use std::sync::Arc;

use super::operators;
use crate::executor::{Executor, Row, get, set};
use crate::functions::{Arguments, Function};
use crate::graph::Flow;
use crate::logical_plan::{BinaryOperator, Expr, Kind, Labels, MapItem, Quantifier, Query, Slot, Subquery, TextTest};
use crate::query_text::At;
use crate::values::{Map, Value, equal, negate};
use quarry_types::Result;

/// Most bytes a compiled regular expression may take.
const PATTERN_SIZE: usize = 1 << 20;

impl Executor<'_> {
    pub fn evaluate(&self, expression: &Expr, row: &mut Row) -> Result<Value> {
        let at = expression.at;
        Ok(match &expression.kind {
            Kind::Constant(value) => value.clone(),
            Kind::Slot(slot) => get(row, *slot).clone(),
            // The planner gave every aggregate a slot.
            Kind::Aggregate(_) => {
                return Err(self.text.invalid("Aggregate functions are not allowed here.", at));
            }
            Kind::List(items) => {
                let items = items.iter().map(|item| self.evaluate(item, row)).collect::<Result<_>>()?;
                self.check_memory(Value::list(items))?
            }
            Kind::Map(entries) => {
                let entry = |(key, value): &(Arc<str>, Expr)| Ok((key.clone(), self.evaluate(value, row)?));
                self.check_memory(Value::map(entries.iter().map(entry).collect::<Result<_>>()?))?
            }
            Kind::MapProjection { base, items } => self.map_projection(base, items, row)?,
            Kind::Property(of, name) => {
                let of = self.evaluate(of, row)?;
                self.text.locate(operators::property(self.graph(), &of, name), at)?
            }
            Kind::Slice(list, from, to) => {
                let list = self.evaluate(list, row)?;
                let mut bound = |one: &Option<Box<Expr>>| one.as_deref().map(|one| self.evaluate(one, row)).transpose();
                let (from, to) = (bound(from)?, bound(to)?);
                self.text.locate(operators::slice(&list, from.as_ref(), to.as_ref()), at)?
            }
            Kind::Not(one) => self.truth(one, row)?.map(|truth| !truth).into(),
            Kind::Negate(one) => match self.evaluate(one, row)? {
                Value::Null => Value::Null,
                value => {
                    self.text.locate(negate(&value).unwrap_or_else(|| Err(operators::mismatch("-", &value))), at)?
                }
            },
            Kind::Binary(operator, a, b) => self.binary(*operator, a, b, row, at)?,
            Kind::IsNull(one, negated) => Value::Bool(self.evaluate(one, row)?.is_null() != *negated),
            Kind::HasLabels(of, labels) => match self.evaluate(of, row)? {
                Value::Null => Value::Null,
                of @ (Value::Node(_) | Value::Relationship(_)) => Value::Bool(self.has_labels(&of, labels)),
                other => {
                    let message = format!("A value of type {} has no labels.", other.type_name());
                    return Err(self.text.invalid(message, at));
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
                let _ = self.match_steps(steps, row, &mut |row| {
                    let value = self.evaluate(item, row)?;
                    self.budget.hold(size_of::<Value>() + value.size())?;
                    items.push(value);
                    Ok(Flow::Continue(()))
                })?;
                Value::list(items)
            }
            Kind::PatternExists(steps) => {
                Value::Bool(self.match_steps(steps, row, &mut |_| Ok(Flow::Break(())))?.is_break())
            }
            Kind::PatternPaths { steps, path, all } => {
                let mut paths = Vec::new();
                let _ = self.match_steps(steps, row, &mut |row| {
                    paths.push(get(row, *path).clone());
                    Ok(if *all { Flow::Continue(()) } else { Flow::Break(()) })
                })?;
                if *all { Value::list(paths) } else { paths.pop().unwrap_or(Value::Null) }
            }
            Kind::Subquery(kind, query) => self.subquery(*kind, query, row)?,
        })
    }

    fn binary(&self, operator: BinaryOperator, a: &Expr, b: &Expr, row: &mut Row, at: At) -> Result<Value> {
        if let BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor = operator {
            // The value that decides: `false AND …`, `true OR …`.
            let decides = match operator {
                BinaryOperator::And => Some(false),
                BinaryOperator::Or => Some(true),
                _ => None,
            };
            let a = self.truth(a, row)?;
            if a.is_some() && a == decides {
                return Ok(a.into());
            }
            let b = self.truth(b, row)?;
            let truth = match (a, b, decides) {
                (_, Some(b), Some(decides)) if b == decides => Some(b),
                (Some(a), Some(b), None) => Some(a != b),
                (Some(_), Some(b), _) => Some(b),
                _ => None,
            };
            return Ok(truth.into());
        }
        let (a, b) = (self.evaluate(a, row)?, self.evaluate(b, row)?);
        let value = match operator {
            BinaryOperator::Arithmetic(operation) => operators::calculate(operation, &a, &b),
            BinaryOperator::Concat => operators::concat(&a, &b),
            BinaryOperator::Power => operators::power(&a, &b),
            BinaryOperator::In => operators::is_in(&a, &b),
            BinaryOperator::Index => operators::index(self.graph(), &a, &b),
            BinaryOperator::TextTest(test) => match (&a, &b) {
                (Value::Text(a), Value::Text(b)) => self.test_text(test, a, b, at).map(Value::Bool),
                _ => Ok(Value::Null),
            },
            BinaryOperator::Compare(comparison) => return Ok(operators::compare(comparison, &a, &b).into()),
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => Ok(Value::Null),
        };
        let value = self.text.locate(value, at)?;
        match operator {
            BinaryOperator::Arithmetic(_) | BinaryOperator::Concat => self.check_memory(value),
            _ => Ok(value),
        }
    }

    /// The value, or an error if there is no memory for its size.
    fn check_memory(&self, value: Value) -> Result<Value> {
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
                let message = format!("A condition must be a boolean, not a value of type {}.", other.type_name());
                Err(self.text.invalid(message, condition.at))
            }
        }
    }

    /// The items of a list expression; `None` when it is null.
    fn items(&self, list: &Expr, row: &mut Row) -> Result<Option<Arc<Vec<Value>>>> {
        match self.evaluate(list, row)? {
            Value::Null => Ok(None),
            Value::List(items) => Ok(Some(items)),
            other => {
                let message = format!("Expected a list here, not a value of type {}.", other.type_name());
                Err(self.text.invalid(message, list.at))
            }
        }
    }

    fn call(&self, function: &Function, arguments: &[Expr], row: &mut Row, at: At) -> Result<Value> {
        let values = arguments.iter().map(|one| self.evaluate(one, row)).collect::<Result<Vec<_>>>()?;
        if !function.sees_null && values.iter().any(Value::is_null) {
            return Ok(Value::Null);
        }
        let arguments = Arguments { name: function.name, context: &self.context, values: &values };
        self.check_memory(self.text.locate((function.call)(&arguments), at)?)
    }

    fn map_projection(&self, base: &Expr, items: &[MapItem], row: &mut Row) -> Result<Value> {
        let of = self.evaluate(base, row)?;
        if of.is_null() {
            return Ok(Value::Null);
        }
        let mut map = Map::new();
        for item in items {
            match item {
                MapItem::All => map.extend(self.text.locate(operators::all_properties(self.graph(), &of), base.at)?),
                MapItem::Property(name) => {
                    let value = self.text.locate(operators::property(self.graph(), &of, name), base.at)?;
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
                    let built = regex::RegexBuilder::new(&whole)
                        .size_limit(PATTERN_SIZE)
                        .build()
                        .map_err(|_| self.text.invalid(format!("{with} is not a valid regular expression."), at))?;
                    patterns.insert(with.clone(), built);
                }
                patterns.get(with).is_some_and(|pattern| pattern.is_match(text))
            }
        })
    }
}
