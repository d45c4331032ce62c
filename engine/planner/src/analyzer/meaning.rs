//! Gives every expression of a plan its meaning once the types of its parts are known, from the leaves up: lists, ranges,
//! `LIKE`, `CASE`, casts, calls and unions of bytes and of 256-bit numbers.

use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{AggregateFunction, Between, Case, Cast, InList, Like, TryCast, WindowFunction};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Operator, Union, WindowFunctionDefinition, not,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::prelude::lit;

use super::binary::is_bytes_literal;
use super::compared::{choices, compared, is, operated};
use super::frames::by_peers;
use super::listed::all_of;
use super::membership::membership;
use super::unify::unify;
use super::{calls, conditions, hex, keys, literal, of_json, operators, reduced, unnested, values};
use quarry_functions::casts::column::converted;
use quarry_functions::casts::numerals;
use quarry_functions::pass::of_step;
use quarry_functions::uint256::negate;
use quarry_functions::{as_hex, as_json, tried, wanted_by_aggregate};
use quarry_types::byte_columns::{is_bytes, is_shown, is_text, shows_hex};
use quarry_types::uint256::is_number;

/// The pass over the plan.
#[derive(Debug)]
pub struct Meaning {
    /// Leaves what has neither bytes nor 256-bit numbers to another language.
    pub only_chain: bool,
}

impl AnalyzerRule for Meaning {
    fn name(&self) -> &str {
        "meaning"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| {
            of_step(plan, |expr, schema| {
                expr.transform_up(|expr| {
                    let expr = by_peers(expr, schema)?;
                    if self.only_chain && !of_chain(&expr, schema) {
                        return Ok(Transformed::no(expr));
                    }
                    if self.only_chain {
                        return rewrite(expr, schema);
                    }
                    conditions::check(&expr, schema)?;
                    let lenient = matches!(expr, Expr::TryCast(_));
                    let done = rewrite(numerals::rounded(numerals::of_text(expr, schema), schema), schema)?;
                    // What became a call or a cast of its own must not fail either.
                    let done = match lenient && !matches!(done.data, Expr::TryCast(_)) {
                        true => done.update_data(tried),
                        false => done,
                    };
                    Ok(done.update_data(|expr| numerals::keep_lossy(expr, schema)))
                })
            })?
            .map_data(|plan| if self.only_chain { Ok(plan) } else { keys::compared(unnested::marked(plan)?) })?
            .map_data(LogicalPlan::recompute_schema)?
            .map_data(union)?
            .map_data(values::of_doubles)
        })
        .map(|done| done.data)
    }
}

/// Whether an operator or a list has bytes or 256-bit numbers; everything else is only changed when it has them.
fn of_chain(expr: &Expr, schema: &DFSchema) -> bool {
    let chain = |expr: &Expr| is(expr, schema, is_bytes);
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, right, .. }) => {
            chain(left) || chain(right) || day_beside_time(left, right, schema) || day_beside_time(right, left, schema)
        }
        Expr::InList(list) => {
            chain(&list.expr) || list.list.iter().any(|item| day_beside_time(&list.expr, item, schema))
        }
        Expr::Between(between) => {
            let ends = [&between.low, &between.high];
            chain(&between.expr) || ends.into_iter().any(|end| day_beside_time(&between.expr, end, schema))
        }
        _ => true,
    }
}

/// One expression, its parts before it.
fn rewrite(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => operated(*left, op, *right, schema),
        Expr::Negative(inner) if is(&inner, schema, is_number) => Ok(Transformed::yes(negate().call(vec![*inner]))),
        Expr::InList(list) => in_list(list, schema),
        Expr::Between(between) => ranges(between, schema),
        Expr::InSubquery(asked) => membership(asked, schema),
        Expr::Like(like) => pattern(like, schema),
        Expr::Case(case) => choice(case, schema),
        Expr::Cast(Cast { expr, field }) => {
            let to = field.data_type().clone();
            Ok(match converted(&expr, &to, schema) {
                Some(converted) => Transformed::yes(converted),
                None => Transformed::no(Expr::Cast(Cast { expr, field })),
            })
        }
        Expr::TryCast(TryCast { expr, field }) => {
            let to = field.data_type().clone();
            Ok(match converted(&expr, &to, schema) {
                Some(Expr::Cast(Cast { expr, field })) if is(&expr, schema, is_text) => {
                    Transformed::yes(Expr::TryCast(TryCast { expr, field }))
                }
                Some(converted) => Transformed::yes(converted),
                None => Transformed::no(Expr::TryCast(TryCast { expr, field })),
            })
        }
        Expr::ScalarFunction(call) => calls::call(call, schema),
        Expr::HigherOrderFunction(call) if call.func.name() == "reduce" => {
            reduced::settled(call, schema).map(Transformed::yes)
        }
        Expr::AggregateFunction(AggregateFunction { func, mut params }) => {
            params.args = operators::arguments(params.args, schema, |types| wanted_by_aggregate(&func, types));
            Ok(Transformed::yes(Expr::AggregateFunction(AggregateFunction { func, params })))
        }
        Expr::WindowFunction(mut call) => {
            let WindowFunction { fun, params } = call.as_mut();
            let args = std::mem::take(&mut params.args);
            params.args = match fun {
                WindowFunctionDefinition::AggregateUDF(func) => {
                    operators::arguments(args, schema, |types| wanted_by_aggregate(func, types))
                }
                WindowFunctionDefinition::WindowUDF(func) => operators::shifted(args, func.name(), schema)?,
            };
            Ok(Transformed::yes(Expr::WindowFunction(call)))
        }
        other => Ok(Transformed::no(other)),
    }
}

fn choice(case: Case, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Case { expr, when_then_expr, else_expr } = case;
    let (mut whens, mut thens): (Vec<_>, Vec<_>) =
        when_then_expr.into_iter().map(|(when, then)| (*when, *then)).unzip();
    let expr = expr.map(|expr| Box::new(beside_bytes(*expr, &whens, schema)));
    if let Some(expr) = &expr {
        whens = compared(expr, whens, schema)?;
    }
    let with_else = else_expr.is_some();
    thens.extend(else_expr.map(|last| *last));
    let of_json = of_json::all(&thens, schema);
    let mut thens = choices(thens, 0, schema)?;
    let else_expr = if with_else { thens.pop().map(Box::new) } else { None };
    let when_then_expr = whens.into_iter().zip(thens).map(|(when, then)| (Box::new(when), Box::new(then))).collect();
    let case = Expr::Case(Case { expr, when_then_expr, else_expr });
    // The planner forgets what the results of a CASE mean.
    Ok(Transformed::yes(if of_json { as_json().call(vec![case]) } else { case }))
}

/// The inputs of a union with the columns of one type.
fn union(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::Union(Union { inputs, schema }) = plan else { return Ok(plan) };
    let width = schema.fields().len();
    if inputs.iter().any(|input| input.schema().fields().len() != width) {
        return Ok(LogicalPlan::Union(Union { inputs, schema }));
    }
    let mut columns: Vec<Vec<Expr>> = inputs.iter().map(|_| Vec::with_capacity(width)).collect();
    // An input may have become a number since the union was made.
    let is_late = |index: usize| {
        inputs.iter().any(|input| is_bytes(input.schema().field(index).data_type()))
            && inputs[0].schema().field(index).data_type() != schema.field(index).data_type()
    };
    let mut changed = (0..width).any(is_late);
    for index in 0..width {
        let values = inputs.iter().map(|input| {
            let (qualifier, field) = input.schema().qualified_field(index);
            (Expr::Column(Column::from((qualifier, field))), field.clone())
        });
        let values: Vec<(Expr, FieldRef)> = values.collect();
        for ((column, unified), (before, _)) in columns.iter_mut().zip(unify(values.clone())?).zip(values) {
            let same = unified == before;
            changed |= !same;
            let name = schema.field(index).name();
            column.push(if same { unified } else { unified.alias(name) });
        }
    }
    if !changed {
        // What the columns mean may have changed all the same, and the plan must say what its inputs say.
        return Ok(LogicalPlan::Union(Union::try_new_with_loose_types(inputs)?));
    }
    let projected = inputs.into_iter().zip(columns).map(|(input, columns)| {
        Ok(Arc::new(LogicalPlanBuilder::from(Arc::unwrap_or_clone(input)).project(columns)?.build()?))
    });
    Ok(LogicalPlan::Union(Union::try_new_with_loose_types(projected.collect::<Result<_>>()?)?))
}

fn in_list(list: InList, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let expr = of_json::beside_texts(*list.expr, &list.list, schema);
    let expr = hex::part(hex::without_case(expr, schema), &list.list, schema);
    let expr = beside_bytes(expr, &list.list, schema);
    let negated = list.negated;
    let (apart, items): (Vec<Expr>, Vec<Expr>) = list.list.into_iter().partition(|item| by_itself(&expr, item, schema));
    let items = compared(&expr, items, schema)?;
    if apart.is_empty() {
        return Ok(Transformed::yes(Expr::InList(InList { expr: Box::new(expr), list: items, negated })));
    }
    let op = if negated { Operator::NotEq } else { Operator::Eq };
    let each = apart.into_iter().map(|item| Ok(operated(expr.clone(), op, item, schema)?.data));
    let mut parts = each.collect::<Result<Vec<Expr>>>()?;
    if !items.is_empty() {
        parts.push(Expr::InList(InList { expr: Box::new(expr), list: items, negated }));
    }
    let whole = all_of(parts, if negated { Operator::And } else { Operator::Or });
    Ok(Transformed::yes(whole.unwrap_or_else(|| lit(negated))))
}

/// A text without letter case, where all that it is compared with are bytes written without quotes.
fn beside_bytes(expr: Expr, others: &[Expr], schema: &DFSchema) -> Expr {
    let only_bytes = !others.is_empty() && others.iter().all(is_bytes_literal);
    if only_bytes && is(&expr, schema, is_text) { hex::lower(expr) } else { expr }
}

/// Whether a day meets a time, among which it is one.
fn day_beside_time(day: &Expr, time: &Expr, schema: &DFSchema) -> bool {
    is(day, schema, |data_type| matches!(data_type, DataType::Date32 | DataType::Date64))
        && is(time, schema, |data_type| matches!(data_type, DataType::Timestamp(..)))
}

/// Whether a text has a letter case still.
fn has_case(value: &Expr, schema: &DFSchema) -> bool {
    let lower = matches!(value, Expr::ScalarFunction(call) if call.func.name() == "lower");
    !lower && is(value, schema, is_text)
}

/// Whether two values are compared by themselves, since only one is a 256-bit number and the other no whole number: no
/// type holds both of them exactly.
fn by_itself(value: &Expr, other: &Expr, schema: &DFSchema) -> bool {
    let whole = |expr: &Expr| {
        literal::whole_number(expr).is_some()
            || literal::text(expr).is_some()
            || is(expr, schema, |data_type| data_type.is_integer() || data_type.is_null())
    };
    match (is(value, schema, is_number), is(other, schema, is_number)) {
        (true, false) => !whole(other),
        (false, true) => !is(value, schema, DataType::is_null),
        // A text has no letter case beside bytes, and has one beside the other items.
        _ if is(other, schema, is_shown) && has_case(value, schema) => true,
        _ => day_beside_time(value, other, schema),
    }
}

fn ranges(between: Between, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Between { expr, negated, low, high } = between;
    let nothing =
        is(&expr, schema, DataType::is_null) && [&low, &high].into_iter().any(|end| is(end, schema, is_number));
    let apart = |end: &Expr| by_itself(&expr, end, schema) || other_bytes(&expr, end, schema);
    if nothing || apart(&low) || apart(&high) {
        let from = operated((*expr).clone(), Operator::GtEq, *low, schema)?.data;
        let within = from.and(operated(*expr, Operator::LtEq, *high, schema)?.data);
        return Ok(Transformed::yes(if negated { not(within) } else { within }));
    }
    let mut ends = compared(&expr, vec![*low, *high], schema)?;
    let (Some(high), Some(low)) = (ends.pop(), ends.pop()) else {
        return Err(datafusion::common::DataFusionError::Internal("a range without ends".to_string()));
    };
    Ok(Transformed::yes(Expr::Between(Between { expr, negated, low: Box::new(low), high: Box::new(high) })))
}

/// Whether both are bytes of different types. The stock range needs one type.
fn other_bytes(value: &Expr, other: &Expr, schema: &DFSchema) -> bool {
    let of = |expr: &Expr| expr.get_type(schema).ok().filter(|data_type| is_bytes(data_type) && !is_number(data_type));
    of(value).zip(of(other)).is_some_and(|(one, other)| one != other)
}

/// `address like '0xab%'`: bytes as the text they are shown as.
fn pattern(like: Like, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let bytes = like.expr.to_field(schema).is_ok_and(|(_, field)| shows_hex(&field));
    if !bytes {
        return Ok(Transformed::no(Expr::Like(like)));
    }
    let expr = Box::new(as_hex().call(vec![*like.expr]));
    Ok(Transformed::yes(Expr::Like(Like { expr, case_insensitive: true, ..like })))
}
