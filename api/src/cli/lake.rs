//! `quarry lake`: what the lake holds, and the files it is made of.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use quarry_ingest::{NodeConfig, Nodes};
use quarry_lake::tables::Table;
use quarry_lake::{Compaction, KnownContracts, Lake, LakeStatus, Origin, ScrubPass, ScrubStatus};

use super::home::Home;
use super::{CliError, named_nodes, show};
use crate::config::{Chosen, Settings};
use crate::time;

#[derive(Debug, Subcommand)]
pub enum Words {
    /// The chain, its blocks, and the rows, files and size of every table; with --rpc, how far it is behind the nodes.
    Status,
    /// Merge the small files of settled blocks into big ones; queries go on meanwhile.
    Compact,
    /// The live Parquet files of a table, one path per line, in rising block order.
    Files {
        /// Name of the table.
        #[arg(long)]
        table: String,
    },
    /// The contracts that prices, trades and some metrics start from, as JSON.
    Contracts {
        /// Record those of this JSON file in place of what ships for the chain.
        #[arg(long, value_name = "FILE")]
        set: Option<PathBuf>,
        /// Go back to what ships for the chain.
        #[arg(long, conflicts_with = "set")]
        reset: bool,
    },
}

pub async fn run(settings: Settings, chosen: &[Chosen], words: Words) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    match words {
        Words::Status => status(&lake, named_nodes(&settings, chosen)).await,
        Words::Compact => compact(&lake).await,
        Words::Files { table } => files(&lake, &table).await,
        Words::Contracts { set, reset } => contracts(&lake, set.as_deref(), reset).await,
    }
}

async fn status(lake: &Lake, nodes: Vec<NodeConfig>) -> Result<(), CliError> {
    let status = lake.status().await?;
    let nodes = if nodes.is_empty() { None } else { Some(Nodes::connect(nodes).await?) };
    let theirs = match &nodes {
        Some(nodes) => Some((nodes, nodes.head().await?)),
        None => None,
    };
    let mut out = stdout().lock();
    let origin = match status.info.origin {
        Some(Origin::Sample) => "sample chain, simulated",
        Some(Origin::Node) => "from a node",
        None => "empty",
    };
    let chain = status.info.chain_id.map_or_else(|| "none yet".to_string(), |id| id.to_string());
    writeln!(out, "chain     {chain} ({origin})")?;
    writeln!(out, "snapshot  {}", status.snapshot)?;
    if let Some(head) = status.head {
        writeln!(out, "head      {} at {} UTC, {:#x}", head.number, time::text(head.time / 1000), head.hash)?;
    }
    if status.info.chain_id.is_some() && !status.info.contracts.price_ether() {
        writeln!(out, "prices    none: dollar tokens and pools of this chain are not known (quarry lake contracts)")?;
    }
    if let Some((nodes, newest)) = theirs {
        writeln!(out, "node      {}", beside(&status, nodes.chain_id(), newest))?;
    }
    if let Some(finalised) = status.finalized {
        writeln!(out, "final     {finalised}")?;
    }
    for range in &status.covered {
        writeln!(out, "blocks    {range}")?;
    }
    for gap in &status.gaps {
        writeln!(out, "missing   {gap}")?;
    }
    if let Some(rate) = status.blocks_per_second {
        writeln!(out, "speed     {rate:.1} blocks a second over the last hour")?;
    }
    if status.retired.files > 0 {
        let size = show::size(status.retired.bytes);
        writeln!(out, "replaced  {} files, {size}, not deleted yet", status.retired.files)?;
    }
    for reorg in &status.reorgs {
        writeln!(out, "reorg     {} UTC: blocks {}", time::text(reorg.time), reorg.blocks)?;
    }
    writeln!(out, "failures  {} blocks failed a check", show::grouped(status.verification_failures))?;
    for failure in &status.last_failures {
        let block = failure.block.map_or_else(String::new, |block| format!(" block {block}:"));
        writeln!(out, "          {} UTC:{block} {}", time::text(failure.time), failure.detail)?;
    }
    writeln!(out, "scrub     {}", scrubbed(&status.scrub))?;
    show::damaged(&mut out, &status.scrub.damaged)?;
    writeln!(out)?;
    let mut table = show::Table::new(["table", "rows", "files", "size", "last block"]);
    for entry in &status.tables {
        let (rows, files) = (show::grouped(entry.rows), entry.files.to_string());
        let head = entry.head.map_or_else(String::new, |head| head.to_string());
        table.push([entry.name.to_string(), rows, files, show::size(entry.bytes), head]);
    }
    table.print(&mut out)?;
    Ok(())
}

/// How far the files were read again.
fn scrubbed(scrub: &ScrubStatus) -> String {
    let read = |pass: &ScrubPass| {
        let (files, damaged) = (show::grouped(pass.files), show::grouped(pass.damaged));
        format!("{files} files, {}, {damaged} damaged", show::size(pass.bytes))
    };
    match (&scrub.current, &scrub.last) {
        (Some(pass), _) => format!("under way since {} UTC: {}", time::text(pass.started), read(pass)),
        (None, Some(pass)) => {
            format!("ended {} UTC: {}", time::text(pass.ended.unwrap_or(pass.started)), read(pass))
        }
        (None, None) => "the files were not read again yet".to_string(),
    }
}

/// The newest block of nodes, beside the lake's.
fn beside(status: &LakeStatus, chain_id: u64, newest: u64) -> String {
    let head = status.head.map(|head| head.number.unsigned_abs());
    match (status.info.chain_id, head) {
        (Some(held), _) if held != chain_id => format!("{newest} of chain {chain_id}, which is another one"),
        (_, Some(head)) if head > newest => format!("{newest}, {} behind the lake", head - newest),
        (_, Some(head)) if head < newest => format!("{newest}, {} ahead of the lake", newest - head),
        (_, Some(_)) => format!("{newest}, as the lake"),
        (_, None) => newest.to_string(),
    }
}

async fn compact(lake: &Lake) -> Result<(), CliError> {
    let writer = lake.writer().await?;
    let done = writer.compact(Compaction::Everything, |_| {}).await?;
    let mut out = stdout().lock();
    if done.ranges_before == 0 {
        writeln!(out, "There is nothing to merge.")?;
        return Ok(());
    }
    let (rows, size, seconds) = (show::grouped(done.rows), show::size(done.bytes), done.elapsed.as_secs_f64());
    writeln!(
        out,
        "{} files became {}: {rows} rows, {size}, in {seconds:.1} s. The old ones are deleted when no query can need them.",
        done.files_before, done.files_after
    )?;
    Ok(())
}

async fn files(lake: &Lake, name: &str) -> Result<(), CliError> {
    let table = Table::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Table::ALL.into_iter().chain(Table::DERIVED).map(Table::name).collect();
        CliError::Usage(format!("There is no table {name}; the tables are {}.", names.join(", ")))
    })?;
    let mut out = stdout().lock();
    for (path, _) in lake.files(table).await? {
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

async fn contracts(lake: &Lake, set: Option<&Path>, reset: bool) -> Result<(), CliError> {
    if let Some(file) = set {
        let text = std::fs::read_to_string(file)
            .map_err(|error| CliError::Usage(format!("{} can't be read: {error}.", file.display())))?;
        lake.writer().await?.record_contracts(Some(&KnownContracts::parse(&text)?)).await?;
    } else if reset {
        lake.writer().await?.record_contracts(None).await?;
    }
    let contracts = lake.info().await?.contracts;
    let text = serde_json::to_string_pretty(&*contracts).map_err(|error| CliError::Failed(error.to_string()))?;
    writeln!(stdout().lock(), "{text}")?;
    Ok(())
}
