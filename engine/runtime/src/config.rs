//! Every setting of the engine in one place, with its unit, default and environment variable.

use std::path::PathBuf;
use std::time::Duration;

use crate::Machine;

/// How much an engine and each of its queries may take. `Default` fits the machine it runs on.
#[derive(Debug, Clone)]
pub struct EngineConfig {
    /// Folder that holds `lake/`, `results/`, `tables/`, `labels/`, `metrics/` and `spill/` (`QUARRY_HOME`).
    pub home: PathBuf,
    /// Folder of stored results in place of `results/` in the home: for a process beside the one that serves the home.
    pub results: Option<PathBuf>,
    /// Folder of users' tables in place of `tables/` in the home, for tables that live as long as one command; their names
    /// are not held to the rules of the web.
    pub scratch_tables: Option<PathBuf>,
    /// Whether `LOAD DATA` reads files of this machine: for commands, which have the rights of the user who types them.
    pub read_files: bool,
    /// Bytes that the tables of one user may have together (`QUARRY_TABLE_QUOTA`).
    pub table_quota: u64,
    /// Bytes of the largest file that becomes a table by upload (`QUARRY_TABLE_UPLOAD_LIMIT`).
    pub table_upload_limit: u64,
    /// Bytes of memory all queries share (`QUARRY_MEMORY_LIMIT`); default: 60 % of the machine's.
    pub memory_limit: usize,
    /// Bytes of memory one query may take of that (`QUARRY_QUERY_MEMORY_LIMIT`); default: half of it.
    pub query_memory_limit: usize,
    /// Bytes the whole process may hold before its greediest query is ended (`QUARRY_PROCESS_MEMORY_LIMIT`); default: 80 %
    /// of the machine's.
    pub process_memory_limit: usize,
    /// Bytes that the metrics may hold of addresses (`QUARRY_METRICS_MEMORY_LIMIT`), about 120 of each that the chain has seen;
    /// default: a quarter of the machine's.
    pub metrics_memory_limit: usize,
    /// Bytes on disk that queries may spill to together (`QUARRY_SPILL_LIMIT`).
    pub spill_limit: u64,
    /// Longest run of one query from its start (`QUARRY_TIME_LIMIT`, seconds).
    pub time_limit: Duration,
    /// Longest time to parse and plan one query (`QUARRY_PLAN_TIME_LIMIT`, seconds).
    pub plan_time_limit: Duration,
    /// Most rows of a stored result (`QUARRY_RESULT_ROWS_LIMIT`).
    pub result_rows_limit: u64,
    /// Most bytes of a stored result (`QUARRY_RESULT_BYTES_LIMIT`).
    pub result_bytes_limit: u64,
    /// Jobs of one kind that run at the same time (`QUARRY_CONCURRENCY`).
    pub concurrency: usize,
    /// Batch jobs (HIVE, MAPREDUCE, LABEL) that run at the same time, beside the others, and as many queries in the
    /// background (`QUARRY_BATCH_CONCURRENCY`).
    pub batch_concurrency: usize,
    /// Jobs of one kind that may wait (`QUARRY_QUEUE_LIMIT`), three quarters of them of one owner; more are refused as busy.
    pub queue_limit: usize,
    /// Threads that run queries, and parts a plan is cut into (`QUARRY_THREADS`); default: the cores.
    pub threads: usize,
    /// Bytes of memory that the code of one worker of a MAPREDUCE job may take (`QUARRY_SCRIPT_MEMORY_LIMIT`).
    pub script_memory_limit: usize,
    /// Longest time that such code may run without reading or emitting anything (`QUARRY_SCRIPT_TIME_LIMIT`, seconds).
    pub script_time_limit: Duration,
    /// Longest query text in bytes (`QUARRY_TEXT_LIMIT`).
    pub text_limit: usize,
    /// Ended jobs whose state stays in memory (`QUARRY_KEEP_JOBS`); their results stay on disk regardless.
    pub keep_jobs: usize,
}

const GIB: u64 = 1 << 30;
/// Bytes that a job holds without reserving them: plans, batches on their way, buffers of readers and writers.
const JOB_OVERHEAD: usize = 128 << 20;

impl Default for EngineConfig {
    fn default() -> EngineConfig {
        let Machine { memory: machine, cores, .. } = Machine::read();
        let memory_limit = machine / 10 * 6;
        EngineConfig {
            home: PathBuf::from("data/local"),
            results: None,
            scratch_tables: None,
            read_files: false,
            table_quota: 10 * GIB,
            table_upload_limit: GIB / 4,
            memory_limit,
            query_memory_limit: memory_limit / 2,
            process_memory_limit: machine / 10 * 8,
            metrics_memory_limit: machine / 4,
            spill_limit: 50 * GIB,
            time_limit: Duration::from_secs(30 * 60),
            plan_time_limit: Duration::from_secs(20),
            result_rows_limit: 10_000_000,
            result_bytes_limit: 4 * GIB,
            concurrency: 4,
            batch_concurrency: 1,
            queue_limit: 200,
            threads: cores,
            script_memory_limit: 64 << 20,
            script_time_limit: Duration::from_secs(10),
            text_limit: 1 << 20,
            keep_jobs: 1_000,
        }
    }
}

impl EngineConfig {
    /// The default settings on another home.
    pub fn at(home: impl Into<PathBuf>) -> EngineConfig {
        EngineConfig { home: home.into(), ..EngineConfig::default() }
    }

    /// Bytes that a job may hold, those included that no operator reports: a quarter more than a query may reserve, and what
    /// the smallest of them takes.
    pub fn job_memory_limit(&self) -> usize {
        self.query_memory_limit.saturating_add(self.query_memory_limit / 4).saturating_add(JOB_OVERHEAD)
    }

    pub fn lake_dir(&self) -> PathBuf {
        self.home.join("lake")
    }

    pub fn results_dir(&self) -> PathBuf {
        self.results.clone().unwrap_or_else(|| self.home.join("results"))
    }

    pub fn tables_dir(&self) -> PathBuf {
        self.scratch_tables.clone().unwrap_or_else(|| self.home.join("tables"))
    }

    pub fn labels_dir(&self) -> PathBuf {
        self.home.join("labels")
    }

    pub fn metrics_dir(&self) -> PathBuf {
        self.home.join("metrics")
    }

    pub fn spill_dir(&self) -> PathBuf {
        self.home.join("spill")
    }
}
