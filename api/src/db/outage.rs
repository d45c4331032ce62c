//! What a platform database that can't do its work says, and whether one in PostgreSQL is there at all.

use std::time::Duration;

use sqlx::AnyPool;
use sqlx::any::AnyPoolOptions;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

/// Between two questions whether the database is there.
const INTERVAL: Duration = Duration::from_millis(500);
/// A database that takes longer to say that it is there counts as gone. With the interval it stays well under the two seconds
/// within which a request is answered.
const SILENT: Duration = Duration::from_millis(1_000);

/// Why a statement failed, where it is nobody's mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    /// There is no space left on its disk.
    Full,
    /// It can't be reached, or it is shutting down or starting.
    Gone,
}

impl Outage {
    /// What an error of the driver stands for, however deep it lies.
    pub fn of(error: &(dyn std::error::Error + 'static)) -> Option<Outage> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(found) = error.downcast_ref::<sqlx::Error>().and_then(of_driver) {
                return Some(found);
            }
            // The source of an error of the system is what lies below the error that it carries.
            let carried = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
            next = match carried {
                Some(carried) => Some(carried),
                None => error.source(),
            };
        }
        None
    }
}

fn of_driver(error: &sqlx::Error) -> Option<Outage> {
    match error {
        sqlx::Error::Database(error) => of_code(&error.code()?),
        sqlx::Error::Io(error) if crate::space::is_full(error) => Some(Outage::Full),
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => {
            Some(Outage::Gone)
        }
        _ => None,
    }
}

/// Codes of SQLite are numbers, those of PostgreSQL have five characters.
fn of_code(code: &str) -> Option<Outage> {
    match code {
        // SQLITE_FULL; no room for the shared memory of its log (SQLITE_IOERR_SHMSIZE); disk_full.
        "13" | "4874" | "53100" => Some(Outage::Full),
        // Shutdown, crash, not yet started, too many connections.
        "57P01" | "57P02" | "57P03" | "53300" => Some(Outage::Gone),
        // Class 08: the connection.
        _ if code.len() == 5 && code.starts_with("08") => Some(Outage::Gone),
        _ => None,
    }
}

/// Asks a database over a connection of its own, so that a pool under load is not taken for one that is gone.
#[derive(Debug)]
pub(super) struct Watch {
    pool: AnyPool,
    gone: watch::Sender<bool>,
}

impl Watch {
    pub(super) fn new(url: &str) -> Result<Watch, sqlx::Error> {
        let pool = AnyPoolOptions::new().max_connections(1).acquire_timeout(SILENT).connect_lazy(url)?;
        Ok(Watch { pool, gone: watch::Sender::new(false) })
    }

    pub(super) fn is_gone(&self) -> bool {
        *self.gone.borrow()
    }

    /// Returns once the database is gone.
    pub(super) async fn until_gone(&self) {
        // The sender is ours, so waiting can't fail.
        let _ = self.gone.subscribe().wait_for(|gone| *gone).await;
    }

    pub(super) async fn run(&self, stop: CancellationToken) {
        loop {
            let now_gone = !self.answers().await;
            if self.gone.send_replace(now_gone) != now_gone {
                if now_gone {
                    tracing::error!("the platform database does not answer");
                } else {
                    tracing::info!("the platform database answers again");
                }
            }
            tokio::select! {
                () = sleep(INTERVAL) => {}
                () = stop.cancelled() => break,
            }
        }
        self.pool.close().await;
    }

    async fn answers(&self) -> bool {
        let asked = async {
            // Taken out of the pool: one that does not answer is closed at once.
            let mut connection = self.pool.acquire().await?.detach();
            sqlx::query("select 1").execute(&mut connection).await?;
            sqlx::Connection::close(connection).await
        };
        matches!(timeout_at(Instant::now() + SILENT, asked).await, Ok(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_found_however_deep_it_lies() {
        let refused = || sqlx::Error::Io(std::io::ErrorKind::ConnectionRefused.into());
        let full = sqlx::Error::Io(std::io::ErrorKind::StorageFull.into());
        assert_eq!(Outage::of(&refused()), Some(Outage::Gone));
        assert_eq!(Outage::of(&sqlx::Error::PoolTimedOut), Some(Outage::Gone));
        assert_eq!(Outage::of(&full), Some(Outage::Full));
        assert_eq!(Outage::of(&sqlx::Error::RowNotFound), None);
        let wrapped = std::io::Error::other(std::io::Error::other(refused()));
        assert_eq!(Outage::of(&wrapped), Some(Outage::Gone));
        for (code, outage) in [
            ("13", Some(Outage::Full)),
            ("53100", Some(Outage::Full)),
            ("57P03", Some(Outage::Gone)),
            ("08006", Some(Outage::Gone)),
            ("23505", None),
            ("5", None),
        ] {
            assert_eq!(of_code(code), outage, "{code}");
        }
    }
}
