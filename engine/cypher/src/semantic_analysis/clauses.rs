//! Clauses → operators, in order, with the variables that each one sees.

use open_cypher::ast::{self, CallTarget, ClauseKind, ProjectionItemKind, QueryKind, UnionOperator};

use super::analyzer::{Analyzer, Place};
use super::match_order;
use super::projection::Projected;
use super::scope::Scope;
use crate::graph::PropertyGraph;
use crate::logical_plan::{Call, Expr, Kind, Operator, Query};
use crate::query_text::{At, QueryText};
use crate::values::{Map, ValueType};
use crate::{parser, procedures};
use quarry_types::Result;

/// Analyzes a parsed query: resolves names, checks types, and makes its logical plan.
///
/// # Errors
///
/// A query that openCypher calls invalid, or a form that does not run here, with the position.
pub(crate) fn analyze(
    text: QueryText<'_>,
    query: &ast::Query,
    graph: &dyn PropertyGraph,
    parameters: &Map,
) -> Result<Query> {
    Analyzer { text, graph, parameters }.query(query, &Scope::default(), Place::Top)
}

impl Analyzer<'_> {
    pub fn query(&self, query: &ast::Query, outer: &Scope, place: Place) -> Result<Query> {
        let at = At(query.span.start);
        let QueryKind::Regular(regular) = &query.kind else {
            return Err(self.text.invalid("This is not a query.", at));
        };
        let (head, columns) = self.branch(&regular.head, outer, place)?;
        let mut planned = Query { branches: vec![head], distinct: false, columns };
        let mut all = None;
        for union in &regular.unions {
            let keeps = union.operator.kind == UnionOperator::All;
            if *all.get_or_insert(keeps) != keeps {
                let message = "UNION and UNION ALL can't be mixed in one query.";
                return Err(self.text.invalid(message, At(union.operator.span.start)));
            }
            let (branch, columns) = self.branch(&union.query, outer, place)?;
            if columns != planned.columns {
                let message = format!(
                    "Both sides of UNION must return the same columns, got {} and {}.",
                    planned.columns.join(", "),
                    columns.join(", ")
                );
                return Err(self.text.invalid(message, At(union.query.span.start)));
            }
            planned.branches.push(branch);
        }
        planned.distinct = all == Some(false);
        Ok(planned)
    }

    fn branch(&self, query: &ast::SingleQuery, outer: &Scope, place: Place) -> Result<(Vec<Operator>, Vec<String>)> {
        let mut scope = outer.clone();
        let mut operators = Vec::new();
        let clauses = &query.kind.clauses;
        for (index, clause) in clauses.iter().enumerate() {
            let at = At(clause.span.start);
            let last = index + 1 == clauses.len();
            match &clause.kind {
                ClauseKind::Match(one) => operators.push(Operator::Match(self.match_clause(one, &mut scope, at)?)),
                ClauseKind::Unwind(unwind) => {
                    let list = self.expression(&unwind.expression, &scope)?;
                    // UNWIND of a value that is not a list returns that value.
                    let of = match list.value_type {
                        ValueType::List | ValueType::Relationships => list.item_type(),
                        one => one,
                    };
                    let slot = self.new_variable(&unwind.variable, of, &mut scope)?;
                    operators.push(Operator::Unwind { list, slot });
                }
                ClauseKind::Let(one) => {
                    for binding in &one.bindings {
                        let value = self.expression(&binding.expression, &scope)?;
                        let slot = self.new_variable(&binding.variable, value.value_type, &mut scope)?;
                        let at = value.at;
                        let list = Expr::new(Kind::List(vec![value]), at);
                        operators.push(Operator::Unwind { list, slot });
                    }
                }
                ClauseKind::Filter(filter) => {
                    operators.push(Operator::Filter(self.condition(&filter.predicate, &scope)?))
                }
                ClauseKind::With(with) => {
                    let Projected { projection, scope: next, .. } =
                        self.projection(&scope, &with.projection, false, with.where_clause.as_ref())?;
                    operators.push(Operator::Project(Box::new(projection)));
                    scope = next;
                }
                ClauseKind::Return(one) => {
                    if !last {
                        return Err(self.text.invalid("RETURN must be the last clause.", at));
                    }
                    let projected = self.projection(&scope, &one.projection, true, None)?;
                    operators.push(Operator::Project(Box::new(projected.projection)));
                    match_order::need_ends_only(&mut operators);
                    return Ok((operators, projected.columns));
                }
                ClauseKind::Call(call) => {
                    let alone = clauses.len() == 1 && place == Place::Top;
                    if let Some(columns) = self.call(call, alone, &mut scope, &mut operators, at)? {
                        return Ok((operators, columns));
                    }
                }
                other => {
                    return Err(match parser::writing_clause(other) {
                        Some(word) => self.text.read_only(word, at),
                        None => self.text.unsupported("This clause", at),
                    });
                }
            }
        }
        if place != Place::Predicate {
            let at = At(clauses.last().map_or(query.span.start, |clause| clause.span.start));
            return Err(self.text.invalid("A query must end with RETURN; this one returns nothing.", at));
        }
        Ok((operators, Vec::new()))
    }

    /// CALL; returns the columns if it is the whole query.
    fn call(
        &self,
        call: &ast::CallClause,
        alone: bool,
        scope: &mut Scope,
        operators: &mut Vec<Operator>,
        at: At,
    ) -> Result<Option<Vec<String>>> {
        let (name, arguments) = match &call.target {
            CallTarget::Procedure { name, arguments } => (name, arguments),
            _ => return Err(self.text.unsupported("This form of CALL", at)),
        };
        let called: Vec<&str> = name.parts.iter().map(|part| part.kind.text.as_str()).collect();
        let procedure = self.text.locate(procedures::find(&called.join(".")), At(name.span.start))?;
        let arguments = match arguments {
            Some(arguments) => arguments.iter().map(|one| self.with_amounts(one, scope)).collect::<Result<Vec<_>>>()?,
            // Alone and without brackets, the arguments are the parameters of the same names.
            None => procedure
                .parameters
                .iter()
                .map_while(|parameter| self.parameters.get(*parameter))
                .map(|value| Expr { kind: Kind::Constant(value.clone()), at, value_type: ValueType::Any })
                .collect(),
        };
        if arguments.len() < procedure.required || arguments.len() > procedure.parameters.len() {
            return Err(self.text.invalid(format!("Call it as {}.", procedure.signature()), at));
        }
        let mut outputs = Vec::new();
        let mut filter = None;
        match &call.yield_clause {
            Some(clause) if !clause.all => {
                for item in &clause.items {
                    let item_at = At(item.span.start);
                    let ProjectionItemKind::Expression { expression, alias } = &item.kind else {
                        return Err(self.text.invalid("YIELD expects column names.", item_at));
                    };
                    let ast::ExprKind::Variable(column) = &expression.kind else {
                        return Err(self.text.invalid("YIELD expects column names.", item_at));
                    };
                    let index = self.text.locate(procedure.column(&column.kind.text), item_at)?;
                    let variable = alias.as_ref().unwrap_or(column);
                    outputs.push((index, self.new_variable(variable, procedure.kind_of(index), scope)?));
                }
                filter = clause.where_clause.as_ref();
            }
            _ if alone || call.yield_clause.is_some() => {
                for (index, column) in procedure.columns.iter().enumerate() {
                    outputs.push((index, scope.add(column.0, procedure.kind_of(index))));
                }
            }
            _ if procedure.columns.is_empty() => {}
            _ => return Err(self.text.invalid("Add YIELD with the columns of the procedure that the query uses.", at)),
        }
        operators.push(Operator::Call(Call { procedure, arguments, outputs, optional: call.optional, at }));
        if let Some(filter) = filter {
            operators.push(Operator::Filter(self.condition(filter, scope)?));
        }
        if !alone {
            return Ok(None);
        }
        let (projection, columns) = self.everything(scope);
        operators.push(Operator::Project(Box::new(projection)));
        Ok(Some(columns))
    }
}
