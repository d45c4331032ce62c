//! A common subplan as a table.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use arrow::datatypes::{Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::datasource::source_as_provider;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlan, TableScan, TableType};
use datafusion::physical_plan::ExecutionPlan;
use tokio::sync::OnceCell;

use super::exec::RepeatedExec;
use super::materialized::Materialized;

/// The subplan, planned once however often it is scanned.
#[derive(Debug)]
pub(super) struct Repeated {
    index: usize,
    schema: SchemaRef,
    definition: OnceLock<LogicalPlan>,
    materialized: OnceCell<Arc<Materialized>>,
}

impl Repeated {
    /// A table with the rows of `part`; [`Repeated::define`] sets their plan later.
    pub fn new(index: usize, part: &LogicalPlan) -> Repeated {
        let fields = part.schema().as_arrow().fields().iter().enumerate();
        let fields: Vec<Field> =
            fields.map(|(index, field)| field.as_ref().clone().with_name(column_name(index))).collect();
        Repeated {
            index,
            schema: Arc::new(Schema::new(fields)),
            definition: OnceLock::new(),
            materialized: OnceCell::new(),
        }
    }

    pub fn name(&self) -> String {
        format!("repeated_{}", self.index + 1)
    }

    /// Sets the analyzed plan of the rows.
    pub fn define(&self, plan: LogicalPlan) {
        // Set once, by `find::share`.
        let _ = self.definition.set(plan);
    }

    async fn plan(&self, session: &dyn Session) -> Result<Arc<Materialized>> {
        let state = session.as_any().downcast_ref::<SessionState>();
        let state = state.ok_or_else(|| internal_datafusion_err!("a common subplan is planned by a session"))?;
        let definition = self.definition.get();
        let definition = definition.ok_or_else(|| internal_datafusion_err!("a common subplan has a definition"))?;
        // It was analyzed with the query around it.
        let optimized = state.optimizer().optimize(definition.clone(), state, |_, _| {})?;
        let plan = state.query_planner().create_physical_plan(&optimized, state).await?;
        Ok::<_, DataFusionError>(Arc::new(Materialized::new(plan)))
    }
}

/// The plan of a common subplan; `None` for a scan of anything else.
pub fn definition(scan: &TableScan) -> Option<LogicalPlan> {
    let provider = source_as_provider(&scan.source).ok()?;
    let provider: &dyn Any = provider.as_ref();
    provider.downcast_ref::<Repeated>()?.definition.get().cloned()
}

#[async_trait]
impl TableProvider for Repeated {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Temporary
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let materialized = self.materialized.get_or_try_init(|| self.plan(session)).await?;
        Ok(Arc::new(RepeatedExec::new(Arc::clone(materialized), projection.cloned())?))
    }
}

/// Name of a column of a common subplan by its index.
pub(super) fn column_name(index: usize) -> String {
    format!("c{index}")
}
