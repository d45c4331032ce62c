//! `EXPLAIN`.

use datafusion::sql::sqlparser::ast::Query;
use futures::future::BoxFuture;

use super::Statement;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// Shows the plan of a query.
pub(super) struct Explain(pub Query);

impl Statement for Explain {
    fn describe(&self) -> String {
        "explain".to_string()
    }

    fn has_rows(&self) -> bool {
        true
    }

    fn run<'a>(self: Box<Self>, script: &'a mut Script, _: &'a JobContext) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move {
            let plan = script.logical_plan(self.0).await?;
            let lines = plan.display_indent().to_string().lines().map(str::to_string).collect();
            script.write_texts(vec![("explain", lines)])
        })
    }
}
