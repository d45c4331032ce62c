//! Lateral queries.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, Join, JoinType, LogicalPlan};

use super::domain::{Domain, outer_columns};
use super::pushed::pushed;
use super::{Joins, bounded, build, refused, stock};
use crate::sql_extensions::laterals;

impl Joins {
    /// A join with a lateral query that no other rule joins.
    pub(super) fn lateral(&mut self, join: Join) -> Result<Transformed<LogicalPlan>> {
        match self.rows(&join)? {
            Some(rows) => Ok(Transformed::yes(rows)),
            None => Ok(Transformed::no(LogicalPlan::Join(join))),
        }
    }

    fn rows(&mut self, join: &Join) -> Result<Option<LogicalPlan>> {
        // Where only queries further inside ask for columns of the rows before it, the planner takes it for a table.
        let asked = laterals::query(&join.right).map_or(join.right.as_ref(), |query| query.subquery.as_ref());
        let known = matches!(join.join_type, JoinType::Inner | JoinType::Left) && join.on.is_empty();
        if !known || outer_columns(asked, join.left.schema())?.is_empty() {
            return Ok(None);
        }
        if laterals::is_of_row(join)? {
            return Ok(None);
        }
        let columns = || join.schema.columns().into_iter().map(Expr::Column).collect();
        if laterals::query(&join.right).is_some() && stock::joins_lateral(&join.left, asked)? {
            // The stock rule shows more columns than it was asked for, which steps above don't know of.
            return build::project(LogicalPlan::Join(join.clone()), columns()).map(Some);
        }
        let Some(domain) = Domain::of(&join.left, asked, self.made)? else { return refused::around(&join.left) };
        let Some(answers) = pushed(asked, &domain)? else { return refused::inside(asked) };
        self.made += 1;
        let answers = self.further_inside(answers)?;
        let named = asked.schema().columns().into_iter().zip(join.right.schema().iter());
        let named =
            named.map(|(column, (table, field))| Expr::Column(column).alias_qualified(table.cloned(), field.name()));
        let answers = build::project(answers, named.chain(domain.keys()).collect())?;
        let conditions = domain.matches().into_iter().chain(join.filter.clone()).collect();
        let rows = bounded(build::join(join.left.as_ref().clone(), answers, join.join_type, conditions)?)?;
        build::project(rows, columns()).map(Some)
    }
}
