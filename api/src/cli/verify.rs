//! `quarry verify`: the lake checked again, against itself and, if asked, against a node.

use std::io::{Write, stdout};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use quarry_ingest::verify::{self, VerifyConfig, VerifySummary};
use quarry_lake::{BlockRange, Lake};

use super::home::Home;
use super::show::{self, grouped};
use super::{CliError, named_nodes};
use crate::config::{Chosen, Settings};

#[derive(Debug, Args)]
pub struct Words {
    /// First block; the lake's first when left out.
    #[arg(long, value_name = "BLOCK")]
    from: Option<u64>,
    /// Last block, included; the lake's last when left out.
    #[arg(long, value_name = "BLOCK")]
    to: Option<u64>,
}

/// Prints one line for each mismatch and nothing else; ends with an error when there is one, or when blocks are missing.
/// Nodes are compared with only when they are named for this run.
pub async fn run(settings: Settings, chosen: &[Chosen], words: Words) -> Result<(), CliError> {
    if let (Some(from), Some(to)) = (words.from, words.to)
        && to < from
    {
        return Err(CliError::Usage(format!("The block range ends ({to}) before it begins ({from}).")));
    }
    let nodes = named_nodes(&settings, chosen);
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    check_files(&lake, &words).await?;
    let bar = ProgressBar::no_length().with_style(style()?);
    let mut unheard = Ok(());
    let config = VerifyConfig { from: words.from, to: words.to, nodes };
    let progress = |now: verify::VerifyProgress| {
        bar.set_length(now.blocks_total);
        bar.set_position(now.blocks_done);
    };
    let done = verify::run(&lake, config, progress, |mismatch| {
        let written = bar.suspend(|| writeln!(stdout(), "{mismatch}"));
        if unheard.is_ok() {
            unheard = written;
        }
    })
    .await;
    bar.finish_and_clear();
    let summary = done?;
    unheard?;
    report(&summary)
}

/// Reads every file of the blocks from its first to its last byte: also what blocks are not proven from, such as indexes.
async fn check_files(lake: &Lake, words: &Words) -> Result<(), CliError> {
    let block = |number: Option<u64>, other| number.map_or(other, |number| i64::try_from(number).unwrap_or(i64::MAX));
    let range = BlockRange { from: block(words.from, 0), to: block(words.to, i64::MAX) };
    let bar = ProgressBar::no_length().with_style(bytes_style()?);
    let read = bar.clone();
    let damaged = lake.check_files(range, move |bytes| read.inc(bytes)).await;
    bar.finish_and_clear();
    let damaged = damaged?;
    if damaged.is_empty() {
        return Ok(());
    }
    show::damaged(&mut stdout().lock(), &damaged)?;
    let files = if damaged.len() == 1 { "1 file is".to_string() } else { format!("{} files are", damaged.len()) };
    Err(CliError::Failed(format!("{files} damaged; the blocks were not checked.")))
}

fn bytes_style() -> Result<ProgressStyle, CliError> {
    ProgressStyle::with_template("{bytes} of files read  {bytes_per_sec}")
        .map_err(|error| CliError::Failed(error.to_string()))
}

fn report(summary: &VerifySummary) -> Result<(), CliError> {
    let checked = format!(
        "{} blocks with {} transactions checked in {:.1} s",
        grouped(summary.blocks),
        grouped(summary.transactions),
        summary.elapsed.as_secs_f64()
    );
    let mut wrong = Vec::new();
    if summary.mismatches > 0 {
        wrong.push(format!("{} mismatches in the blocks {}", summary.mismatches, summary.range));
    }
    if !summary.missing.is_empty() {
        let missing: Vec<String> = summary.missing.iter().map(ToString::to_string).collect();
        wrong.push(format!("The lake does not hold the blocks {}", missing.join(", ")));
    }
    if !wrong.is_empty() {
        let sound = if summary.mismatches == 0 { ", all sound" } else { "" };
        return Err(CliError::Failed(format!("{}; {checked}{sound}.", wrong.join(". "))));
    }
    eprintln!("The blocks {} are sound: {checked}", summary.range);
    Ok(())
}

fn style() -> Result<ProgressStyle, CliError> {
    ProgressStyle::with_template("{bar:40} {percent}%  {human_pos}/{human_len} blocks")
        .map_err(|error| CliError::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use quarry_lake::BlockRange;

    use super::*;

    #[test]
    fn all_that_is_wrong_is_named() {
        let summary = |mismatches: u64, missing: &[(i64, i64)]| VerifySummary {
            range: BlockRange { from: 0, to: 99 },
            blocks: 90,
            transactions: 180,
            missing: missing.iter().map(|&(from, to)| BlockRange { from, to }).collect(),
            mismatches,
            elapsed: Duration::from_secs(2),
        };
        let said = |mismatches, missing| match report(&summary(mismatches, missing)) {
            Err(CliError::Failed(message)) => Some(message),
            _ => None,
        };
        assert_eq!(said(0, &[]), None);
        for (mismatches, missing, expected) in [
            (2, &[][..], "2 mismatches in the blocks 0 to 99; 90 blocks with 180 transactions checked in 2.0 s."),
            (
                0,
                &[(10, 14), (40, 44)],
                "The lake does not hold the blocks 10 to 14, 40 to 44; \
                 90 blocks with 180 transactions checked in 2.0 s, all sound.",
            ),
            (
                1,
                &[(10, 19)],
                "1 mismatches in the blocks 0 to 99. The lake does not hold the blocks 10 to 19; \
                 90 blocks with 180 transactions checked in 2.0 s.",
            ),
        ] {
            assert_eq!(said(mismatches, missing).as_deref(), Some(expected));
        }
    }
}
