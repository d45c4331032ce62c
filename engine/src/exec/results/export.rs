//! Whole results as files: CSV, JSON, Parquet, Arrow or Excel, streamed so that memory stays small whatever their size.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::ipc::writer::FileWriter;
use bytes::Bytes;
use futures::Stream;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tokio::sync::mpsc;

use super::{StoredResult, csv, damaged, json, portable, xlsx};
use crate::error::Result;

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

impl StoredResult {
    /// The whole result in a format. Must be called within a tokio runtime; dropping the stream ends the work.
    pub fn export(&self, format: Format) -> ExportStream {
        let (sender, receiver) = mpsc::channel(4);
        let result = self.clone();
        tokio::task::spawn_blocking(move || {
            let pieces = Pieces { sender, buffer: Vec::with_capacity(PIECE + PIECE / 4) };
            let outcome = match format {
                Format::Csv => export_csv(&result, pieces),
                Format::Json => export_json(&result, pieces),
                Format::Parquet => export_parquet(&result, pieces),
                Format::Arrow => export_arrow(&result, pieces),
                Format::Xlsx => {
                    let sender = pieces.sender.clone();
                    pieces.run(|pieces| xlsx::export(&result, pieces, || sender.is_closed()))
                }
            };
            if let Err(error) = outcome {
                tracing::error!(error = %error, source = ?std::error::Error::source(&error), "an export ended early");
            }
        });
        Box::pin(futures::stream::unfold(receiver, async |mut receiver| {
            receiver.recv().await.map(|piece| (piece, receiver))
        }))
    }
}

/// Collects bytes and sends them on in pieces. On an early end the receiver sees an error, never a short file.
struct Pieces {
    sender: mpsc::Sender<io::Result<Bytes>>,
    buffer: Vec<u8>,
}

impl Pieces {
    /// Sends what has gathered when it is enough; false when nobody listens any more.
    fn pass(&mut self, min: usize) -> bool {
        if self.buffer.len() < min.max(1) {
            return true;
        }
        let piece = std::mem::replace(&mut self.buffer, Vec::with_capacity(PIECE + PIECE / 4));
        self.sender.blocking_send(Ok(piece.into())).is_ok()
    }

    /// Runs the work; an error of it reaches the receiver too.
    fn run(mut self, work: impl FnOnce(&mut Pieces) -> Result<()>) -> Result<()> {
        let outcome = work(&mut self);
        if outcome.is_err() {
            // A receiver that left already needs no error.
            let _ = self.sender.blocking_send(Err(io::Error::other("the export ended early")));
        } else {
            self.pass(1);
        }
        outcome
    }
}

fn export_csv(result: &StoredResult, pieces: Pieces) -> Result<()> {
    pieces.run(|pieces| {
        csv::header(result.schema()?.as_ref(), &mut pieces.buffer);
        for batch in result.batches()? {
            csv::rows(&batch?, &mut pieces.buffer);
            if !pieces.pass(PIECE) {
                break;
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
            json::rows(&batch?, &names, &mut first, &mut pieces.buffer);
            if !pieces.pass(PIECE) {
                break;
            }
        }
        pieces.buffer.extend_from_slice(b"\n]\n");
        Ok(())
    })
}

impl io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.pass(PIECE) { Ok(bytes.len()) } else { Err(io::Error::other("nobody listens any more")) }
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
            let mut writer = FileWriter::try_new(&mut *pieces, &schema).map_err(crate::Error::internal)?;
            for batch in result.batches()? {
                writer.write(&portable::batch(&batch?, &schema)?).map_err(crate::Error::internal)?;
            }
            return writer.finish().map_err(crate::Error::internal);
        }
        let mut file = result.body()?;
        loop {
            let read = (&mut file).take(PIECE as u64).read_to_end(&mut pieces.buffer).map_err(damaged)?;
            if read == 0 || !pieces.pass(1) {
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
            .build();
        let sink = Sink::default();
        let schema = portable::schema(result.schema()?.as_ref());
        let mut writer =
            ArrowWriter::try_new(sink.clone(), schema.clone(), Some(properties)).map_err(crate::Error::internal)?;
        for batch in result.batches()? {
            writer.write(&portable::batch(&batch?, &schema)?).map_err(crate::Error::internal)?;
            sink.drain_into(&mut pieces.buffer);
            if !pieces.pass(PIECE) {
                return Ok(());
            }
        }
        writer.close().map_err(crate::Error::internal)?;
        sink.drain_into(&mut pieces.buffer);
        Ok(())
    })
}
