//! How the lake grew while the server ran: a look every minute, kept for a day. The catalogue can't tell it, because
//! compaction forgets when a range came.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quarry_lake::Lake;
use quarry_lake::tables::Table;
use quarry_types::Result;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::time::now_ms;

const MINUTE: Duration = Duration::from_secs(60);
/// Looks of a day.
const KEPT: usize = 24 * 60;

/// The lake at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Milliseconds since 1970, like `head_time`.
    pub time: i64,
    pub head_time: Option<i64>,
    /// Blocks that the lake holds.
    pub blocks: u64,
    /// Rows of all tables.
    pub rows: u64,
}

/// The looks of the last day, oldest first.
#[derive(Debug, Clone, Default)]
pub struct LakeHistory {
    looks: Arc<Mutex<VecDeque<Look>>>,
}

impl LakeHistory {
    /// Looks at once and then every minute, until the server stops.
    pub fn start(lake: Lake, tasks: &TaskTracker, stop: CancellationToken) -> LakeHistory {
        let history = LakeHistory::default();
        let kept = history.clone();
        tasks.spawn(async move {
            let mut minute = tokio::time::interval(MINUTE);
            minute.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            let looking = async {
                loop {
                    minute.tick().await;
                    match look(&lake).await {
                        Ok(look) => kept.keep(look),
                        Err(error) => tracing::warn!(%error, "the growth of the lake could not be seen"),
                    }
                }
            };
            stop.run_until_cancelled(looking).await;
        });
        history
    }

    pub fn looks(&self) -> Vec<Look> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    fn keep(&self, look: Look) {
        // One statement each leaves a whole value behind, so a poisoned lock is still good.
        let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        looks.push_back(look);
        if looks.len() > KEPT {
            looks.pop_front();
        }
    }
}

async fn look(lake: &Lake) -> Result<Look> {
    let snapshot = lake.snapshot().await?;
    Ok(Look {
        time: now_ms(),
        head_time: snapshot.head.map(|head| head.time.div_euclid(1000)),
        blocks: snapshot.covered().into_iter().map(|range| range.blocks()).sum(),
        rows: Table::ALL.into_iter().map(|table| snapshot.rows(table)).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::{KEPT, LakeHistory, Look};

    #[test]
    fn a_day_is_kept_oldest_first() {
        let history = LakeHistory::default();
        for minute in 0..=KEPT {
            history.keep(Look { time: i64::try_from(minute).unwrap(), head_time: None, blocks: 0, rows: 0 });
        }
        let looks = history.looks();
        assert_eq!((looks.len(), looks[0].time, looks[KEPT - 1].time), (KEPT, 1, 1440));
    }
}
