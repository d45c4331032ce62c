//! Whole results as files: CSV, JSON, Parquet, Arrow or Excel, streamed so that memory stays small whatever their size.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow::ipc::writer::FileWriter;
use arrow::record_batch::RecordBatch;
use bytes::Bytes;
use futures::Stream;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::{StoredResult, csv, damaged, json, portable, xlsx};
use crate::check_stopped;
use quarry_types::Result;

/// Format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Json,
    Parquet,
    Arrow,
    Xlsx,
}

/// The bytes of an export, in order.
pub type ExportStream = std::pin::Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// Size from which a piece is sent on.
const PIECE: usize = 1 << 18;
/// Most bytes of a row group of a Parquet file, which is held in memory until it is whole.
const GROUP: usize = 32 << 20;

impl StoredResult {
    /// The whole result in a format. Must be called within a tokio runtime; dropping the stream ends the work.
    pub fn export(&self, format: Format) -> ExportStream {
        let (stream, work) = self.export_for(format, Duration::MAX);
        tokio::task::spawn_blocking(|| log_failure(work()));
        stream
    }

    /// The same with the work, which blocks, left to the caller. It ends when the stream is dropped, or when nobody takes a
    /// piece of it for so long.
    pub fn export_for(
        &self,
        format: Format,
        patience: Duration,
    ) -> (ExportStream, impl FnOnce() -> Result<()> + Send + use<>) {
        let (sender, receiver) = mpsc::channel(4);
        let (result, complete) = (self.clone(), Arc::<AtomicBool>::default());
        let completes = Arc::clone(&complete);
        let work = move || {
            let buffer = Vec::with_capacity(PIECE + PIECE / 4);
            let pieces = Pieces { sender, patience, buffer, is_unread: false, complete: completes };
            match format {
                Format::Csv => export_csv(&result, pieces),
                Format::Json => export_json(&result, pieces),
                Format::Parquet => export_parquet(&result, pieces),
                Format::Arrow => export_arrow(&result, pieces),
                Format::Xlsx => {
                    let sender = pieces.sender.clone();
                    pieces.run(|pieces| xlsx::export(&result, pieces, || sender.is_closed()))
                }
            }
        };
        let stream = futures::stream::unfold(Some((receiver, complete)), async |open| {
            let (mut receiver, complete) = open?;
            match receiver.recv().await {
                Some(piece) => Some((Ok(piece), Some((receiver, complete)))),
                None if complete.load(Ordering::Acquire) => None,
                None => Some((Err(io::Error::other("the export ended early")), None)),
            }
        });
        (Box::pin(stream), work)
    }
}

/// For the operator of the server; the receiver only sees that the export ended early.
pub fn log_failure(outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::error!(error = %error, source = ?std::error::Error::source(&error), "an export ended early");
    }
}

/// Collects bytes and sends them in pieces. After an early end, whatever its reason, the stream ends with an error: a short file
/// would look like a whole one.
struct Pieces {
    sender: mpsc::Sender<Bytes>,
    /// How long the receiver may leave a piece where it is.
    patience: Duration,
    buffer: Vec<u8>,
    /// Whether a piece was not taken.
    is_unread: bool,
    /// Set once everything was sent.
    complete: Arc<AtomicBool>,
}

impl Pieces {
    /// Sends what has gathered when it is enough; false when nobody listens any more.
    fn pass(&mut self, min: usize) -> Result<bool> {
        check_stopped()?;
        if self.buffer.len() < min.max(1) {
            return Ok(true);
        }
        let piece = std::mem::replace(&mut self.buffer, Vec::with_capacity(PIECE + PIECE / 4));
        let sent = Handle::current().block_on(self.sender.send_timeout(piece.into(), self.patience));
        self.is_unread |= sent.is_err();
        Ok(sent.is_ok())
    }

    /// Runs the work and sends what is left.
    fn run(mut self, work: impl FnOnce(&mut Pieces) -> Result<()>) -> Result<()> {
        work(&mut self)?;
        self.pass(1)?;
        self.complete.store(!self.is_unread, Ordering::Release);
        Ok(())
    }
}

/// A batch in parts that make about a piece each.
fn parts(batch: RecordBatch) -> impl Iterator<Item = RecordBatch> {
    let rows = batch.num_rows();
    let each = (rows * PIECE / batch.get_array_memory_size().max(1)).max(1);
    (0..rows).step_by(each).map(move |from| batch.slice(from, each.min(rows - from)))
}

fn export_csv(result: &StoredResult, pieces: Pieces) -> Result<()> {
    pieces.run(|pieces| {
        csv::header(result.schema()?.as_ref(), &mut pieces.buffer);
        for batch in result.batches()? {
            for part in parts(batch?) {
                csv::rows(&part, &mut pieces.buffer);
                if !pieces.pass(PIECE)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

fn export_json(result: &StoredResult, pieces: Pieces) -> Result<()> {
    pieces.run(|pieces| {
        let names = json::names(result.schema()?.as_ref());
        pieces.buffer.push(b'[');
        let mut first = true;
        for batch in result.batches()? {
            for part in parts(batch?) {
                json::rows(&part, &names, &mut first, &mut pieces.buffer);
                if !pieces.pass(PIECE)? {
                    return Ok(());
                }
            }
        }
        pieces.buffer.extend_from_slice(b"\n]\n");
        Ok(())
    })
}

impl io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        match self.pass(PIECE) {
            Ok(true) => Ok(bytes.len()),
            Ok(false) => Err(io::Error::other("nobody listens any more")),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The stored file is an Arrow file already, unless it has columns that only Quarry reads.
fn export_arrow(result: &StoredResult, pieces: Pieces) -> Result<()> {
    pieces.run(|pieces| {
        let stored = result.schema()?;
        if portable::is_needed(&stored) {
            let schema = portable::schema(&stored);
            let mut writer = FileWriter::try_new(&mut *pieces, &schema).map_err(quarry_types::Error::internal)?;
            for batch in result.batches()? {
                writer.write(&portable::batch(&batch?, &schema)?).map_err(quarry_types::Error::internal)?;
            }
            return writer.finish().map_err(quarry_types::Error::internal);
        }
        let mut file = result.body()?;
        loop {
            let read = (&mut file).take(PIECE as u64).read_to_end(&mut pieces.buffer).map_err(damaged)?;
            if read == 0 || !pieces.pass(1)? {
                return Ok(());
            }
        }
    })
}

/// A place the Parquet writer writes to and the export takes from.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn drain_into(&self, out: &mut Vec<u8>) {
        out.append(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn export_parquet(result: &StoredResult, pieces: Pieces) -> Result<()> {
    pieces.run(|pieces| {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(1 << 16))
            .set_max_row_group_bytes(Some(GROUP))
            .build();
        let sink = Sink::default();
        let schema = portable::schema(result.schema()?.as_ref());
        let mut writer = ArrowWriter::try_new(sink.clone(), schema.clone(), Some(properties))
            .map_err(quarry_types::Error::internal)?;
        for batch in result.batches()? {
            writer.write(&portable::batch(&batch?, &schema)?).map_err(quarry_types::Error::internal)?;
            sink.drain_into(&mut pieces.buffer);
            if !pieces.pass(PIECE)? {
                return Ok(());
            }
        }
        writer.close().map_err(quarry_types::Error::internal)?;
        sink.drain_into(&mut pieces.buffer);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use arrow::array::{ArrayRef, Int64Array};
    use futures::StreamExt;

    use super::super::{ResultLimits, ResultStore};
    use super::*;

    const ALL: [Format; 5] = [Format::Csv, Format::Json, Format::Parquet, Format::Arrow, Format::Xlsx];

    /// More pieces in every format than wait for a reader.
    fn stored(store: &ResultStore) -> StoredResult {
        let numbers: ArrayRef =
            Arc::new(Int64Array::from_iter_values((0..600_000_i64).map(|n| n.wrapping_mul(6_364_136_223_846_793_005))));
        let batch = RecordBatch::try_from_iter([("n", numbers)]).unwrap();
        let mut writer =
            store.writer("job", &batch.schema(), ResultLimits { rows: u64::MAX, bytes: u64::MAX }).unwrap();
        writer.write(batch).unwrap();
        writer.finish().unwrap();
        store.get("job").unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_slow_reader_gets_an_error_and_never_a_short_file() {
        let dir = tempfile::tempdir().unwrap();
        let store = ResultStore::open(dir.path()).unwrap();
        let result = stored(&store);
        for format in ALL {
            let (mut stream, work) = result.export_for(format, Duration::from_millis(10));
            // Nobody reads until it has given up.
            let _ = tokio::task::spawn_blocking(work).await.unwrap();
            let mut pieces = 0;
            let end = loop {
                match stream.next().await {
                    Some(Ok(_)) => pieces += 1,
                    end => break end,
                }
            };
            assert!(matches!(end, Some(Err(_))) && pieces > 0, "{format:?}: {pieces} pieces, then {end:?}");
            assert!(stream.next().await.is_none(), "{format:?}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_whole_file_ends_without_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let store = ResultStore::open(dir.path()).unwrap();
        let result = stored(&store);
        for format in ALL {
            assert!(result.export(format).all(async |piece| piece.is_ok()).await, "{format:?}");
        }
    }

    #[tokio::test]
    async fn work_that_never_ran_is_no_empty_file() {
        let dir = tempfile::tempdir().unwrap();
        let (mut stream, work) = stored(&ResultStore::open(dir.path()).unwrap()).export_for(Format::Csv, Duration::MAX);
        drop(work);
        assert!(stream.next().await.unwrap().is_err());
    }
}
