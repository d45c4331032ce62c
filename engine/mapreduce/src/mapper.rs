//! Calls the mapper for each row or batch of its input.

use std::rc::Rc;

use arrow::array::RecordBatch;
use tokio::sync::mpsc::Receiver;

use super::batch_object::BatchObject;
use super::codec::Codec;
use super::columns::Columns;
use super::pair_emitter::PairEmitter;
use super::sandbox::function;
use super::script::Script;
use super::script_thread::{Chunks, Output, ScriptThread, call};
use super::scripts::{Counters, globals};
use quarry_types::cell::row_values;
use quarry_types::{Error, ErrorCode, Result};

/// Longest description of a row in an error, in characters.
const SHOWN: usize = 600;
/// Rows that a mapper of batches gets at once: the more, the fewer pairs it makes of its sums.
const BATCH_ROWS: usize = 1 << 16;
/// The part of a sandbox's memory that the rows of a batch may fill here; in JavaScript they are several times larger.
const BATCH_SHARE: usize = 16;

pub(super) struct Mapper {
    pub thread: ScriptThread,
    /// The name of the input, an argument of the mapper.
    pub input: String,
    /// Whether it takes batches instead of rows.
    pub batches: bool,
}

impl Mapper {
    /// How many rows the mapper gets at once.
    pub fn chunks(&self) -> Chunks {
        if self.batches {
            let bytes = self.thread.scripts.limits.memory / BATCH_SHARE;
            Chunks { rows: BATCH_ROWS, bytes, ..Chunks::AS_THEY_COME }
        } else {
            Chunks::AS_THEY_COME
        }
    }

    pub fn run(self, mut input: Receiver<RecordBatch>, output: Output) -> Result<()> {
        let Mapper { thread, input: name, batches } = self;
        // Without a row there is nothing to run, and no memory to reserve.
        let Some(first) = input.blocking_recv() else { return Ok(()) };
        let (sandbox, _memory) = thread.sandbox(&output)?;
        let text = thread.scripts.text(Script::Mapper);
        let emitter = PairEmitter::new(output, &sandbox.watch, &thread.scripts);
        let counters = Rc::new(Counters::default());
        let mut next = Some(first);
        // The batch, or its row, that the mapper is called with, for an error.
        let mut called_with: Option<(RecordBatch, Option<usize>)> = None;
        let outcome = sandbox.enter(
            Script::Mapper,
            |ctx| globals(ctx, &thread.scripts, &counters),
            |ctx, _| {
                let mapper = function(ctx, text, Script::Mapper)?;
                let emit = emitter.function(ctx)?;
                let codec = Codec::new(ctx);
                let name = codec.text(&name)?;
                while let Some(batch) = next.take() {
                    called_with = Some((batch.clone(), None));
                    let columns = Columns::new(&batch);
                    let columns = columns.map_err(|_| codec.refuse("the input has a type that is not supported"))?;
                    if batches {
                        let (object, batch) = BatchObject::new(ctx, columns)?;
                        emitter.begin_call();
                        call(ctx, &mapper, (object, emit.clone(), name.clone()))?;
                        batch.close();
                    } else {
                        let names = columns.names(ctx)?;
                        for row in 0..columns.rows {
                            called_with = Some((batch.clone(), Some(row)));
                            emitter.begin_call();
                            call(ctx, &mapper, (columns.row(&codec, &names, row)?, emit.clone(), name.clone()))?;
                        }
                    }
                    next = input.blocking_recv();
                    emitter.begin_call();
                }
                Ok(())
            },
        );
        outcome.map_err(|error| with_row(sandbox.locate_loop(error, text), called_with.as_ref()))?;
        emitter.finish()?;
        counters.add_to(&thread.scripts);
        Ok(())
    }
}

/// The error with the row that it came from.
fn with_row(mut error: Error, at: Option<&(RecordBatch, Option<usize>)>) -> Error {
    match at {
        Some((batch, Some(row))) if error.code != ErrorCode::Killed => {
            let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
            let row: serde_json::Map<String, serde_json::Value> = names.zip(row_values(batch, *row)).collect();
            let shown = serde_json::Value::Object(row).to_string();
            let cut: String = shown.chars().take(SHOWN).collect();
            let more = if cut.len() < shown.len() { "…" } else { "" };
            error.message = format!("{} The row was {cut}{more}", error.message);
        }
        Some((batch, None)) if error.code != ErrorCode::Syntax => {
            error.message = format!("{} It was called with a batch of {} rows.", error.message, batch.num_rows());
        }
        _ => {}
    }
    error
}
