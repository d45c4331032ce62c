//! Expressions: variables become slots, parameters become values, names of functions become functions.

use std::sync::Arc;

use open_cypher::ast::{
    self, ExprKind, IsPredicate, MapProjectionItemKind, QuantifiedPredicateKind, SubqueryExpressionKind, UnaryOperator,
};

use super::analyzer::{Analyzer, Place};
use super::match_order::need_ends;
use super::scope::Scope;
use crate::logical_plan::{Aggregate, BinaryOperator, Comparison, Expr, Kind, MapItem, Quantifier, Subquery, TextTest};
use crate::query_text::At;
use crate::values::{Arithmetic, Value, ValueType, whole};
use quarry_types::{Error, ErrorCode, Result};

/// Collects the aggregates of an expression; `None` where aggregates are not allowed.
pub(super) type Aggregates<'a> = Option<&'a mut Vec<Aggregate>>;

impl Analyzer<'_> {
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

    /// A pattern property or a procedure argument. Its numbers may be amounts of more than 64 bits, also inside lists and maps.
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
                let variable = self.text.locate(scope.get(&name.kind.text), at)?;
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
        let mut boxed =
            |one: &ast::Expr| Ok::<_, Error>(Box::new(self.lower(one, scope, aggregates.as_deref_mut())?));
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
                            let variable = self.text.locate(scope.get(&name.kind.text), At(name.span.start))?;
                            let value = variable.expr(At(name.span.start));
                            MapItem::Entry(Arc::from(name.kind.text.as_str()), value)
                        }
                        MapProjectionItemKind::Entry(entry) => {
                            MapItem::Entry(Arc::from(entry.key.kind.text.as_str()), *boxed(&entry.value)?)
                        }
                        _ => return Err(self.text.unsupported("This item", At(item.span.start))),
                    });
                }
                Kind::MapProjection { base, items }
            }
            ExprKind::Unary { operator, operand } => match (operator.kind, &operand.kind) {
                (UnaryOperator::Not, _) => Kind::Not(Box::new(self.lower_condition(operand, scope, aggregates)?)),
                // The least integer has no positive counterpart: sign and digits are read together.
                (UnaryOperator::Minus, ExprKind::Literal(literal)) => Kind::Constant(self.literal(literal, true)?),
                (UnaryOperator::Minus, _) => Kind::Negate(Box::new(self.lower_any_size(operand, scope, aggregates)?)),
                _ => return Err(self.text.unsupported("This operator", at)),
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
                    _ => return Err(self.text.unsupported("This predicate", at)),
                }
            }
            ExprKind::Property { expression, key } => {
                let of = boxed(expression)?;
                self.check_property(&of, key)?;
                Kind::Property(of, Arc::from(key.kind.text.as_str()))
            }
            ExprKind::DynamicProperty { expression, key } => {
                Kind::Binary(BinaryOperator::Index, boxed(expression)?, boxed(key)?)
            }
            ExprKind::Index { expression, index } => {
                Kind::Binary(BinaryOperator::Index, boxed(expression)?, boxed(index)?)
            }
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
                    "A pattern can't be used as a value; write EXISTS { … }, COUNT { … } or [pattern | value].";
                return Err(self.text.invalid(message, at));
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
                    return Err(self.text.invalid("COLLECT { … } must return one column.", at));
                }
                Kind::Subquery(kind, Box::new(query))
            }
            ExprKind::Wildcard | ExprKind::Error(_) => {
                return Err(self.text.invalid("Expected an expression here.", at));
            }
            _ => return Err(self.text.unsupported("This expression", at)),
        })
    }

    /// Whether a pattern matches at least once.
    pub fn pattern_exists(&self, pattern: &ast::Pattern, scope: &Scope, at: At) -> Result<Expr> {
        let mut inner = scope.clone();
        let parts = self.parts(&pattern.parts, &mut inner)?;
        if let Some(name) = inner.visible().iter().find(|one| scope.find(&one.name).is_none()) {
            let message = format!(
                "There is no variable {} here; a pattern used as a predicate can't introduce variables.",
                name.name
            );
            return Err(self.text.error(ErrorCode::UnknownColumn, message, at));
        }
        let mut steps = self.steps(parts)?;
        need_ends(&mut steps);
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
        operator: &ast::Node<ast::BinaryOperator>,
        right: &ast::Expr,
        scope: &Scope,
        mut aggregates: Aggregates,
    ) -> Result<Kind> {
        let unsupported = || self.text.unsupported("This operator", At(operator.span.start));
        let operator = binary_operator(operator.kind).ok_or_else(unsupported)?;
        let mut side = |one: &ast::Expr| {
            let aggregates = aggregates.as_deref_mut();
            match operator {
                BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => {
                    self.lower_condition(one, scope, aggregates)
                }
                // Here a number may be an amount.
                BinaryOperator::Arithmetic(_) | BinaryOperator::Compare(_) | BinaryOperator::In => {
                    self.lower_any_size(one, scope, aggregates)
                }
                _ => self.lower(one, scope, aggregates),
            }
        };
        let (a, b) = match (operator, &left.kind, &right.kind) {
            // `a < b < c` means `a < b AND b < c`; brackets end a chain.
            (BinaryOperator::Compare(_), ExprKind::Binary { operator: before, right: middle, .. }, _)
                if matches!(binary_operator(before.kind), Some(BinaryOperator::Compare(_))) =>
            {
                let (b, a, middle) = (side(right)?, side(left)?, side(middle)?);
                let at = middle.at;
                let second = Expr::new(Kind::Binary(operator, Box::new(middle), Box::new(b)), at);
                return Ok(Kind::Binary(BinaryOperator::And, Box::new(a), Box::new(second)));
            }
            // The items of a literal list are compared with the left side, so they may be amounts.
            (BinaryOperator::In, _, ExprKind::List(items)) => {
                let items = items.iter().map(&mut side).collect::<Result<_>>()?;
                let list = Expr::new(Kind::List(items), At(right.span.start));
                (side(left)?, list)
            }
            (BinaryOperator::Compare(_) | BinaryOperator::In, ..) => {
                let b = side(right)?;
                (side(left)?, b)
            }
            _ => (side(left)?, side(right)?),
        };
        Ok(Kind::Binary(operator, Box::new(a), Box::new(b)))
    }

    fn parameter(&self, parameter: &ast::Parameter, at: At) -> Result<Value> {
        let name = match &parameter.name {
            ast::ParameterName::Named(name) | ast::ParameterName::Positional(name) => name,
            _ => return Err(self.text.unsupported("This parameter", at)),
        };
        let value = self.parameters.get(name.as_str()).cloned();
        value.ok_or_else(|| self.text.invalid(format!("There is no value for the parameter ${name}."), at))
    }

    fn literal(&self, literal: &ast::Literal, negative: bool) -> Result<Value> {
        let at = At(literal.span.start);
        let sign = if negative { "-" } else { "" };
        Ok(match &literal.kind {
            ast::LiteralKind::Null => Value::Null,
            ast::LiteralKind::Boolean(_) | ast::LiteralKind::String(_) if negative => {
                return Err(self.text.invalid("Only a number can have a sign.", at));
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
                    return Err(self.text.invalid(message, at));
                }
                let message = || format!("{sign}{} does not fit in a 256-bit integer.", integer.text);
                whole(&digits, radix, negative).ok_or_else(|| self.text.error(ErrorCode::Arithmetic, message(), at))?
            }
            ast::LiteralKind::Float(float) => {
                let number = format!("{sign}{}", float.text.replace('_', "").trim_end_matches(['f', 'd', 'F', 'D']))
                    .parse::<f64>();
                let number = number.ok().filter(|number| number.is_finite());
                let message = || format!("{sign}{} does not fit in a floating-point number.", float.text);
                Value::Float(number.ok_or_else(|| self.text.error(ErrorCode::Arithmetic, message(), at))?)
            }
            _ => return Err(self.text.unsupported("This literal", at)),
        })
    }
}

fn binary_operator(operator: ast::BinaryOperator) -> Option<BinaryOperator> {
    use ast::BinaryOperator as Ast;
    Some(match operator {
        Ast::And => BinaryOperator::And,
        Ast::Or => BinaryOperator::Or,
        Ast::Xor => BinaryOperator::Xor,
        Ast::Add => BinaryOperator::Arithmetic(Arithmetic::Add),
        Ast::Subtract => BinaryOperator::Arithmetic(Arithmetic::Subtract),
        Ast::Multiply => BinaryOperator::Arithmetic(Arithmetic::Multiply),
        Ast::Divide => BinaryOperator::Arithmetic(Arithmetic::Divide),
        Ast::Remainder => BinaryOperator::Arithmetic(Arithmetic::Remainder),
        Ast::Power => BinaryOperator::Power,
        Ast::Concat => BinaryOperator::Concat,
        Ast::Equal => BinaryOperator::Compare(Comparison::Equal),
        Ast::NotEqual => BinaryOperator::Compare(Comparison::NotEqual),
        Ast::Less => BinaryOperator::Compare(Comparison::Less),
        Ast::LessEqual => BinaryOperator::Compare(Comparison::LessEqual),
        Ast::Greater => BinaryOperator::Compare(Comparison::Greater),
        Ast::GreaterEqual => BinaryOperator::Compare(Comparison::GreaterEqual),
        Ast::In => BinaryOperator::In,
        Ast::RegexMatch => BinaryOperator::TextTest(TextTest::Matches),
        Ast::StartsWith => BinaryOperator::TextTest(TextTest::StartsWith),
        Ast::EndsWith => BinaryOperator::TextTest(TextTest::EndsWith),
        Ast::Contains => BinaryOperator::TextTest(TextTest::Contains),
        _ => return None,
    })
}
