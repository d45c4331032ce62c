//! What the running server is made of, shared by every handler.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::bail;
use quarry_cluster::Members;
use quarry_engine::Engine;
use quarry_engine::recent_blocks::RecentBlock;
use quarry_ingest::FollowConfig;
use quarry_lake::SnapshotId;
use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::addresses::Addresses;
use crate::assistant::{Assistant, AssistantOptions};
use crate::auth::at_once::AtOnce;
use crate::auth::limit::Limit;
use crate::auth::oidc::{Oidc, OidcOptions};
use crate::auth::password::Passwords;
use crate::auth::registering::AccountOptions;
use crate::auth::seal::Seal;
use crate::auth::throttle::Throttle;
use crate::auth::tickets::Tickets;
use crate::auth::token::{self, Tokens};
use crate::auth::{rights, secrets};
use crate::checking::Checking;
use crate::creations::indexing;
use crate::db::Db;
use crate::following::Following;
use crate::http::Network;
use crate::http::counts::Counts;
use crate::http::unread::Unread;
use crate::integrity::Checks;
use crate::jobs::Jobs;
use crate::keys::Keys;
use crate::labels::{self, LabelDesk};
use crate::lake_history::LakeHistory;
use crate::models::Models;
use crate::node::{ChainNode, NodeOptions};
use crate::schedule::Scheduler;
use crate::sending::{Sender, SendingOptions};
use crate::series::MetricSeries;
use crate::space::Space;
use crate::tracking::Tracker;
use crate::uploads::Uploads;
use crate::ws::hub::Hub;
use crate::ws::{SOCKETS_PER_USER, heads};

const SOCKET_TICKET: Duration = Duration::from_secs(30);
const FILE_TICKET: Duration = Duration::from_secs(60);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// The running server; clones are the same.
#[derive(Clone)]
pub struct App {
    parts: Arc<Parts>,
}

/// The parts of a running server.
pub struct Parts {
    pub engine: Arc<Engine>,
    pub db: Db,
    pub auth: Auth,
    pub hub: Arc<Hub>,
    pub jobs: Arc<Jobs>,
    pub scheduler: Arc<Scheduler>,
    pub addresses: Addresses,
    pub models: Models,
    pub labels: LabelDesk,
    pub assistant: Assistant,
    /// Accounts and their sessions that may open a websocket.
    pub socket_tickets: Tickets<(i64, String)>,
    pub file_tickets: Tickets<FileAccess>,
    pub limits: Limits,
    /// How accounts are made.
    pub accounts: AccountOptions,
    /// Logs people in at a provider; absent where the settings name none.
    pub oidc: Option<Arc<Oidc>>,
    pub sender: Sender,
    pub uploads: Uploads,
    pub tracker: Tracker,
    /// Keys of the developer API.
    pub keys: Keys,
    pub series: MetricSeries,
    /// The node that users may ask.
    pub node: ChainNode,
    pub following: Arc<Following>,
    pub checking: Arc<Checking>,
    /// Of the platform database and the lake's catalogue.
    pub checks: Checks,
    pub lake_history: LakeHistory,
    /// The workers that queries are shared out over; empty without a cluster.
    pub cluster: OnceLock<Members>,
    /// What runs beside the requests; awaited when the server stops.
    pub tasks: TaskTracker,
    pub counts: Counts,
    pub space: Space,
    /// The newest blocks, read once per snapshot of the lake: every open page asks for them.
    pub newest_blocks: AsyncMutex<Option<(SnapshotId, Arc<[RecentBlock]>)>>,
    /// Held while a run that readers ask for is looked for or started, so that none starts twice.
    pub asked_runs: AsyncMutex<()>,
    pub trust_forwarded_for: bool,
    /// Cancelled when the server answers: what can wait goes on from then on.
    pub ready: CancellationToken,
    /// Cancelled when the server stops.
    pub stop: CancellationToken,
}

/// What decides who somebody is.
#[derive(Debug)]
pub struct Auth {
    pub tokens: Tokens,
    pub passwords: Passwords,
    pub throttle: Throttle,
    /// Encrypts the secrets of second factors.
    pub seal: Seal,
}

/// How often things may be done; by address before a login, by the budget of the account after it.
#[derive(Debug)]
pub struct Limits {
    /// Accounts that an address asks for; by default a lecture room behind one address still fits.
    pub registrations: Limit<Network>,
    /// Accounts that are made.
    pub registrations_in_all: Limit<()>,
    /// Passwords that are judged while somebody types them.
    pub judgements: Limit<Network>,
    /// Log-ins that are begun at the provider: an office behind one address still fits.
    pub provider_logins: Limit<Network>,
    /// Codes asked for.
    pub codes: Limit<Network>,
    /// Codes asked for one address or number: whoever asks for a stranger's leaves that stranger some.
    pub codes_of: Limit<(Network, String)>,
    /// Codes tried.
    pub code_tries: Limit<Network>,
    /// Codes tried for one address or number: whoever guesses uses up no code that was sent to somebody elsewhere.
    pub code_tries_of: Limit<(Network, String)>,
    pub events: Limit<Network>,
    pub letters: Limit<i64>,
    pub uploads: Limit<i64>,
    /// Pictures and documents that arrive, each of them held in memory; the screenshots of a feedback come together.
    pub files: AtOnce,
    /// Files that become tables: each may be large, and lies aside until the table is made.
    pub tables: AtOnce,
    /// Whole results that are written out.
    pub exports: AtOnce,
    /// Large answers that clients have not read yet.
    pub unread: Unread,
    /// Open websockets.
    pub sockets: AtOnce,
    pub feedback: Limit<i64>,
    /// Requests to the node.
    pub node_calls: Limit<i64>,
    /// Runs for people who can't run the query themselves: at the filters of a dashboard, and of the 3D models.
    pub visitor_runs: Limit<Network>,
    /// Questions to the assistant.
    pub questions: Limit<i64>,
}

impl Limits {
    fn new(options: &AccountOptions, query_memory: usize) -> Limits {
        Limits {
            registrations: Limit::new(options.per_address, HOUR),
            registrations_in_all: Limit::new(options.per_hour, HOUR),
            judgements: Limit::new(600, MINUTE),
            provider_logins: Limit::new(300, MINUTE),
            codes: Limit::new(50, HOUR),
            codes_of: Limit::new(4, HOUR),
            code_tries: Limit::new(50, HOUR),
            code_tries_of: Limit::new(5, 10 * MINUTE),
            events: Limit::new(3_000, MINUTE),
            letters: Limit::new(60, MINUTE),
            uploads: Limit::new(60, HOUR),
            files: AtOnce::new(10),
            tables: AtOnce::new(2),
            exports: AtOnce::new(3),
            unread: Unread::new(query_memory),
            sockets: AtOnce::new(SOCKETS_PER_USER),
            feedback: Limit::new(30, HOUR),
            node_calls: Limit::new(600, MINUTE),
            visitor_runs: Limit::new(30, MINUTE),
            questions: Limit::new(20, MINUTE),
        }
    }
}

/// What a file ticket allows, for whom.
#[derive(Debug)]
pub struct FileAccess {
    pub session: String,
    pub to: FileUse,
}

/// What is done with a file.
#[derive(Debug, PartialEq, Eq)]
pub enum FileUse {
    /// Download the result of this job.
    Result(String),
    /// Download the file at this path.
    Download(String),
    /// Upload a file.
    Upload,
}

/// The settings that the server itself needs.
#[derive(Debug, Clone)]
pub struct AppOptions {
    /// How long a login lasts.
    pub session: Duration,
    /// Whether the address of a client is the last one of `X-Forwarded-For`.
    pub trust_forwarded_for: bool,
    /// Signs the tokens; made at the first start and kept in the home when absent.
    pub token_secret: Option<String>,
    pub sending: SendingOptions,
    pub accounts: AccountOptions,
    pub oidc: Option<OidcOptions>,
    /// How often a key of the developer API may ask within a second.
    pub api_burst: u32,
    pub node: NodeOptions,
    /// What to follow once following is started.
    pub follow: FollowConfig,
    pub assistant: AssistantOptions,
}

impl Default for AppOptions {
    fn default() -> AppOptions {
        AppOptions {
            session: 7 * 24 * HOUR,
            trust_forwarded_for: false,
            token_secret: None,
            sending: SendingOptions::default(),
            accounts: AccountOptions::default(),
            oidc: None,
            api_burst: 20_000,
            node: NodeOptions::default(),
            follow: FollowConfig { nodes: Vec::new(), from: None, allow_deep_reorg: false },
            assistant: AssistantOptions::default(),
        }
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl App {
    /// Puts the server together; `home` is the folder of its secrets and uploads.
    pub async fn open(engine: Arc<Engine>, db: Db, home: &Path, options: AppOptions) -> anyhow::Result<App> {
        rights::prepare(&db).await?;
        let hub = Arc::new(Hub::default());
        let jobs = Arc::new(Jobs::open(db.clone(), engine.clone(), hub.clone(), home).await?);
        let scheduler = Scheduler::new(db.clone(), jobs.clone());
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let ready = CancellationToken::new();
        indexing::complete(&db, &tasks, ready.clone(), stop.clone()).await?;
        let secret = token::signing_secret(&home.join("keys"), options.token_secret.as_deref())?;
        let auth = Auth {
            tokens: Tokens::open(&home.join("keys"), options.token_secret.as_deref(), options.session)?,
            passwords: Passwords::new().await.map_err(anyhow::Error::from_boxed)?,
            throttle: Throttle::default(),
            seal: Seal::new(&secret)?,
        };
        if !secrets::claim(&db, auth.tokens.fingerprint()).await? {
            bail!(
                "the servers of its platform database sign their tokens with another secret. Give all of them the same \
                 token_secret, or stop them and change it on purpose with `quarry new-secret`"
            );
        }
        let oidc = options.oidc.map(Oidc::new).transpose()?.map(Arc::new);
        if let Some(oidc) = &oidc {
            tasks.spawn(oidc.clone().follow(stop.clone()));
        }
        tasks.spawn(db.clone().watch(stop.clone()));
        tasks.spawn(MetricSeries::follow(engine.clone(), stop.clone()));
        tasks.spawn(heads::tell(engine.lake().clone(), hub.clone(), stop.clone()));
        let parts = Parts {
            sender: Sender::new(db.clone(), &options.sending)?,
            uploads: Uploads::open(&home.join("uploads"), tasks.clone())?,
            tracker: Tracker::start(db.clone(), &tasks, stop.clone()),
            keys: Keys::start(db.clone(), options.api_burst, &tasks, stop.clone()),
            series: MetricSeries::new(engine.clone()),
            node: ChainNode::new(&options.node)?,
            following: Arc::new(Following::new(engine.lake().clone(), options.follow, tasks.clone(), stop.clone())),
            checks: Checks::default(),
            checking: Arc::new(Checking::new(engine.lake().clone(), tasks.clone(), stop.clone())),
            lake_history: LakeHistory::start(engine.lake().clone(), &tasks, stop.clone()),
            cluster: OnceLock::new(),
            limits: Limits::new(&options.accounts, engine.config().memory_limit),
            accounts: options.accounts,
            oidc,
            addresses: Addresses::new(engine.clone()),
            models: Models::new(engine.clone()),
            labels: LabelDesk::default(),
            assistant: Assistant::new(&options.assistant)?,
            engine,
            db,
            auth,
            hub,
            jobs,
            scheduler,
            socket_tickets: Tickets::new(SOCKET_TICKET),
            file_tickets: Tickets::new(FILE_TICKET),
            counts: Counts::default(),
            space: Space::new(home),
            newest_blocks: AsyncMutex::default(),
            asked_runs: AsyncMutex::default(),
            trust_forwarded_for: options.trust_forwarded_for,
            tasks,
            ready,
            stop,
        };
        let app = App { parts: Arc::new(parts) };
        labels::start(&app).await?;
        Ok(app)
    }

    /// Ends sockets and jobs, and takes no more requests; what was running is remembered as stopped.
    pub async fn close(&self) {
        self.stop.cancel();
        self.scheduler.stop().await;
        self.jobs.stop().await;
        self.tasks.close();
        self.tasks.wait().await;
    }
}
