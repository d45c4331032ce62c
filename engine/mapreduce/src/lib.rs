//! The MAPREDUCE kind: JavaScript over a table. A driver says what is read and what comes out, a mapper makes pairs of rows,
//! a reducer makes rows of each key and its values. The code runs in sandboxes inside operators of an ordinary plan, so that
//! a job is parallel, bounded and stopped like every query; its rows become a table of the user, or the result alone.

mod code;
mod codec;
mod columns;
mod driver;
mod file;
mod found;
mod groups;
mod lent;
mod map;
mod output;
mod pairs;
mod part;
mod plan;
mod reduce;
mod rows;
mod sandbox;
mod spec;
mod sums;
mod worker;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Map, Value};

use code::{Code, Texts};
use driver::{Driver, Input};
use quarry_runtime::job::{Job, JobContext, JobRequest, Schemas};
use quarry_runtime::results::ResultLimits;
use quarry_runtime::user_tables::{NameRules, WriteMode};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::{Names, name_damaged_file};
use quarry_sql::plan::{on_thread, plan};
use quarry_sql::running::run::drive;
use quarry_sql::session::Session;
use quarry_sql::session::tables::MAIN;
use quarry_types::{Error, ErrorCode, Result};
use sandbox::Limits;
use spec::Spec;

pub use file::{JobFile, job_file};

/// Least memory of one sandbox, in bytes.
const LEAST: usize = 8 << 20;

/// One job of map and reduce.
pub struct MapReduceJob {
    core: Arc<QueryContext>,
    request: JobRequest,
    spec: Spec,
}

impl MapReduceJob {
    /// Fails when a field of the spec can't be used.
    pub fn new(core: Arc<QueryContext>, request: &JobRequest) -> Result<MapReduceJob> {
        let config = &core.config;
        let names = if config.scratch_tables.is_some() { NameRules::Free } else { NameRules::Users };
        let spec = spec::read(request.spec.as_ref(), names, config.text_limit)?;
        Ok(MapReduceJob { core, request: request.clone(), spec })
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let driver = self.driver().await?;
        let output = output::schema(&driver.output, &self.spec.driver)?;
        // A table is asked for before the work, so that a name that can't be written does not cost a run.
        let mut table = self.table(&output)?;
        let session = self.session().await?;
        let planned = self.inputs(&session, &driver, &context).await?;
        let batch = (self.core.config.threads / 2).max(1);
        let partitions = driver.partitions.unwrap_or(batch);
        let code = Arc::new(self.code(&driver, planned.parts + partitions, &context));
        let plan = plan::build(planned.scans, &driver, output.clone(), partitions, &code)?;
        context.log(format!("Mapping in {} parts, reducing in {partitions}.", planned.parts));

        let config = &self.core.config;
        let limits = ResultLimits { rows: config.result_rows_limit, bytes: config.result_bytes_limit };
        let mut rows = self.core.results.writer(&self.request.id, &output, limits)?;
        let names = Names::new("", session.catalog.table_names());
        let explain = |error: &_| names.explain(error);
        let tasks = session.tasks();
        let outcome = drive(plan.clone(), tasks.clone(), &explain, &context, |batch| {
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
        let (pairs, _) = code.shuffle.seen();
        context.log(format!("The mappers and combiners emitted {pairs} pairs."));
        for (name, count) in code.counters() {
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
        let given: Map<String, Value> =
            self.request.parameters.iter().map(|(name, value)| (name.clone(), plain(value))).collect();
        on_thread(self.core.config.plan_time_limit, async move || driver::read(&text, &given, limits)).await
    }

    /// What each of this many sandboxes may take: together half of what the query may.
    fn limits(&self, sandboxes: usize) -> Limits {
        let config = &self.core.config;
        let memory = config.query_memory_limit / 2 / sandboxes.max(1);
        Limits { memory: memory.min(config.script_memory_limit).max(LEAST), step: config.script_time_limit }
    }

    fn code(&self, driver: &Driver, sandboxes: usize, context: &JobContext) -> Code {
        let texts = Texts {
            mapper: self.spec.mapper.clone(),
            combiner: self.spec.combiner.clone(),
            reducer: self.spec.reducer.clone(),
            params: Value::Object(driver.params.clone()).to_string(),
        };
        Code::new(texts, self.limits(sandboxes), driver.seed, driver.sort, context)
    }

    /// The table that the rows go to, in the schema of whoever runs the job. It takes the place of one of the same name.
    fn table(&self, output: &arrow::datatypes::SchemaRef) -> Result<Option<quarry_runtime::user_tables::TableWriter>> {
        let Some(name) = &self.spec.table else { return Ok(None) };
        let nobody =
            || Error::new(ErrorCode::NotAllowed, "This job has no schema to write a table to.").about("tableName");
        let own = self.request.schemas.own.as_ref().ok_or_else(nobody)?;
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

    /// The error of an input. The place that it tells is one in a query that nobody wrote: in the driver it is where the word
    /// stands that it is about, or else the table.
    fn of_input(&self, input: &Input, error: &Error) -> Error {
        let written = input.columns.iter().flatten().chain(&input.filter).map(String::as_str);
        let word = found::told(&error.message, &written.collect::<Vec<_>>()).unwrap_or(&input.table);
        let message = format!("driver: The input {}: {}", input.table, error.message);
        found::at(Error::new(error.code, message).about("driver"), word, &self.spec.driver)
    }

    /// The scans of the inputs.
    async fn inputs(&self, session: &Session, driver: &Driver, context: &JobContext) -> Result<Planned> {
        let mut planned = Planned { scans: Vec::new(), parts: 0 };
        for input in &driver.inputs {
            let (text, timeless) = plan::query(input, self.spec.period, &session.catalog, &self.spec.driver)?;
            if timeless {
                context.log(format!("{} has no time to choose by: all its rows are read.", input.table));
            }
            let request = JobRequest { id: self.request.id.clone(), text, ..JobRequest::default() };
            let read = plan(&self.core, session, &request, context).await;
            let read = read.map_err(|error| match error.code {
                ErrorCode::Killed | ErrorCode::StorageFull | ErrorCode::Internal => error,
                _ => self.of_input(input, &error),
            })?;
            let parts = datafusion::physical_plan::ExecutionPlanProperties::output_partitioning(&read.physical);
            planned.parts += parts.partition_count();
            planned.scans.push(read.physical);
        }
        if self.spec.combiner.is_some() {
            planned.parts *= 2;
        }
        Ok(planned)
    }
}

/// What reads the inputs.
struct Planned {
    scans: Vec<Arc<dyn datafusion::physical_plan::ExecutionPlan>>,
    /// Sandboxes that map and combine.
    parts: usize,
}

/// The value of a parameter, without the type that it may come with.
fn plain(value: &Value) -> Value {
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
