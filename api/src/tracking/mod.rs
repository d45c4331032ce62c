//! What visitors look at: events are taken at once and written in batches, so that no page waits for them.

mod statistics;
mod store;
mod sums;

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::db::Db;

pub use statistics::{DayAccess, PageAccess, Summary, pages, summary};
pub use store::{ClickEvent, RouteEvent, RouteRow, Visits, visits};

/// Events that wait to be written; beyond that they are dropped rather than making a page wait.
const WAITING: usize = 10_000;
/// Events written at once.
const BATCH: usize = 500;
/// Longest wait of an event for others to be written with.
const PAUSE: Duration = Duration::from_secs(2);

/// Something a visitor did.
#[derive(Debug)]
pub enum Event {
    Route(RouteEvent),
    Click(ClickEvent),
}

enum Note {
    Event(Event),
    /// Write what waits, then answer.
    Flush(oneshot::Sender<()>),
}

/// Takes events; clones of its sender are the same.
#[derive(Debug)]
pub struct Tracker {
    notes: mpsc::Sender<Note>,
}

impl std::fmt::Debug for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Note::Event(_) => "Event",
            Note::Flush(_) => "Flush",
        })
    }
}

impl Tracker {
    /// Starts the writer as one of `tasks`; it writes what is left when `stop` is cancelled.
    pub fn start(db: Db, tasks: &TaskTracker, stop: CancellationToken) -> Tracker {
        let (notes, incoming) = mpsc::channel(WAITING);
        tasks.spawn(write(db, incoming, stop));
        Tracker { notes }
    }

    /// Takes an event without waiting; false if too many wait already.
    pub fn take(&self, event: Event) -> bool {
        self.notes.try_send(Note::Event(event)).is_ok()
    }

    /// Waits until everything taken so far is written.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        // An error means that the writer has ended, so nothing waits any more.
        if self.notes.send(Note::Flush(done)).await.is_ok() {
            let _ = written.await;
        }
    }
}

async fn write(db: Db, mut incoming: mpsc::Receiver<Note>, stop: CancellationToken) {
    let mut batch = Vec::new();
    let mut due = Instant::now();
    loop {
        let note = tokio::select! {
            note = incoming.recv() => note,
            () = sleep_until(due), if !batch.is_empty() => {
                save(&db, &mut batch).await;
                continue;
            }
            () = stop.cancelled() => None,
        };
        match note {
            Some(Note::Event(event)) => {
                if batch.is_empty() {
                    due = Instant::now() + PAUSE;
                }
                batch.push(event);
                if batch.len() >= BATCH {
                    save(&db, &mut batch).await;
                }
            }
            Some(Note::Flush(done)) => {
                save(&db, &mut batch).await;
                // Whoever asked may have gone.
                let _ = done.send(());
            }
            None => break,
        }
    }
    incoming.close();
    while let Some(note) = incoming.recv().await {
        if let Note::Event(event) = note {
            batch.push(event);
        }
    }
    save(&db, &mut batch).await;
}

/// Writes a batch; one that can't be written is dropped, since statistics must not fill the memory.
async fn save(db: &Db, batch: &mut Vec<Event>) {
    let events = std::mem::take(batch);
    let count = events.len();
    if let Err(error) = store::insert(db, events).await {
        tracing::error!(%error, events = count, "events of visitors could not be written");
    }
}
