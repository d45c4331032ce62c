//! What one step of the rewrite is.

use datafusion::sql::sqlparser::ast::{Expr, ObjectName, Query, Select, TableFactor};

use crate::ast::Rewritten;
use crate::parse_context::ParseContext;
use crate::rewrite::variables::Substituted;
use crate::tokens::Tokens;
use quarry_sql::expansion::Growth;
use quarry_types::Result;

/// One step of the rewrite of HiveQL.
pub struct Step {
    pub name: &'static str,
    /// What it does, or why, in one sentence.
    pub why: &'static str,
    pub(crate) run: Run,
}

pub(crate) const fn step(name: &'static str, run: Run, why: &'static str) -> Step {
    Step { name, why, run }
}

/// What a step works on. Those on nodes of the syntax tree run in one traversal.
pub(crate) enum Run {
    Text(fn(&mut Substituted, usize) -> Result<()>),
    Tokens(fn(Tokens) -> Tokens),
    /// The whole query, before and after the traversal.
    Whole(fn(&mut Query, &ParseContext) -> Result<()>),
    WholeEnd(fn(&mut Query)),
    /// A node, before the nodes inside it.
    Query(fn(&mut Query)),
    TryQuery(fn(&mut Query, &mut Walk) -> Rewritten),
    Select(fn(&mut Select)),
    TrySelect(fn(&mut Select, &mut Walk) -> Rewritten),
    Table(fn(&mut TableFactor)),
    TryTable(fn(&mut TableFactor) -> Rewritten),
    TableName(fn(&mut ObjectName)),
    Expr(fn(&mut Expr)),
    TryExpr(fn(&mut Expr) -> Rewritten),
    /// A node, after the nodes inside it.
    QueryEnd(fn(&mut Query)),
    SelectEnd(fn(&mut Select)),
    TryExprEnd(fn(&mut Expr, &mut Walk) -> Rewritten),
}

/// The state of the traversal of a syntax tree.
pub(crate) struct Walk {
    /// Whether names in backquotes in a SELECT list are regular expressions.
    pub regex_columns: bool,
    /// How much the query has grown.
    pub growth: Growth,
}
