//! Comparisons and conversions of Hive: other common types, and casts that are null instead of failing.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{
    AggregateFunction, Cast, InList, InSubquery, Like, ScalarFunction, WindowFunction,
};
use datafusion::logical_expr::expr_rewriter::FunctionRewrite;
use datafusion::logical_expr::utils::{conjunction, disjunction};
use datafusion::logical_expr::{
    Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, WindowFrameBound, WindowFrameUnits, cast, lit, when,
};

use super::mixed_types::{coerce_case, coerce_coalesce};
use super::operators::comparable;
use quarry_functions::hive::intervals::is_interval;
use quarry_functions::hive::seeded_rand::{self, SEEDED};
use quarry_functions::hive::{cast as hive, types};
use quarry_functions::plan_rewrite::rewrite_node_expressions;
use quarry_functions::tree_walk::TreeWalk;
use quarry_types::byte_columns::is_text;

/// Coerces `x in (…)`, `x like …`, the results of CASE and `coalesce`, and the distances of frames.
#[derive(Debug)]
pub struct Meanings;

impl FunctionRewrite for Meanings {
    fn name(&self) -> &str {
        "hive_meanings"
    }

    fn rewrite(&self, expr: Expr, schema: &DFSchema, _: &ConfigOptions) -> Result<Transformed<Expr>> {
        let expr = match expr {
            // Other values than texts are matched as the text that results show.
            Expr::Like(like) if like.expr.get_type(schema).is_ok_and(|own| !is_text(&own) && !own.is_null()) => {
                let text = hive::call(*like.expr, "string");
                return Ok(Transformed::yes(Expr::Like(Like { expr: Box::new(text), ..like })));
            }
            Expr::Case(case) => return Ok(coerce_case(case, schema)),
            Expr::WindowFunction(call) => return Ok(add_distance_unit(call, schema)),
            Expr::InSubquery(expr) => return coerce_in_subquery(expr, schema),
            Expr::ScalarFunction(call) if call.func.name() == "coalesce" => return Ok(coerce_coalesce(call, schema)),
            Expr::ScalarFunction(call) if call.func.name() == "field" => return Ok(field(call, schema)),
            other => other,
        };
        let Expr::InList(list) = expr else { return Ok(Transformed::no(expr)) };
        Ok(split_list_by_type(list, schema))
    }
}

/// `field(x, …)` only finds values that are texts if `x` is one, and only others if not.
fn field(mut call: ScalarFunction, schema: &DFSchema) -> Transformed<Expr> {
    let is_text = |arg: &Expr| arg.get_type(schema).is_ok_and(|data_type| is_text(&data_type));
    let Some((wanted, others)) = call.args.split_first_mut() else {
        return Transformed::no(Expr::ScalarFunction(call));
    };
    let nothing = lit(ScalarValue::Null);
    let mut changed = false;
    for other in others.iter_mut().filter(|other| **other != nothing && is_text(other) != is_text(wanted)) {
        *other = nothing.clone();
        changed = true;
    }
    Transformed::new_transformed(Expr::ScalarFunction(call), changed)
}

/// `x in (select y …)` compares as `x = y` does.
fn coerce_in_subquery(query: InSubquery, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let InSubquery { expr, subquery, negated } = &query;
    let fields = subquery.subquery.schema();
    let Ok(own) = expr.get_type(schema) else { return Ok(Transformed::no(Expr::InSubquery(query))) };
    if fields.fields().len() != 1 {
        return Ok(Transformed::no(Expr::InSubquery(query)));
    }
    let column = fields.columns().remove(0);
    let inner = Expr::Column(column.clone());
    let (left, right) = comparable(expr.as_ref().clone(), &own, inner.clone(), fields.field(0).data_type());
    if left == **expr && right == inner {
        return Ok(Transformed::no(Expr::InSubquery(query)));
    }
    let plan = LogicalPlanBuilder::from(subquery.subquery.as_ref().clone()).project(vec![right.alias(column.name)])?;
    let subquery = subquery.with_plan(Arc::new(plan.build()?));
    Ok(Transformed::yes(Expr::InSubquery(InSubquery { expr: Box::new(left), subquery, negated: *negated })))
}

/// `x in (…)` with one list for each common type of `x` and an item.
fn split_list_by_type(InList { expr, list, negated }: InList, schema: &DFSchema) -> Transformed<Expr> {
    let types: Result<Vec<DataType>> = list.iter().map(|item| item.get_type(schema)).collect();
    let (Ok(own), Ok(types)) = (expr.get_type(schema), types) else {
        return Transformed::no(Expr::InList(InList { expr, list, negated }));
    };
    let mut changed = false;
    let mut lists: Vec<(Expr, bool, Vec<Expr>)> = Vec::new();
    for (item, data_type) in list.into_iter().zip(&types) {
        let (left, right) = match data_type.is_null() {
            true => ((*expr).clone(), item.clone()),
            false => comparable((*expr).clone(), &own, item.clone(), data_type),
        };
        changed |= left != *expr || right != item;
        // One list has one type, so exact items and doubles are in different lists.
        let exact = !data_type.is_floating();
        match lists.iter_mut().find(|(compared, is_exact, _)| *compared == left && *is_exact == exact) {
            Some((_, _, items)) => items.push(right),
            None => lists.push((left, exact, vec![right])),
        }
    }
    changed |= lists.len() > 1;
    let lists = lists.into_iter().map(|(expr, _, list)| Expr::InList(InList { expr: Box::new(expr), list, negated }));
    let whole = if negated { conjunction(lists) } else { disjunction(lists) };
    let whole = whole.unwrap_or_else(|| lit(negated));
    if changed { Transformed::yes(whole) } else { Transformed::no(whole) }
}

/// `range between 3 preceding and current row`: over days a number counts days, over times seconds.
fn add_distance_unit(mut call: Box<WindowFunction>, schema: &DFSchema) -> Transformed<Expr> {
    let params = &mut call.params;
    let key = params.order_by.first().and_then(|order| order.expr.get_type(schema).ok());
    let unit = match key {
        Some(DataType::Date32) => "days",
        Some(DataType::Timestamp(..)) => "seconds",
        _ => return Transformed::no(Expr::WindowFunction(call)),
    };
    let frame = &mut params.window_frame;
    for bound in [&mut frame.start_bound, &mut frame.end_bound] {
        if let WindowFrameBound::Preceding(ScalarValue::Utf8(Some(count)))
        | WindowFrameBound::Following(ScalarValue::Utf8(Some(count))) = bound
            && frame.units == WindowFrameUnits::Range
            && count.parse::<u64>().is_ok()
        {
            count.push_str(&format!(" {unit}"));
        }
    }
    Transformed::yes(Expr::WindowFunction(call))
}

/// Compares the keys of joins, also those of USING, as `=` does.
pub(crate) fn coerce_join_keys(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Join(mut join) = plan else { return Ok(Transformed::no(plan)) };
    let mut is_changed = false;
    for (left, right) in &mut join.on {
        let (from, to) = (left.get_type(join.left.schema())?, right.get_type(join.right.schema())?);
        let (a, b) = comparable(left.clone(), &from, right.clone(), &to);
        if a != *left || b != *right {
            (*left, *right, is_changed) = (a, b, true);
        }
    }
    Ok(Transformed::new_transformed(LogicalPlan::Join(join), is_changed))
}

/// Replaces casts that may fail by Hive's, which return null.
pub(crate) fn use_hive_casts(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    rewrite_node_expressions(plan, |expr, schema| {
        let summed = expr.transform_down(|expr| sum_of_texts(expr, schema))?.data;
        summed.transform_up(|expr| Ok(hive_cast(expr, schema)))
    })
}

/// `sum(text)`: a text that is no number adds nothing, but makes the sum 0 instead of null.
fn sum_of_texts(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let is_sum = |name: &str| name.eq_ignore_ascii_case("sum");
    let mut expr = expr;
    let args = match &mut expr {
        Expr::AggregateFunction(AggregateFunction { func, params }) if is_sum(func.name()) => &mut params.args,
        Expr::WindowFunction(call) if is_sum(call.fun.name()) => {
            let WindowFunction { params, .. } = call.as_mut();
            &mut params.args
        }
        _ => return Ok(Transformed::no(expr)),
    };
    let [Expr::Cast(Cast { expr: text, .. })] = args.as_slice() else { return Ok(Transformed::no(expr)) };
    if !text.get_type(schema).is_ok_and(|from| is_text(&from)) {
        return Ok(Transformed::no(expr));
    }
    let number = hive::call(text.as_ref().clone(), "double");
    let is_number = number.clone().is_not_null();
    let is_text = text.as_ref().clone().is_not_null();
    *args = vec![when(is_number, number).when(is_text, lit(0.0)).end()?];
    Ok(Transformed::yes(expr))
}

fn hive_cast(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    if let Expr::ScalarFunction(ScalarFunction { func, args }) = &expr
        && func.name() == SEEDED
    {
        // Each query counts its own numbers.
        return Transformed::yes(seeded_rand::udf().call(args.clone()));
    }
    let Expr::Cast(Cast { expr: inner, field }) = expr else { return Transformed::no(expr) };
    let to = field.data_type();
    let from = inner.get_type(schema);
    if is_text(to) && from.as_ref().is_ok_and(has_own_format) {
        let text = hive::call(*inner, "string");
        return Transformed::yes(if *to == DataType::Utf8 { text } else { cast(text, to.clone()) });
    }
    let is_from_text = from.is_ok_and(|from| is_text(&from));
    let is_convertible = to.is_numeric() || to.is_temporal() || *to == DataType::Boolean;
    let known = types::field("cast", &types::name(to)).filter(|_| is_from_text && is_convertible);
    match known {
        Some(known) => {
            let converted = hive::call(*inner, &types::name(to));
            // A timestamp of another unit is one step further.
            Transformed::yes(if known.data_type() == to { converted } else { cast(converted, to.clone()) })
        }
        None => Transformed::no(Expr::Cast(Cast { expr: inner, field })),
    }
}

/// Whether Hive writes values of a type in another format than the engine.
fn has_own_format(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Float32 | DataType::Float64 | DataType::Timestamp(..)) || is_interval(data_type)
}
