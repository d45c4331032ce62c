//! `quarry sample`, and the sample chain that `quarry serve` writes into an empty home.

use std::path::Path;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use quarry_ingest::sample::{self, SampleConfig};
use quarry_lake::Lake;

use super::CliError;
use super::home::Home;
use super::show::{grouped, size};
use crate::config::Settings;

#[derive(Debug, Args)]
pub struct Words {
    /// Transactions, about.
    #[arg(long)]
    transactions: u64,
    /// The same seed gives the same bytes.
    #[arg(long)]
    seed: u64,
    /// Days that the chain spans; 90 when left out.
    #[arg(long)]
    days: Option<u32>,
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    let config = SampleConfig { transactions: words.transactions, seed: words.seed, days: words.days };
    write(&lake, home.dir(), config).await
}

/// Writes the sample chain of the settings into a lake that holds nothing and belongs to nothing else.
pub async fn fill_empty(lake: &Lake, home: &Path, settings: &Settings) -> Result<(), CliError> {
    if !lake.snapshot().await?.covered().is_empty() {
        return Ok(sample::record_contracts(lake).await?);
    }
    if settings.sample_transactions == 0 {
        return Ok(());
    }
    let config = SampleConfig {
        transactions: settings.sample_transactions,
        seed: settings.sample_seed,
        days: Some(settings.sample_days),
    };
    write(lake, home, config).await
}

async fn write(lake: &Lake, home: &Path, config: SampleConfig) -> Result<(), CliError> {
    let started = Instant::now();
    let home = home.display();
    let transactions = grouped(config.transactions);
    eprintln!("Writing the sample chain, a simulation: {transactions} transactions into {home}");
    let bar = ProgressBar::new(config.transactions).with_style(style()?);
    let written = sample::write(lake, config, |progress| {
        bar.set_length(progress.of);
        bar.set_position(progress.transactions);
    })
    .await;
    bar.finish_and_clear();
    let written = written?;
    eprintln!(
        "Wrote {} blocks with {} transactions and {} logs, {}, in {:.1} s",
        grouped(written.blocks),
        grouped(written.transactions),
        grouped(written.logs),
        size(written.bytes),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

fn style() -> Result<ProgressStyle, CliError> {
    ProgressStyle::with_template("{bar:40} {percent}%  {human_pos}/{human_len} transactions  {per_sec}  {eta} left")
        .map_err(|error| CliError::Failed(error.to_string()))
}
