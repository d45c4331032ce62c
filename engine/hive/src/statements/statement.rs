//! What a statement is.

use std::fmt;

use datafusion::sql::sqlparser::ast::Query;
use futures::future::BoxFuture;

use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// A parsed statement.
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
    ///
    /// Written without `async_trait`: the lifetime bounds that it adds give each future a parameter environment, in which rustc
    /// proves again for each statement that the recursive syntax tree is `Send`. This crate compiled in minutes then, not seconds.
    fn run<'a>(self: Box<Self>, script: &'a mut Script, context: &'a JobContext) -> BoxFuture<'a, Result<i64>>;
}

impl fmt::Debug for dyn Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
