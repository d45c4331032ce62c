//! The scrub: files are read again, whole and slowly, so that damage is found before a query needs them.

use std::fs::File;
use std::hash::Hasher;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use twox_hash::XxHash64;

use super::catalogue::{DamagedFile, Found, ScrubPass, now_ms};
use super::portions::{rows_at_once, with_pages};
use super::snapshot::{BlockRange, FileEntry, Snapshot};
use super::store::Lake;
use super::tables::Table;
use quarry_types::{Error, ErrorCode, Result};

/// Bytes that are read before the pace is asked.
const STEP: usize = 1 << 20;
/// Rows that are decoded at once of a file without checksums.
const BATCH: usize = 4096;

/// How the scrub fares.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrubStatus {
    /// The pass that is under way.
    pub current: Option<ScrubPass>,
    /// The last one that ended.
    pub last: Option<ScrubPass>,
    /// Files that were damaged when they were last read, by their blocks.
    pub damaged: Vec<DamagedFile>,
}

/// What a step of the scrub did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrubStep {
    /// A file was read.
    Read,
    /// Every file was read lately.
    Idle,
    /// The pace said to stop.
    Stopped,
}

impl Lake {
    /// Reads one file: one that a query found damaged, or the next of the pass under way. Without `every` only the former;
    /// with it a new pass begins when the last began so long ago. `pace` is called with the bytes that were read since its
    /// last call, on the thread that reads; when it returns false the file is left for another time.
    ///
    /// # Errors
    /// The catalogue is damaged or can't be written. A damaged file is none: it is written down.
    pub async fn scrub(
        &self,
        every: Option<Duration>,
        pace: impl FnMut(u64) -> bool + Send + 'static,
    ) -> Result<ScrubStep> {
        let mut next = None;
        while let Some(suspect) = self.footers().take_suspect() {
            next = self.catalogue().file_to_check(&suspect).await?;
            if next.is_some() {
                break;
            }
        }
        if let (None, Some(every)) = (&next, every) {
            next = self.catalogue().next_to_check(every).await?;
        }
        let Some(file) = next else { return Ok(ScrubStep::Idle) };
        let (dir, entry) = (self.dir().to_path_buf(), file.entry.clone());
        let Some(found) = in_background(move || check(&dir, &entry, pace)).await? else {
            return Ok(ScrubStep::Stopped);
        };
        if let Found::Damaged(why) = &found {
            tracing::error!(path = file.entry.path, why, blocks = %file.entry.blocks(), "a file of the lake is damaged");
        }
        self.catalogue().checked(&file, &found).await?;
        Ok(ScrubStep::Read)
    }

    /// Reads the catalogue and every live file that has rows of these blocks, and writes down and returns those that are
    /// damaged. `progress` is called with the bytes that were read since its last call.
    ///
    /// # Errors
    /// The catalogue is damaged.
    pub async fn check_files(
        &self,
        blocks: BlockRange,
        progress: impl Fn(u64) + Clone + Send + 'static,
    ) -> Result<Vec<DamagedFile>> {
        self.catalogue().check_integrity().await?;
        let snapshot = self.snapshot().await?;
        let mut damaged = Vec::new();
        for path in paths(&snapshot, blocks) {
            let Some(file) = self.catalogue().file_to_check(path).await? else { continue };
            let (dir, entry, progress) = (self.dir().to_path_buf(), file.entry.clone(), progress.clone());
            let pace = move |bytes| {
                progress(bytes);
                true
            };
            let Some(found) = in_background(move || check(&dir, &entry, pace)).await? else { continue };
            self.catalogue().checked(&file, &found).await?;
            if let Found::Damaged(detail) = found {
                let (blocks, path) = (file.entry.blocks(), file.entry.path);
                damaged.push(DamagedFile { path, blocks, time: now_ms(), detail });
            }
        }
        Ok(damaged)
    }

    /// Checks the lake's catalogue.
    ///
    /// # Errors
    /// It is damaged.
    pub async fn check_catalogue(&self) -> Result<()> {
        self.catalogue().check_integrity().await
    }

    pub(super) async fn scrub_status(&self) -> Result<ScrubStatus> {
        let passes = self.catalogue().passes(2).await?;
        let of = |ended: bool| passes.iter().copied().find(|pass| pass.ended.is_some() == ended);
        Ok(ScrubStatus { current: of(false), last: of(true), damaged: self.catalogue().damaged().await? })
    }
}

/// Paths of the live files of all tables that have rows of these blocks.
fn paths(snapshot: &Snapshot, blocks: BlockRange) -> impl Iterator<Item = &str> {
    let files = Table::ALL.into_iter().chain(Table::DERIVED).flat_map(|table| snapshot.files(table));
    files.filter(move |file| file.blocks().overlaps(blocks)).map(|file| file.path.as_str())
}

/// Reads a file from its first to its last byte; `None` when `pace` ended it.
fn check(dir: &Path, entry: &FileEntry, mut pace: impl FnMut(u64) -> bool) -> Option<Found> {
    let damaged = |why: String| Some(Found::Damaged(why));
    let opened = File::open(dir.join(&entry.path)).and_then(|file| Ok((file.metadata()?.len(), file)));
    let mut file = match opened {
        Ok((length, file)) if length == entry.bytes => file,
        Ok((length, _)) => return damaged(format!("it has {length} bytes instead of {}", entry.bytes)),
        Err(error) => return damaged(format!("it can't be opened: {error}")),
    };
    let mut sum = XxHash64::with_seed(0);
    let mut buffer = vec![0; STEP];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                sum.write(&buffer[..read]);
                if !pace(read as u64) {
                    return None;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return damaged(format!("it can't be read: {error}")),
        }
    }
    let checksum = sum.finish();
    match entry.checksums {
        Some(known) if known.file != checksum => damaged("its bytes differ from its checksum".to_string()),
        Some(_) => Some(Found::Sound { checksum }),
        // Its checksum is to be that of a file that can be read.
        None => match decode(file) {
            Ok(()) => Some(Found::Sound { checksum }),
            Err(error) => damaged(format!("it can't be decoded: {error}")),
        },
    }
}

fn decode(file: File) -> Result<(), Box<dyn std::error::Error>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, with_pages())?;
    let rows = rows_at_once(builder.metadata(), BATCH);
    for batch in builder.with_batch_size(rows).build()? {
        batch?;
    }
    Ok(())
}

/// Runs work on a thread of its own that steps back for everything else, at the processor and at the disk.
async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (send, receive) = tokio::sync::oneshot::channel();
    let run = move || {
        step_back();
        // Nobody waits for the result any more when this fails.
        let _ = send.send(work());
    };
    std::thread::Builder::new().name("scrub".to_string()).spawn(run).map_err(Error::internal)?;
    receive.await.map_err(|_| Error::new(ErrorCode::Internal, "A file of the lake could not be checked."))
}

/// A failure changes nothing but the order of waiting.
#[cfg(target_os = "linux")]
fn step_back() {
    /// `IOPRIO_WHO_PROCESS`: with number 0 the calling thread.
    const WHO: libc::c_int = 1;
    /// `IOPRIO_CLASS_IDLE`.
    const IDLE: libc::c_int = 3 << 13;
    #[expect(unsafe_code, reason = "the standard library has no call for it; numbers go in, no memory is touched")]
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
        libc::syscall(libc::SYS_ioprio_set, WHO, 0, IDLE);
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back() {}
