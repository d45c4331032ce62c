//! Writes the sample chain to a lake: simulation, decoding and encoding run concurrently.

use arrow::array::RecordBatch;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Head, Lake, Origin, Publish};
use quarry_types::{Error, ErrorCode, Result};
use tokio::sync::mpsc;

use super::{CHAIN_ID, SampleConfig, SampleProgress, SampleSummary, Truth, simulate};
use crate::chain::BlockData;
use crate::decode;

/// Maximum parts that wait for the encoder. Each has a few thousand transactions.
const QUEUE: usize = 2;

/// Decoded blocks.
struct Part {
    batches: Vec<(Table, RecordBatch)>,
    head: Head,
    blocks: u64,
    transactions: u64,
    logs: u64,
}

/// Writes the whole chain and publishes it at once, after `truth.json` beside the lake. An aborted write leaves the
/// lake unchanged.
///
/// # Errors
/// A lake that already has blocks, too few transactions for the planned patterns, or a disk error.
pub async fn write(
    lake: &Lake,
    config: SampleConfig,
    mut progress: impl FnMut(SampleProgress),
) -> Result<SampleSummary> {
    config.check()?;
    let writer = lake.writer().await?;
    if !lake.snapshot().await?.covered().is_empty() {
        return Err(Error::new(
            ErrorCode::InvalidInput,
            "The lake already holds blocks; the sample chain is written into an empty one only.",
        ));
    }
    writer.claim(CHAIN_ID, Origin::Sample).await?;
    let mut staging = writer.stage(BlockRange::new(0, i64::MAX)?);
    let (sender, mut parts) = mpsc::channel(QUEUE);
    let simulation = tokio::task::spawn_blocking(move || produce(config, &sender));
    let mut summary = SampleSummary { blocks: 0, transactions: 0, logs: 0, bytes: 0 };
    let mut head = None;
    while let Some(part) = parts.recv().await {
        for (table, batch) in part.batches {
            staging.write(table, batch).await?;
        }
        head = Some(part.head);
        summary.blocks += part.blocks;
        summary.transactions += part.transactions;
        summary.logs += part.logs;
        progress(SampleProgress {
            transactions: summary.transactions,
            of: config.transactions,
            blocks: summary.blocks,
        });
    }
    let truth = simulation.await.map_err(Error::internal)??;
    let head = head.ok_or_else(|| Error::internal("the sample chain has no blocks"))?;
    staging.end_at(head.number)?;
    let staged = staging.finish().await?;
    summary.bytes = staged.bytes();
    save(lake, &truth)?;
    writer.record_contracts(Some(&truth.known_contracts()?)).await?;
    let publish =
        Publish { head: Some(head), finalized: Some(head.number), reason: "sample".to_string(), ..Publish::default() };
    writer.publish(vec![staged], publish).await?;
    Ok(summary)
}

/// Simulates and decodes until the chain is complete or the receiver is gone.
fn produce(config: SampleConfig, sender: &mpsc::Sender<Part>) -> Result<Truth> {
    simulate(config, |blocks| {
        let stopped = || Error::new(ErrorCode::Killed, "Writing the sample chain was stopped.");
        let Some(last) = blocks.last() else { return Ok(()) };
        let part = Part {
            head: head(last),
            blocks: blocks.len() as u64,
            transactions: blocks.iter().map(|block| block.transactions.len() as u64).sum(),
            logs: blocks.iter().flat_map(|block| &block.transactions).map(|sent| sent.receipt.logs.len() as u64).sum(),
            batches: decode::batches(&blocks)?,
        };
        sender.blocking_send(part).map_err(|_| stopped())
    })
}

fn head(block: &BlockData) -> Head {
    Head { number: block.header.number as i64, hash: block.hash, time: block.header.timestamp as i64 * 1_000_000 }
}

/// Writes the ground truth beside the lake, atomically.
fn save(lake: &Lake, truth: &Truth) -> Result<()> {
    let folder = lake.dir().parent().unwrap_or(lake.dir());
    let text = serde_json::to_vec_pretty(truth)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, &text)?;
    file.persist(folder.join("truth.json")).map_err(Error::internal)?;
    Ok(())
}
