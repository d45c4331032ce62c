//! `quarry serve`: the whole product until it is asked to stop.

use std::io::{Write, stdout};
use std::time::Duration;

use clap::Args;
use quarry_cluster::{CoordinatorOptions, StageRuntime, start_coordinator};
use quarry_engine::Engine;
use quarry_ingest::{FollowConfig, NodeConfig};
use quarry_types::is_storage_full;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;

use super::home::Home;
use super::{CliError, cluster, sample, tls};
use crate::app::{App, AppOptions};
use crate::assistant::AssistantOptions;
use crate::auth::accounts::{self, NewAccount};
use crate::auth::oidc::OidcOptions;
use crate::auth::registering::AccountOptions;
use crate::auth::token::random_password;
use crate::auth::{ADMIN_ACCOUNT, ROLE_ADMIN, rules, scram};
use crate::config::{Address, Optional, Secret, Settings, Value};
use crate::db::{Db, Outage};
use crate::http::bounded::Bounded;
use crate::http::connections::{self, Patience};
use crate::http::places::Bounds;
use crate::integrity;
use crate::labels::first;
use crate::node::NodeOptions;
use crate::postgres;
use crate::router::{admin_router, health_router, router};
use crate::sending::SendingOptions;
use crate::{space, starter, upkeep};

/// How long open answers may take to end after the server was asked to stop.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// Connections of the admin listener.
const ADMIN_CONNECTIONS: usize = 100;
/// The health listener's: with a request, without one, and without one from one network.
const HEALTH_BOUNDS: Bounds = Bounds { most: 32, unfinished: 32, of_one: 8 };
/// A probe sends its request at once.
const HEALTH_PATIENCE: Patience = Patience { first: Duration::from_secs(2), between: Duration::from_secs(30) };

#[derive(Debug, Args)]
pub struct Words {
    /// Begin with an empty platform database, without accounts, in a home whose database is lost.
    #[arg(long)]
    new_database: bool,
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let _lock = home.lock()?;
    space::prepare(home.dir())?;
    // Before the long work: a port in use is told at once.
    let oidc = settings.oidc().map_err(|error| CliError::Usage(error.0))?;
    let certificate = tls::of_settings(&settings)?;
    let listener = listen(&settings.listen).await?;
    let admin = listen_if(&settings.admin_listen).await?;
    let health = listen_if(&settings.health_listen).await?;
    let postgres_listener = listen_if(&settings.postgres).await?;
    let cluster_listener = listen_if(&settings.cluster_listen).await?;
    let mut config = settings.engine();
    config.home = home.dir().to_path_buf();
    let engine = Engine::open(config)?;
    let nodes = settings.rpc.0.iter().cloned().map(|node| NodeConfig { traces: settings.rpc_traces, ..node });
    let follow_config =
        FollowConfig { nodes: nodes.collect(), from: settings.rpc_from.0, allow_deep_reorg: settings.allow_deep_reorg };
    if follow_config.nodes.is_empty() {
        sample::fill_empty(engine.lake(), home.dir(), &settings).await?;
    }
    let db = home.database_to_serve(&settings, words.new_database).await?;
    let app = App::open(engine, db, home.dir(), options(&settings, oidc, follow_config))
        .await
        .map_err(|error| unstarted("The server can't start", &error))?;
    if let Some(listener) = cluster_listener {
        start_cluster(&app, listener, &settings)?;
    } else if !settings.workers.0.is_empty() {
        return Err(CliError::Usage(
            "Workers need the setting cluster_listen, where they read from this server.".into(),
        ));
    }
    make_admin(&app, &settings).await?;
    app.jobs.sweep_results(settings.result_lifetime.0);
    app.jobs.watch_others();
    let made = starter::load(&app.db, &app.auth.passwords)
        .await
        .map_err(|error| unstarted("The starter content can't be loaded", &error))?;
    if made > 0 {
        tracing::info!(made, "the starter content was loaded");
    }
    app.scheduler.start();
    app.tasks.spawn(first::find(app.clone()));

    let mut servers = JoinSet::new();
    let address = listener.local_addr()?;
    let serve = |listener, bounds, router, tls, patience| {
        connections::serve(Bounded::new(listener, bounds), router, tls, patience, app.stop.clone())
    };
    let acceptor = match &certificate {
        Some((certificate, _)) => Some(tls::acceptor(certificate, &["http/1.1"])?),
        None => None,
    };
    let scheme = if acceptor.is_some() { "https" } else { "http" };
    let bounds = Bounds::of(settings.connections);
    servers.spawn(serve(listener, bounds, router(app.clone()), acceptor, Patience::default()));
    if let Some(admin) = admin {
        tracing::info!(address = %admin.local_addr()?, "the admin listener is ready");
        let bounds = Bounds::of(ADMIN_CONNECTIONS);
        servers.spawn(serve(admin, bounds, admin_router(app.clone()), None, Patience::default()));
    }
    if let Some(health) = health {
        tracing::info!(address = %health.local_addr()?, "the health listener is ready");
        servers.spawn(serve(health, HEALTH_BOUNDS, health_router(app.clone()), None, HEALTH_PATIENCE));
    }
    if let Some(listener) = postgres_listener {
        // The server serves also when nobody reads its output.
        let _ = writeln!(stdout(), "PostgreSQL clients on {}", listener.local_addr()?);
        let own = match &certificate {
            Some((certificate, _)) => certificate.clone(),
            None => tls::own(home.dir())?,
        };
        let options = postgres::Options {
            connections: settings.postgres_connections,
            cleartext: settings.postgres_cleartext,
            tls: Some(tls::acceptor(&own, &[])?),
        };
        servers.spawn(postgres::serve(listener, options, app.clone()));
    }
    if let Some((certificate, files)) = certificate {
        servers.spawn(files.watch(certificate, app.stop.clone()));
    }
    let lake = app.engine.lake().clone();
    servers.spawn(integrity::scrub(lake, settings.scrub_rate.0, settings.scrub_every.0, app.stop.clone()));
    servers.spawn(integrity::check_databases(app.clone(), settings.database_check_every.0));
    servers.spawn(upkeep::compact(app.engine.lake().clone(), app.stop.clone()));
    servers.spawn(upkeep::tidy_search(app.db.clone(), app.stop.clone()));
    servers.spawn(upkeep::forget_over(app.db.clone(), app.stop.clone()));
    servers.spawn(upkeep::collect_uploads(app.clone()));
    if app.following.is_possible() {
        app.following.start();
    }
    app.ready.cancel();
    let _ = writeln!(stdout(), "listening on {scheme}://{address}");
    tracing::info!(%address, home = %home.dir().display(), "ready");

    stop_asked().await?;
    tracing::info!("stopping");
    app.close().await;
    let ended = tokio::time::timeout(LAST_ANSWERS, servers.join_all()).await;
    if ended.is_err() {
        tracing::warn!("some answers were still being read and are cut off");
    }
    if tokio::time::timeout(LAST_ANSWERS, app.db.close()).await.is_err() {
        tracing::warn!("the database was still asked something and is left at that");
    }
    tracing::info!("stopped");
    Ok(())
}

/// Shares queries out over the workers that register or are named.
fn start_cluster(app: &App, listener: TcpListener, settings: &Settings) -> Result<(), CliError> {
    let access = cluster::access(settings, None)?;
    let listening = listener.local_addr()?;
    access.check_address(listening)?;
    let given = settings.cluster_advertise.0.as_ref().map(|address| address.0.clone());
    let advertise = cluster::advertised(given, listening, &access, "cluster-advertise")?;
    // The server serves also when nobody reads its output.
    let _ = writeln!(stdout(), "workers register at {}", Address(advertise.clone()).show());
    let runtime = StageRuntime::new(app.engine.config(), app.engine.sessions().runtime(), Handle::current());
    let options = CoordinatorOptions {
        listener,
        advertise,
        workers: settings.workers.0.clone(),
        access,
        min_bytes: settings.cluster_min_bytes.0,
        retries: settings.cluster_retries,
        stop: app.stop.clone(),
    };
    let (engine, lake) = (&app.engine, app.engine.lake().without_catalogue());
    let members = start_coordinator(engine.sessions(), lake, &runtime, engine.watchdog(), options)?;
    app.cluster.get_or_init(|| members);
    Ok(())
}

/// The server's part of the settings.
fn options(settings: &Settings, oidc: Option<OidcOptions>, follow: FollowConfig) -> AppOptions {
    let secret = |set: &Optional<Secret>| set.0.as_ref().map(|secret| secret.0.clone());
    AppOptions {
        session: settings.session_lifetime.0,
        trust_forwarded_for: settings.trust_forwarded_for,
        token_secret: secret(&settings.token_secret),
        accounts: AccountOptions {
            registration: settings.registration,
            per_address: settings.registrations_per_address,
            per_hour: settings.registrations_per_hour,
            new_for: settings.new_account_time.0,
            refuse_weak_passwords: settings.refuse_weak_passwords,
            passwords: settings.password_login,
        },
        oidc,
        api_burst: settings.api_burst,
        node: NodeOptions {
            url: secret(&settings.node_url),
            user: settings.node_user.0.clone(),
            password: secret(&settings.node_password),
        },
        follow,
        sending: SendingOptions {
            smtp_url: secret(&settings.smtp_url),
            mail_from: settings.mail_from.0.clone(),
            sms_url: secret(&settings.sms_url),
            sms_token: secret(&settings.sms_token),
        },
        assistant: AssistantOptions {
            url: secret(&settings.assistant_url),
            key: secret(&settings.assistant_key),
            model: settings.assistant_model.0.clone(),
        },
    }
}

pub(super) async fn listen(address: &str) -> Result<TcpListener, CliError> {
    TcpListener::bind(address).await.map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::AddrInUse => "it is in use by another program".to_string(),
            _ => error.to_string(),
        };
        CliError::Failed(format!("Can't listen on {address}: {why}."))
    })
}

async fn listen_if(address: &Optional<String>) -> Result<Option<TcpListener>, CliError> {
    match &address.0 {
        Some(address) => listen(address).await.map(Some),
        None => Ok(None),
    }
}

/// Waits for Ctrl-C or SIGTERM.
pub(super) async fn stop_asked() -> Result<(), CliError> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted?,
        _ = terminate.recv() => {}
    }
    Ok(())
}

/// The first start makes the administrator's account; its password is the setting's, or random and printed this once.
async fn make_admin(app: &App, settings: &Settings) -> Result<(), CliError> {
    if accounts::find(&app.db, ADMIN_ACCOUNT).await.map_err(unusable)?.is_some() {
        return Ok(());
    }
    let given = settings.admin_password.0.as_ref().map(|secret| secret.0.clone());
    if given.as_deref().is_some_and(|password| !rules::password(password)) {
        return Err(CliError::Usage("The setting admin_password must have 6 to 20 characters.".to_string()));
    }
    let password = given.clone().unwrap_or_else(random_password);
    let password_hash = app
        .auth
        .passwords
        .hash(&password)
        .await
        .map_err(|error| CliError::Failed(format!("The account {ADMIN_ACCOUNT} can't be made: {error}.")))?;
    create_admin(&app.db, &password_hash).await?;
    if let Some(account) = accounts::find(&app.db, ADMIN_ACCOUNT).await.map_err(unusable)? {
        // Another server may have made it, with another password.
        if account.password_hash == password_hash {
            scram::keep_missing(&app.db, (&account).into(), &password).await;
        }
    }
    if given.is_none() {
        writeln!(stdout(), "The account {ADMIN_ACCOUNT} was made. Its password, shown only now, is {password}")?;
    }
    Ok(())
}

async fn create_admin(db: &Db, password_hash: &str) -> Result<(), CliError> {
    let account = NewAccount { user_name: ADMIN_ACCOUNT, password_hash, role: ROLE_ADMIN, email: None, phone: None };
    match accounts::create(db, &account).await {
        // Another server on the same database was faster.
        Ok(_) | Err(accounts::CreateError::Taken(_)) => Ok(()),
        Err(accounts::CreateError::Database(error)) => Err(unusable(error)),
    }
}

fn unusable(error: sqlx::Error) -> CliError {
    unstarted("The platform database does not answer", &error.into())
}

/// Why the server can't start. A full disk is named as such, whatever the system or a database calls it.
fn unstarted(what: &str, error: &anyhow::Error) -> CliError {
    let cause: &(dyn std::error::Error + 'static) = error.as_ref();
    let is_full = Outage::of(cause) == Some(Outage::Full) || is_storage_full(cause);
    let why = if is_full { "there is no space left on the disk".to_string() } else { format!("{error:#}") };
    CliError::Failed(format!("{what}: {why}."))
}
