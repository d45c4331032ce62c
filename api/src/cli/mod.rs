//! The command line. Exit status: 0 done, 1 the work failed, 2 the words were wrong. Errors go to stderr, one clear line
//! first; stdout carries results only.

mod backup;
mod batch;
mod cluster;
mod follow;
mod home;
mod import;
mod ingest;
mod label;
mod lake;
mod mapreduce;
mod private;
mod sample;
mod secret;
mod serve;
mod show;
mod sql;
mod tls;
mod user;
mod verify;
mod worker;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use quarry_ingest::NodeConfig;
use tracing_subscriber::EnvFilter;

use crate::config::{self, Chosen, LogFormat, Origin, Settings};

/// Why a command ended without success.
#[derive(Debug)]
pub enum CliError {
    /// The words were wrong.
    Usage(String),
    /// The work failed.
    Failed(String),
    /// Whoever read stdout has gone: nothing is wrong, and nobody is left to tell.
    Unheard,
}

impl From<quarry_types::Error> for CliError {
    fn from(error: quarry_types::Error) -> CliError {
        if let Some(source) = std::error::Error::source(&error) {
            tracing::debug!(code = error.code.as_str(), %source, "the cause");
        }
        CliError::Failed(error.to_string())
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> CliError {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            CliError::Unheard
        } else if crate::space::is_full(&error) {
            CliError::Failed("There is no space left on the disk.".to_string())
        } else {
            CliError::Failed(error.to_string())
        }
    }
}

/// Ethereum analytics: a lake of chain data, SQL over it, and a web product around both.
#[derive(Debug, Parser)]
#[command(name = "quarry", version)]
struct Words {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the whole product; an empty home gets the sample chain first.
    Serve(serve::Words),
    /// Run parts of the queries of servers, on a machine that has their lake.
    Worker(worker::Words),
    /// Write the simulated sample chain; same seed, same bytes.
    Sample(sample::Words),
    /// Pull a range of blocks from nodes, or follow their head; safe to stop and to run again.
    Ingest(ingest::Words),
    /// Bring in files that cryo or ethereum-etl wrote.
    Import(import::Words),
    /// Check again that the lake's blocks prove themselves, and that every row follows from them.
    Verify(verify::Words),
    /// Run one query on the lake; the result goes to stdout.
    Sql(sql::Words),
    /// Find out what addresses are by a rule of the catalogue; the labels go into the lake's table and to stdout.
    Label(label::Words),
    /// Run one MAPREDUCE job; its rows go to stdout.
    Mapreduce(mapreduce::Words),
    /// What the lake holds.
    #[command(subcommand)]
    Lake(lake::Words),
    /// The settings in force, and where each comes from.
    Config,
    /// Accounts.
    #[command(subcommand)]
    User(user::Words),
    /// Write the platform database and the uploads into one file; a server may run meanwhile.
    Backup(backup::Words),
    /// Put a backup in the place of the platform database and the uploads.
    Restore(backup::Words),
    /// Change the secret that signs the tokens: every login ends. No server may use the platform database meanwhile.
    NewSecret,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    private::from_now_on();
    let matches = match Words::command().args(config::flags()).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // There is nobody to tell when the terminal is gone.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    let words = Words::from_arg_matches(&matches).map_err(|error| CliError::Usage(error.to_string()));
    let done = words.and_then(|words| {
        let (settings, chosen) = config::load(&matches).map_err(|error| CliError::Usage(error.0))?;
        start_log(&settings, &words.command)?;
        run(words.command, settings, &chosen)
    });
    match done {
        Ok(()) | Err(CliError::Unheard) => ExitCode::SUCCESS,
        Err(CliError::Usage(message)) => fail(&message, 2),
        Err(CliError::Failed(message)) => fail(&message, 1),
    }
}

fn run(command: Command, settings: Settings, chosen: &[Chosen]) -> Result<(), CliError> {
    if matches!(command, Command::Config) {
        return show_settings(chosen);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Serve(words) => serve::run(settings, words).await,
            Command::Worker(words) => worker::run(settings, chosen, words).await,
            Command::Sample(words) => sample::run(settings, words).await,
            Command::Ingest(words) => ingest::run(settings, words).await,
            Command::Import(words) => import::run(settings, words).await,
            Command::Verify(words) => verify::run(settings, chosen, words).await,
            Command::Sql(words) => sql::run(settings, words).await,
            Command::Label(words) => label::run(settings, words).await,
            Command::Mapreduce(words) => mapreduce::run(settings, words).await,
            Command::Lake(words) => lake::run(settings, chosen, words).await,
            Command::User(words) => user::run(settings, words).await,
            Command::Backup(words) => backup::backup(settings, words).await,
            Command::Restore(words) => backup::restore(settings, words).await,
            Command::NewSecret => secret::run(settings).await,
            Command::Config => Ok(()),
        }
    })
}

/// Logs go to stderr. Only servers and workers log more than errors by themselves.
fn start_log(settings: &Settings, command: &Command) -> Result<(), CliError> {
    let quiet = settings.log == "info" && !matches!(command, Command::Serve(_) | Command::Worker(_));
    let level = if quiet { "error" } else { settings.log.as_str() };
    let filter = EnvFilter::try_new(level)
        .map_err(|_| CliError::Usage(format!("The setting log can't be used: {level} names no level.")))?;
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours);
    match settings.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}

/// The nodes that are named for this run, not because the server follows some.
fn named_nodes(settings: &Settings, chosen: &[Chosen]) -> Vec<NodeConfig> {
    let named = chosen.iter().any(|setting| setting.key == "rpc" && matches!(setting.origin, Origin::Flag(_)));
    if named { settings.rpc.0.clone() } else { Vec::new() }
}

fn show_settings(chosen: &[Chosen]) -> Result<(), CliError> {
    let mut table = show::Table::new(["setting", "value", "from"]);
    for setting in chosen {
        table.push([setting.key.to_string(), setting.value.clone(), setting.origin.to_string()]);
    }
    table.print(&mut std::io::stdout().lock())?;
    Ok(())
}

fn fail(message: &str, status: u8) -> ExitCode {
    // There is nobody to tell when stderr is gone.
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(status)
}
