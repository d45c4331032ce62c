//! Joins with correlated lateral subqueries.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::{Expr, Join, JoinType, LogicalPlan};

use super::domain::{Domain, outer_columns};
use super::push_domain::push_domain;
use super::{Joins, build, limit_size, stock_rules, unsupported};
use crate::sql_extensions::lateral_rows;

impl Joins {
    /// Decorrelates a join with a lateral subquery that no other rule joins.
    pub(super) fn decorrelate_lateral(&mut self, join: Join) -> Result<Transformed<LogicalPlan>> {
        match self.lateral_rows(&join)? {
            Some(rows) => Ok(Transformed::yes(rows)),
            None => Ok(Transformed::no(LogicalPlan::Join(join))),
        }
    }

    fn lateral_rows(&mut self, join: &Join) -> Result<Option<LogicalPlan>> {
        // Where only subqueries of the subquery refer to the left side, the SQL planner takes it for a table.
        let query = lateral_rows::query(&join.right).map_or(join.right.as_ref(), |query| query.subquery.as_ref());
        let is_supported = matches!(join.join_type, JoinType::Inner | JoinType::Left) && join.on.is_empty();
        if !is_supported || outer_columns(query, join.left.schema())?.is_empty() {
            return Ok(None);
        }
        if lateral_rows::is_lateral_row(join)? {
            return Ok(None);
        }
        let columns = || join.schema.columns().into_iter().map(Expr::Column).collect();
        if lateral_rows::query(&join.right).is_some() && stock_rules::join_lateral(&join.left, query)? {
            // The stock rule adds columns, which nodes above do not expect.
            return build::project(LogicalPlan::Join(join.clone()), columns()).map(Some);
        }
        let Some(domain) = Domain::of(&join.left, query, self.count)? else {
            return unsupported::volatile_rows(&join.left);
        };
        let Some(rows) = push_domain(query, &domain)? else { return unsupported::clause_of(query) };
        self.count += 1;
        let rows = self.decorrelate_inner(rows)?;
        let named = query.schema().columns().into_iter().zip(join.right.schema().iter());
        let named =
            named.map(|(column, (table, field))| Expr::Column(column).alias_qualified(table.cloned(), field.name()));
        let rows = build::project(rows, named.chain(domain.keys()).collect())?;
        let conditions = domain.matches().into_iter().chain(join.filter.clone()).collect();
        let rows = limit_size(build::join(join.left.as_ref().clone(), rows, join.join_type, conditions)?)?;
        build::project(rows, columns()).map(Some)
    }
}
