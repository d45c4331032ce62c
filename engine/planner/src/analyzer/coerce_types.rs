//! Type coercion of bytes, hex, 256-bit numbers, JSON, times and decimals, before DataFusion's: operators, lists, ranges, `LIKE`,
//! `CASE`, casts, calls and unions, from the leaves up. What the SQL planner could not know yet (a union gets its types late) is
//! known here.

use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::{AggregateFunction, Between, Case, Cast, InList, Like, TryCast, WindowFunction};
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, Operator, Union, WindowFunctionDefinition, not,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::prelude::lit;

use super::binary::is_bytes_literal;
use super::coercion::{coerce_choices, coerce_compared, has_type, typed_operator};
use super::conditions::check_conditions;
use super::in_lists::balanced_tree;
use super::in_subqueries::{coerce_in_subquery, coerce_set_comparison};
use super::item_texts::write_items;
use super::join_keys::coerce_join_keys;
use super::reduce::coerce_reduce_state;
use super::unify::unify;
use super::unnested_json::mark_json_items;
use super::values::coerce_values_to_doubles;
use super::window_frames::range_to_groups;
use super::{calls, hex, json, literal, operators};
use quarry_functions::casts::column::replacement;
use quarry_functions::casts::numbers;
use quarry_functions::plan_rewrite::rewrite_node_expressions;
use quarry_functions::tree_walk::{PlanWalk, TreeWalk};
use quarry_functions::uint256::negate;
use quarry_functions::{aggregate_argument_fields, as_hex, as_json, try_call};
use quarry_types::byte_columns::{is_bytes, is_shown, is_text, shows_hex};
use quarry_types::uint256::is_number;

#[derive(Debug)]
pub struct CoerceTypes {
    /// Whether only bytes and 256-bit numbers are coerced here: HiveQL has rules of its own for other types.
    pub only_chain: bool,
}

impl AnalyzerRule for CoerceTypes {
    fn name(&self) -> &str {
        "coerce_types"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_deep_up(|plan| {
            rewrite_node_expressions(plan, |expr, schema| {
                expr.transform_up(|expr| {
                    let expr = range_to_groups(expr, schema)?;
                    if self.only_chain && !has_chain_types(&expr, schema) {
                        return Ok(Transformed::no(expr));
                    }
                    if self.only_chain {
                        return coerce(expr, schema);
                    }
                    check_conditions(&expr, schema)?;
                    let is_try_cast = matches!(expr, Expr::TryCast(_));
                    let expr = write_items(expr, schema);
                    let done = coerce(numbers::rounded(numbers::text_as_decimal(expr, schema), schema), schema)?;
                    // A call in place of a TRY_CAST must not fail either.
                    let done = match is_try_cast && !matches!(done.data, Expr::TryCast(_)) {
                        true => done.update_data(try_call),
                        false => done,
                    };
                    Ok(done.update_data(|expr| numbers::keep_lossy(expr, schema)))
                })
            })?
            .map_data(|plan| if self.only_chain { Ok(plan) } else { coerce_join_keys(mark_json_items(plan)?) })?
            .map_data(LogicalPlan::recompute_schema)?
            .map_data(coerce_union)?
            .map_data(coerce_values_to_doubles)
        })
        .map(|done| done.data)
    }
}

/// Whether an operator or a list has bytes or 256-bit numbers; everything else is only changed when it has them.
fn has_chain_types(expr: &Expr, schema: &DFSchema) -> bool {
    let chain = |expr: &Expr| has_type(expr, schema, is_bytes);
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

/// Coerces the operands of one expression.
fn coerce(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => typed_operator(*left, op, *right, schema),
        Expr::Negative(inner) if has_type(&inner, schema, is_number) => {
            Ok(Transformed::yes(negate().call(vec![*inner])))
        }
        Expr::InList(list) => coerce_in_list(list, schema),
        Expr::Between(between) => coerce_between(between, schema),
        Expr::InSubquery(expr) => coerce_in_subquery(expr, schema),
        Expr::SetComparison(expr) => coerce_set_comparison(expr, schema),
        Expr::Like(like) => coerce_like(like, schema),
        Expr::SimilarTo(like) => Ok(Transformed::yes(Expr::SimilarTo(json_as_text(like, schema)))),
        Expr::Case(case) => coerce_case(case, schema),
        Expr::Cast(Cast { expr, field }) => {
            let to = field.data_type().clone();
            Ok(match json::to_number(&expr, &to, schema).or_else(|| replacement(&expr, &to, schema)) {
                Some(converted) => Transformed::yes(converted),
                None => Transformed::no(Expr::Cast(Cast { expr, field })),
            })
        }
        Expr::TryCast(TryCast { expr, field }) => {
            let to = field.data_type().clone();
            Ok(match json::to_number(&expr, &to, schema).or_else(|| replacement(&expr, &to, schema)) {
                Some(Expr::Cast(Cast { expr, field })) if has_type(&expr, schema, is_text) => {
                    Transformed::yes(Expr::TryCast(TryCast { expr, field }))
                }
                Some(converted) => Transformed::yes(converted),
                None => Transformed::no(Expr::TryCast(TryCast { expr, field })),
            })
        }
        Expr::ScalarFunction(call) => calls::call(call, schema),
        Expr::HigherOrderFunction(call) if call.func.name() == "reduce" => {
            coerce_reduce_state(call, schema).map(Transformed::yes)
        }
        Expr::AggregateFunction(AggregateFunction { func, mut params }) => {
            let args = json::text_arguments(func.name(), params.args, schema);
            params.args = operators::arguments(args, schema, |types| aggregate_argument_fields(&func, types));
            Ok(Transformed::yes(Expr::AggregateFunction(AggregateFunction { func, params })))
        }
        Expr::WindowFunction(mut call) => {
            let WindowFunction { fun, params } = call.as_mut();
            let args = json::text_arguments(fun.name(), std::mem::take(&mut params.args), schema);
            params.args = match fun {
                WindowFunctionDefinition::AggregateUDF(func) => {
                    operators::arguments(args, schema, |types| aggregate_argument_fields(func, types))
                }
                WindowFunctionDefinition::WindowUDF(func) => operators::shifted(args, func.name(), schema)?,
            };
            Ok(Transformed::yes(Expr::WindowFunction(call)))
        }
        other => Ok(Transformed::no(other)),
    }
}

fn coerce_case(case: Case, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Case { expr, when_then_expr, else_expr } = case;
    let (mut whens, mut thens): (Vec<_>, Vec<_>) =
        when_then_expr.into_iter().map(|(when, then)| (*when, *then)).unzip();
    let expr = expr.map(|expr| {
        let (expr, items) = json::beside_items(*expr, std::mem::take(&mut whens), schema);
        whens = items;
        Box::new(beside_bytes(expr, &whens, schema))
    });
    if let Some(expr) = &expr {
        whens = coerce_compared(expr, whens, schema)?;
    }
    let with_else = else_expr.is_some();
    thens.extend(else_expr.map(|last| *last));
    let are_json = json::are_json(&thens, schema);
    let mut thens = coerce_choices(thens, 0, schema)?;
    let else_expr = if with_else { thens.pop().map(Box::new) } else { None };
    let when_then_expr = whens.into_iter().zip(thens).map(|(when, then)| (Box::new(when), Box::new(then))).collect();
    let case = Expr::Case(Case { expr, when_then_expr, else_expr });
    // The planner drops the metadata of the results of a CASE.
    Ok(Transformed::yes(if are_json { as_json().call(vec![case]) } else { case }))
}

/// The inputs of a union with the columns of one type.
fn coerce_union(plan: LogicalPlan) -> Result<LogicalPlan> {
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
        // The metadata of the inputs may have changed.
        return Ok(LogicalPlan::Union(Union::try_new_with_loose_types(inputs)?));
    }
    let projected = inputs.into_iter().zip(columns).map(|(input, columns)| {
        Ok(Arc::new(LogicalPlanBuilder::from(Arc::unwrap_or_clone(input)).project(columns)?.build()?))
    });
    Ok(LogicalPlan::Union(Union::try_new_with_loose_types(projected.collect::<Result<_>>()?)?))
}

fn coerce_in_list(list: InList, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let (expr, items) = json::beside_items(*list.expr, list.list, schema);
    let expr = hex::bytes_substring(hex::strip_case(expr, schema), &items, schema);
    let expr = beside_bytes(expr, &items, schema);
    let negated = list.negated;
    let (single, items): (Vec<Expr>, Vec<Expr>) =
        items.into_iter().partition(|item| needs_own_comparison(&expr, item, schema));
    let items = coerce_compared(&expr, items, schema)?;
    if single.is_empty() {
        return Ok(Transformed::yes(Expr::InList(InList { expr: Box::new(expr), list: items, negated })));
    }
    let op = if negated { Operator::NotEq } else { Operator::Eq };
    let each = single.into_iter().map(|item| Ok(typed_operator(expr.clone(), op, item, schema)?.data));
    let mut parts = each.collect::<Result<Vec<Expr>>>()?;
    if !items.is_empty() {
        parts.push(Expr::InList(InList { expr: Box::new(expr), list: items, negated }));
    }
    let whole = balanced_tree(parts, if negated { Operator::And } else { Operator::Or });
    Ok(Transformed::yes(whole.unwrap_or_else(|| lit(negated))))
}

/// A text without letter case, where all that it is compared with are bytes written without quotes.
fn beside_bytes(expr: Expr, others: &[Expr], schema: &DFSchema) -> Expr {
    let only_bytes = !others.is_empty() && others.iter().all(is_bytes_literal);
    if only_bytes && has_type(&expr, schema, is_text) { hex::lower(expr) } else { expr }
}

/// Whether a day is beside a time, as which it is compared.
fn day_beside_time(day: &Expr, time: &Expr, schema: &DFSchema) -> bool {
    has_type(day, schema, |data_type| matches!(data_type, DataType::Date32 | DataType::Date64))
        && has_type(time, schema, |data_type| matches!(data_type, DataType::Timestamp(..)))
}

/// Whether a text is not lower-cased yet.
fn has_case(value: &Expr, schema: &DFSchema) -> bool {
    let lower = matches!(value, Expr::ScalarFunction(call) if call.func.name() == "lower");
    !lower && has_type(value, schema, is_text)
}

/// Whether two values are compared on their own and not in a list, since only one is a 256-bit number and the other no whole
/// number: no type holds both of them exactly.
fn needs_own_comparison(value: &Expr, other: &Expr, schema: &DFSchema) -> bool {
    let whole = |expr: &Expr| {
        literal::whole_number(expr).is_some()
            || literal::text(expr).is_some()
            || has_type(expr, schema, |data_type| data_type.is_integer() || data_type.is_null())
    };
    match (has_type(value, schema, is_number), has_type(other, schema, is_number)) {
        (true, false) => !whole(other),
        (false, true) => !has_type(value, schema, DataType::is_null),
        // A text is compared with bytes in any letter case, and with the other items exactly.
        _ if has_type(other, schema, is_shown) && has_case(value, schema) => true,
        _ => day_beside_time(value, other, schema),
    }
}

fn coerce_between(between: Between, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Between { expr, negated, low, high } = between;
    let [expr, low, high] = json::beside_each_other([*expr, *low, *high], schema).map(Box::new);
    let is_null = has_type(&expr, schema, DataType::is_null)
        && [&low, &high].into_iter().any(|end| has_type(end, schema, is_number));
    let is_single = |end: &Expr| needs_own_comparison(&expr, end, schema) || other_bytes(&expr, end, schema);
    if is_null || is_single(&low) || is_single(&high) {
        let from = typed_operator((*expr).clone(), Operator::GtEq, *low, schema)?.data;
        let within = from.and(typed_operator(*expr, Operator::LtEq, *high, schema)?.data);
        return Ok(Transformed::yes(if negated { not(within) } else { within }));
    }
    let mut ends = coerce_compared(&expr, vec![*low, *high], schema)?;
    let (Some(high), Some(low)) = (ends.pop(), ends.pop()) else {
        return Err(datafusion::common::DataFusionError::Internal("a range without ends".to_string()));
    };
    Ok(Transformed::yes(Expr::Between(Between { expr, negated, low: Box::new(low), high: Box::new(high) })))
}

/// Whether both are bytes of different types. The stock range needs one type.
fn other_bytes(value: &Expr, other: &Expr, schema: &DFSchema) -> bool {
    let byte_type =
        |expr: &Expr| expr.get_type(schema).ok().filter(|data_type| is_bytes(data_type) && !is_number(data_type));
    byte_type(value).zip(byte_type(other)).is_some_and(|(one, other)| one != other)
}

/// `address like '0xab%'`: bytes as hex text.
fn coerce_like(like: Like, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let like = json_as_text(like, schema);
    let bytes = like.expr.to_field(schema).is_ok_and(|(_, field)| shows_hex(&field));
    if !bytes {
        return Ok(Transformed::yes(Expr::Like(like)));
    }
    let expr = Box::new(as_hex().call(vec![*like.expr]));
    Ok(Transformed::yes(Expr::Like(Like { expr, case_insensitive: true, ..like })))
}

/// A match of texts, one or both of which may be JSON.
fn json_as_text(like: Like, schema: &DFSchema) -> Like {
    let [expr, pattern] = [like.expr, like.pattern].map(|text| Box::new(json::as_text(*text, schema)));
    Like { expr, pattern, ..like }
}
