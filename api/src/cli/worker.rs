//! `quarry worker`: runs parts of the queries of servers.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use quarry_cluster::{StageRuntime, WorkerOptions, run_worker};
use quarry_lake::LakeFiles;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::memory_watchdog::MemoryWatchdog;
use quarry_sql::session_states::open_sessions;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::serve::{listen, stop_asked};
use super::{CliError, cluster};
use crate::config::{Address, Addresses, Chosen, Origin, Settings, Value};

/// Where a worker listens if nothing else is said.
const LISTEN: &str = "127.0.0.1:8790";

#[derive(Debug, Args)]
pub struct Words {
    /// Address at which the other processes of the cluster reach this worker, such as `http://10.0.0.5:8790`.
    #[arg(long, value_name = "URL", value_parser = |text: &str| Address::parse(text).map(|address| address.0))]
    advertise: Option<Url>,
    /// Servers at which it registers, separated by commas: what `--cluster-listen` of `quarry serve` says.
    #[arg(long, value_name = "URL", value_parser = Addresses::parse)]
    coordinator: Option<Addresses>,
    /// Folder for spill files, on a disk of this machine; `spill/` in the home when left out.
    #[arg(long, value_name = "FOLDER")]
    spill: Option<PathBuf>,
    /// File of the cluster's secret [QUARRY_CLUSTER_SECRET_FILE].
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

/// Runs until it is asked to stop, and then until its queries have ended.
pub async fn run(settings: Settings, chosen: &[Chosen], words: Words) -> Result<(), CliError> {
    let is_default = chosen.iter().any(|setting| setting.key == "listen" && setting.origin == Origin::Default);
    let address = if is_default { LISTEN } else { settings.listen.as_str() };
    let access = cluster::access(&settings, words.secret_file)?;
    // The home may be that of a server on another machine, and read-only.
    let config = EngineConfig { spill: words.spill, ..settings.engine() };
    if !config.lake_dir().exists() {
        return Err(CliError::Failed(format!("There is no lake in {}.", settings.home.display())));
    }
    let listener = listen(address).await?;
    let listening = listener.local_addr()?;
    // Known before anything opens: an address that nobody may use, or that nobody knows.
    access.check_address(listening)?;
    let advertise = cluster::advertised(words.advertise, listening, &access, "advertise")?;
    let sessions = open_sessions(&config)?;
    let lake = LakeFiles::open(&config.lake_dir(), &config.lake_options())?;
    let runtime = StageRuntime::new(&config, sessions.runtime(), Handle::current());
    let stop = CancellationToken::new();
    let options = WorkerOptions {
        listener,
        advertise: advertise.clone(),
        coordinators: words.coordinator.unwrap_or_default().0,
        access,
        drain: config.time_limit,
        stop: stop.clone(),
    };
    // The worker works also when nobody reads its output.
    let _ = writeln!(stdout(), "worker listening on {}", Address(advertise).show());
    let watchdog = MemoryWatchdog::start(config.process_memory_limit)?;
    let working = run_worker(&sessions, lake, &runtime, &watchdog, options);
    tokio::pin!(working);
    tokio::select! {
        ended = &mut working => return Ok(ended?),
        asked = stop_asked() => asked?,
    }
    tracing::info!("stopping when the last query has ended; a second signal stops at once");
    stop.cancel();
    tokio::select! {
        ended = working => Ok(ended?),
        asked = stop_asked() => asked,
    }
}
