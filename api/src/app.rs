//! What the running server is made of, shared by every handler.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use quarry_engine::Engine;
use quarry_engine::lake::SnapshotId;
use quarry_engine::recent::RecentBlock;
use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;

use crate::auth::password::Passwords;
use crate::auth::throttle::{Registrations, Throttle};
use crate::auth::tickets::Tickets;
use crate::auth::token::Tokens;
use crate::db::Db;
use crate::http::counts::Counts;
use crate::jobs::Jobs;
use crate::ws::hub::Hub;

const SOCKET_TICKET: Duration = Duration::from_secs(30);
const FILE_TICKET: Duration = Duration::from_secs(60);

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
    pub jobs: Jobs,
    /// Sessions that may open a websocket.
    pub socket_tickets: Tickets<String>,
    pub file_tickets: Tickets<FileAccess>,
    pub counts: Counts,
    /// The newest blocks, read once per snapshot of the lake: every open page asks for them.
    pub newest_blocks: AsyncMutex<Option<(SnapshotId, Arc<[RecentBlock]>)>>,
    pub trust_forwarded_for: bool,
    /// Cancelled when the server stops.
    pub stop: CancellationToken,
}

/// What decides who somebody is.
#[derive(Debug)]
pub struct Auth {
    pub tokens: Tokens,
    pub passwords: Passwords,
    pub throttle: Throttle,
    pub registrations: Registrations,
}

/// What a file ticket allows.
#[derive(Debug)]
pub struct FileAccess {
    pub session: String,
    pub job: String,
}

/// The settings that the server itself needs.
#[derive(Debug, Clone, Copy)]
pub struct AppOptions {
    /// How long a login lasts.
    pub session: Duration,
    /// Whether the address of a client is the last one of `X-Forwarded-For`.
    pub trust_forwarded_for: bool,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl App {
    /// Puts the server together; `keys` is the folder of its secrets.
    pub async fn open(engine: Arc<Engine>, db: Db, keys: &Path, options: AppOptions) -> anyhow::Result<App> {
        let hub = Arc::new(Hub::default());
        let jobs = Jobs::open(db.clone(), engine.clone(), hub.clone()).await?;
        let auth = Auth {
            tokens: Tokens::open(keys, options.session)?,
            passwords: Passwords::new().await.map_err(anyhow::Error::from_boxed)?,
            throttle: Throttle::default(),
            registrations: Registrations::default(),
        };
        let parts = Parts {
            engine,
            db,
            auth,
            hub,
            jobs,
            socket_tickets: Tickets::new(SOCKET_TICKET),
            file_tickets: Tickets::new(FILE_TICKET),
            counts: Counts::default(),
            newest_blocks: AsyncMutex::default(),
            trust_forwarded_for: options.trust_forwarded_for,
            stop: CancellationToken::new(),
        };
        Ok(App { parts: Arc::new(parts) })
    }

    /// Ends sockets and jobs, and takes no more requests; what was running is remembered as stopped.
    pub async fn close(&self) {
        self.stop.cancel();
        self.jobs.stop().await;
    }
}
