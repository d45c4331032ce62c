//! The rewrite of HiveQL into SQL that the planner reads, in steps on text, tokens and syntax tree.

mod counts;
mod expressions;
mod from;
mod functions;
mod grouping;
mod intervals;
mod lists;
mod queries;
mod select_list;
mod stars;
mod step;
mod steps;
mod tokens;
mod variables;

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, ObjectName, Query, Select, TableFactor, VisitorMut};

use crate::ast::Rewritten;
use crate::parse_context::ParseContext;
use crate::tokens::Tokens;
use quarry_sql::expansion::Growth;
use quarry_sql::syntax::visitor::visit_mut;
use quarry_types::{Error, Result};
use step::{Run, Walk};
pub(crate) use variables::Substituted;

pub(crate) use functions::names as rewritten_functions;
pub(crate) use stars::expand_stars;
pub use step::Step;
pub use steps::STEPS;

/// Runs the steps on the text of a script.
pub(crate) fn rewrite_text(text: &str, max_bytes: usize) -> Result<Substituted> {
    let mut text = Substituted::new(text);
    for step in STEPS {
        if let Run::Text(run) = step.run {
            run(&mut text, max_bytes)?;
        }
    }
    Ok(text)
}

/// Runs the steps on the tokens of a statement. A multi-insert becomes several statements with semicolons between them.
pub(crate) fn rewrite_tokens(tokens: Tokens) -> Tokens {
    STEPS.iter().fold(tokens, |tokens, step| match step.run {
        Run::Tokens(run) => run(tokens),
        _ => tokens,
    })
}

/// Runs the steps on the syntax tree of a query.
///
/// # Errors
///
/// A part of the query that does not run here.
pub(crate) fn rewrite_query(query: &mut Query, context: &ParseContext) -> Result<()> {
    for step in STEPS {
        if let Run::Whole(run) = step.run {
            run(query, context)?;
        }
    }
    let mut walk = Walk { regex_columns: context.regex_columns, growth: Growth::default() };
    if let ControlFlow::Break(error) = visit_mut(query, &mut walk) {
        return Err(*error);
    }
    for step in STEPS {
        if let Run::WholeEnd(run) = step.run {
            run(query);
        }
    }
    Ok(())
}

/// Runs the steps of some kinds on a node.
macro_rules! run_steps {
    ($($kind:pat => $run:expr),+ $(,)?) => {{
        for step in STEPS {
            match step.run {
                $($kind => $run,)+
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }};
}

impl VisitorMut for Walk {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> Rewritten {
        run_steps!(Run::Query(run) => run(query), Run::TryQuery(run) => run(query, self)?)
    }

    fn post_visit_query(&mut self, query: &mut Query) -> Rewritten {
        run_steps!(Run::QueryEnd(run) => run(query))
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> Rewritten {
        run_steps!(Run::Select(run) => run(select), Run::TrySelect(run) => run(select, self)?)
    }

    fn post_visit_select(&mut self, select: &mut Select) -> Rewritten {
        run_steps!(Run::SelectEnd(run) => run(select))
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> Rewritten {
        run_steps!(Run::Table(run) => run(table), Run::TryTable(run) => run(table)?)
    }

    fn pre_visit_relation(&mut self, name: &mut ObjectName) -> Rewritten {
        run_steps!(Run::TableName(run) => run(name))
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> Rewritten {
        run_steps!(Run::Expr(run) => run(expr), Run::TryExpr(run) => run(expr)?)
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> Rewritten {
        run_steps!(Run::TryExprEnd(run) => run(expr, self)?)
    }
}
