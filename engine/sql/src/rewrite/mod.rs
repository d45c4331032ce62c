//! Rewrites of the parsed statement before planning: exact literals, forms of other dialects, and names of columns.

mod aggregates;
mod aliases_like_columns;
mod any_all;
mod array_subqueries;
mod ast;
mod calls;
mod cast_names;
mod casts;
mod column_names;
mod date_functions;
mod expressions;
mod flatten;
mod group_by;
mod joins;
mod json;
mod limits;
mod literals;
mod order_by;
mod patterns;
mod percentiles;
mod positional_columns;
mod quoted_names;
mod row_comparisons;
mod shadowed_ctes;
mod show_statements;
pub mod steps;
mod structs;
mod table_functions;
mod table_scope;
pub(super) mod tablesample;
mod unnest;

use std::fmt::Display;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, ObjectName, Query, Select, Statement, TableFactor, VisitorMut};

use crate::error_location;
use crate::expansion::Growth;
use crate::syntax::visitor::visit_mut;
use crate::trace::{Step, Trace};
use quarry_types::{Error, Result};

pub(super) use aliases_like_columns::rename_aliases_like_columns;
pub(super) use cast_names::name_casts;
pub use column_names::name_outer_columns;
pub(super) use order_by::separate_shadowed_columns;
pub use shadowed_ctes::rename_shadowed_ctes;
pub(super) use show_statements::show_as_query;
use steps::{Change, Flow};

/// Names the columns of the result without a name after their text.
pub(super) fn name_result_columns(statement: &mut Statement) {
    if let Statement::Query(query) = statement {
        column_names::name_result(&mut query.body);
    }
}

/// Rewrites a checked statement in place, in one walk over its syntax tree.
///
/// # Errors
///
/// It has a form that is not supported, or grows too much.
pub(super) fn rewrite_statement(statement: &mut Statement, trace: &mut Trace) -> Result<()> {
    match visit_mut(statement, &mut Rewriter { growth: Growth::default(), trace }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

struct Rewriter<'a> {
    growth: Growth,
    trace: &'a mut Trace,
}

impl Rewriter<'_> {
    fn run<N: Display>(&mut self, steps: &[Step<Change<N>>], node: &mut N) -> Flow {
        for step in steps {
            let before = self.trace.is_on.then(|| node.to_string());
            match step.run {
                Change::Always(run) => run(node),
                Change::Try(run) => run(node, &mut self.growth)?,
            }
            if let Some(before) = before {
                self.trace.note_node(step, &before, &node.to_string());
            }
        }
        ControlFlow::Continue(())
    }
}

impl VisitorMut for Rewriter<'_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> Flow {
        self.run(steps::QUERIES, query)
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> Flow {
        self.run(steps::SELECTS, select)
    }

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> Flow {
        self.run(steps::TABLE_NAMES, relation)
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> Flow {
        self.run(steps::TABLES, table)
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        let position = error_location::expr_position(expr);
        self.run(steps::EXPRESSIONS, expr)?;
        error_location::keep_position(expr, position);
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        let position = error_location::expr_position(expr);
        self.run(steps::EXPRESSION_ENDS, expr)?;
        error_location::keep_position(expr, position);
        ControlFlow::Continue(())
    }
}
