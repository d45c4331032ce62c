//! What a platform database that can't do its work says, and whether one in PostgreSQL is there at all.

use std::fmt;
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, Connection, Executor};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
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
        // PostgreSQL before 17 has no code for a connection that it can't begin because its disk is full.
        sqlx::Error::Database(error) if error.message().starts_with("could not write init file") => Some(Outage::Full),
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

/// Asks a database over a connection of its own, so that a pool under load is not taken for one that is gone. It stays open: a
/// database with a full disk may take no new ones.
pub(super) struct Watch {
    address: AnyConnectOptions,
    found: watch::Sender<Option<Outage>>,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address holds a password.
        f.debug_struct("Watch").field("found", &*self.found.borrow()).finish_non_exhaustive()
    }
}

impl Watch {
    pub(super) fn new(url: &str) -> Result<Watch, sqlx::Error> {
        Ok(Watch { address: url.parse()?, found: watch::Sender::new(None) })
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
        let mut kept = None;
        loop {
            let before = *self.found.borrow();
            // A full disk stays full until a look finds room.
            let look = before == Some(Outage::Full) || looked.is_none_or(|at| at.elapsed() >= ROOM_INTERVAL);
            let now = match self.ask(&mut kept, look).await {
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
        if let Some(connection) = kept {
            let _ = timeout(LOOK, connection.close()).await;
        }
    }

    /// Whether the database answers and, if asked to `look`, has room on its disk.
    async fn ask(&self, kept: &mut Option<AnyConnection>, look: bool) -> Answer {
        // One that does not answer in time is dropped, which closes it.
        let mut connection = match timeout(SILENT, self.answering(kept.take())).await {
            Ok(Ok(connection)) => connection,
            Ok(Err(error)) if Outage::of(&error) == Some(Outage::Full) => return Answer::Full,
            Ok(Err(_)) | Err(_) => return Answer::Gone,
        };
        let room = if look { timeout(LOOK, has_room(&mut connection)).await } else { Ok(None) };
        // The answer to a look that was given up would be taken for that to the next question.
        if room.is_ok() {
            *kept = Some(connection);
        }
        match room.ok().flatten() {
            Some(true) => Answer::Room,
            Some(false) => Answer::Full,
            None => Answer::Unknown,
        }
    }

    /// A connection over which the database has just answered: that of before, or a new one.
    async fn answering(&self, kept: Option<AnyConnection>) -> Result<AnyConnection, sqlx::Error> {
        if let Some(mut connection) = kept
            && connection.execute("select 1").await.is_ok()
        {
            return Ok(connection);
        }
        let mut connection = AnyConnection::connect_with(&self.address).await?;
        connection.execute("select 1").await?;
        Ok(connection)
    }
}

/// Whether the disk of the database has room, if that can be found out: temporary files may be limited.
async fn has_room(connection: &mut AnyConnection) -> Option<bool> {
    for statement in ROOM {
        if let Err(error) = connection.execute(statement).await {
            return (Outage::of(&error) == Some(Outage::Full)).then_some(false);
        }
    }
    Some(true)
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
