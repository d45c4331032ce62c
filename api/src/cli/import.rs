//! `quarry import`: files of other tools into the lake.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use quarry_ingest::{ImportConfig, ImportFormat};
use quarry_lake::Lake;

use super::CliError;
use super::home::Home;
use super::show::grouped;
use crate::config::Settings;

#[derive(Debug, Args)]
pub struct Words {
    /// The tool that wrote the files.
    #[arg(long, value_parser = PossibleValuesParser::new(["cryo", "ethereum-etl"]))]
    format: String,
    /// Chain of the files; the lake's, the one that they name, or 1, when left out.
    #[arg(long, value_name = "ID")]
    chain_id: Option<u64>,
    /// Parquet and CSV files, and folders of them. The files of a range belong together.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let Some(format) = ImportFormat::parse(&words.format) else {
        return Err(CliError::Usage(format!("{} is not a tool whose files are known.", words.format)));
    };
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    let config = ImportConfig { format, paths: words.paths, chain_id: words.chain_id };
    let done = quarry_ingest::import(&lake, config, |range| eprintln!("Blocks {range} are in the lake")).await?;
    eprintln!("{} rows imported; {} ranges were there before", grouped(done.rows), done.held.len());
    Ok(())
}
