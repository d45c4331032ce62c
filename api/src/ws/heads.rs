//! Tells every open socket when the lake has another head: blocks that the server follows itself, and those that another
//! process writes.

use std::sync::Arc;
use std::time::Duration;

use quarry_lake::Lake;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::hub::Hub;
use super::message::{ChainHead, ServerMessage};

/// Between two looks at the lake: a look reads one row of its catalogue, and blocks come every 12 s.
const LOOK: Duration = Duration::from_secs(1);

/// Looks until the server stops.
pub async fn tell(lake: Lake, hub: Arc<Hub>, stop: CancellationToken) {
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let telling = async {
        let mut told = None;
        loop {
            look.tick().await;
            // A lake that cannot be read is told about by whoever asks it for something.
            let Ok(snapshot) = lake.snapshot().await else { continue };
            let head = snapshot.head.map(ChainHead::from);
            if head != told {
                if let Some(head) = head.clone() {
                    hub.send_all(&ServerMessage::Head(head));
                }
                told = head;
            }
        }
    };
    stop.run_until_cancelled(telling).await;
}
