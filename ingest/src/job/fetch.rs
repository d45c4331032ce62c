//! Fetches blocks ahead of the writer, as many at once as make the nodes faster and fit the memory.

use std::sync::Arc;

use quarry_lake::BlockRange;
use quarry_types::{Error, Result};
use tokio::sync::mpsc;
use tokio_util::task::JoinQueue;

use super::room::Room;
use super::tokens;
use crate::chain::BlockData;
use crate::plan::{Step, Steps};
use crate::rpc::{Brought, LARGEST_ANSWER, Nodes, Trouble};

/// Fetched steps that may wait for the writer.
pub(super) const QUEUE: usize = 2;

/// Blocks of a step for the writer.
pub(super) type Fetched = Result<(Step, Vec<BlockData>)>;

/// A step that was fetched ahead of others.
struct Ahead {
    step: Step,
    /// Bytes that its answers could have.
    share: usize,
    outcome: Result<Brought, Trouble>,
}

/// Fetches step after step, several at once, and hands them on in order until the first failure.
///
/// So many are under way or wait for one before them as the nodes are asked for at once, and half as many again: those that
/// are ahead of the writer fill memory and make nothing faster. Each is a task, that goes on while the writer is waited for.
pub(super) async fn fetch(nodes: Arc<Nodes>, mut steps: Steps<impl Fn() -> u64>, sender: mpsc::Sender<Fetched>) {
    let mut fetched = JoinQueue::new();
    let mut room = Room::new();
    loop {
        let most = nodes.room() + nodes.room().div_ceil(2).max(2);
        while fetched.len() < most
            && let Some(share) = room.give()
        {
            let Some(step) = steps.next() else {
                room.take_back(share);
                break;
            };
            fetched.spawn(fetch_one(Arc::clone(&nodes), step, share));
        }
        let Some(next) = fetched.join_next().await else { return };
        let sent = match next {
            Ok(Ahead { step, share, outcome }) => {
                room.take_back(share);
                match outcome {
                    Ok(Brought { blocks, bytes }) => {
                        room.learn(bytes);
                        send(&sender, Ok((step, blocks))).await
                    }
                    Err(Trouble::TooLarge(_)) => fetch_alone(&nodes, step, &sender, &mut room).await,
                    Err(trouble) => send(&sender, Err(trouble.into())).await,
                }
            }
            Err(died) => send(&sender, Err(Error::internal(died))).await,
        };
        if sent.is_none() {
            return;
        }
    }
}

/// Nothing after a failure, or when the writer failed first and nobody listens any more.
async fn send(sender: &mpsc::Sender<Fetched>, next: Fetched) -> Option<()> {
    let failed = next.is_err();
    sender.send(next).await.ok().filter(|()| !failed)
}

async fn fetch_one(nodes: Arc<Nodes>, step: Step, share: usize) -> Ahead {
    Ahead { outcome: bring(&nodes, step, share).await, step, share }
}

/// Fetches the blocks of a step one by one, now that all before it are with the writer: they are too large to wait beside
/// others.
async fn fetch_alone(nodes: &Nodes, step: Step, sender: &mpsc::Sender<Fetched>, room: &mut Room) -> Option<()> {
    for number in step.blocks.from..=step.blocks.to {
        // Of such blocks one is fetched, and one with the writer.
        let mut places = sender.reserve_many(QUEUE).await.ok()?;
        let step = Step { blocks: BlockRange { from: number, to: number }, ..step };
        let brought = bring(nodes, step, LARGEST_ANSWER).await;
        let failed = brought.is_err();
        let next = brought.map_err(Error::from).map(|brought| {
            room.learn(brought.bytes);
            (step, brought.blocks)
        });
        places.next()?.send(next);
        if failed {
            return None;
        }
    }
    Some(())
}

async fn bring(nodes: &Nodes, step: Step, most: usize) -> Result<Brought, Trouble> {
    let numbers = step.blocks.from.unsigned_abs()..=step.blocks.to.unsigned_abs();
    let mut brought = nodes.bring(numbers, most).await?;
    tokens::ask(nodes, &mut brought.blocks, most).await?;
    Ok(brought)
}
