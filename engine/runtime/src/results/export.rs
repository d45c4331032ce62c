//! Exports of whole results as CSV, JSON, Parquet, Arrow or Excel, streamed in chunks.

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

use super::{StoredResult, csv, damaged, export_types, json, xlsx};
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

/// Bytes from which a chunk is sent.
const CHUNK: usize = 1 << 18;
/// Bytes of a row group of a Parquet file, which is buffered in memory.
const MAX_GROUP_BYTES: usize = 32 << 20;

impl StoredResult {
    /// Exports the whole result. Must be called within a tokio runtime. Dropping the stream stops the work.
    pub fn export(&self, format: Format) -> ExportStream {
        let (stream, work) = self.export_with_timeout(format, Duration::MAX);
        tokio::task::spawn_blocking(|| log_failure(work()));
        stream
    }

    /// Returns the stream and the blocking work that fills it, which the caller runs. The work stops if the stream is dropped, or
    /// if nobody takes a chunk within `timeout`.
    pub fn export_with_timeout(
        &self,
        format: Format,
        timeout: Duration,
    ) -> (ExportStream, impl FnOnce() -> Result<()> + Send + use<>) {
        let (sender, receiver) = mpsc::channel(4);
        let (result, complete) = (self.clone(), Arc::<AtomicBool>::default());
        let completes = Arc::clone(&complete);
        let work = move || {
            let buffer = Vec::with_capacity(CHUNK + CHUNK / 4);
            let chunks = ChunkWriter { sender, timeout, buffer, timed_out: false, complete: completes };
            match format {
                Format::Csv => export_csv(&result, chunks),
                Format::Json => export_json(&result, chunks),
                Format::Parquet => export_parquet(&result, chunks),
                Format::Arrow => export_arrow(&result, chunks),
                Format::Xlsx => {
                    let sender = chunks.sender.clone();
                    chunks.run(|chunks| xlsx::export(&result, chunks, || sender.is_closed()))
                }
            }
        };
        let stream = futures::stream::unfold(Some((receiver, complete)), async |open| {
            let (mut receiver, complete) = open?;
            match receiver.recv().await {
                Some(chunk) => Some((Ok(chunk), Some((receiver, complete)))),
                None if complete.load(Ordering::Acquire) => None,
                None => Some((Err(io::Error::other("the export ended early")), None)),
            }
        });
        (Box::pin(stream), work)
    }
}

/// Logs a failure for the operator of the server; the receiver only sees that the export ended early.
pub fn log_failure(outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::error!(error = %error, source = ?std::error::Error::source(&error), "an export ended early");
    }
}

/// Buffers bytes and sends them in chunks. If the export ends early for any reason, the stream ends with an error, since a truncated
/// file would look complete.
struct ChunkWriter {
    sender: mpsc::Sender<Bytes>,
    /// How long the receiver may take for a chunk.
    timeout: Duration,
    buffer: Vec<u8>,
    /// Whether a chunk was not taken in time.
    timed_out: bool,
    /// Set after everything was sent.
    complete: Arc<AtomicBool>,
}

impl ChunkWriter {
    /// Sends the buffer if it has at least `min` bytes; false if the receiver is gone.
    fn send(&mut self, min: usize) -> Result<bool> {
        check_stopped()?;
        if self.buffer.len() < min.max(1) {
            return Ok(true);
        }
        let chunk = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK + CHUNK / 4));
        let sent = Handle::current().block_on(self.sender.send_timeout(chunk.into(), self.timeout));
        self.timed_out |= sent.is_err();
        Ok(sent.is_ok())
    }

    /// Runs the work and sends the rest of the buffer.
    fn run(mut self, work: impl FnOnce(&mut ChunkWriter) -> Result<()>) -> Result<()> {
        work(&mut self)?;
        self.send(1)?;
        self.complete.store(!self.timed_out, Ordering::Release);
        Ok(())
    }
}

/// Splits a batch into parts of about a chunk each.
fn split_batch(batch: RecordBatch) -> impl Iterator<Item = RecordBatch> {
    let rows = batch.num_rows();
    let each = (rows * CHUNK / batch.get_array_memory_size().max(1)).max(1);
    (0..rows).step_by(each).map(move |from| batch.slice(from, each.min(rows - from)))
}

fn export_csv(result: &StoredResult, chunks: ChunkWriter) -> Result<()> {
    chunks.run(|chunks| {
        csv::header(result.schema()?.as_ref(), &mut chunks.buffer);
        for batch in result.batches()? {
            for part in split_batch(batch?) {
                csv::rows(&part, &mut chunks.buffer);
                if !chunks.send(CHUNK)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

fn export_json(result: &StoredResult, chunks: ChunkWriter) -> Result<()> {
    chunks.run(|chunks| {
        let names = json::names(result.schema()?.as_ref());
        chunks.buffer.push(b'[');
        let mut first = true;
        for batch in result.batches()? {
            for part in split_batch(batch?) {
                json::rows(&part, &names, &mut first, &mut chunks.buffer);
                if !chunks.send(CHUNK)? {
                    return Ok(());
                }
            }
        }
        chunks.buffer.extend_from_slice(b"\n]\n");
        Ok(())
    })
}

impl io::Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        match self.send(CHUNK) {
            Ok(true) => Ok(bytes.len()),
            Ok(false) => Err(io::Error::other("the receiver of the export is gone")),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies the stored file, which is Arrow already, unless it has types that only Quarry reads.
fn export_arrow(result: &StoredResult, chunks: ChunkWriter) -> Result<()> {
    chunks.run(|chunks| {
        let stored = result.schema()?;
        if export_types::needs_conversion(&stored) {
            let schema = export_types::export_schema(&stored);
            let mut writer = FileWriter::try_new(&mut *chunks, &schema)?;
            for batch in result.batches()? {
                writer.write(&export_types::export_batch(&batch?, &schema)?)?;
            }
            return writer.finish().map_err(quarry_types::Error::internal);
        }
        let mut file = result.body()?;
        loop {
            let read = (&mut file).take(CHUNK as u64).read_to_end(&mut chunks.buffer).map_err(damaged)?;
            if read == 0 || !chunks.send(1)? {
                return Ok(());
            }
        }
    })
}

/// A buffer that the Parquet writer fills and the export drains.
#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl io::Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SharedBuffer {
    fn drain_into(&self, out: &mut Vec<u8>) {
        out.append(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn export_parquet(result: &StoredResult, chunks: ChunkWriter) -> Result<()> {
    chunks.run(|chunks| {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(1 << 16))
            .set_max_row_group_bytes(Some(MAX_GROUP_BYTES))
            .build();
        let sink = SharedBuffer::default();
        let schema = export_types::export_schema(result.schema()?.as_ref());
        let mut writer = ArrowWriter::try_new(sink.clone(), schema.clone(), Some(properties))?;
        for batch in result.batches()? {
            writer.write(&export_types::export_batch(&batch?, &schema)?)?;
            sink.drain_into(&mut chunks.buffer);
            if !chunks.send(CHUNK)? {
                return Ok(());
            }
        }
        writer.close()?;
        sink.drain_into(&mut chunks.buffer);
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

    /// A result with more chunks in every format than the channel holds.
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
    async fn slow_reader_gets_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let store = ResultStore::open(dir.path()).unwrap();
        let result = stored(&store);
        for format in ALL {
            let (mut stream, work) = result.export_with_timeout(format, Duration::from_millis(10));
            // Nobody reads before the timeout.
            let _ = tokio::task::spawn_blocking(work).await.unwrap();
            let mut chunks = 0;
            let end = loop {
                match stream.next().await {
                    Some(Ok(_)) => chunks += 1,
                    end => break end,
                }
            };
            assert!(matches!(end, Some(Err(_))) && chunks > 0, "{format:?}: {chunks} chunks, then {end:?}");
            assert!(stream.next().await.is_none(), "{format:?}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn complete_export_succeeds() {
        let dir = tempfile::tempdir().unwrap();
        let store = ResultStore::open(dir.path()).unwrap();
        let result = stored(&store);
        for format in ALL {
            assert!(result.export(format).all(async |chunk| chunk.is_ok()).await, "{format:?}");
        }
    }

    #[tokio::test]
    async fn export_that_never_ran_fails() {
        let dir = tempfile::tempdir().unwrap();
        let (mut stream, work) =
            stored(&ResultStore::open(dir.path()).unwrap()).export_with_timeout(Format::Csv, Duration::MAX);
        drop(work);
        assert!(stream.next().await.unwrap().is_err());
    }
}
