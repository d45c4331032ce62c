//! Two passes over the plan: what Hive compares and converts in its own way, and no conversion of a text that could fail.

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{
    AggregateFunction, Cast, InList, InSubquery, Like, ScalarFunction, WindowFunction,
};
use datafusion::logical_expr::expr_rewriter::FunctionRewrite;
use datafusion::logical_expr::utils::{conjunction, disjunction};
use datafusion::logical_expr::{
    Expr, ExprSchemable, Join, LogicalPlan, LogicalPlanBuilder, WindowFrameBound, WindowFrameUnits, cast, lit, when,
};
use datafusion::optimizer::AnalyzerRule;

use super::operators::comparable;
use super::unions::{branches, chosen};
use quarry_functions::hive::intervals::is_interval;
use quarry_functions::hive::random::{self, SEEDED};
use quarry_functions::hive::{cast as hive, types};
use quarry_functions::pass::of_step;
use quarry_types::byte_columns::is_text;

/// `x in (…)` with one type for all, `x like …` of anything, texts among days in a CASE, and frames that count days.
#[derive(Debug)]
pub struct Meanings;

impl FunctionRewrite for Meanings {
    fn name(&self) -> &str {
        "hive_meanings"
    }

    fn rewrite(&self, expr: Expr, schema: &DFSchema, _: &ConfigOptions) -> Result<Transformed<Expr>> {
        let expr = match expr {
            // What is no text is compared with a pattern as the text that people see.
            Expr::Like(like) if like.expr.get_type(schema).is_ok_and(|own| !is_text(&own) && !own.is_null()) => {
                let text = hive::call(*like.expr, "string");
                return Ok(Transformed::yes(Expr::Like(Like { expr: Box::new(text), ..like })));
            }
            Expr::Case(case) => return Ok(branches(case, schema)),
            Expr::WindowFunction(call) => return Ok(counted_frame(call, schema)),
            Expr::InSubquery(asked) => return asked_of_query(asked, schema),
            Expr::ScalarFunction(call) if call.func.name() == "coalesce" => return Ok(chosen(call, schema)),
            Expr::ScalarFunction(call) if call.func.name() == "field" => return Ok(field(call, schema)),
            other => other,
        };
        let Expr::InList(list) = expr else { return Ok(Transformed::no(expr)) };
        Ok(typed_lists(list, schema))
    }
}

/// `field(x, …)` finds values of the kind of `x` only: a text is no number, whatever it says.
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

/// `x in (select y …)`: the two are compared as `x = y` would compare them.
fn asked_of_query(asked: InSubquery, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let InSubquery { expr, subquery, negated } = &asked;
    let fields = subquery.subquery.schema();
    let Ok(own) = expr.get_type(schema) else { return Ok(Transformed::no(Expr::InSubquery(asked))) };
    if fields.fields().len() != 1 {
        return Ok(Transformed::no(Expr::InSubquery(asked)));
    }
    let column = fields.columns().remove(0);
    let listed = Expr::Column(column.clone());
    let (left, right) = comparable(expr.as_ref().clone(), &own, listed.clone(), fields.field(0).data_type());
    if left == **expr && right == listed {
        return Ok(Transformed::no(Expr::InSubquery(asked)));
    }
    let plan = LogicalPlanBuilder::from(subquery.subquery.as_ref().clone()).project(vec![right.alias(column.name)])?;
    let subquery = subquery.with_plan(Arc::new(plan.build()?));
    Ok(Transformed::yes(Expr::InSubquery(InSubquery { expr: Box::new(left), subquery, negated: *negated })))
}

/// `x in (…)` as Hive takes it: the items of each type are compared with `x` as that type and the one of `x` meet, one list
/// for each.
fn typed_lists(InList { expr, list, negated }: InList, schema: &DFSchema) -> Transformed<Expr> {
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
        // What is exact stays apart from what is not: one list has one type.
        let exact = !data_type.is_floating();
        match lists.iter_mut().find(|(compared, of, _)| *compared == left && *of == exact) {
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
fn counted_frame(mut call: Box<WindowFunction>, schema: &DFSchema) -> Transformed<Expr> {
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

/// The keys of joins, which USING has too, are compared as `=` would compare them.
#[derive(Debug)]
pub struct JoinKeys;

impl AnalyzerRule for JoinKeys {
    fn name(&self) -> &str {
        "hive_join_keys"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| match plan {
            LogicalPlan::Join(join) => keys(join),
            other => Ok(Transformed::no(other)),
        })
        .map(|done| done.data)
    }
}

fn keys(mut join: Join) -> Result<Transformed<LogicalPlan>> {
    let mut changed = false;
    for (left, right) in &mut join.on {
        let (from, to) = (left.get_type(join.left.schema())?, right.get_type(join.right.schema())?);
        let (a, b) = comparable(left.clone(), &from, right.clone(), &to);
        if a != *left || b != *right {
            (*left, *right, changed) = (a, b, true);
        }
    }
    Ok(Transformed::new_transformed(LogicalPlan::Join(join), changed))
}

/// Puts Hive's casts, which answer null, in the place of those that would fail.
#[derive(Debug)]
pub struct SafeCasts;

impl AnalyzerRule for SafeCasts {
    fn name(&self) -> &str {
        "hive_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.transform_up_with_subqueries(|plan| {
            of_step(plan, |expr, schema| {
                let summed = expr.transform_down(|expr| sum_of_texts(expr, schema))?.data;
                summed.transform_up(|expr| Ok(safe(expr, schema)))
            })
        })
        .map(|done| done.data)
    }
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
    let known = number.clone().is_not_null();
    let some = text.as_ref().clone().is_not_null();
    *args = vec![when(known, number).when(some, lit(0.0)).end()?];
    Ok(Transformed::yes(expr))
}

fn safe(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    if let Expr::ScalarFunction(ScalarFunction { func, args }) = &expr
        && func.name() == SEEDED
    {
        // Each query counts its own numbers.
        return Transformed::yes(random::seeded().call(args.clone()));
    }
    let Expr::Cast(Cast { expr: inner, field }) = expr else { return Transformed::no(expr) };
    let to = field.data_type();
    let from = inner.get_type(schema);
    if is_text(to) && from.as_ref().is_ok_and(prints_otherwise) {
        let text = hive::call(*inner, "string");
        return Transformed::yes(if *to == DataType::Utf8 { text } else { cast(text, to.clone()) });
    }
    let from_text = from.is_ok_and(|from| is_text(&from));
    let convertible = to.is_numeric() || to.is_temporal() || *to == DataType::Boolean;
    let known = types::field("cast", &types::name(to)).filter(|_| from_text && convertible);
    match known {
        Some(known) => {
            let converted = hive::call(*inner, &types::name(to));
            // A timestamp of another unit is one step further.
            Transformed::yes(if known.data_type() == to { converted } else { cast(converted, to.clone()) })
        }
        None => Transformed::no(Expr::Cast(Cast { expr: inner, field })),
    }
}

/// Whether Hive writes values of a type in another way than the engine does.
fn prints_otherwise(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Float32 | DataType::Float64 | DataType::Timestamp(..)) || is_interval(data_type)
}
