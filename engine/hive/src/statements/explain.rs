//! `EXPLAIN`.

use async_trait::async_trait;
use datafusion::sql::sqlparser::ast::Query;

use super::Statement;
use crate::script::Script;
use quarry_runtime::job::JobContext;
use quarry_types::Result;

/// Shows the plan of a query.
pub(super) struct Explain(pub Query);

#[async_trait]
impl Statement for Explain {
    fn describe(&self) -> String {
        "explain".to_string()
    }

    fn has_rows(&self) -> bool {
        true
    }

    async fn run(self: Box<Self>, script: &mut Script, _: &JobContext) -> Result<i64> {
        let plan = script.logical_plan(self.0).await?;
        let lines = plan.display_indent().to_string().lines().map(str::to_string).collect();
        script.write_texts(vec![("explain", lines)])
    }
}
