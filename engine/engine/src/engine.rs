//! The engine of one home: its jobs, results, tables and metrics.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::DataFusionError;
use parquet::errors::ParquetError;
use tokio::runtime::Handle;

use crate::catalog::{self, Catalog};
use quarry_cypher::{GraphLimits, Graphs};
use quarry_planner::workarounds::file_statistics::RowCountsOnly;
use quarry_runtime::EngineConfig;
use quarry_runtime::results::ResultLimits;
use quarry_sql::context::QueryContext;
use quarry_sql::running::shared_runs::SharedRuns;
use quarry_sql::session::Sessions;
use quarry_sql::session::tables::Attached;
use quarry_sql::{Variant, VariantRunner};

use crate::query_kinds;
use crate::raw_transaction::{self, RawTransaction};
use crate::recent_blocks::{self, RecentBlock};
use quarry_functions::foreign::with_engine_types;
use quarry_labels::Labels;
use quarry_lake::{Head, Lake};
use quarry_metrics::Metrics;
use quarry_runtime::job::memory_watchdog::MemoryWatchdog;
use quarry_runtime::job::{JobHandle, JobKind, JobRequest, Jobs, QueueLimits};
use quarry_runtime::results::{ExportStream, Format, ResultStore, StoredResult, check_id, log_failure};
use quarry_runtime::user_tables::{NameRules, UploadFormat, UserTable, UserTables, WriteMode};
use quarry_runtime::{EngineThreads, JobThreadPool, Rank};
use quarry_sql::PlanChange;
use quarry_sql::session_states::open_sessions;
use quarry_types::type_names::ResultColumn;
use quarry_types::{Error, ErrorCode, Result};

/// Uploaded files that are read at the same time.
const MAX_UPLOADS: usize = 2;
/// Results that are exported at the same time, each as fast as its client reads.
const MAX_EXPORTS: usize = 16;
/// Results from which rows are read at the same time. The largest page takes about 150 MiB until it is written.
const MAX_READS: usize = 3;
/// The longest time for a file: a large result over a slow connection.
const FILE_TIME_LIMIT: Duration = Duration::from_secs(3_600);
/// How long a client may take for a chunk of an export, which holds memory and a slot that others wait for.
const CHUNK_TIME_LIMIT: Duration = Duration::from_secs(60);

/// An open engine on one home.
pub struct Engine {
    core: Arc<QueryContext>,
    graphs: Arc<Graphs>,
    queues: Queues,
    uploads: Jobs,
    exports: Jobs,
    /// Reads of result rows.
    reads: Jobs,
    metrics: Metrics,
    watchdog: MemoryWatchdog,
    _threads: EngineThreads,
}

/// The queues of an engine. Jobs of one queue do not wait for those of another.
struct Queues {
    /// Queries of users who wait for them.
    interactive: Jobs,
    /// HIVE, MAPREDUCE and LABEL.
    batch: Jobs,
    /// Queries in the background, such as those of schedules.
    background: Jobs,
}

impl Queues {
    fn all(&self) -> [&Jobs; 3] {
        [&self.interactive, &self.batch, &self.background]
    }

    fn queue_for(&self, request: &JobRequest) -> &Jobs {
        match request.kind {
            JobKind::Hive | JobKind::MapReduce | JobKind::Label => &self.batch,
            _ if request.background => &self.background,
            _ => &self.interactive,
        }
    }
}

impl Engine {
    /// Opens the home: lake, results, users' tables and spill folder. Creates what is missing.
    pub fn open(config: EngineConfig) -> Result<Arc<Engine>> {
        let threads = EngineThreads::start(config.threads)?;
        let (runtime, background) = (threads.interactive().clone(), threads.background().clone());
        let results = ResultStore::open(&config.results_dir())?;
        let sessions = open_sessions(&config)?;
        let limits = QueueLimits {
            concurrency: config.concurrency.max(1),
            waiting: config.queue_limit,
            time: config.time_limit,
            keep: config.keep_jobs,
        };
        let batch_limits = QueueLimits { concurrency: config.batch_concurrency.max(1), ..limits };
        let jobs = |rank: Rank, limits: QueueLimits| {
            let pool = JobThreadPool::new(rank, config.threads, config.job_memory_limit());
            Jobs::new(threads.control().clone(), pool, limits)
        };
        let queues = Queues {
            interactive: jobs(Rank::Interactive, limits),
            batch: jobs(Rank::Batch, batch_limits),
            background: jobs(Rank::Batch, batch_limits),
        };
        let files = |concurrency: usize| {
            let pool = JobThreadPool::new(Rank::Interactive, 1, config.job_memory_limit());
            let limits = QueueLimits { concurrency, waiting: config.queue_limit, time: FILE_TIME_LIMIT, keep: 0 };
            Jobs::new(threads.control().clone(), pool, limits)
        };
        let (uploads, exports, reads) = (files(MAX_UPLOADS), files(MAX_EXPORTS), files(MAX_READS));
        let watchdog = MemoryWatchdog::start(config.process_memory_limit)?;
        queues.all().into_iter().chain([&uploads, &exports, &reads]).for_each(|jobs| watchdog.watch(jobs.clone()));
        let lake = block_on(&runtime, Lake::open_with(&config.lake_dir(), config.lake_options()))??;
        let names = if config.scratch_tables.is_some() { NameRules::Free } else { NameRules::Users };
        let user_tables = UserTables::new(&config.tables_dir(), config.table_quota, names);
        let labels = Arc::new(Labels::new(&config.labels_dir(), config.table_quota));
        user_tables.clean();
        labels.clean();
        let result = ResultLimits { rows: config.result_rows_limit, bytes: config.result_bytes_limit };
        let limits = GraphLimits { text: config.text_limit, memory: config.memory_limit, result };
        let graphs = Arc::new(Graphs::new(lake.clone(), labels.clone(), results.clone(), limits));
        let core = QueryContext {
            config,
            lake,
            sessions,
            results,
            attached: Attached::default(),
            user_tables,
            labels,
            shared: SharedRuns::default(),
            runtime,
            background,
        };
        let core = Arc::new(core);
        let metrics = Metrics::new(core.clone());
        Ok(Arc::new(Engine { core, graphs, queues, uploads, exports, reads, metrics, watchdog, _threads: threads }))
    }

    pub fn config(&self) -> &EngineConfig {
        &self.core.config
    }

    /// What queries start from. Workers need the same functions and settings.
    pub fn sessions(&self) -> &Sessions {
        &self.core.sessions
    }

    /// Watches the memory of all jobs, and stops those that take too much.
    pub fn watchdog(&self) -> &MemoryWatchdog {
        &self.watchdog
    }

    /// Starts or queues a job. Fails if the queue is full, the id is taken or the request is invalid.
    pub fn submit(&self, request: JobRequest) -> Result<JobHandle> {
        check_id(&request.id)?;
        let job = query_kinds::job(&self.core, &self.graphs, &request)?;
        if self.job(&request.id).is_some() {
            return Err(Error::new(ErrorCode::InvalidInput, format!("There is a job {} already.", request.id)));
        }
        self.queues.queue_for(&request).submit(&request, job)
    }

    /// The columns of the result of an SQL query, without running it. Only the request's text, parameters and schemas matter.
    pub async fn columns(&self, request: &JobRequest) -> Result<Vec<ResultColumn>> {
        let (core, request) = (self.core.clone(), request.clone());
        let columns = self.core.runtime.spawn(async move { quarry_sql::columns(&core, &request).await });
        columns.await.map_err(Error::internal)?
    }

    /// The initial plan of an SQL query, and the plan after each step of the planner that changes it. It names files of the lake.
    pub async fn plan_changes(&self, request: &JobRequest) -> Result<Vec<PlanChange>> {
        let (core, request) = (self.core.clone(), request.clone());
        let changes = self.core.runtime.spawn(async move { quarry_sql::plan_changes(&core, &request).await });
        changes.await.map_err(Error::internal)?
    }

    /// A job by its id, while it is remembered.
    pub fn job(&self, id: &str) -> Option<JobHandle> {
        self.queues.all().into_iter().find_map(|queue| queue.job(id))
    }

    /// The jobs that are running or queued.
    pub fn active_jobs(&self) -> Vec<JobHandle> {
        self.queues.all().into_iter().flat_map(Jobs::active).collect()
    }

    /// The stored result of a finished job, also from before a restart.
    pub fn result(&self, id: &str) -> Result<StoredResult> {
        self.core.results.get(id)
    }

    /// Calls `read` with the stored result of a finished job. Its memory is accounted for, and the reads of one owner take turns with
    /// those of others.
    ///
    /// # Errors
    /// Those of `read`; `NotFound` without such a result; `Busy` if too many reads are queued.
    pub async fn read_result<T: Send + 'static>(
        &self,
        owner: &str,
        id: &str,
        read: impl FnOnce(StoredResult) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (results, id) = (self.core.results.clone(), id.to_string());
        self.reads.call(owner, move || read(results.get(&id)?))?.await
    }

    pub fn remove_result(&self, id: &str) -> Result<()> {
        self.core.results.remove(id)
    }

    /// Ids of all stored results.
    pub fn results(&self) -> Result<Vec<String>> {
        self.core.results.list()
    }

    /// The time since a result was stored.
    pub fn result_age(&self, id: &str) -> Result<Duration> {
        self.core.results.age(id)
    }

    /// A whole result in a format. The exports of one owner take turns with those of others. Dropping the stream cancels it.
    ///
    /// # Errors
    /// `Busy` if too many exports are queued.
    pub fn export(&self, owner: &str, result: &StoredResult, format: Format) -> Result<ExportStream> {
        let (stream, work) = result.export_with_timeout(format, CHUNK_TIME_LIMIT);
        let call = self.exports.call(owner, work)?;
        self.core.background.spawn(async { log_failure(call.await) });
        Ok(stream)
    }

    /// Creates a table from a file, or adds its rows to a table with the same column names in any order. Continues if the future
    /// is dropped. The files of one owner take turns with those of others.
    ///
    /// # Errors
    /// What is wrong with the file; `MemoryLimit` if it unpacks to more than a query may use.
    pub async fn upload(
        &self,
        owner: &str,
        schema: &str,
        table: &str,
        file: impl AsRef<Path> + Send + 'static,
        format: UploadFormat,
        mode: WriteMode,
    ) -> Result<UserTable> {
        let (tables, schema, table) = (self.core.user_tables.clone(), schema.to_string(), table.to_string());
        let work = move || tables.upload(&schema, &table, file.as_ref(), format, mode);
        self.uploads.call(owner, work)?.await
    }

    pub fn user_tables(&self) -> &UserTables {
        &self.core.user_tables
    }

    /// The labels of addresses.
    pub fn labels(&self) -> &Labels {
        &self.core.labels
    }

    /// Checks the spec of a LABEL job on this lake.
    pub async fn check_label(&self, spec: &serde_json::Value) -> Result<()> {
        quarry_label_rules::check(&self.core, spec).await
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    pub fn lake(&self) -> &Lake {
        &self.core.lake
    }

    /// The newest block of the lake.
    pub async fn head(&self) -> Result<Option<Head>> {
        Ok(self.core.lake.snapshot().await?.head)
    }

    /// Runs queries with other settings or without one rule, on the current tables. For tests that compare results.
    pub async fn variant(&self, variant: &Variant) -> Result<VariantRunner> {
        VariantRunner::new(self.core.clone(), variant).await
    }

    /// The newest blocks, newest first.
    pub async fn recent_blocks(&self, count: u32) -> Result<Vec<RecentBlock>> {
        recent_blocks::blocks(&self.core, count).await
    }

    /// A transaction with its logs, if it is in the lake.
    pub async fn transaction(&self, hash: [u8; 32]) -> Result<Option<RawTransaction>> {
        raw_transaction::find(&self.core, hash.into()).await
    }

    /// Tables, columns and functions, for editors and documentation.
    pub async fn catalog(&self) -> Result<Catalog> {
        catalog::build(&self.core).await
    }

    /// Loads a small property graph from JSON, for all later GRAPH queries.
    pub fn attach_graph(&self, text: &str) -> Result<()> {
        self.graphs.load(text)
    }

    /// Attaches a Parquet file, or all Parquet files of a folder, as a table for all later queries. For the command line only: web
    /// users do not name files.
    pub fn attach(&self, name: &str, path: &Path) -> Result<()> {
        let unreadable = |what: &str| {
            Error::new(ErrorCode::InvalidInput, format!("{} can't be attached as {name}: {what}.", path.display()))
        };
        let full = path.canonicalize().map_err(|error| unreadable(&error.to_string()))?;
        let mut text = full.to_str().ok_or_else(|| unreadable("its name is not UTF-8"))?.to_string();
        if full.is_dir() {
            text.push('/');
        }
        let url = ListingTableUrl::parse(&text).map_err(|error| unreadable(&error.to_string()))?;
        // The metadata has the meanings of columns, such as uint256.
        let format = ParquetFormat::default().with_skip_metadata(false);
        let options = ListingOptions::new(Arc::new(RowCountsOnly(format))).with_file_extension(".parquet");
        // A single file may have any extension.
        let options = if full.is_dir() { options } else { options.with_file_extension("") };
        let state = self.core.sessions.base();
        let infer = ListingTableConfig::new(url).with_listing_options(options);
        let config = block_on(&self.core.runtime, infer.infer_schema(state.as_ref()))?
            .map_err(|error| unreadable(&parquet_error(&error)).because(error))?;
        let table = ListingTable::try_new(config).map_err(|error| unreadable(&error.to_string()))?;
        let cache = state.runtime_env().cache_manager.get_file_statistic_cache();
        let table = with_engine_types(name, Arc::new(table.with_cache(cache)));
        self.core.attached.insert(name, table.map_err(|error| unreadable(&error.to_string()))?);
        Ok(())
    }
}

/// Waits for a future on a thread of its own: the caller may be on a runtime, where blocking is not allowed.
fn block_on<T: Send>(runtime: &Handle, future: impl Future<Output = T> + Send) -> Result<T> {
    std::thread::scope(|scope| scope.spawn(|| runtime.block_on(future)).join())
        .map_err(|_| Error::internal("opening the engine panicked"))
}

/// Why a file can't be read, without the prefixes of DataFusion and the Parquet reader.
fn parquet_error(error: &DataFusionError) -> String {
    let what = match error.find_root() {
        DataFusionError::ParquetError(inner) => match &**inner {
            ParquetError::General(what) => what.clone(),
            other => other.to_string(),
        },
        other => return other.to_string(),
    };
    format!("it can't be read as Parquet: {}", what.trim_end_matches('.'))
}
