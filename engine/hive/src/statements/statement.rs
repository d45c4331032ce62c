//! What a statement is.

use std::fmt;

use async_trait::async_trait;
use datafusion::sql::sqlparser::ast::Query;

use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// A parsed statement.
#[async_trait]
pub(crate) trait Statement: Send {
    /// The statement in a few words, for the log.
    fn describe(&self) -> String;

    /// The query that EXPLAIN shows the plan of.
    fn query(&self) -> Option<&Query> {
        None
    }

    /// Whether its rows can be the result of the script.
    fn has_rows(&self) -> bool {
        false
    }

    /// Runs it; returns the number of rows that it read or wrote.
    async fn run(self: Box<Self>, script: &mut Script, context: &JobContext) -> Result<i64>;
}

impl fmt::Debug for dyn Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
