//! Sorted pairs as one key after the other, with the values of a key streamed.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{Array, BinaryArray, RecordBatch};
use rquickjs::{Array as List, Ctx, Function, Value};
use tokio::sync::mpsc::Receiver;

use super::code::Code;
use super::codec::Codec;
use super::pairs::{self, KEY, VALUE};
use super::sandbox::Watch;
use quarry_types::Result;

/// Most values that are handed over at once, and most of their bytes.
const SOME: usize = 512;
const BYTES: usize = 1 << 18;

/// Pairs as they come, sorted by key.
pub(super) struct Groups {
    input: Receiver<RecordBatch>,
    held: Option<Held>,
    /// The key of the group that is read now.
    key: Option<Vec<u8>>,
    /// Its number: values of an earlier group are not there any more.
    group: u32,
    code: Arc<Code>,
}

struct Held {
    keys: BinaryArray,
    values: BinaryArray,
    at: usize,
}

impl Groups {
    pub fn new(input: Receiver<RecordBatch>, code: &Arc<Code>) -> Groups {
        Groups { input, held: None, key: None, group: 0, code: Arc::clone(code) }
    }

    /// Waits for a pair; false when there is none any more.
    pub fn wait(&mut self) -> Result<bool> {
        while self.held.as_ref().is_none_or(|held| held.at == held.keys.len()) {
            let Some(batch) = self.input.blocking_recv() else { return Ok(false) };
            self.code.shuffle.take(batch.num_rows());
            let (keys, values) = (pairs::column(&batch, KEY)?, pairs::column(&batch, VALUE)?);
            self.held = Some(Held { keys, values, at: 0 });
        }
        Ok(true)
    }

    /// Goes on to the next key, past what is left of this one's values.
    pub fn next_key(&mut self) -> Result<Option<(Vec<u8>, u32)>> {
        while self.wait()? {
            let Some(held) = &mut self.held else { break };
            let key = held.keys.value(held.at);
            if self.key.as_deref() != Some(key) {
                self.group = self.group.wrapping_add(1);
                self.key = Some(key.to_vec());
                return Ok(Some((key.to_vec(), self.group)));
            }
            held.at += 1;
        }
        Ok(None)
    }

    /// The next values of a group; `None` when there are no more.
    fn pull<'js>(&mut self, codec: &Codec<'js>, group: u32) -> Result<Option<rquickjs::Result<List<'js>>>> {
        if group != self.group || !self.wait()? {
            return Ok(None);
        }
        let (Some(held), Some(key)) = (&mut self.held, self.key.as_deref()) else { return Ok(None) };
        let mut some = Vec::new();
        let mut bytes = 0;
        while held.at < held.keys.len() && held.keys.value(held.at) == key && some.len() < SOME && bytes < BYTES {
            let value = held.values.value(held.at);
            bytes += value.len();
            some.push(value);
            held.at += 1;
        }
        if some.is_empty() {
            return Ok(None);
        }
        let list = List::new(codec.ctx().clone()).and_then(|list| {
            for (at, value) in some.into_iter().enumerate() {
                list.set(at, codec.decode(value)?)?;
            }
            Ok(list)
        });
        Ok(Some(list))
    }
}

/// The function that a list of values is pulled through.
pub(super) fn puller<'js>(
    ctx: &Ctx<'js>,
    groups: &Rc<RefCell<Groups>>,
    watch: &Rc<Watch>,
) -> rquickjs::Result<Function<'js>> {
    let (groups, watch) = (Rc::clone(groups), Rc::clone(watch));
    let pull = move |ctx: Ctx<'js>, group: u32| -> rquickjs::Result<Value<'js>> {
        let codec = Codec::new(&ctx);
        let pulled = groups.borrow_mut().pull(&codec, group);
        // Waiting for the plan is no fault of the code.
        watch.step();
        match pulled {
            Ok(Some(list)) => Ok(list?.into_value()),
            Ok(None) => Ok(Value::new_undefined(ctx)),
            Err(error) => {
                watch.fail(error);
                Err(codec.refuse("stopped"))
            }
        }
    };
    Function::new(ctx.clone(), pull)
}
