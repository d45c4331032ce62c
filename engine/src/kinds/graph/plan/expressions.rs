//! Expressions: names become slots, parameters values, functions what they call.

use std::sync::Arc;

use open_cypher::ast::{
    self, BinaryOperator, ExprKind, IsPredicate, MapProjectionItemKind, QuantifiedPredicateKind,
    SubqueryExpressionKind, UnaryOperator,
};

use super::clauses::{Place, Planner};
use super::matching::ends_suffice;
use super::scope::{Scope, VariableKind};
use super::{Aggregate, At, Comparison, Expr, Kind, MapItem, Quantifier, Subquery, TextTest};
use crate::error::{ErrorCode, Result};
use crate::kinds::graph::value::{Arithmetic, Value, whole};

/// Where aggregates of an expression are gathered; `None` where none may stand.
pub(super) type Aggregates<'a> = Option<&'a mut Vec<Aggregate>>;

impl Planner<'_> {
    /// An expression without aggregates.
    pub fn expression(&self, expression: &ast::Expr, scope: &Scope) -> Result<Expr> {
        self.lower(expression, scope, None)
    }

    pub fn lower(&self, expression: &ast::Expr, scope: &Scope, aggregates: Aggregates) -> Result<Expr> {
        let at = At(expression.span.start);
        Ok(Expr { kind: self.kind(expression, scope, aggregates, at)?, at })
    }

    fn kind(&self, expression: &ast::Expr, scope: &Scope, mut aggregates: Aggregates, at: At) -> Result<Kind> {
        let mut boxed =
            |one: &ast::Expr| Ok::<_, crate::Error>(Box::new(self.lower(one, scope, aggregates.as_deref_mut())?));
        Ok(match &expression.kind {
            ExprKind::Parenthesized(inner) => return self.kind(inner, scope, aggregates, at),
            ExprKind::Literal(literal) => Kind::Constant(self.literal(literal, false)?),
            ExprKind::Variable(name) => Kind::Slot(self.placed(scope.get(&name.kind.text), at)?.slot),
            ExprKind::Parameter(parameter) => Kind::Constant(self.parameter(parameter, at)?),
            ExprKind::List(items) => Kind::List(items.iter().map(|item| Ok(*boxed(item)?)).collect::<Result<_>>()?),
            ExprKind::Map(entries) => {
                let entry =
                    |entry: &ast::MapEntry| Ok((Arc::from(entry.key.kind.text.as_str()), *boxed(&entry.value)?));
                Kind::Map(entries.iter().map(entry).collect::<Result<_>>()?)
            }
            ExprKind::MapProjection(projection) => {
                let base = boxed(&projection.base)?;
                let mut items = Vec::new();
                for item in &projection.items {
                    items.push(match &item.kind {
                        MapProjectionItemKind::AllProperties => MapItem::All,
                        MapProjectionItemKind::Property(name) => {
                            self.property_of(&projection.base, name, scope)?;
                            MapItem::Property(Arc::from(name.kind.text.as_str()))
                        }
                        MapProjectionItemKind::Variable(name) => {
                            let slot = self.placed(scope.get(&name.kind.text), At(name.span.start))?.slot;
                            let value = Expr { kind: Kind::Slot(slot), at };
                            MapItem::Entry(Arc::from(name.kind.text.as_str()), value)
                        }
                        MapProjectionItemKind::Entry(entry) => {
                            MapItem::Entry(Arc::from(entry.key.kind.text.as_str()), *boxed(&entry.value)?)
                        }
                        _ => return Err(self.unsupported("This item", At(item.span.start))),
                    });
                }
                Kind::MapProjection { base, items }
            }
            ExprKind::Unary { operator, operand } => match (operator.kind, &operand.kind) {
                (UnaryOperator::Not, _) => Kind::Not(boxed(operand)?),
                // The least integer has no positive counterpart: sign and digits are read together.
                (UnaryOperator::Minus, ExprKind::Literal(literal)) => Kind::Constant(self.literal(literal, true)?),
                (UnaryOperator::Minus, _) => Kind::Negate(boxed(operand)?),
                (_, _) => return self.kind(operand, scope, aggregates, at),
            },
            ExprKind::Binary { left, operator, right } => {
                if let Some(chain) = comparison(operator.kind) {
                    return self.comparisons(left, chain, right, scope, aggregates);
                }
                let (a, b) = (boxed(left)?, boxed(right)?);
                match operator.kind {
                    BinaryOperator::Or => Kind::Or(a, b),
                    BinaryOperator::Xor => Kind::Xor(a, b),
                    BinaryOperator::And => Kind::And(a, b),
                    BinaryOperator::RegexMatch => Kind::TextTest(TextTest::Matches, a, b),
                    BinaryOperator::In => Kind::In(a, b),
                    BinaryOperator::StartsWith => Kind::TextTest(TextTest::StartsWith, a, b),
                    BinaryOperator::EndsWith => Kind::TextTest(TextTest::EndsWith, a, b),
                    BinaryOperator::Contains => Kind::TextTest(TextTest::Contains, a, b),
                    BinaryOperator::Add => Kind::Arithmetic(Arithmetic::Add, a, b),
                    BinaryOperator::Subtract => Kind::Arithmetic(Arithmetic::Subtract, a, b),
                    BinaryOperator::Multiply => Kind::Arithmetic(Arithmetic::Multiply, a, b),
                    BinaryOperator::Divide => Kind::Arithmetic(Arithmetic::Divide, a, b),
                    BinaryOperator::Remainder => Kind::Arithmetic(Arithmetic::Remainder, a, b),
                    BinaryOperator::Power => Kind::Power(a, b),
                    BinaryOperator::Concat => Kind::Concat(a, b),
                    _ => return Err(self.unsupported("This operator", At(operator.span.start))),
                }
            }
            ExprKind::Is { expression, negated, predicate } => {
                let of = boxed(expression)?;
                match predicate {
                    IsPredicate::Null => Kind::IsNull(of, *negated),
                    IsPredicate::Label(labels) => {
                        let test = Kind::HasLabels(of, self.labels(labels, false)?);
                        if *negated { Kind::Not(Box::new(Expr { kind: test, at })) } else { test }
                    }
                    _ => return Err(self.unsupported("This test", at)),
                }
            }
            ExprKind::Property { expression, key } => {
                self.property_of(expression, key, scope)?;
                Kind::Property(boxed(expression)?, Arc::from(key.kind.text.as_str()))
            }
            ExprKind::DynamicProperty { expression, key } => Kind::Index(boxed(expression)?, boxed(key)?),
            ExprKind::Index { expression, index } => Kind::Index(boxed(expression)?, boxed(index)?),
            ExprKind::Slice { expression, lower, upper } => {
                let list = boxed(expression)?;
                let lower = lower.as_deref().map(&mut boxed).transpose()?;
                Kind::Slice(list, lower, upper.as_deref().map(&mut boxed).transpose()?)
            }
            ExprKind::Function(call) => return self.function(call, scope, aggregates, at),
            ExprKind::Case(case) => {
                let operand = case.operand.as_deref().map(&mut boxed).transpose()?;
                let mut arms = Vec::new();
                for arm in &case.alternatives {
                    let tests = arm.when.iter().map(|one| Ok(*boxed(one)?)).collect::<Result<Vec<_>>>()?;
                    arms.push((tests, *boxed(&arm.then)?));
                }
                Kind::Case { operand, arms, otherwise: case.else_expression.as_deref().map(&mut boxed).transpose()? }
            }
            ExprKind::ListComprehension(one) => {
                let list = boxed(&one.list)?;
                let mut inner = scope.clone();
                let slot = inner.add(&one.variable.kind.text, VariableKind::Value);
                let mut within = |one: &ast::Expr| {
                    Ok::<_, crate::Error>(Box::new(self.lower(one, &inner, aggregates.as_deref_mut())?))
                };
                let filter = one.predicate.as_deref().map(&mut within).transpose()?;
                Kind::Comprehension { list, slot, filter, item: one.projection.as_deref().map(within).transpose()? }
            }
            ExprKind::QuantifiedPredicate(one) => {
                let list = boxed(&one.list)?;
                let mut inner = scope.clone();
                let slot = inner.add(&one.variable.kind.text, VariableKind::Value);
                let predicate = Box::new(self.lower(&one.predicate, &inner, aggregates)?);
                let kind = match one.kind.kind {
                    QuantifiedPredicateKind::Any => Quantifier::Any,
                    QuantifiedPredicateKind::None => Quantifier::None,
                    QuantifiedPredicateKind::Single => Quantifier::Single,
                    _ => Quantifier::All,
                };
                Kind::Quantifier { kind, list, slot, predicate }
            }
            ExprKind::Reduce(one) => {
                let (initial, list) = (boxed(&one.initial)?, boxed(&one.list)?);
                let mut inner = scope.clone();
                let accumulator = inner.add(&one.accumulator.kind.text, VariableKind::Value);
                let slot = inner.add(&one.variable.kind.text, VariableKind::Value);
                let step = Box::new(self.lower(&one.expression, &inner, aggregates)?);
                Kind::Reduce { accumulator, initial, slot, list, step }
            }
            ExprKind::PatternComprehension(one) => {
                let mut inner = scope.clone();
                // The path gets its name first, so that the predicate and the item see it.
                let mut pattern = one.pattern.parts.clone();
                if let (Some(first), Some(binding)) = (pattern.first_mut(), &one.binding) {
                    first.kind.binding = Some(binding.clone());
                }
                let mut parts = self.parts(&pattern, &mut inner)?;
                if let Some(predicate) = &one.predicate {
                    parts.filters.push(self.expression(predicate, &inner)?);
                }
                let item = Box::new(self.expression(&one.projection, &inner)?);
                Kind::PatternComprehension { steps: self.steps(parts)?, item }
            }
            ExprKind::Pattern(pattern) => {
                let mut inner = scope.clone();
                let parts = self.parts(&pattern.parts, &mut inner)?;
                if let Some(name) = inner.visible().iter().find(|one| scope.find(&one.name).is_none()) {
                    let message =
                        format!("There is no variable {} here; a pattern as a predicate adds none.", name.name);
                    return Err(self.error(ErrorCode::UnknownColumn, message, at));
                }
                let mut steps = self.steps(parts)?;
                ends_suffice(&mut steps);
                Kind::PatternExists(steps)
            }
            ExprKind::Subquery(one) => {
                let kind = match one.kind.kind {
                    SubqueryExpressionKind::Exists => Subquery::Exists,
                    SubqueryExpressionKind::Count => Subquery::Count,
                    _ => Subquery::Collect,
                };
                let place = if kind == Subquery::Collect { Place::Subquery } else { Place::Predicate };
                let query = self.query(&one.query, scope, place)?;
                if kind == Subquery::Collect && query.columns.len() != 1 {
                    return Err(self.invalid("COLLECT { … } returns one column.", at));
                }
                Kind::Subquery(kind, Box::new(query))
            }
            ExprKind::Wildcard | ExprKind::Error(_) => return Err(self.invalid("An expression is expected here.", at)),
            _ => return Err(self.unsupported("This expression", at)),
        })
    }

    /// Refuses a property that what a variable holds can't have.
    fn property_of(&self, of: &ast::Expr, key: &ast::Name, scope: &Scope) -> Result<()> {
        if let ExprKind::Variable(name) = &of.kind
            && let Some(variable) = scope.find(&name.kind.text)
        {
            match variable.kind {
                VariableKind::Node | VariableKind::Relationship => {
                    self.known_property(&key.kind.text, At(key.span.start))?;
                }
                VariableKind::Path | VariableKind::Relationships => {
                    let message = format!("{} is {} and has no properties.", name.kind.text, variable.kind.name());
                    return Err(self.invalid(message, At(of.span.start)));
                }
                VariableKind::Value => {}
            }
        }
        Ok(())
    }

    /// `a < b < c` means `a < b AND b < c`; brackets end a chain.
    fn comparisons(
        &self,
        left: &ast::Expr,
        operator: Comparison,
        right: &ast::Expr,
        scope: &Scope,
        mut aggregates: Aggregates,
    ) -> Result<Kind> {
        let b = Box::new(self.lower(right, scope, aggregates.as_deref_mut())?);
        let a = self.lower(left, scope, aggregates.as_deref_mut())?;
        if let ExprKind::Binary { operator: before, right: middle, .. } = &left.kind
            && comparison(before.kind).is_some()
        {
            let middle = Box::new(self.lower(middle, scope, aggregates)?);
            let at = middle.at;
            let second = Expr { kind: Kind::Compare(operator, middle, b), at };
            return Ok(Kind::And(Box::new(a), Box::new(second)));
        }
        Ok(Kind::Compare(operator, Box::new(a), b))
    }

    fn parameter(&self, parameter: &ast::Parameter, at: At) -> Result<Value> {
        let name = match &parameter.name {
            ast::ParameterName::Named(name) | ast::ParameterName::Positional(name) => name,
            _ => return Err(self.unsupported("This parameter", at)),
        };
        let value = self.parameters.get(name.as_str()).cloned();
        value.ok_or_else(|| self.invalid(format!("There is no value for the parameter ${name}."), at))
    }

    fn literal(&self, literal: &ast::Literal, negative: bool) -> Result<Value> {
        let at = At(literal.span.start);
        let sign = if negative { "-" } else { "" };
        Ok(match &literal.kind {
            ast::LiteralKind::Null => Value::Null,
            ast::LiteralKind::Boolean(_) | ast::LiteralKind::String(_) if negative => {
                return Err(self.invalid("Only a number can have a sign.", at));
            }
            ast::LiteralKind::Boolean(truth) => Value::Bool(*truth),
            ast::LiteralKind::String(text) => Value::text(text.value.as_str()),
            ast::LiteralKind::Integer(integer) => {
                let (skip, radix) = match integer.radix {
                    ast::IntegerRadix::Hexadecimal => (2, 16),
                    ast::IntegerRadix::Octal => (if integer.text[1..].starts_with(['o', 'O']) { 2 } else { 1 }, 8),
                    _ => (0, 10),
                };
                let digits = integer.text[skip..].replace('_', "");
                let message = || format!("{sign}{} does not fit a whole number of 256 bits.", integer.text);
                whole(&digits, radix, negative).ok_or_else(|| self.error(ErrorCode::Arithmetic, message(), at))?
            }
            ast::LiteralKind::Float(float) => {
                let number = format!("{sign}{}", float.text.replace('_', "").trim_end_matches(['f', 'd', 'F', 'D']))
                    .parse::<f64>();
                let number = number.ok().filter(|number| number.is_finite());
                let message = || format!("{sign}{} does not fit a floating-point number.", float.text);
                Value::Float(number.ok_or_else(|| self.error(ErrorCode::Arithmetic, message(), at))?)
            }
            _ => return Err(self.unsupported("This literal", at)),
        })
    }
}

fn comparison(operator: BinaryOperator) -> Option<Comparison> {
    Some(match operator {
        BinaryOperator::Equal => Comparison::Equal,
        BinaryOperator::NotEqual => Comparison::NotEqual,
        BinaryOperator::Less => Comparison::Less,
        BinaryOperator::LessEqual => Comparison::LessEqual,
        BinaryOperator::Greater => Comparison::Greater,
        BinaryOperator::GreaterEqual => Comparison::GreaterEqual,
        _ => return None,
    })
}
