//! Calls of scalar functions, of aggregates, and of functions that take a pattern.

use open_cypher::ast::{self, ExprKind, PathFactorKind, SetQuantifier};

use super::analyzer::Analyzer;
use super::expressions::Aggregates;
use super::scope::Scope;
use crate::functions::{find_aggregator, find_function, names};
use crate::logical_plan::{Aggregate, Expr, Kind, find, has_aggregate};
use crate::query_text::At;
use quarry_types::nearest_name::nearest;
use quarry_types::{ErrorCode, Result};

impl Analyzer<'_> {
    pub fn function(
        &self,
        call: &ast::FunctionInvocation,
        scope: &Scope,
        mut aggregates: Aggregates,
        at: At,
    ) -> Result<Expr> {
        let parts: Vec<&str> = call.name.parts.iter().map(|part| part.kind.text.as_str()).collect();
        let name = parts.join(".");
        let distinct = call.quantifier.as_ref().is_some_and(|one| one.kind == SetQuantifier::Distinct);
        if let Some(found) = self.with_pattern(&name.to_lowercase(), call, scope, at)? {
            return Ok(found);
        }
        if let Some(aggregator) = find_aggregator(&name) {
            let Some(gathered) = aggregates else {
                return Err(self
                    .text
                    .invalid(format!("{name} is an aggregate function, which is not allowed here."), at));
            };
            let star = matches!(call.arguments.as_slice(), [one] if one.kind == ExprKind::Wildcard);
            let mut arguments = Vec::new();
            if !star {
                for argument in &call.arguments {
                    let mut nested = Vec::new();
                    let lowered = self.lower(argument, scope, Some(&mut nested))?;
                    if has_aggregate(&lowered) {
                        return Err(self.text.invalid("Aggregate functions can't be nested.", lowered.at));
                    }
                    if let Some((random, at)) = find(&lowered, |one| match one.kind {
                        Kind::Call(function, _) if function.volatile => Some((function.name, one.at)),
                        _ => None,
                    }) {
                        let message =
                            format!("{random} returns a different value each time, so {name} can't aggregate it.");
                        return Err(self.text.invalid(message, at));
                    }
                    arguments.push(lowered);
                }
            }
            if star && !aggregator.takes_star || !star && arguments.len() != aggregator.arguments {
                return Err(self.text.invalid(format!("{name} takes {} arguments.", aggregator.arguments), at));
            }
            let aggregate = Aggregate { function: aggregator, distinct, arguments, at };
            let known = gathered.iter().position(|one| *one == aggregate);
            let index = known.unwrap_or_else(|| {
                gathered.push(aggregate);
                gathered.len() - 1
            });
            return Ok(Expr { kind: Kind::Aggregate(index), at, value_type: aggregator.returns });
        }
        let Some(function) = find_function(&name) else {
            let mut message = format!("There is no function {name}.");
            if let Some(near) = nearest(&name, names()) {
                message.push_str(&format!(" Did you mean {near}?"));
            }
            return Err(self.text.error(ErrorCode::UnknownFunction, message, at));
        };
        if distinct {
            return Err(self
                .text
                .invalid(format!("{name} is not an aggregate function and can't be used with DISTINCT."), at));
        }
        let lower = |one: &ast::Expr| self.lower(one, scope, aggregates.as_deref_mut());
        let arguments = call.arguments.iter().map(lower).collect::<Result<Vec<_>>>()?;
        if arguments.len() < function.least || arguments.len() > function.most {
            let count = match (function.least, function.most) {
                (least, most) if least == most => least.to_string(),
                (least, usize::MAX) => format!("{least} or more"),
                (least, most) => format!("{least} to {most}"),
            };
            return Err(self.text.invalid(format!("{name} takes {count} arguments, got {}.", arguments.len()), at));
        }
        Ok(Expr::new(Kind::Call(function, arguments), at))
    }

    /// `exists(pattern)`, `exists(n.property)`, `size(pattern)` and the shortest paths.
    fn with_pattern(&self, name: &str, call: &ast::FunctionInvocation, scope: &Scope, at: At) -> Result<Option<Expr>> {
        let [argument] = call.arguments.as_slice() else { return Ok(None) };
        Ok(match (name, &argument.kind) {
            ("exists", ExprKind::Pattern(pattern)) => Some(self.pattern_exists(pattern, scope, at)?),
            ("exists", _) => Some(Expr::new(Kind::IsNull(Box::new(self.expression(argument, scope)?), true), at)),
            ("shortestpath" | "allshortestpaths", ExprKind::Pattern(pattern)) => {
                let all = name == "allshortestpaths";
                let mut parts = pattern.parts.clone();
                if let [part] = parts.as_mut_slice() {
                    let inner = part.kind.path.clone();
                    let span = inner.span;
                    let factor = PathFactorKind::LegacyShortest { all, pattern: Box::new(inner) };
                    part.kind.path.kind.factors = vec![ast::Node::new(factor, span)];
                }
                let mut inner = scope.clone();
                let mut parts = self.parts(&parts, &mut inner)?;
                let path = inner.unnamed();
                parts.new.push(path);
                parts.parts.iter_mut().for_each(|part| part.path = Some(path));
                Some(Expr::new(Kind::PatternPaths { steps: self.steps(parts)?, path, all }, at))
            }
            ("size", ExprKind::Pattern(_)) => {
                let message = "size expects a list or a string; count matches of a pattern with COUNT { … }.";
                return Err(self.text.invalid(message, at));
            }
            _ => None,
        })
    }
}
