//! Runs a rule: its steps one after the other, each over the tables of one snapshot and the rows of the steps before, then
//! the labels into the result and into the table of labels.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};

use crate::fragments;
use crate::groups::{Address, Groups};
use crate::output::{Facts, Output};
use crate::rule::{Rows, Step};
use crate::spec::{Period, Spec};
use quarry_lake::tables::Table;
use quarry_runtime::job::{JobContext, JobRequest, Parameters};
use quarry_sql::context::QueryContext;
use quarry_sql::errors::name_damaged_file;
use quarry_sql::plan::plan;
use quarry_sql::running::run::drive;
use quarry_sql::session::tables::{Named, QueryCatalog};
use quarry_types::{Error, ErrorCode, Result};

/// The schema of the rows of steps.
const STEPS: &str = "steps";

/// Times of the first block and of the head, in microseconds since 1970; nothing of an empty lake.
pub(crate) async fn span(core: &QueryContext) -> Result<Option<(i64, i64)>> {
    let snapshot = core.lake.snapshot().await?;
    let Some(head) = snapshot.head else { return Ok(None) };
    let first = snapshot.files(Table::Blocks).iter().map(|file| file.min_time).min();
    Ok(Some((first.unwrap_or(head.time), head.time)))
}

/// Refuses a DApp that is not in the registry: its rule would find nobody, and say nothing.
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
                        None => facts.insert(Facts::of(&batch.schema())?),
                    };
                    output.write(facts.rows(&batch)?)
                })
                .await?;
        }
        Rows::Groups { label, label_type, pairs } => {
            let mut groups = Groups::default();
            let keep = runner.reservation("groups");
            runner
                .query(pairs, &stage, |batch| {
                    grow(&keep, batch.num_rows() * Groups::PAIR)?;
                    pairs_of(&batch)?.into_iter().for_each(|(a, b)| groups.add(a, b));
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

/// What the queries of one run have in common.
struct Runner<'a> {
    core: &'a Arc<QueryContext>,
    request: &'a JobRequest,
    values: Parameters,
    /// The tables of the snapshot, and the rows of the steps so far.
    catalog: QueryCatalog,
    steps: BTreeMap<&'static str, Arc<dyn TableProvider>>,
    /// Holds the memory of the steps.
    pool: Arc<dyn MemoryPool>,
    held: Vec<MemoryReservation>,
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
        Ok(Runner { core, request, values, catalog, steps: BTreeMap::new(), pool, held: Vec::new() })
    }

    fn reservation(&self, what: &str) -> MemoryReservation {
        MemoryConsumer::new(what.to_string()).register(&self.pool)
    }

    /// Runs a step and keeps its rows for those after it.
    async fn step(&mut self, step: &Step, context: &JobContext) -> Result<()> {
        let keep = self.reservation(step.name);
        let mut batches: Vec<RecordBatch> = Vec::new();
        let schema = self
            .query(step.query, context, |batch| {
                grow(&keep, batch.get_array_memory_size())?;
                batches.push(batch);
                Ok(0)
            })
            .await?;
        self.held.push(keep);
        let table = MemTable::try_new(schema, vec![batches]).map_err(Error::internal)?;
        self.steps.insert(step.name, Arc::new(table));
        Ok(())
    }

    /// Runs one query of the rule and hands its rows on; answers their columns.
    async fn query(
        &self,
        text: &str,
        context: &JobContext,
        take: impl FnMut(RecordBatch) -> Result<u64>,
    ) -> Result<SchemaRef> {
        let rows_of = |name: &str| self.steps.contains_key(name).then(|| format!("select * from {STEPS}.{name}"));
        let mut text = fragments::expand(text, rows_of);
        // Steps that are no part of other rules.
        for name in self.steps.keys() {
            text = text.replace(&format!("<{name}>"), &format!("select * from {STEPS}.{name}"));
        }
        let mut catalog = self.catalog.clone();
        catalog.add(STEPS, self.steps.iter().map(|(name, table)| (name.to_string(), table.clone())).collect::<Named>());
        let session = self.core.sessions.start(catalog);
        let request = JobRequest { text, parameters: self.values.clone(), ..self.request.clone() };
        let planned = plan(self.core, &session, &request, context).await.map_err(of_the_rule)?;
        let tasks = session.tasks();
        let explain = |error: &_| of_the_rule(planned.names.explain(error));
        let physical = planned.physical.clone();
        let outcome = drive(physical.clone(), tasks.clone(), &explain, context, take).await;
        match outcome {
            Ok(_) => Ok(physical.schema()),
            Err(error) => Err(name_damaged_file(error, &physical, &tasks.runtime_env()).await),
        }
    }
}

/// The user did not write the query: places in it say nothing, and a query that makes no sense is our fault.
fn of_the_rule(mut error: Error) -> Error {
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

fn grow(keep: &MemoryReservation, bytes: usize) -> Result<()> {
    keep.try_grow(bytes).map_err(|error| {
        let message = "The rule needs more memory than a job may have; take a shorter period.";
        Error::new(ErrorCode::MemoryLimit, message).because(error)
    })
}

/// The columns `a` and `b`.
fn pairs_of(batch: &RecordBatch) -> Result<Vec<(Address, Address)>> {
    let column = |name: &str| {
        let column = batch.column_by_name(name).filter(|column| column.data_type() == &DataType::FixedSizeBinary(20));
        column.map(|column| column.as_fixed_size_binary()).ok_or_else(|| Error::internal("pairs are of two addresses"))
    };
    let (a, b) = (column("a")?, column("b")?);
    let address = |bytes: &[u8]| <[u8; 20]>::try_from(bytes).map_err(Error::internal);
    let rows = (0..batch.num_rows()).filter(|row| a.is_valid(*row) && b.is_valid(*row));
    rows.map(|row| Ok((address(a.value(row))?, address(b.value(row))?))).collect()
}
