//! Collects what a reducer emits into batches of the output.

use std::cell::RefCell;
use std::rc::Rc;

use arrow::datatypes::SchemaRef;
use rquickjs::function::Rest;
use rquickjs::{Ctx, Function, Value};

use super::codec::Codec;
use super::output_rows::{Rows, cells};
use super::sandbox::Watch;
use super::script_thread::Output;
use quarry_types::{Error, ErrorCode, Result};

/// Rows of one batch.
const BATCH_ROWS: usize = 4_096;

pub(super) struct RowEmitter {
    schema: SchemaRef,
    rows: RefCell<Rows>,
    out: Output,
    watch: Rc<Watch>,
}

impl RowEmitter {
    pub fn new(schema: &SchemaRef, out: Output, watch: &Rc<Watch>) -> Rc<RowEmitter> {
        let rows = RefCell::new(Rows::new(schema));
        Rc::new(RowEmitter { schema: SchemaRef::clone(schema), rows, out, watch: Rc::clone(watch) })
    }

    /// `emit({column: value, …})` or `emit(value, …)`.
    pub fn function<'js>(self: &Rc<Self>, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let emitter = Rc::clone(self);
        let emit = move |ctx: Ctx<'js>, values: Rest<Value<'js>>| -> rquickjs::Result<()> {
            let codec = Codec::new(&ctx);
            emitter.watch.step();
            // Reading a value may run code (a getter), which may emit: nothing is borrowed meanwhile.
            let row = cells(&codec, &emitter.schema, &values.0)?;
            emitter.rows.borrow_mut().add(row);
            if emitter.rows.borrow().len() < BATCH_ROWS {
                return Ok(());
            }
            emitter.finish().map_err(|error| emitter.watch.fail(&codec, error))
        };
        Function::new(ctx.clone(), emit)?.with_name("emit")
    }

    /// Sends the rows that were collected.
    pub fn finish(&self) -> Result<()> {
        if self.rows.borrow().len() == 0 {
            return Ok(());
        }
        let batch = self.rows.borrow_mut().take()?;
        self.out.blocking_send(Ok(batch)).map_err(|_| Error::new(ErrorCode::Killed, "The query was stopped."))
    }
}
