//! The settings of the engine, with units, defaults and environment variables.

use std::path::PathBuf;
use std::time::Duration;

use quarry_lake::LakeOptions;

use crate::Machine;

/// Dictionaries of the lake's files may use the memory of queries divided by this.
const DICTIONARY_MEMORY_DIVISOR: usize = 16;

/// Settings of an engine. The defaults depend on the machine.
#[derive(Debug, Clone)]
pub struct EngineConfig {
    /// Folder that holds `lake/`, `results/`, `tables/`, `labels/`, `metrics/` and `spill/` (`QUARRY_HOME`).
    pub home: PathBuf,
    /// Folder of stored results in place of `results/` in the home: for a second process on a home that is being served.
    pub results: Option<PathBuf>,
    /// Folder of user tables in place of `tables/` in the home, for tables that live as long as one command. The rules for names
    /// do not apply to them.
    pub scratch_tables: Option<PathBuf>,
    /// Folder of spill files in place of `spill/` in the home: for a worker, whose home may be on another machine.
    pub spill: Option<PathBuf>,
    /// Whether `LOAD DATA` reads local files: for commands, which run with the rights of the user.
    pub read_files: bool,
    /// Bytes of all tables of one user (`QUARRY_TABLE_QUOTA`).
    pub table_quota: u64,
    /// Bytes of the largest upload that becomes a table (`QUARRY_TABLE_UPLOAD_LIMIT`).
    pub table_upload_limit: u64,
    /// Bytes of memory of all queries (`QUARRY_MEMORY_LIMIT`); default: 60 % of the machine's.
    pub memory_limit: usize,
    /// Bytes of memory of one query (`QUARRY_QUERY_MEMORY_LIMIT`); default: half of it.
    pub query_memory_limit: usize,
    /// Bytes of the whole process above which its largest query is stopped (`QUARRY_PROCESS_MEMORY_LIMIT`); default: 80 %
    /// of the machine's.
    pub process_memory_limit: usize,
    /// Bytes that the metrics may use for addresses (`QUARRY_METRICS_MEMORY_LIMIT`), about 120 for each address of the chain;
    /// default: a quarter of the machine's.
    pub metrics_memory_limit: usize,
    /// Bytes on disk for spilling of all queries (`QUARRY_SPILL_LIMIT`).
    pub spill_limit: u64,
    /// Longest run of one query from its start (`QUARRY_TIME_LIMIT`, seconds).
    pub time_limit: Duration,
    /// Longest time to parse and plan one query (`QUARRY_PLAN_TIME_LIMIT`, seconds).
    pub plan_time_limit: Duration,
    /// Rows of a stored result (`QUARRY_RESULT_ROWS_LIMIT`).
    pub result_rows_limit: u64,
    /// Bytes of a stored result (`QUARRY_RESULT_BYTES_LIMIT`).
    pub result_bytes_limit: u64,
    /// Jobs of one kind that run at the same time (`QUARRY_CONCURRENCY`).
    pub concurrency: usize,
    /// Batch jobs (HIVE, MAPREDUCE, LABEL) that run at the same time, next to interactive ones; also the limit of background
    /// queries (`QUARRY_BATCH_CONCURRENCY`).
    pub batch_concurrency: usize,
    /// Jobs of one kind that may wait (`QUARRY_QUEUE_LIMIT`), three quarters of them of one owner; more are refused as busy.
    pub queue_limit: usize,
    /// Threads of a query, and partitions of a plan (`QUARRY_THREADS`); default: the cores.
    pub threads: usize,
    /// Bytes of memory of the code of one MAPREDUCE worker (`QUARRY_SCRIPT_MEMORY_LIMIT`).
    pub script_memory_limit: usize,
    /// Longest time that such code may run without reading or emitting anything (`QUARRY_SCRIPT_TIME_LIMIT`, seconds).
    pub script_time_limit: Duration,
    /// Longest query text in bytes (`QUARRY_TEXT_LIMIT`).
    pub text_limit: usize,
    /// Ended jobs whose state stays in memory (`QUARRY_KEEP_JOBS`); their results stay on disk regardless.
    pub keep_jobs: usize,
}

const GIB: u64 = 1 << 30;
/// Bytes of a job that no operator reserves: plans, batches in flight, buffers of readers and writers.
const JOB_OVERHEAD: usize = 128 << 20;

impl Default for EngineConfig {
    fn default() -> EngineConfig {
        let Machine { memory: machine, cores, .. } = Machine::read();
        let memory_limit = machine / 10 * 6;
        EngineConfig {
            home: PathBuf::from("data/local"),
            results: None,
            scratch_tables: None,
            spill: None,
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

    /// Bytes that a job may allocate, including those that no operator reports: a quarter more than a query may reserve, and a
    /// fixed overhead.
    pub fn job_memory_limit(&self) -> usize {
        self.query_memory_limit.saturating_add(self.query_memory_limit / 4).saturating_add(JOB_OVERHEAD)
    }

    /// The caches of the lake, within the memory of queries.
    pub fn lake_options(&self) -> LakeOptions {
        let default = LakeOptions::default();
        let dictionary_cache_bytes = default.dictionary_cache_bytes.min(self.memory_limit / DICTIONARY_MEMORY_DIVISOR);
        LakeOptions { dictionary_cache_bytes, ..default }
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
        self.spill.clone().unwrap_or_else(|| self.home.join("spill"))
    }
}
