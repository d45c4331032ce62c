//! The scrub: reads all files slowly in the background, so that damage is found before a query needs them.

use std::fs::File;
use std::hash::Hasher;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use twox_hash::XxHash64;

use super::batch_size::{batch_rows, with_offset_index};
use super::catalogue::{DamagedFile, FileCheck, ScrubPass, now_ms};
use super::lake::Lake;
use super::snapshot::{BlockRange, FileEntry, Snapshot};
use super::tables::Table;
use quarry_types::{Error, ErrorCode, Result};

/// Bytes between two calls of `pace`.
const STEP: usize = 1 << 20;
/// Rows of a batch of a file without checksums.
const MAX_BATCH_ROWS: usize = 4096;

/// State of the scrub.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrubStatus {
    /// The current pass.
    pub current: Option<ScrubPass>,
    /// The last pass that ended.
    pub last: Option<ScrubPass>,
    /// Files that were damaged when they were last read, by their blocks.
    pub damaged: Vec<DamagedFile>,
}

/// What a step of the scrub did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScrubStep {
    /// A file was read.
    Read,
    /// Every file was read recently.
    Idle,
    /// `pace` stopped it.
    Stopped,
}

impl Lake {
    /// Reads one file: one that a query found damaged, or, with `every`, the next file of the current pass. A new pass starts
    /// if the last one started at least `every` ago. `pace` is called on the reading thread with the bytes read since its last
    /// call; if it returns false, the file is left for later.
    ///
    /// # Errors
    /// The catalogue is damaged or can't be written. A damaged file is recorded and is no error.
    pub async fn scrub(
        &self,
        every: Option<Duration>,
        pace: impl FnMut(u64) -> bool + Send + 'static,
    ) -> Result<ScrubStep> {
        let mut next = None;
        while let Some(suspect) = self.cache().take_suspect() {
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
        let Some(result) = in_background(move || check(&dir, &entry, pace)).await? else {
            return Ok(ScrubStep::Stopped);
        };
        if let FileCheck::Damaged(why) = &result {
            tracing::error!(path = file.entry.path, why, blocks = %file.entry.blocks(), "a file of the lake is damaged");
        }
        self.catalogue().record_check(&file, &result).await?;
        Ok(ScrubStep::Read)
    }

    /// Checks the catalogue and every live file with rows of these blocks, and records and returns the damaged files. `progress`
    /// is called with the bytes read since its last call.
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
            let Some(result) = in_background(move || check(&dir, &entry, pace)).await? else { continue };
            self.catalogue().record_check(&file, &result).await?;
            if let FileCheck::Damaged(detail) = result {
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
        Ok(self.catalogue().check_integrity().await?)
    }

    pub(super) async fn scrub_status(&self) -> Result<ScrubStatus> {
        let passes = self.catalogue().passes(2).await?;
        let newest = |ended: bool| passes.iter().copied().find(|pass| pass.ended.is_some() == ended);
        Ok(ScrubStatus { current: newest(false), last: newest(true), damaged: self.catalogue().damaged_files().await? })
    }
}

/// Paths of the live files of all tables with rows of these blocks.
fn paths(snapshot: &Snapshot, blocks: BlockRange) -> impl Iterator<Item = &str> {
    let files = Table::ALL.into_iter().chain(Table::DERIVED).flat_map(|table| snapshot.files(table));
    files.filter(move |file| file.blocks().overlaps(blocks)).map(|file| file.path.as_str())
}

/// Reads a whole file; `None` if `pace` stopped it.
fn check(dir: &Path, entry: &FileEntry, mut pace: impl FnMut(u64) -> bool) -> Option<FileCheck> {
    let damaged = |why: String| Some(FileCheck::Damaged(why));
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
        Some(_) => Some(FileCheck::Sound { checksum }),
        // Only a file that can be decoded gets a checksum.
        None => match decode(file) {
            Ok(()) => Some(FileCheck::Sound { checksum }),
            Err(error) => damaged(format!("it can't be decoded: {error}")),
        },
    }
}

fn decode(file: File) -> Result<(), Box<dyn std::error::Error>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, with_offset_index())?;
    let rows = batch_rows(builder.metadata(), MAX_BATCH_ROWS);
    for batch in builder.with_batch_size(rows).build()? {
        batch?;
    }
    Ok(())
}

/// Runs work on a thread of its own with the lowest priority for CPU and disk.
async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let (send, receive) = tokio::sync::oneshot::channel();
    let run = move || {
        lower_priority();
        // It fails if the caller has gone away.
        let _ = send.send(work());
    };
    std::thread::Builder::new().name("scrub".to_string()).spawn(run)?;
    receive.await.map_err(|_| Error::new(ErrorCode::Internal, "A file of the lake could not be checked."))
}

/// Best effort: a failure has no effect on the result.
#[cfg(target_os = "linux")]
fn lower_priority() {
    /// `IOPRIO_WHO_PROCESS`; number 0 means the calling thread.
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
fn lower_priority() {}
