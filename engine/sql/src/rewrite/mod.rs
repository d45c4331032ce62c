//! Changes to the parsed statement before planning: exact numbers, the forms of Trino (Dune), BigQuery and Snowflake that
//! people paste, readable column names.

mod aggregates;
mod among;
mod apart;
mod ast;
mod byte_texts;
mod calls;
mod casts;
mod covered;
mod dates;
mod fields;
mod flatten;
mod forms;
mod grouping;
mod hidden;
mod intervals;
mod items;
mod joined;
mod json;
mod names;
mod numbers;
mod order;
mod other_forms;
mod placed;
mod renamed;
pub(super) mod samples;
mod scoped;
mod series;
mod shadowed;
mod shares;
mod similar;
mod sources;
mod tuples;
mod twins;
mod unnest;
mod windowed;

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DescribeAlias, Expr, ObjectName, OrderBy, Query, Select, SelectFlavor, SelectItem, SetExpr,
    Statement, TableFactor, UnaryOperator, Value, VisitorMut,
};

use super::shifted;
use crate::ast_visitor::visit_mut;
use crate::error_location;
use crate::growth::{self, Contents, Growth};
use crate::{lambdas, outer_aggregates, windows};
use quarry_functions::{DISTINCT_FROM, NOT_DISTINCT_FROM};
use quarry_planner::sql_extensions::multisets;
use quarry_types::{Error, Result};

use forms::Form;
pub(super) use hidden::rename_hidden;
pub(super) use names::describing;
pub use names::name_outer;
pub use shadowed::rename_shadowed;

/// Documentation of every name that is a form of other functions.
pub fn forms() -> impl Iterator<Item = &'static Form> {
    forms::FORMS.iter().chain(other_forms::OTHERS)
}

/// Rewrites a checked statement in place. An error when functions that are written out become too much.
pub(super) fn statement(statement: &mut Statement) -> Result<()> {
    if let Statement::Query(query) = statement {
        names::name_columns(&mut query.body);
    }
    if let ControlFlow::Break(error) = visit_mut(statement, &mut Rewrite::default()) {
        return Err(*error);
    }
    apart::casts(statement);
    Ok(())
}

/// `EXPLAIN` of a statement, in the parser's own form.
pub(super) fn explain(statement: Statement) -> Statement {
    Statement::Explain {
        describe_alias: DescribeAlias::Explain,
        analyze: false,
        verbose: false,
        query_plan: false,
        estimate: false,
        statement: Box::new(statement),
        format: None,
        options: None,
    }
}

#[derive(Default)]
struct Rewrite {
    growth: Growth,
}

impl VisitorMut for Rewrite {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Box<Error>> {
        if let SetExpr::Select(select) = query.body.as_mut() {
            windows::write_out(select, query.order_by.as_mut(), &mut self.growth)?;
        }
        order::distinct(query);
        order::ties(query);
        order::top(query);
        order::fetch(query);
        order::all(query);
        covered::order(query);
        casts::of_values(&mut query.body);
        multisets::rewrite(query);
        let Query { body, order_by, .. } = query;
        if let SetExpr::Select(select) = body.as_mut() {
            of_lists(select, order_by.as_mut())?;
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<Box<Error>> {
        windows::write_out(select, None, &mut self.growth)?;
        // `FROM t` alone, as DuckDB and BigQuery's pipes begin.
        if select.flavor == SelectFlavor::FromFirstNoSelect && select.projection.is_empty() {
            select.projection.push(SelectItem::Wildcard(Default::default()));
        }
        outer_aggregates::ask_around(select);
        joined::to_where(select);
        sources::looked_up(select);
        twins::name(select);
        of_lists(select, None)?;
        grouping::rewrite(select);
        tuples::in_queries(select);
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<Box<Error>> {
        sources::split_quoted_path(relation);
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<Box<Error>> {
        unnest::unnest(table);
        samples::rewrite(table);
        if let TableFactor::Derived { subquery, .. } = table {
            names::name_outer(subquery);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        let place = error_location::place(expr);
        if let Err(error) = lambdas::prepare(expr, false) {
            return ControlFlow::Break(error);
        }
        // Units of time must be known as such before they are looked up as columns.
        dates::units(expr);
        if let Expr::Array(list) = expr {
            fields::tuples(&mut list.elem);
        }
        if let Expr::Struct { values, fields } = expr {
            fields::row(values, fields);
        }
        if let Expr::Function(function) = expr {
            series::stepped(function);
        }
        json::beside_texts(expr);
        if let Some(of_list) = items::of_list(expr) {
            *expr = Expr::Nested(Box::new(of_list));
        }
        if let Some(among) = among::written_out(expr) {
            *expr = among;
        }
        // With all their clauses, some of which the planner refuses.
        if let Expr::Function(function) = &*expr
            && let Some(error) = aggregates::wrong_limit(function).or_else(|| aggregates::wrong_distinct(function))
        {
            return ControlFlow::Break(Box::new(match place {
                Some(place) => error.at(place),
                None => error,
            }));
        }
        if let Expr::Function(function) = &*expr
            && let Some(shaped) = aggregates::shaped(function)
        {
            *expr = shaped;
        }
        error_location::keep(expr, place);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<Box<Error>> {
        let place = error_location::place(expr);
        match expr {
            Expr::Value(value) => {
                let replaced = match &value.value {
                    Value::Number(digits, _) => numbers::exact_number(&digits.replace('_', "")),
                    // BigQuery's `r'…'`, in which a backslash is one.
                    Value::SingleQuotedRawStringLiteral(raw) | Value::DoubleQuotedRawStringLiteral(raw) => {
                        Some(ast::text(raw))
                    }
                    // BigQuery's `b'…'`: the bytes of a text, or those that are written as `\x00`.
                    Value::SingleQuotedByteStringLiteral(text) | Value::DoubleQuotedByteStringLiteral(text) => {
                        Some(ast::bytes(&byte_texts::bytes(text)?))
                    }
                    _ => None,
                };
                if let Some(replaced) = replaced {
                    *expr = replaced;
                }
            }
            Expr::JsonAccess { .. }
            | Expr::BinaryOp {
                op:
                    BinaryOperator::Custom(_)
                    | BinaryOperator::LongArrow
                    | BinaryOperator::HashArrow
                    | BinaryOperator::HashLongArrow,
                ..
            } => {
                if let Some(access) = json::access(expr) {
                    *expr = access;
                }
            }
            // The planner's own minus sign knows no 256-bit numbers.
            Expr::UnaryOp { op: UnaryOperator::Minus, expr: inner } if !is_literal(inner) => {
                *expr = ast::call("negative", vec![inner.as_ref().clone()]);
            }
            Expr::Cast { .. } => casts::rewrite(expr),
            Expr::TypedString(_) => casts::typed(expr),
            Expr::Interval(interval) => intervals::spelled_out(interval),
            Expr::BinaryOp { op: BinaryOperator::Eq | BinaryOperator::NotEq, .. } | Expr::InList { .. } => {
                tuples::compared(expr, &mut self.growth)?;
            }
            Expr::Function(_) => {
                let before = Contents::of(expr);
                calls::rewrite(expr);
                self.growth.note(&before, expr)?;
                if let Expr::Function(function) = &*expr
                    && let Some(with_default) = shifted::with_default(function)
                {
                    *expr = with_default;
                }
            }
            // By the name of the function, which gives items of several types one.
            Expr::Array(list) if !list.elem.is_empty() => {
                *expr = Expr::Nested(Box::new(ast::call("make_array", std::mem::take(&mut list.elem))));
            }
            Expr::Like { any, expr: text, pattern, .. } | Expr::ILike { any, expr: text, pattern, .. }
                if *any || similar::of_all(pattern).is_some() =>
            {
                self.growth.copies(text, similar::of_all(pattern).map_or(growth::items(pattern), |all| all.len()))?;
                *expr = Expr::Nested(Box::new(similar::like_several(expr)?));
            }
            Expr::BinaryOp { left, op: BinaryOperator::PGOverlap, right } => {
                *expr = ast::call("arrays_overlap", vec![left.as_ref().clone(), right.as_ref().clone()]);
            }
            Expr::Like { pattern, escape_char, .. } | Expr::ILike { pattern, escape_char, .. } => {
                calls::escapes(pattern, escape_char)?;
            }
            Expr::Substring { .. } => calls::substring(expr),
            // By the name of the function, which looks among bytes too.
            Expr::Position { expr: part, r#in: text } => {
                *expr = ast::call("strpos", vec![text.as_ref().clone(), part.as_ref().clone()]);
            }
            Expr::RLike { negated, expr: text, pattern, .. } => {
                *expr = Expr::Nested(Box::new(renamed::matches(text, pattern, *negated)));
            }
            Expr::SimilarTo { .. } => {
                if let Some(matches) = similar::rewrite(expr) {
                    *expr = Expr::Nested(Box::new(matches));
                }
            }
            // The stock function forgets that nobody knows of a null in the list.
            Expr::AnyOp { left: item, compare_op: BinaryOperator::Eq, right: list, .. } if !ast::is_query(list) => {
                *expr = ast::call("contains", vec![list.as_ref().clone(), item.as_ref().clone()]);
            }
            Expr::AllOp { left: item, compare_op: BinaryOperator::NotEq, right: list } if !ast::is_query(list) => {
                *expr = ast::not(ast::call("contains", vec![list.as_ref().clone(), item.as_ref().clone()]));
            }
            Expr::InUnnest { expr: item, array_expr: list, negated } => {
                let within = ast::call("contains", vec![list.as_ref().clone(), item.as_ref().clone()]);
                *expr = if *negated { ast::not(within) } else { within };
            }
            Expr::IsDistinctFrom(left, right) => {
                *expr = ast::call(DISTINCT_FROM, vec![left.as_ref().clone(), right.as_ref().clone()]);
            }
            Expr::IsNotDistinctFrom(left, right) => {
                *expr = ast::call(NOT_DISTINCT_FROM, vec![left.as_ref().clone(), right.as_ref().clone()]);
            }
            Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr: inner } => {
                *expr = ast::call("bitwise_not", vec![inner.as_ref().clone()]);
            }
            // What the clocks there show, also at a time that is written out: all times are UTC.
            Expr::AtTimeZone { timestamp, time_zone } => {
                *expr = ast::call("at_timezone", vec![timestamp.as_ref().clone(), time_zone.as_ref().clone()]);
            }
            Expr::BinaryOp { left, op: BinaryOperator::PGBitwiseShiftLeft, right } => {
                *expr = ast::call("bitwise_left_shift", vec![left.as_ref().clone(), right.as_ref().clone()]);
            }
            Expr::BinaryOp { left, op: BinaryOperator::PGBitwiseShiftRight, right } => {
                *expr =
                    ast::call("bitwise_arithmetic_shift_right", vec![left.as_ref().clone(), right.as_ref().clone()]);
            }
            Expr::Extract { .. } => dates::extract(expr),
            Expr::CompoundFieldAccess { root, access_chain } => {
                fields::ends(access_chain);
                fields::named(root, access_chain);
            }
            Expr::Identifier(name) => {
                if let Some(text) = sources::quoted_text(name) {
                    *expr = text;
                }
            }
            _ => {}
        }
        error_location::keep(expr, place);
        ControlFlow::Continue(())
    }
}

/// Tables that are lists, and the names of their columns in a SELECT and its order.
fn of_lists(select: &mut Select, mut order: Option<&mut OrderBy>) -> ControlFlow<Box<Error>> {
    placed::columns(select, order.as_deref_mut());
    flatten::flatten(select, order.as_deref_mut())?;
    series::generated(select);
    unnest::laterals(select, order);
    ControlFlow::Continue(())
}

/// Whether an operand is a number or an interval as written, which the planner negates itself.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::Number(..)),
        // An exact number stands as a cast of its digits.
        Expr::Cast { expr, .. } => matches!(expr.as_ref(), Expr::Value(_)),
        Expr::Interval(_) => true,
        Expr::Nested(inner) => is_literal(inner),
        _ => false,
    }
}
