//! Room on the disk of the home: what a server needs to start is set aside while there is some, and a server that can write
//! nothing says that it is not ready.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::auth::token::fill_random;

const RESERVE: &str = "space.reserve";
/// Bytes set aside: SQLite's shared memory and log, migrations, and some log-ins of who comes to make room.
const RESERVED: usize = 8 << 20;
/// Bytes that must still fit beside the reserve for a server to be ready.
const PROBE: usize = 1 << 20;
/// The same before the reserve is set aside. A start on a full disk frees room for a moment: the log of a database that was not
/// closed, up to 4 MiB, and what was left unfinished.
const PROBE_BEFORE: usize = 8 << 20;
/// How long what was found is believed: anybody may ask whether the server is ready.
const BELIEVED: Duration = Duration::from_secs(1);
/// The same where there was no room: setting the reserve aside again takes what others may need at that moment.
const BELIEVED_FULL: Duration = Duration::from_secs(5);

/// The room on the disk of a home.
#[derive(Debug)]
pub struct Space {
    home: Arc<Path>,
    found: Mutex<Option<(Instant, Room)>>,
}

/// What is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    Enough,
    /// The disk or the quota is full.
    Full,
    /// Writing fails for another reason; the log has it.
    Unusable,
}

impl Space {
    pub fn new(home: &Path) -> Space {
        Space { home: home.into(), found: Mutex::default() }
    }

    /// Whether there is room now. The reserve is set aside again once there is.
    pub async fn room(&self) -> Room {
        let mut found = self.found.lock().await;
        if let Some((at, room)) = *found
            && at.elapsed() < if room == Room::Enough { BELIEVED } else { BELIEVED_FULL }
        {
            return room;
        }
        let home = self.home.clone();
        let tried = tokio::task::spawn_blocking(move || try_to_write(&home)).await;
        let room = match tried.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(()) => Room::Enough,
            Err(error) if is_full(&error) => Room::Full,
            Err(error) => {
                tracing::error!(%error, "the home can't be written to");
                Room::Unusable
            }
        };
        *found = Some((Instant::now(), room));
        room
    }
}

/// At a start: sets the reserve aside or, where the disk is full, gives it up, so that what is there can be served. Nothing
/// else may use the home yet.
pub fn prepare(home: &Path) -> io::Result<()> {
    match try_to_write(home) {
        Err(error) if is_full(&error) => {
            tracing::error!(
                "there is no space left on the disk: what is stored can be read, and little can be written"
            );
            remove(&home.join(RESERVE))
        }
        done => done,
    }
}

/// Whether a write failed because the disk or the quota is full.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Fails where there is not enough room.
fn try_to_write(home: &Path) -> io::Result<()> {
    let reserve = home.join(RESERVE);
    if fs::metadata(&reserve).is_ok_and(|metadata| metadata.len() == RESERVED as u64) {
        return tempfile::tempfile_in(home)?.write_all(&noise(PROBE));
    }
    // Kept until the reserve is written: both have to fit.
    let mut beside = tempfile::tempfile_in(home)?;
    beside.write_all(&noise(PROBE_BEFORE))?;
    let set_aside = File::create(&reserve).and_then(|mut file| {
        file.write_all(&noise(RESERVED))?;
        file.sync_all()
    });
    if set_aside.is_err() {
        // What was written of it would take the room that others need.
        remove(&reserve)?;
    }
    set_aside
}

/// Bytes that no file system can store in fewer.
fn noise(bytes: usize) -> Vec<u8> {
    let mut noise = vec![0; bytes];
    fill_random(&mut noise);
    noise
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
