//! Expressions: names become slots, parameters values, functions what they call.

use std::sync::Arc;

use open_cypher::ast::{
    self, BinaryOperator, ExprKind, IsPredicate, MapProjectionItemKind, QuantifiedPredicateKind,
    SubqueryExpressionKind, UnaryOperator,
};

use super::matching::ends_suffice;
use super::planner::{Place, Planner};
use super::scope::Scope;
use super::{Aggregate, At, Comparison, Expr, Kind, MapItem, Quantifier, Subquery, TextTest, ValueType};
use crate::value::{Arithmetic, Value, whole};
use quarry_types::{ErrorCode, Result};

/// Collects the aggregates of an expression; `None` where aggregates are not allowed.
pub(super) type Aggregates<'a> = Option<&'a mut Vec<Aggregate>>;

impl Planner<'_> {
    /// An expression without aggregates.
    pub fn expression(&self, expression: &ast::Expr, scope: &Scope) -> Result<Expr> {
        self.lower(expression, scope, None)
    }

    /// A condition without aggregates.
    pub fn condition(&self, condition: &ast::Expr, scope: &Scope) -> Result<Expr> {
        self.lower_condition(condition, scope, None)
    }

    /// An expression whose integers must fit 64 bits.
    pub fn lower(&self, expression: &ast::Expr, scope: &Scope, aggregates: Aggregates) -> Result<Expr> {
        self.check_size(self.lower_any_size(expression, scope, aggregates)?)
    }

    /// A condition. Only here may a pattern be used as a predicate.
    fn lower_condition(&self, condition: &ast::Expr, scope: &Scope, aggregates: Aggregates) -> Result<Expr> {
        let lowered = match &condition.kind {
            ExprKind::Parenthesized(inner) => return self.lower_condition(inner, scope, aggregates),
            ExprKind::Pattern(pattern) => self.pattern_exists(pattern, scope, At(condition.span.start))?,
            _ => self.lower(condition, scope, aggregates)?,
        };
        self.check_condition(&lowered)?;
        Ok(lowered)
    }

    /// A pattern property or a procedure argument. Its numbers may be amounts beyond 64 bits, also inside lists and maps.
    pub fn with_amounts(&self, expression: &ast::Expr, scope: &Scope) -> Result<Expr> {
        let at = At(expression.span.start);
        match &expression.kind {
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.with_amounts(item, scope)).collect::<Result<_>>()?;
                Ok(Expr::new(Kind::List(items), at))
            }
            ExprKind::Map(entries) => {
                let entry = |entry: &ast::MapEntry| {
                    Ok((Arc::from(entry.key.kind.text.as_str()), self.with_amounts(&entry.value, scope)?))
                };
                Ok(Expr::new(Kind::Map(entries.iter().map(entry).collect::<Result<_>>()?), at))
            }
            _ => self.lower_any_size(expression, scope, None),
        }
    }

    /// An expression whose numbers may exceed 64 bits; the caller decides whether they are allowed.
    fn lower_any_size(&self, expression: &ast::Expr, scope: &Scope, aggregates: Aggregates) -> Result<Expr> {
        let at = At(expression.span.start);
        let lowered = match &expression.kind {
            ExprKind::Parenthesized(inner) => Expr { at, ..self.lower_any_size(inner, scope, aggregates)? },
            ExprKind::Variable(name) => {
                let variable = self.placed(scope.get(&name.kind.text), at)?;
                variable.expr(at)
            }
            ExprKind::Parameter(parameter) => {
                Expr { kind: Kind::Constant(self.parameter(parameter, at)?), at, value_type: ValueType::Any }
            }
            ExprKind::Unary { operator, operand } if operator.kind == UnaryOperator::Plus => {
                Expr { at, ..self.lower_any_size(operand, scope, aggregates)? }
            }
            ExprKind::Function(call) => self.function(call, scope, aggregates, at)?,
            _ => Expr::new(self.kind(expression, scope, aggregates, at)?, at),
        };
        self.check_types(&lowered)?;
        Ok(lowered)
    }

    fn kind(&self, expression: &ast::Expr, scope: &Scope, mut aggregates: Aggregates, at: At) -> Result<Kind> {
        let mut boxed = |one: &ast::Expr| {
            Ok::<_, quarry_types::Error>(Box::new(self.lower(one, scope, aggregates.as_deref_mut())?))
        };
        Ok(match &expression.kind {
            ExprKind::Literal(literal) => Kind::Constant(self.literal(literal, false)?),
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
                            self.check_property(&base, name)?;
                            MapItem::Property(Arc::from(name.kind.text.as_str()))
                        }
                        MapProjectionItemKind::Variable(name) => {
                            let variable = self.placed(scope.get(&name.kind.text), At(name.span.start))?;
                            let value = variable.expr(At(name.span.start));
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
                (UnaryOperator::Not, _) => Kind::Not(Box::new(self.lower_condition(operand, scope, aggregates)?)),
                // The least integer has no positive counterpart: sign and digits are read together.
                (UnaryOperator::Minus, ExprKind::Literal(literal)) => Kind::Constant(self.literal(literal, true)?),
                (UnaryOperator::Minus, _) => Kind::Negate(Box::new(self.lower_any_size(operand, scope, aggregates)?)),
                _ => return Err(self.unsupported("This operator", at)),
            },
            ExprKind::Binary { left, operator, right } => {
                return self.binary(left, operator, right, scope, aggregates);
            }
            ExprKind::Is { expression, negated, predicate } => {
                let of = boxed(expression)?;
                match predicate {
                    IsPredicate::Null => Kind::IsNull(of, *negated),
                    IsPredicate::Label(labels) => {
                        let test = Kind::HasLabels(of, self.labels(labels, false)?);
                        if *negated { Kind::Not(Box::new(Expr::new(test, at))) } else { test }
                    }
                    _ => return Err(self.unsupported("This test", at)),
                }
            }
            ExprKind::Property { expression, key } => {
                let of = boxed(expression)?;
                self.check_property(&of, key)?;
                Kind::Property(of, Arc::from(key.kind.text.as_str()))
            }
            ExprKind::DynamicProperty { expression, key } => Kind::Index(boxed(expression)?, boxed(key)?),
            ExprKind::Index { expression, index } => Kind::Index(boxed(expression)?, boxed(index)?),
            ExprKind::Slice { expression, lower, upper } => {
                let list = boxed(expression)?;
                let lower = lower.as_deref().map(&mut boxed).transpose()?;
                Kind::Slice(list, lower, upper.as_deref().map(&mut boxed).transpose()?)
            }
            ExprKind::Case(case) => {
                let operand = case.operand.as_deref();
                let operand =
                    operand.map(|one| self.lower_any_size(one, scope, aggregates.as_deref_mut())).transpose()?;
                let operand = operand.map(Box::new);
                let mut arms = Vec::new();
                for arm in &case.alternatives {
                    let test = |one: &ast::Expr| match operand {
                        // Compared with the operand, which may be an amount.
                        Some(_) => self.lower_any_size(one, scope, aggregates.as_deref_mut()),
                        None => self.lower_condition(one, scope, aggregates.as_deref_mut()),
                    };
                    let tests = arm.when.iter().map(test).collect::<Result<Vec<_>>>()?;
                    arms.push((tests, self.lower(&arm.then, scope, aggregates.as_deref_mut())?));
                }
                let otherwise = case.else_expression.as_deref();
                let otherwise = otherwise.map(|one| self.lower(one, scope, aggregates)).transpose()?.map(Box::new);
                Kind::Case { operand, arms, otherwise }
            }
            ExprKind::ListComprehension(one) => {
                let list = boxed(&one.list)?;
                let mut inner = scope.clone();
                let slot = inner.add(&one.variable.kind.text, list.item_type());
                let filter = one.predicate.as_deref().map(|one| self.condition(one, &inner)).transpose()?;
                let item = one.projection.as_deref().map(|one| self.expression(one, &inner)).transpose()?;
                Kind::Comprehension { list, slot, filter: filter.map(Box::new), item: item.map(Box::new) }
            }
            ExprKind::QuantifiedPredicate(one) => {
                let list = boxed(&one.list)?;
                let mut inner = scope.clone();
                let slot = inner.add(&one.variable.kind.text, list.item_type());
                let predicate = Box::new(self.condition(&one.predicate, &inner)?);
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
                let accumulator = inner.add(&one.accumulator.kind.text, ValueType::Any);
                let slot = inner.add(&one.variable.kind.text, list.item_type());
                let step = Box::new(self.expression(&one.expression, &inner)?);
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
                    parts.filters.push(self.condition(predicate, &inner)?);
                }
                let item = Box::new(self.expression(&one.projection, &inner)?);
                Kind::PatternComprehension { steps: self.steps(parts)?, item }
            }
            ExprKind::Pattern(_) => {
                let message =
                    "A pattern is a condition and has no value: write EXISTS { … }, COUNT { … } or [pattern | value].";
                return Err(self.invalid(message, at));
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

    /// Whether a pattern matches at least once.
    pub fn pattern_exists(&self, pattern: &ast::Pattern, scope: &Scope, at: At) -> Result<Expr> {
        let mut inner = scope.clone();
        let parts = self.parts(&pattern.parts, &mut inner)?;
        if let Some(name) = inner.visible().iter().find(|one| scope.find(&one.name).is_none()) {
            let message = format!("There is no variable {} here; a pattern as a predicate adds none.", name.name);
            return Err(self.error(ErrorCode::UnknownColumn, message, at));
        }
        let mut steps = self.steps(parts)?;
        ends_suffice(&mut steps);
        Ok(Expr::new(Kind::PatternExists(steps), at))
    }

    /// Refuses an unknown property of a node or a relationship.
    fn check_property(&self, of: &Expr, key: &ast::Name) -> Result<()> {
        match of.value_type {
            ValueType::Node | ValueType::Relationship => self.known_property(&key.kind.text, At(key.span.start)),
            _ => Ok(()),
        }
    }

    fn binary(
        &self,
        left: &ast::Expr,
        operator: &ast::Node<BinaryOperator>,
        right: &ast::Expr,
        scope: &Scope,
        mut aggregates: Aggregates,
    ) -> Result<Kind> {
        if let Some(chain) = comparison(operator.kind) {
            return self.comparisons(left, chain, right, scope, aggregates);
        }
        if let BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor = operator.kind {
            let a = Box::new(self.lower_condition(left, scope, aggregates.as_deref_mut())?);
            let b = Box::new(self.lower_condition(right, scope, aggregates)?);
            return Ok(match operator.kind {
                BinaryOperator::And => Kind::And(a, b),
                BinaryOperator::Or => Kind::Or(a, b),
                _ => Kind::Xor(a, b),
            });
        }
        let mut side = |one: &ast::Expr| {
            Ok::<_, quarry_types::Error>(Box::new(self.lower_any_size(one, scope, aggregates.as_deref_mut())?))
        };
        let operation = match operator.kind {
            BinaryOperator::Add => Arithmetic::Add,
            BinaryOperator::Subtract => Arithmetic::Subtract,
            BinaryOperator::Multiply => Arithmetic::Multiply,
            BinaryOperator::Divide => Arithmetic::Divide,
            BinaryOperator::Remainder => Arithmetic::Remainder,
            BinaryOperator::In => {
                let list = match &right.kind {
                    // The items of a literal list are compared with the left side, so they may be amounts.
                    ExprKind::List(items) => {
                        let items = items.iter().map(|item| Ok(*side(item)?)).collect::<Result<_>>()?;
                        Box::new(Expr::new(Kind::List(items), At(right.span.start)))
                    }
                    _ => side(right)?,
                };
                return Ok(Kind::In(side(left)?, list));
            }
            other => {
                let mut side = |one: &ast::Expr| self.check_size(*side(one)?).map(Box::new);
                let (a, b) = (side(left)?, side(right)?);
                return Ok(match other {
                    BinaryOperator::RegexMatch => Kind::TextTest(TextTest::Matches, a, b),
                    BinaryOperator::StartsWith => Kind::TextTest(TextTest::StartsWith, a, b),
                    BinaryOperator::EndsWith => Kind::TextTest(TextTest::EndsWith, a, b),
                    BinaryOperator::Contains => Kind::TextTest(TextTest::Contains, a, b),
                    BinaryOperator::Power => Kind::Power(a, b),
                    BinaryOperator::Concat => Kind::Concat(a, b),
                    _ => return Err(self.unsupported("This operator", At(operator.span.start))),
                });
            }
        };
        Ok(Kind::Arithmetic(operation, side(left)?, side(right)?))
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
        let b = Box::new(self.lower_any_size(right, scope, aggregates.as_deref_mut())?);
        let a = self.lower_any_size(left, scope, aggregates.as_deref_mut())?;
        if let ExprKind::Binary { operator: before, right: middle, .. } = &left.kind
            && comparison(before.kind).is_some()
        {
            let middle = Box::new(self.lower_any_size(middle, scope, aggregates)?);
            let at = middle.at;
            let second = Expr::new(Kind::Compare(operator, middle, b), at);
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
                if radix == 10 && digits.len() > 1 && digits.starts_with('0') {
                    let message = format!("{} has a leading zero; an octal number starts with 0o.", integer.text);
                    return Err(self.invalid(message, at));
                }
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
