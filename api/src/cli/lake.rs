//! `quarry lake`: what the lake holds, and the files it is made of.

use std::io::{Write, stdout};

use clap::Subcommand;
use quarry_engine::lake::tables::Table;
use quarry_engine::lake::{Lake, Origin};

use super::home::Home;
use super::{CliError, show};
use crate::config::Settings;
use crate::time;

#[derive(Debug, Subcommand)]
pub enum Words {
    /// The chain, its blocks, and the rows, files and size of every table.
    Status,
    /// The live Parquet files of a table, one path per line, in rising block order.
    Files {
        /// Name of the table.
        #[arg(long)]
        table: String,
    },
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    match words {
        Words::Status => status(&lake).await,
        Words::Files { table } => files(&lake, &table).await,
    }
}

async fn status(lake: &Lake) -> Result<(), CliError> {
    let status = lake.status().await?;
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
    if let Some(finalised) = status.finalised {
        writeln!(out, "final     {finalised}")?;
    }
    for range in &status.covered {
        writeln!(out, "blocks    {range}")?;
    }
    writeln!(out)?;
    let mut table = show::Table::new(["table", "rows", "files", "size"]);
    for entry in &status.tables {
        let (rows, files) = (show::grouped(entry.rows), entry.files.to_string());
        table.push([entry.name.to_string(), rows, files, show::size(entry.bytes)]);
    }
    table.print(&mut out)?;
    Ok(())
}

async fn files(lake: &Lake, name: &str) -> Result<(), CliError> {
    let table = Table::parse(name).ok_or_else(|| {
        let names = Table::ALL.map(Table::name).join(", ");
        CliError::Usage(format!("There is no table {name}; the tables are {names}."))
    })?;
    let mut out = stdout().lock();
    for (path, _) in lake.files(table).await? {
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
