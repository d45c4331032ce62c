//! Runs a rule: its steps in order, over the tables of one snapshot and the rows of earlier steps, then writes the labels to the result
//! and to the table of labels.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};

use crate::groups::{Address, Groups};
use crate::output::{Facts, Output};
use crate::rule::{Rows, Step};
use crate::shared_queries;
use crate::spec::{Period, Spec};
use quarry_lake::tables::Table;
use quarry_runtime::job::{JobContext, JobRequest, Parameters};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::name_damaged_file;
use quarry_sql::plan::plan;
use quarry_sql::running::execute::for_each_batch;
use quarry_sql::session::tables::{QueryCatalog, TablesByName};
use quarry_types::{Error, ErrorCode, Result};

/// The schema of the tables of steps.
const STEPS: &str = "steps";

/// Times of the first block and the head, in microseconds since 1970; `None` for an empty lake.
pub(crate) async fn span(core: &QueryContext) -> Result<Option<(i64, i64)>> {
    let snapshot = core.lake.snapshot().await?;
    let Some(head) = snapshot.head else { return Ok(None) };
    let first = snapshot.files(Table::Blocks).iter().map(|file| file.min_time).min();
    Ok(Some((first.unwrap_or(head.time), head.time)))
}

/// Refuses a DApp that is not in the registry, for which rules would silently find nothing.
pub(crate) async fn check_dapp(core: &QueryContext, spec: &Spec) -> Result<()> {
    match spec.dapp() {
        Some(name) if !core.labels.has_dapp(name).await? => {
            Err(Error::new(ErrorCode::InvalidInput, format!("There is no DApp called {name}.")).about("dappName"))
        }
        _ => Ok(()),
    }
}

pub(crate) async fn run(
    core: &Arc<QueryContext>,
    request: &JobRequest,
    spec: &Spec,
    context: &JobContext,
) -> Result<()> {
    let empty = || Error::new(ErrorCode::InvalidInput, "There are no blocks yet, so there is nothing to label.");
    let (first, head) = span(core).await?.ok_or_else(empty)?;
    let period = spec.period(first, head)?;
    check_dapp(core, spec).await?;
    let rule = spec.rule;
    let count = rule.steps.len() + 1;
    context.log(format!("{}, {}: {}, version {}.", rule.id, rule.title.en, period.name, rule.version));
    let mut runner = Runner::new(core, request, spec, &period).await?;
    for (index, step) in rule.steps.iter().enumerate() {
        context.log(format!("Step {} of {count}: {}.", index + 1, step.name));
        runner.step(step, &context.stage(index, count)).await?;
    }
    context.log(format!("Step {count} of {count}: labels."));
    let stage = context.stage(count - 1, count);
    let mut output = Output::new(core, request, spec, &period)?;
    match rule.rows {
        Rows::Labels(query) => {
            let mut facts: Option<Facts> = None;
            runner
                .query(query, &stage, |batch| {
                    let facts = match &mut facts {
                        Some(facts) => facts,
                        None => facts.insert(Facts::new(&batch.schema())?),
                    };
                    output.write(facts.rows(&batch)?)
                })
                .await?;
        }
        Rows::Groups { label, label_type, pairs } => {
            let mut groups = Groups::default();
            let memory = runner.reservation("groups");
            runner
                .query(pairs, &stage, |batch| {
                    grow(&memory, batch.num_rows() * Groups::PAIR_BYTES)?;
                    address_pairs(&batch)?.into_iter().for_each(|(a, b)| groups.add(a, b));
                    Ok(0)
                })
                .await?;
            output.write(Facts::of_groups(label, label_type, &groups.finish())?)?;
        }
    }
    let found = output.finish()?;
    context.log(format!("{found} labels."));
    let mut last = context.last_progress();
    last.rows_out = found;
    context.progress(last);
    Ok(())
}

/// The state of a run.
struct Runner<'a> {
    core: &'a Arc<QueryContext>,
    request: &'a JobRequest,
    values: Parameters,
    /// The tables of the snapshot.
    catalog: QueryCatalog,
    steps: BTreeMap<&'static str, Arc<dyn TableProvider>>,
    /// For the memory of the steps.
    pool: Arc<dyn MemoryPool>,
    reservations: Vec<MemoryReservation>,
}

impl<'a> Runner<'a> {
    async fn new(
        core: &'a Arc<QueryContext>,
        request: &'a JobRequest,
        spec: &Spec,
        period: &Period,
    ) -> Result<Runner<'a>> {
        let catalog = core.tables(&request.schemas).await?;
        let session = core.sessions.start(catalog.clone());
        let values = spec.values(period);
        let pool: Arc<dyn MemoryPool> = session.pool;
        Ok(Runner { core, request, values, catalog, steps: BTreeMap::new(), pool, reservations: Vec::new() })
    }

    fn reservation(&self, what: &str) -> MemoryReservation {
        MemoryConsumer::new(what.to_string()).register(&self.pool)
    }

    /// Runs a step and keeps its rows for later queries.
    async fn step(&mut self, step: &Step, context: &JobContext) -> Result<()> {
        let memory = self.reservation(step.name);
        let mut batches: Vec<RecordBatch> = Vec::new();
        let schema = self
            .query(step.query, context, |batch| {
                grow(&memory, batch.get_array_memory_size())?;
                batches.push(batch);
                Ok(0)
            })
            .await?;
        self.reservations.push(memory);
        let table = MemTable::try_new(schema, vec![batches]).map_err(Error::internal)?;
        self.steps.insert(step.name, Arc::new(table));
        Ok(())
    }

    /// Runs a query, passes its rows to `take`, and returns their schema.
    async fn query(
        &self,
        text: &str,
        context: &JobContext,
        take: impl FnMut(RecordBatch) -> Result<u64>,
    ) -> Result<SchemaRef> {
        let rows_of = |name: &str| self.steps.contains_key(name).then(|| format!("select * from {STEPS}.{name}"));
        let mut text = shared_queries::expand(text, rows_of);
        // Steps that are no shared queries.
        for name in self.steps.keys() {
            text = text.replace(&format!("<{name}>"), &format!("select * from {STEPS}.{name}"));
        }
        let mut catalog = self.catalog.clone();
        catalog.add(
            STEPS,
            self.steps.iter().map(|(name, table)| (name.to_string(), table.clone())).collect::<TablesByName>(),
        );
        let session = self.core.sessions.start(catalog);
        let request = JobRequest { text, parameters: self.values.clone(), ..self.request.clone() };
        let planned = plan(self.core, &session, &request, context).await.map_err(rule_error)?;
        let tasks = session.tasks();
        let explain = |error: &_| rule_error(planned.names.explain(error));
        let physical = planned.physical.clone();
        let outcome = for_each_batch(physical.clone(), tasks.clone(), &explain, context, take).await;
        match outcome {
            Ok(_) => Ok(physical.schema()),
            Err(error) => Err(name_damaged_file(error, &physical, &tasks.runtime_env()).await),
        }
    }
}

/// Users do not see the queries of rules: positions are dropped, and invalid queries are internal errors.
fn rule_error(mut error: Error) -> Error {
    error.position = None;
    match error.code {
        ErrorCode::Syntax
        | ErrorCode::UnknownTable
        | ErrorCode::UnknownColumn
        | ErrorCode::UnknownFunction
        | ErrorCode::InvalidQuery
        | ErrorCode::NotAllowed => Error::internal(error),
        _ => error,
    }
}

fn grow(memory: &MemoryReservation, bytes: usize) -> Result<()> {
    memory.try_grow(bytes).map_err(|error| {
        let message = "The rule exceeded the memory limit of a job; choose a shorter period.";
        Error::new(ErrorCode::MemoryLimit, message).because(error)
    })
}

/// The columns `a` and `b`.
fn address_pairs(batch: &RecordBatch) -> Result<Vec<(Address, Address)>> {
    let column = |name: &str| {
        let column = batch.column_by_name(name).filter(|column| column.data_type() == &DataType::FixedSizeBinary(20));
        column.map(|column| column.as_fixed_size_binary()).ok_or_else(|| Error::internal("pairs are of two addresses"))
    };
    let (a, b) = (column("a")?, column("b")?);
    let address = |bytes: &[u8]| <[u8; 20]>::try_from(bytes).map_err(Error::internal);
    let rows = (0..batch.num_rows()).filter(|row| a.is_valid(*row) && b.is_valid(*row));
    rows.map(|row| Ok((address(a.value(row))?, address(b.value(row))?))).collect()
}
