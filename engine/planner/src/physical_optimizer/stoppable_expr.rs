//! A filter that can be stopped, for operators that evaluate it very often in one poll.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;

use quarry_runtime::check_stopped;

/// Evaluates another expression, and fails once the job of the thread must end.
#[derive(Debug, Clone)]
pub(crate) struct Stoppable {
    inner: Arc<dyn PhysicalExpr>,
}

impl Stoppable {
    pub fn around(inner: Arc<dyn PhysicalExpr>) -> Arc<dyn PhysicalExpr> {
        Arc::new(Stoppable { inner })
    }
}

impl fmt::Display for Stoppable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl PartialEq for Stoppable {
    fn eq(&self, other: &Stoppable) -> bool {
        self.inner.eq(&other.inner)
    }
}

impl Eq for Stoppable {}

impl Hash for Stoppable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.hash(state);
    }
}

impl PhysicalExpr for Stoppable {
    fn data_type(&self, schema: &Schema) -> Result<DataType> {
        self.inner.data_type(schema)
    }

    fn nullable(&self, schema: &Schema) -> Result<bool> {
        self.inner.nullable(schema)
    }

    fn return_field(&self, schema: &Schema) -> Result<FieldRef> {
        self.inner.return_field(schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        check_stopped()?;
        self.inner.evaluate(batch)
    }

    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        vec![&self.inner]
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn PhysicalExpr>>) -> Result<Arc<dyn PhysicalExpr>> {
        match <[_; 1]>::try_from(children) {
            Ok([inner]) => Ok(Stoppable::around(inner)),
            Err(_) => internal_err!("Stoppable has one child"),
        }
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt_sql(f)
    }
}

#[cfg(test)]
mod tests {
    use datafusion::physical_expr::expressions::lit;

    use super::*;
    use quarry_runtime::{JobThreadPool, Rank};

    #[tokio::test]
    async fn the_expression_fails_on_threads_of_a_stopped_job() {
        let evaluate =
            async || Stoppable::around(lit(true)).evaluate(&RecordBatch::new_empty(Arc::new(Schema::empty())));
        evaluate().await.unwrap();
        let threads = JobThreadPool::new(Rank::Interactive, 1, usize::MAX).take().unwrap();
        threads.spawn(evaluate()).await.unwrap().unwrap();
        threads.memory().stop();
        let error = threads.spawn(evaluate()).await.unwrap().unwrap_err();
        assert!(error.to_string().contains("The query was stopped."), "{error}");
    }
}
