//! What a server does against damage that nobody has met yet: the scrub of the lake, and checks of both databases on a
//! schedule.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quarry_lake::{Lake, ScrubStep};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::time::now_ms;

/// Time between two looks for files to read when there are none.
const LOOK: Duration = Duration::from_secs(20);
/// Bytes a second at which a file is read that a query found damaged, where the scrub is switched off.
const USUAL_RATE: u64 = 16 << 20;

/// The last check of the databases.
#[derive(Debug, Default)]
pub struct Checks(Mutex<Option<Check>>);

/// What a check of the databases found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// When it ended, in milliseconds since 1970.
    pub at: i64,
    /// What is wrong with the platform database.
    pub database: Option<String>,
    /// What is wrong with the lake's catalogue.
    pub catalogue: Option<String>,
}

impl Checks {
    /// `None` before the first check of this server.
    pub fn last(&self) -> Option<Check> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Checks the databases every so often until the server stops; the first time soon after the start.
pub async fn check_databases(app: App, every: Duration) {
    let mut times = tokio::time::interval(every);
    loop {
        let checked = app.stop.run_until_cancelled(async {
            times.tick().await;
            let database = match app.db.check().await {
                Ok(trouble) => trouble,
                Err(error) => Some(format!("it can't be checked: {error}")),
            };
            let catalogue = app.engine.lake().check_catalogue().await.err().map(|error| error.to_string());
            Check { at: now_ms(), database, catalogue }
        });
        let Some(check) = checked.await else { return };
        if let Some(trouble) = &check.database {
            tracing::error!(trouble, "the platform database is damaged: stop the server and restore a backup");
        }
        if let Some(trouble) = &check.catalogue {
            tracing::error!(trouble, "the lake's catalogue is damaged");
        }
        *app.checks.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(check);
    }
}

/// Reads the lake's files again, so many bytes a second, until the server stops. At rate 0 only those are read in which a
/// query met damage.
pub async fn scrub(lake: Lake, rate: u64, every: Duration, stop: CancellationToken) {
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let pace = Pace::new(if rate == 0 { USUAL_RATE } else { rate }, stop.clone());
        let step = async {
            match lake.scrub((rate > 0).then_some(every), pace.steps()).await {
                Ok(ScrubStep::Read) => {}
                Ok(ScrubStep::Idle | ScrubStep::Stopped) => drop(look.tick().await),
                Err(error) => {
                    tracing::error!(%error, cause = ?std::error::Error::source(&error), "the lake could not be scrubbed");
                    look.tick().await;
                }
            }
        };
        if stop.run_until_cancelled(step).await.is_none() {
            return;
        }
    }
}

/// Keeps reading to a rate.
struct Pace {
    /// Bytes a second.
    rate: u64,
    stop: CancellationToken,
}

impl Pace {
    fn new(rate: u64, stop: CancellationToken) -> Pace {
        Pace { rate, stop }
    }

    /// Called with the bytes that were read, waits as long as they should have taken; false once the server stops.
    fn steps(self) -> impl FnMut(u64) -> bool + Send + 'static {
        let (started, mut read) = (Instant::now(), 0_u64);
        move |bytes| {
            read += bytes;
            let due = Duration::from_secs_f64(read as f64 / self.rate as f64);
            #[expect(
                clippy::disallowed_methods,
                reason = "the rate is a matter of time; this thread does nothing else"
            )]
            std::thread::sleep(due.saturating_sub(started.elapsed()));
            !self.stop.is_cancelled()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_keeps_to_the_rate_and_ends_with_the_server() {
        let stop = CancellationToken::new();
        let mut step = Pace::new(10 << 20, stop.clone()).steps();
        let started = Instant::now();
        assert!((0..4).all(|_| step(1 << 18)));
        assert!(started.elapsed() >= Duration::from_millis(99), "{:?}", started.elapsed());
        stop.cancel();
        assert!(!step(1));
    }
}
