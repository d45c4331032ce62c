//! Prefetches blocks for the writer: as many concurrent requests as speed up the nodes and fit the memory.

use std::sync::Arc;

use quarry_lake::BlockRange;
use quarry_types::{Error, Result};
use tokio::sync::mpsc;
use tokio_util::task::JoinQueue;

use super::memory_budget::MemoryBudget;
use super::tokens;
use crate::chain::BlockData;
use crate::plan::{Step, Steps};
use crate::rpc::{FetchError, FetchedBlocks, MAX_ANSWER_BYTES, Nodes};

/// Maximum fetched steps that wait for the writer.
pub(super) const QUEUE: usize = 2;

/// The blocks of a step.
pub(super) type Fetched = Result<(Step, Vec<BlockData>)>;

/// A prefetched step.
struct Ahead {
    step: Step,
    /// Bytes reserved for its responses.
    share: usize,
    outcome: Result<FetchedBlocks, FetchError>,
}

/// Fetches steps concurrently and yields them in order until the first failure. Up to 1.5 times the concurrency of the
/// nodes are under way or waiting; more would fill memory without being faster. Each step is a task that continues
/// while the writer is busy.
pub(super) async fn fetch(nodes: Arc<Nodes>, mut steps: Steps<impl Fn() -> u64>, sender: mpsc::Sender<Fetched>) {
    let mut fetched = JoinQueue::new();
    let mut budget = MemoryBudget::new();
    loop {
        let most = nodes.room() + nodes.room().div_ceil(2).max(2);
        while fetched.len() < most
            && let Some(share) = budget.reserve()
        {
            let Some(step) = steps.next() else {
                budget.release(share);
                break;
            };
            fetched.spawn(fetch_one(Arc::clone(&nodes), step, share));
        }
        let Some(next) = fetched.join_next().await else { return };
        let sent = match next {
            Ok(Ahead { step, share, outcome }) => {
                budget.release(share);
                match outcome {
                    Ok(FetchedBlocks { blocks, bytes }) => {
                        budget.learn(bytes);
                        send(&sender, Ok((step, blocks))).await
                    }
                    Err(FetchError::TooLarge(_)) => fetch_alone(&nodes, step, &sender, &mut budget).await,
                    Err(error) => send(&sender, Err(error.into())).await,
                }
            }
            Err(died) => send(&sender, Err(Error::internal(died))).await,
        };
        if sent.is_none() {
            return;
        }
    }
}

/// Returns `None` after a failure or if the receiver is gone.
async fn send(sender: &mpsc::Sender<Fetched>, next: Fetched) -> Option<()> {
    let failed = next.is_err();
    sender.send(next).await.ok().filter(|()| !failed)
}

async fn fetch_one(nodes: Arc<Nodes>, step: Step, share: usize) -> Ahead {
    Ahead { outcome: bring(&nodes, step, share).await, step, share }
}

/// Fetches the blocks of a step one by one after all earlier ones were written, as they are too large to wait beside
/// others.
async fn fetch_alone(
    nodes: &Nodes,
    step: Step,
    sender: &mpsc::Sender<Fetched>,
    budget: &mut MemoryBudget,
) -> Option<()> {
    for number in step.blocks.from..=step.blocks.to {
        // One is fetched while another is written.
        let mut places = sender.reserve_many(QUEUE).await.ok()?;
        let step = Step { blocks: BlockRange { from: number, to: number }, ..step };
        let brought = bring(nodes, step, MAX_ANSWER_BYTES).await;
        let failed = brought.is_err();
        let next = brought.map_err(Error::from).map(|brought| {
            budget.learn(brought.bytes);
            (step, brought.blocks)
        });
        places.next()?.send(next);
        if failed {
            return None;
        }
    }
    Some(())
}

async fn bring(nodes: &Nodes, step: Step, most: usize) -> Result<FetchedBlocks, FetchError> {
    let numbers = step.blocks.from.unsigned_abs()..=step.blocks.to.unsigned_abs();
    let mut brought = nodes.fetch_blocks(numbers, most).await?;
    tokens::ask(nodes, &mut brought.blocks, most).await?;
    Ok(brought)
}
