//! What a platform database that can't do its work says, and whether one in PostgreSQL is there at all.

use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// Between two questions whether the database is there.
const INTERVAL: Duration = Duration::from_millis(500);
/// A database that takes longer to say that it is there counts as gone. With the interval it stays well under the two seconds
/// within which a request is answered.
const SILENT: Duration = Duration::from_millis(1_000);
/// Between two looks whether its disk has room; while it is full, every question looks.
const ROOM_INTERVAL: Duration = Duration::from_secs(5);
/// A look that takes longer says nothing.
const LOOK: Duration = Duration::from_millis(250);
/// Lets PostgreSQL write 1 MiB and more to the disk of the database: rows of a function that don't fit into memory go to a
/// temporary file, which leaves nothing behind and writes no log.
const ROOM: [&str; 3] =
    ["set work_mem = '64kB'", "set temp_tablespaces = ''", "select count(*) from generate_series(1, 80000)"];

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

/// What a database that was asked has to say.
enum Answer {
    Gone,
    Full,
    Room,
    /// It answers; whether there is room is not known.
    Unknown,
}

/// Asks a database over a connection of its own, so that a pool under load is not taken for one that is gone.
#[derive(Debug)]
pub(super) struct Watch {
    pool: AnyPool,
    found: watch::Sender<Option<Outage>>,
}

impl Watch {
    pub(super) fn new(url: &str) -> Result<Watch, sqlx::Error> {
        let pool = AnyPoolOptions::new().max_connections(1).acquire_timeout(SILENT).connect_lazy(url)?;
        Ok(Watch { pool, found: watch::Sender::new(None) })
    }

    pub(super) fn is_gone(&self) -> bool {
        *self.found.borrow() == Some(Outage::Gone)
    }

    pub(super) fn is_full(&self) -> bool {
        *self.found.borrow() == Some(Outage::Full)
    }

    /// Returns once the database is gone.
    pub(super) async fn until_gone(&self) {
        // The sender is ours, so waiting can't fail.
        let _ = self.found.subscribe().wait_for(|found| *found == Some(Outage::Gone)).await;
    }

    pub(super) async fn run(&self, stop: CancellationToken) {
        let mut looked: Option<Instant> = None;
        loop {
            let before = *self.found.borrow();
            // A full disk stays full until a look finds room.
            let look = before == Some(Outage::Full) || looked.is_none_or(|at| at.elapsed() >= ROOM_INTERVAL);
            let now = match self.ask(look).await {
                Answer::Gone => Some(Outage::Gone),
                Answer::Full => Some(Outage::Full),
                Answer::Room => None,
                Answer::Unknown => before.filter(|before| *before == Outage::Full),
            };
            if look {
                looked = Some(Instant::now());
            }
            if self.found.send_replace(now) != now {
                match now {
                    Some(Outage::Gone) => tracing::error!("the platform database does not answer"),
                    Some(Outage::Full) => tracing::error!("the disk of the platform database has no space left"),
                    None if before == Some(Outage::Full) => {
                        tracing::info!("the disk of the platform database has space again");
                    }
                    None => tracing::info!("the platform database answers again"),
                }
            }
            tokio::select! {
                () = sleep(INTERVAL) => {}
                () = stop.cancelled() => break,
            }
        }
        self.pool.close().await;
    }

    /// Whether the database answers and, if asked to `look`, has room on its disk.
    async fn ask(&self, look: bool) -> Answer {
        let asked = async {
            // Taken out of the pool: one that does not answer is closed at once.
            let mut connection = self.pool.acquire().await?.detach();
            sqlx::query("select 1").execute(&mut connection).await?;
            Ok::<_, sqlx::Error>(connection)
        };
        let Ok(Ok(mut connection)) = timeout(SILENT, asked).await else { return Answer::Gone };
        let until = Instant::now() + LOOK;
        let room = if look { timeout_at(until, has_room(&mut connection)).await.ok() } else { None };
        // One that does not take leave in time is dropped, which closes it too.
        let _ = timeout_at(until, sqlx::Connection::close(connection)).await;
        match room {
            Some(true) => Answer::Room,
            Some(false) => Answer::Full,
            None => Answer::Unknown,
        }
    }
}

/// Whether the disk of the database has room. Another failure says nothing about that: temporary files may be limited.
async fn has_room(connection: &mut AnyConnection) -> bool {
    for statement in ROOM {
        if let Err(error) = sqlx::query(statement).execute(&mut *connection).await {
            return Outage::of(&error) != Some(Outage::Full);
        }
    }
    true
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
