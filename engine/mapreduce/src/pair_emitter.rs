//! Pairs, which go from mappers to reducers: keys, what the values of a key are sorted by, and values, as bytes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use arrow::array::{Array, BinaryArray, BinaryBuilder, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::Result as DfResult;
use rquickjs::function::Opt;
use rquickjs::{Ctx, Function, Value};
use tokio::sync::mpsc::Sender;

use super::codec::{Codec, Use};
use super::sandbox::Watch;
use super::scripts::Scripts;
use quarry_types::{Error, ErrorCode, Result};

/// Indexes of the columns.
pub(super) const KEY: usize = 0;
pub(super) const ORDER: usize = 1;
pub(super) const VALUE: usize = 2;

/// Most pairs of one batch, and most bytes.
const BATCH_ROWS: usize = 8_192;
const BATCH_BYTES: usize = 1 << 20;
/// Most pairs that one call may emit.
const CALL_PAIRS: usize = 1_000_000;

/// The schema of pairs.
pub(super) fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        let fields = ["key", "order", "value"].map(|name| Field::new(name, DataType::Binary, false));
        Arc::new(Schema::new(fields.to_vec()))
    });
    Arc::clone(&SCHEMA)
}

/// One column of a batch of pairs.
pub(super) fn column(batch: &RecordBatch, at: usize) -> Result<BinaryArray> {
    let column = batch.column(at).as_any().downcast_ref::<BinaryArray>();
    column.cloned().ok_or_else(|| Error::internal("pairs are bytes"))
}

/// Collects what a mapper or a combiner emits into batches.
pub(super) struct PairEmitter {
    pairs: RefCell<Batch>,
    scratch: RefCell<Vec<u8>>,
    /// Pairs of the call that runs now.
    call_pairs: Cell<usize>,
    out: Sender<DfResult<RecordBatch>>,
    watch: Rc<Watch>,
    scripts: Arc<Scripts>,
}

#[derive(Default)]
struct Batch {
    columns: [BinaryBuilder; 3],
    rows: usize,
    bytes: usize,
}

impl PairEmitter {
    pub fn new(out: Sender<DfResult<RecordBatch>>, watch: &Rc<Watch>, scripts: &Arc<Scripts>) -> Rc<PairEmitter> {
        Rc::new(PairEmitter {
            pairs: RefCell::default(),
            scratch: RefCell::default(),
            call_pairs: Cell::new(0),
            out,
            watch: Rc::clone(watch),
            scripts: Arc::clone(scripts),
        })
    }

    /// A call of the script begins.
    pub fn begin_call(&self) {
        self.call_pairs.set(0);
        self.watch.step();
    }

    /// `emit(key, value, order?)`.
    pub fn function<'js>(self: &Rc<Self>, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let emitter = Rc::clone(self);
        let emit = move |ctx: Ctx<'js>, key: Opt<Value<'js>>, value: Opt<Value<'js>>, order: Opt<Value<'js>>| {
            emitter.emit(&ctx, [key.0, order.0, value.0])
        };
        Function::new(ctx.clone(), emit)?.with_name("emit")
    }

    fn emit<'js>(&self, ctx: &Ctx<'js>, pair: [Option<Value<'js>>; 3]) -> rquickjs::Result<()> {
        let codec = Codec::new(ctx);
        self.watch.step();
        self.call_pairs.set(self.call_pairs.get() + 1);
        if self.call_pairs.get() > CALL_PAIRS {
            return Err(codec.refuse("one call emitted more than 1,000,000 pairs"));
        }
        if pair[ORDER].is_some() != self.scripts.sort.is_some() {
            return Err(codec.refuse(match pair[ORDER] {
                Some(_) => "emit got a third value to sort by, but the driver has no sort",
                None => "the driver has sort, so emit needs a third value to sort the values of a key by",
            }));
        }
        // Reading a value may run code (a getter), which may emit: nothing is borrowed meanwhile.
        let mut bytes = self.scratch.take();
        bytes.clear();
        let mut ends = [0; 3];
        for (at, value) in pair.iter().enumerate() {
            match value {
                Some(value) if at == ORDER && value.is_undefined() => {
                    return Err(codec.refuse("the third value, which sorts the values of a key, is undefined"));
                }
                None if at == KEY => return Err(codec.refuse("a key is undefined")),
                Some(value) => codec.encode(value, if at == VALUE { Use::Value } else { Use::Key }, &mut bytes)?,
                None if at == ORDER => {}
                None => codec.encode(&Value::new_null(ctx.clone()), Use::Value, &mut bytes)?,
            }
            ends[at] = bytes.len();
        }
        let mut pairs = self.pairs.borrow_mut();
        let mut start = 0;
        for (column, end) in pairs.columns.iter_mut().zip(ends) {
            column.append_value(&bytes[start..end]);
            start = end;
        }
        pairs.bytes += bytes.len();
        self.scratch.replace(bytes);
        pairs.rows += 1;
        if pairs.rows < BATCH_ROWS && pairs.bytes < BATCH_BYTES {
            return Ok(());
        }
        let batch = pairs.take();
        drop(pairs);
        self.send(batch).map_err(|error| self.watch.fail(&codec, error))
    }

    /// Sends the last batch.
    pub fn finish(&self) -> Result<()> {
        let batch = self.pairs.borrow_mut().take();
        self.send(batch)
    }

    fn send(&self, batch: Result<RecordBatch>) -> Result<()> {
        let batch = batch?;
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.scripts.shuffle.count_emitted(batch.num_rows());
        self.out.blocking_send(Ok(batch)).map_err(|_| Error::new(ErrorCode::Killed, "The query was stopped."))
    }
}

impl Batch {
    fn take(&mut self) -> Result<RecordBatch> {
        let columns = self.columns.each_mut().map(|column| Arc::new(column.finish()) as _);
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new(schema(), columns.to_vec()).map_err(Error::internal)
    }
}
