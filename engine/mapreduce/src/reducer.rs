//! Calls the combiner or the reducer, once for each key.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::{SortColumn, concat_batches, lexsort_to_indices, take_record_batch};
use arrow::datatypes::SchemaRef;
use datafusion::common::Result as DfResult;
use rquickjs::{Ctx, Function};
use tokio::sync::mpsc::Receiver;

use super::codec::{Codec, show};
use super::key_groups::{KeyGroups, puller};
use super::pair_emitter::{self, KEY, ORDER, PairEmitter};
use super::row_emitter::RowEmitter;
use super::sandbox::{Sandbox, function};
use super::script::Script;
use super::script_thread::{Chunks, Output, ScriptThread, call};
use super::scripts::{Counters, globals};
use quarry_types::{Error, ErrorCode, Result};

/// Pairs that a combiner sees together, and their bytes: more means fewer pairs to sort, and more memory.
const CHUNK_ROWS: usize = 1 << 17;
const CHUNK_BYTES: usize = 16 << 20;

pub(super) struct Reducer {
    pub thread: ScriptThread,
    /// The schema of the rows of the reducer; `None` for the combiner.
    pub output: Option<SchemaRef>,
}

impl Reducer {
    /// How many pairs the script gets at once: the combiner sorts them, the reducer gets all of them sorted.
    pub fn chunks(&self) -> Chunks {
        match self.output {
            Some(_) => Chunks::AS_THEY_COME,
            None => Chunks { rows: CHUNK_ROWS, bytes: CHUNK_BYTES, join: sorted },
        }
    }

    pub fn run(self, input: Receiver<RecordBatch>, output: Output) -> Result<()> {
        let scripts = &self.thread.scripts;
        let mut groups = KeyGroups::new(input, scripts);
        // The first pair comes when all of them are sorted: until then there is no memory to reserve.
        if !groups.wait()? {
            return Ok(());
        }
        let (sandbox, _memory) = self.thread.sandbox(&output)?;
        let counters = Rc::new(Counters::default());
        let watch = Rc::clone(&sandbox.watch);
        if let Some(schema) = &self.output {
            let emitter = RowEmitter::new(schema, output, &watch);
            self.call_each(&sandbox, &counters, groups, Script::Reducer, |ctx| emitter.function(ctx), || watch.step())?;
            emitter.finish()?;
        } else {
            let emitter = PairEmitter::new(output, &watch, scripts);
            let begin = || emitter.begin_call();
            self.call_each(&sandbox, &counters, groups, Script::Combiner, |ctx| emitter.function(ctx), begin)?;
            emitter.finish()?;
        }
        counters.add_to(scripts);
        Ok(())
    }

    /// Calls the function of a script for each key.
    fn call_each(
        &self,
        sandbox: &Sandbox,
        counters: &Rc<Counters>,
        groups: KeyGroups,
        script: Script,
        emit: impl for<'js> Fn(&Ctx<'js>) -> rquickjs::Result<Function<'js>>,
        begin: impl Fn(),
    ) -> Result<()> {
        let text = self.thread.scripts.text(script);
        let groups = Rc::new(RefCell::new(groups));
        let called_with = RefCell::new(None);
        let outcome = sandbox.enter(
            script,
            |ctx| globals(ctx, &self.thread.scripts, counters),
            |ctx, values| {
                let reducer = function(ctx, text, script)?;
                let (codec, emit) = (Codec::new(ctx), emit(ctx)?);
                let pull = puller(ctx, &groups, &sandbox.watch)?;
                loop {
                    let next = groups.borrow_mut().next_key();
                    let Some((key, group)) = next.map_err(|error| sandbox.watch.fail(&codec, error))? else {
                        return Ok(());
                    };
                    begin();
                    let key_value = codec.decode(&key)?;
                    called_with.replace(Some(key));
                    let values: rquickjs::Value = values.call((pull.clone(), group))?;
                    call(ctx, &reducer, (key_value, values, emit.clone()))?;
                }
            },
        );
        outcome.map_err(|error| with_key(sandbox.locate_loop(error, text), called_with.take()))
    }
}

/// Batches of pairs as one, sorted.
fn sorted(batches: &[RecordBatch]) -> DfResult<RecordBatch> {
    let pairs = concat_batches(&pair_emitter::schema(), batches)?;
    let columns = [KEY, ORDER].map(|at| SortColumn { values: Arc::clone(pairs.column(at)), options: None });
    Ok(take_record_batch(&pairs, &lexsort_to_indices(&columns, None)?)?)
}

/// The error with the key that it came from.
fn with_key(mut error: Error, key: Option<Vec<u8>>) -> Error {
    if let Some(key) = key.filter(|_| error.code != ErrorCode::Killed) {
        error.message = format!("{} The key was {}.", error.message, show(&key));
    }
    error
}
