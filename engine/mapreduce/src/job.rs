//! A job: driver → scans of the inputs → plan → rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};

use crate::driver::{self, Driver, Input};
use crate::job_spec::{self, JobSpec};
use crate::sandbox::Limits;
use crate::scripts::Scripts;
use crate::{error_position, output_rows, plan};
use quarry_runtime::job::{Job, JobContext, JobRequest, Schemas};
use quarry_runtime::results::ResultLimits;
use quarry_runtime::user_tables::{NameRules, TableWriter, WriteMode};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::{Names, name_damaged_file};
use quarry_sql::plan::on_thread;
use quarry_sql::running::execute::for_each_batch;
use quarry_sql::session::Session;
use quarry_sql::session::tables::MAIN;
use quarry_types::{Error, ErrorCode, Result};

/// Least memory of one sandbox, in bytes.
const LEAST_MEMORY: usize = 8 << 20;

/// One job of map and reduce.
pub struct MapReduceJob {
    core: Arc<QueryContext>,
    request: JobRequest,
    spec: JobSpec,
}

impl MapReduceJob {
    /// Fails when a field of the spec can't be used.
    pub fn new(core: Arc<QueryContext>, request: &JobRequest) -> Result<MapReduceJob> {
        let config = &core.config;
        let names = if config.scratch_tables.is_some() { NameRules::Free } else { NameRules::Users };
        let spec = job_spec::read(request.spec.as_ref(), names, config.text_limit)?;
        Ok(MapReduceJob { core, request: request.clone(), spec })
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let driver = self.driver().await?;
        let output = output_rows::schema(&driver.output, &self.spec.driver)?;
        // The table is opened first, so that a name that can't be written fails before the scripts run.
        let mut table = self.table(&output)?;
        let session = self.session().await?;
        let planned = self.inputs(&session, &driver, &context).await?;
        let batch = (self.core.config.threads / 2).max(1);
        let partitions = driver.partitions.unwrap_or(batch);
        let limits = self.limits(planned.parts + partitions);
        let scripts = Arc::new(Scripts::new(&self.spec, &driver, limits, &context));
        let plan = plan::build(planned.scans, &driver, output.clone(), partitions, &scripts)?;
        context.log(format!("Mapping in {} parts, reducing in {partitions}.", planned.parts));

        let config = &self.core.config;
        let limits = ResultLimits { rows: config.result_rows_limit, bytes: config.result_bytes_limit };
        let mut rows = self.core.results.writer(&self.request.id, &output, limits)?;
        let names = Names::new("", session.catalog.table_names());
        let explain = |error: &_| names.explain(error);
        let tasks = session.tasks();
        let outcome = for_each_batch(plan.clone(), tasks.clone(), &explain, &context, |batch| {
            if let Some(table) = &mut table {
                table.write(&batch)?;
            }
            rows.write(batch)?;
            Ok(rows.rows())
        })
        .await;
        context.log_peak_memory();
        if let Err(error) = outcome {
            return Err(name_damaged_file(error, &plan, &tasks.runtime_env()).await);
        }
        let (pairs, _) = scripts.shuffle.counts();
        context.log(format!("The mappers and combiners emitted {pairs} pairs."));
        for (name, count) in scripts.counters() {
            context.log(format!("{name} = {count}"));
        }
        rows.finish()?;
        if let Some(table) = table {
            let table = table.finish()?;
            context.log(format!("{} rows are in {}.{}.", table.rows, table.schema, table.name));
        }
        Ok(())
    }

    async fn driver(&self) -> Result<Driver> {
        let (text, limits) = (self.spec.driver.clone(), self.limits(1));
        let values: Map<String, Value> =
            self.request.parameters.iter().map(|(name, value)| (name.clone(), untyped(value))).collect();
        on_thread(self.core.config.plan_time_limit, async move || driver::run(&text, &values, limits)).await
    }

    /// The limits of each of this many sandboxes: together they take half of the memory of the query.
    fn limits(&self, sandboxes: usize) -> Limits {
        let config = &self.core.config;
        let memory = config.query_memory_limit / 2 / sandboxes.max(1);
        Limits { memory: memory.min(config.script_memory_limit).max(LEAST_MEMORY), step: config.script_time_limit }
    }

    /// The table for the rows, in the schema of the user. It replaces one of the same name.
    fn table(&self, output: &SchemaRef) -> Result<Option<TableWriter>> {
        let Some(name) = &self.spec.table else { return Ok(None) };
        let no_schema =
            || Error::new(ErrorCode::NotAllowed, "This job has no schema to write a table to.").about("tableName");
        let own = self.request.schemas.own.as_ref().ok_or_else(no_schema)?;
        let writer = self.core.user_tables.writer(own, name, output, WriteMode::Replace);
        writer.map(Some).map_err(|error| match error.code {
            ErrorCode::InvalidInput => error.about("driver"),
            _ => error,
        })
    }

    /// A session of a batch job that sees the user's own tables without their schema.
    async fn session(&self) -> Result<Session> {
        let mut catalog = self.core.tables(&self.request.schemas).await?;
        let own = Schemas { own: self.request.schemas.own.clone(), ..Schemas::default() };
        let tables = self.core.user_tables.providers(&own)?;
        catalog.add(MAIN, tables.into_iter().map(|(_, name, table)| (name, table)).collect::<BTreeMap<_, _>>());
        let session = self.core.sessions.start_batch(catalog);
        Ok(session)
    }

    /// The error of the query of an input, at the position in the driver of the word that it is about, or else of the table.
    fn input_error(&self, input: &Input, error: &Error) -> Error {
        let written = input.columns.iter().flatten().chain(&input.filter).map(String::as_str);
        let word =
            error_position::word_in_message(&error.message, &written.collect::<Vec<_>>()).unwrap_or(&input.table);
        let message = format!("driver: The input {}: {}", input.table, error.message);
        error_position::locate(Error::new(error.code, message).about("driver"), word, &self.spec.driver)
    }

    /// The scans of the inputs.
    async fn inputs(&self, session: &Session, driver: &Driver, context: &JobContext) -> Result<Planned> {
        let mut planned = Planned { scans: Vec::new(), parts: 0 };
        for input in &driver.inputs {
            let (text, has_no_time) = plan::input_query(input, self.spec.period, &session.catalog, &self.spec.driver)?;
            if has_no_time {
                context.log(format!("{} has no column of times: all its rows are read.", input.table));
            }
            let request = JobRequest { id: self.request.id.clone(), text, ..JobRequest::default() };
            let read = quarry_sql::plan::plan(&self.core, session, &request, context).await;
            let read = read.map_err(|error| match error.code {
                ErrorCode::Killed | ErrorCode::StorageFull | ErrorCode::Internal => error,
                _ => self.input_error(input, &error),
            })?;
            planned.parts += read.physical.output_partitioning().partition_count();
            planned.scans.push(read.physical);
        }
        if self.spec.combiner.is_some() {
            planned.parts *= 2;
        }
        Ok(planned)
    }
}

/// The plans that read the inputs.
struct Planned {
    scans: Vec<Arc<dyn ExecutionPlan>>,
    /// Sandboxes that map and combine.
    parts: usize,
}

/// The value of a parameter, without the type that it may come with.
fn untyped(value: &Value) -> Value {
    match value.get("type").and(value.get("value")) {
        Some(inner) => inner.clone(),
        None => value.clone(),
    }
}

impl Job for MapReduceJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        (*self).run(context).boxed()
    }
}
