//! The settings: each declared once, which gives its flag, environment variable, key of `quarry.toml`, default, help and
//! line of `quarry config`. A flag wins over the environment, that over the file, that over the default.

mod addresses;
mod load;
mod nodes;
mod oidc;
mod values;

use std::path::PathBuf;

use quarry_runtime::EngineConfig;

use crate::auth::oidc::RoleMap;
use crate::auth::registering::Registering;

pub use addresses::{Address, Addresses};
pub use load::{BadSetting, Chosen, Origin, flags, load};
pub use nodes::Nodes;
pub use values::{Bytes, DatabaseUrl, LogFormat, Optional, Seconds, Secret, Value};

/// What is fixed about a setting.
#[derive(Debug, Clone, Copy)]
pub struct Declared {
    /// Key of `quarry.toml`; the flag and the variable are made from it.
    pub key: &'static str,
    pub help: &'static str,
}

macro_rules! settings {
    ($($(#[doc = $help:literal])+ $name:ident: $type:ty = $default:expr;)+) => {
        /// The settings in force.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $($(#[doc = $help])+ pub $name: $type,)+
        }

        /// Every setting, in the order of their documentation.
        pub const DECLARED: &[Declared] = &[
            $(Declared { key: stringify!($name), help: concat!($($help),+) },)+
        ];

        impl Settings {
            /// Takes each setting from `find`, or its default; `chosen` is told each value and whether it is a default.
            fn read(
                engine: &EngineConfig,
                mut find: impl FnMut(&'static str) -> Option<String>,
                mut chosen: impl FnMut(&'static str, String, bool),
            ) -> Result<Settings, (&'static str, String)> {
                $(
                    let default: fn(&EngineConfig) -> $type = $default;
                    let found = find(stringify!($name));
                    let is_default = found.is_none();
                    let $name = match found {
                        Some(text) => <$type as Value>::parse(&text).map_err(|why| (stringify!($name), why))?,
                        None => default(engine),
                    };
                    chosen(stringify!($name), Value::show(&$name), is_default);
                )+
                Ok(Settings { $($name,)+ })
            }
        }
    };
}

settings! {
    /// Folder of everything a running Quarry owns: lake, platform database, keys, results.
    home: PathBuf = |engine| engine.home.clone();
    /// Address and port to serve on; port 0 picks a free one.
    listen: String = |_| "127.0.0.1:8080".to_string();
    /// Address and port of the figures for Prometheus (`/metrics`); not served when empty.
    admin_listen: Optional<String> = |_| Optional(None);
    /// Address and port that answer `/healthz` and `/readyz` and nothing else, whatever happens on the others; not served when
    /// empty.
    health_listen: Optional<String> = |_| Optional(None);
    /// File of the TLS certificate with its chain, as PEM, for HTTP and clients of PostgreSQL; read again when it changes.
    tls_cert: Optional<String> = |_| Optional(None);
    /// File of the private key of that certificate, as PEM.
    tls_key: Optional<String> = |_| Optional(None);
    /// Certificate of the authority that signed those of all processes of a cluster, as PEM: they then know each other by `tls_cert`.
    tls_ca: Optional<String> = |_| Optional(None);
    /// Address and port where workers register and read from this server; queries run on this machine only when empty.
    cluster_listen: Optional<String> = |_| Optional(None);
    /// Address at which workers reach that, such as `http://10.0.0.1:8790`; the same when empty.
    cluster_advertise: Optional<Address> = |_| Optional(None);
    /// File of the secret that the processes of a cluster share, of 32 characters or more.
    cluster_secret_file: Optional<String> = |_| Optional(None);
    /// Bytes that a query must read to be shared out over workers; smaller ones are faster on one machine.
    cluster_min_bytes: Bytes = |_| Bytes(256 << 20);
    /// How often a query is shared out again after it has lost a worker; then it runs on this machine.
    cluster_retries: usize = |_| 2;
    /// Addresses of workers that need not register, separated by commas.
    workers: Addresses = |_| Addresses::default();
    /// Address and port for clients of PostgreSQL (`psql`, DBeaver, Metabase, Grafana), which read and log in as on the web;
    /// not served when empty.
    postgres: Optional<String> = |_| Optional(None);
    /// Connections of such clients at the same time; more are refused.
    postgres_connections: usize = |_| 100;
    /// Whether such clients send the password as it is, which API keys need; SCRAM-SHA-256 never sends it.
    postgres_cleartext: bool = |_| false;
    /// The platform database: `sqlite://…` or `postgres://…`; a SQLite file in the home when empty.
    database_url: Optional<DatabaseUrl> = |_| Optional(None);
    /// Password of the account `admin` at the first start; made at random and printed once when empty.
    admin_password: Optional<Secret> = |_| Optional(None);
    /// How long a login lasts.
    session_lifetime: Seconds = |_| Seconds::days(7);
    /// Secret that signs the tokens, of 32 characters or more; made at the first start and kept in the home when empty.
    token_secret: Optional<Secret> = |_| Optional(None);
    /// Who may make an account: `open` for everybody, `invitation` for whoever has a code of `quarry user invite`, or `closed`
    /// for nobody.
    registration: Registering = |_| Registering::Open;
    /// Accounts that one address may make within an hour.
    registrations_per_address: usize = |_| 100;
    /// Accounts that all addresses together may make within an hour.
    registrations_per_hour: usize = |_| 1_000;
    /// How long an account is new: all new ones of an address share the limits of one user.
    new_account_time: Seconds = |_| Seconds::days(1);
    /// Whether passwords that are guessed first, such as `123456`, are refused and not only named as weak.
    refuse_weak_passwords: bool = |_| false;
    /// Where people reach this server, such as `https://quarry.example.org`; logging in at a provider needs it, which sends them
    /// back to `/auth/provider` there.
    public_url: Optional<String> = |_| Optional(None);
    /// Address of a provider of OpenID Connect (`https://…`) that people log in at; there is none when empty.
    oidc_issuer: Optional<String> = |_| Optional(None);
    /// Name of this server at the provider.
    oidc_client_id: Optional<String> = |_| Optional(None);
    /// Secret that the provider gave this server; empty where it is known there as a public client.
    oidc_client_secret: Optional<Secret> = |_| Optional(None);
    /// What the provider is asked to say of people, separated by spaces.
    oidc_scopes: String = |_| "openid email profile".to_string();
    /// What the button of the log-in page says, such as `Example Ltd.`; a general text when empty.
    oidc_label: Optional<String> = |_| Optional(None);
    /// Claim of the ID token that holds somebody's roles or groups, such as `groups` or `realm_access.roles`; the provider gives no
    /// roles when empty.
    oidc_role_claim: Optional<String> = |_| Optional(None);
    /// Which of its values gives which role, such as `quarry-admins=admin, staff=analyst`; the first one that somebody has counts,
    /// and whoever has none gets `ROLE_DEFAULT`, at each log-in.
    oidc_roles: RoleMap = |_| RoleMap::default();
    /// Whether whoever logs in at the provider for the first time gets an account.
    oidc_create_accounts: bool = |_| false;
    /// Whether they get the account that was registered with their email address, if the provider has verified that; its password,
    /// sessions, second factor and API keys end then.
    oidc_link_email: bool = |_| false;
    /// Whether people log in and register with passwords; they only log in at the provider otherwise. API keys always work.
    password_login: bool = |_| true;
    /// Mail server for codes, such as `smtps://account:password@mail.example.org`; no mails are sent when empty.
    smtp_url: Optional<Secret> = |_| Optional(None);
    /// Sender of the mails, such as `Quarry <quarry@example.org>`.
    mail_from: Optional<String> = |_| Optional(None);
    /// Gateway for text messages, which takes a POST of `{"phone","text"}`; none are sent when empty.
    sms_url: Optional<Secret> = |_| Optional(None);
    /// Bearer token of that gateway.
    sms_token: Optional<Secret> = |_| Optional(None);
    /// Where an OpenAI-compatible API begins (`https://…/v1`), which then writes the assistant's answers; they quote the
    /// documentation when empty.
    assistant_url: Optional<Secret> = |_| Optional(None);
    /// Key of that API.
    assistant_key: Optional<Secret> = |_| Optional(None);
    /// Model that it should use.
    assistant_model: Optional<String> = |_| Optional(None);
    /// Connections with a request that are open at the same time; those that wait for their next one make room for others.
    connections: usize = |_| 10_000;
    /// How often a key of the developer API may ask within a second before it is answered 429.
    api_burst: u32 = |_| 20_000;
    /// Whether the address of a client is the last one of `X-Forwarded-For`; only behind a proxy that sets it.
    trust_forwarded_for: bool = |_| false;
    /// Transactions of the sample chain that `serve` writes into an empty home; 0 for none.
    sample_transactions: u64 = |_| 150_000;
    /// Days of that sample chain.
    sample_days: u32 = |_| 90;
    /// Seed of that sample chain.
    sample_seed: u64 = |_| 1;
    /// Addresses of Ethereum nodes, separated by commas: `serve` follows their head when there are any.
    rpc: Nodes = |_| Nodes::default();
    /// First block that `serve` brings in from them; their newest one for an empty lake when empty.
    rpc_from: Optional<u64> = |_| Optional(None);
    /// Whether `serve` asks them for traces as well.
    rpc_traces: bool = |_| false;
    /// Whether following a chain may replace blocks that its nodes had called final; it stops before them otherwise.
    allow_deep_reorg: bool = |_| false;
    /// Address (`http://…` or `https://…`) of the node that logged-in users may ask through `/api/chain/rpc`; none when empty.
    node_url: Optional<Secret> = |_| Optional(None);
    /// User name for that node's basic authorization.
    node_user: Optional<String> = |_| Optional(None);
    /// Password for it.
    node_password: Optional<Secret> = |_| Optional(None);
    /// What is logged: `error`, `warn`, `info`, `debug`, `trace`, or per module (`quarry=debug,info`).
    log: String = |_| "info".to_string();
    /// How it is logged: `text` or `json`.
    log_format: LogFormat = |_| LogFormat::Text;
    /// Memory that all queries share.
    memory_limit: Bytes = |engine| Bytes(engine.memory_limit as u64);
    /// Memory that one query may take of it.
    query_memory_limit: Bytes = |engine| Bytes(engine.query_memory_limit as u64);
    /// Memory that the whole process may hold before its largest query ends.
    process_memory_limit: Bytes = |engine| Bytes(engine.process_memory_limit as u64);
    /// Memory that the metrics may hold of addresses, about 120 bytes of each that the chain has seen.
    metrics_memory_limit: Bytes = |engine| Bytes(engine.metrics_memory_limit as u64);
    /// Disk space that queries may spill to together.
    spill_limit: Bytes = |engine| Bytes(engine.spill_limit);
    /// Longest run of one query.
    time_limit: Seconds = |engine| Seconds(engine.time_limit);
    /// Longest time to parse and plan one query.
    plan_time_limit: Seconds = |engine| Seconds(engine.plan_time_limit);
    /// Most rows of a stored result.
    result_rows_limit: u64 = |engine| engine.result_rows_limit;
    /// Largest stored result.
    result_bytes_limit: Bytes = |engine| Bytes(engine.result_bytes_limit);
    /// Disk space that the tables of one user may take together.
    table_quota: Bytes = |engine| Bytes(engine.table_quota);
    /// Largest file that becomes a table by upload.
    table_upload_limit: Bytes = |engine| Bytes(engine.table_upload_limit);
    /// Bytes of the lake's files that are read a second to find damage; 0 switches that off.
    scrub_rate: Bytes = |_| Bytes(16 << 20);
    /// How long after one such pass over all files began the next one begins.
    scrub_every: Seconds = |_| Seconds::days(7);
    /// Time between two checks of the platform database and the lake's catalogue.
    database_check_every: Seconds = |_| Seconds::days(1);
    /// How long the result of an ended job is kept.
    result_lifetime: Seconds = |_| Seconds::days(30);
    /// Jobs of one kind that run at the same time.
    concurrency: usize = |engine| engine.concurrency;
    /// Batch jobs (HIVE, MAPREDUCE, LABEL) that run at the same time, beside the others, and as many queries of schedules.
    batch_concurrency: usize = |engine| engine.batch_concurrency;
    /// Jobs of one kind that may wait; more are refused as busy.
    queue_limit: usize = |engine| engine.queue_limit;
    /// Threads that run queries.
    threads: usize = |engine| engine.threads;
    /// Memory that the code of one worker of a MAPREDUCE job may take.
    script_memory_limit: Bytes = |engine| Bytes(engine.script_memory_limit as u64);
    /// Longest time that such code may run without reading or emitting anything.
    script_time_limit: Seconds = |engine| Seconds(engine.script_time_limit);
    /// Longest text of a query.
    text_limit: Bytes = |engine| Bytes(engine.text_limit as u64);
    /// Ended jobs whose state stays in memory.
    keep_jobs: usize = |engine| engine.keep_jobs;
}

/// The settings of a program that is given none.
#[cfg(test)]
pub(crate) fn defaults() -> Settings {
    Settings::read(&EngineConfig::default(), |_| None, |_, _, _| {}).expect("defaults are fine")
}

impl Settings {
    /// The engine's part of the settings.
    pub fn engine(&self) -> EngineConfig {
        let size = |bytes: Bytes| usize::try_from(bytes.0).unwrap_or(usize::MAX);
        EngineConfig {
            home: self.home.clone(),
            memory_limit: size(self.memory_limit),
            // One query never gets more than all of them.
            query_memory_limit: size(self.query_memory_limit).min(size(self.memory_limit)),
            process_memory_limit: size(self.process_memory_limit),
            metrics_memory_limit: size(self.metrics_memory_limit),
            spill_limit: self.spill_limit.0,
            time_limit: self.time_limit.0,
            plan_time_limit: self.plan_time_limit.0,
            result_rows_limit: self.result_rows_limit,
            result_bytes_limit: self.result_bytes_limit.0,
            table_quota: self.table_quota.0,
            table_upload_limit: self.table_upload_limit.0,
            concurrency: self.concurrency,
            batch_concurrency: self.batch_concurrency,
            queue_limit: self.queue_limit,
            threads: self.threads,
            script_memory_limit: size(self.script_memory_limit),
            script_time_limit: self.script_time_limit.0,
            text_limit: size(self.text_limit),
            keep_jobs: self.keep_jobs,
            ..EngineConfig::default()
        }
    }
}
