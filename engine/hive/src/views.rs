//! The views of a script. A view is planned again for each statement that reads it, over the tables as they are then.

use std::collections::{BTreeMap, HashSet};

use datafusion::common::Column;
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder};
use datafusion::sql::sqlparser::ast::Query;

use crate::ast::tables_read;
use quarry_types::{Error, ErrorCode, Result};

/// A query with a name.
pub(crate) struct View {
    pub query: Query,
    /// Its columns when it was created, and their names. Columns that a table gets later are not in the view.
    columns: Vec<(Column, String)>,
}

impl View {
    /// A view of a query and its plan; `names` are other names for its columns, if any.
    pub fn new(name: &str, query: Query, plan: &LogicalPlan, names: Vec<String>) -> Result<View> {
        let columns = plan.schema().columns();
        if !names.is_empty() && names.len() != columns.len() {
            let message = format!("The view {name} has {} column names for {} columns.", names.len(), columns.len());
            return Err(Error::new(ErrorCode::InvalidQuery, message));
        }
        let own = columns.iter().map(|column| column.name.clone());
        let names = if names.is_empty() { own.collect() } else { names };
        Ok(View { query, columns: columns.into_iter().zip(names).collect() })
    }

    /// The plan of its query with the column names of the view.
    pub fn rename_columns(&self, name: &str, plan: LogicalPlan) -> Result<LogicalPlan> {
        if let Some((lost, _)) = self.columns.iter().find(|(column, _)| !plan.schema().has_column(column)) {
            let message = format!("The view {name} reads a column {} that no longer exists.", lost.name);
            return Err(Error::new(ErrorCode::UnknownColumn, message));
        }
        let columns = self.columns.iter().map(|(column, name)| Expr::Column(column.clone()).alias(name));
        let renamed = LogicalPlanBuilder::from(plan).project(columns.collect::<Vec<_>>());
        renamed.and_then(LogicalPlanBuilder::build).map_err(Error::internal)
    }
}

/// The views by their names.
#[derive(Default)]
pub(crate) struct Views(BTreeMap<String, View>);

impl Views {
    pub fn insert(&mut self, name: String, view: View) {
        self.0.insert(name, view);
    }

    pub fn remove(&mut self, name: &str) -> Option<View> {
        self.0.remove(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// The views that a query reads, also through other views, each after those that it reads.
    pub fn read_by(&self, query: &Query) -> Vec<(&str, &View)> {
        let (mut seen, mut ordered) = (HashSet::new(), Vec::new());
        self.add(query, &mut seen, &mut ordered);
        ordered
    }

    /// Follows each name once: a view that names itself means a table.
    fn add<'a>(&'a self, query: &Query, seen: &mut HashSet<&'a str>, ordered: &mut Vec<(&'a str, &'a View)>) {
        for name in tables_read(query) {
            if let Some((name, view)) = self.0.get_key_value(&name)
                && seen.insert(name.as_str())
            {
                self.add(&view.query, seen, ordered);
                ordered.push((name.as_str(), view));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;
    use crate::dialect::HiveQl;

    #[test]
    fn views_come_after_those_that_they_read() {
        let parse = |text: &str| *Parser::new(&HiveQl).try_with_sql(text).unwrap().parse_query().unwrap();
        let mut views = Views::default();
        for (name, text) in [
            ("a", "select * from c join t"),
            ("b", "select * from a where x in (select x from d)"),
            ("c", "select * from t"),
            ("d", "select * from d join b"),
            ("e", "select * from a"),
        ] {
            views.insert(name.to_string(), View { query: parse(text), columns: Vec::new() });
        }
        let query = parse("with x as (select * from `B`) select * from x");
        let names: Vec<&str> = views.read_by(&query).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["c", "a", "d", "b"]);
    }
}
