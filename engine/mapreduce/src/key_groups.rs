//! Sorted pairs as groups: one key after the other, with its values streamed.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{Array, BinaryArray, RecordBatch};
use rquickjs::{Array as List, Ctx, Function, Value};
use tokio::sync::mpsc::Receiver;

use super::codec::Codec;
use super::pair_emitter::{self, KEY, VALUE};
use super::sandbox::Watch;
use super::scripts::Scripts;
use quarry_types::Result;

/// Most values that one pull takes, and most of their bytes.
const PULL_VALUES: usize = 512;
const PULL_BYTES: usize = 1 << 18;

/// The groups of sorted pairs.
pub(super) struct KeyGroups {
    input: Receiver<RecordBatch>,
    batch: Option<PairBatch>,
    /// The key of the group that is read now.
    key: Option<Vec<u8>>,
    /// Its number: the values of earlier groups are gone.
    group: u32,
    scripts: Arc<Scripts>,
}

struct PairBatch {
    keys: BinaryArray,
    values: BinaryArray,
    at: usize,
}

impl KeyGroups {
    pub fn new(input: Receiver<RecordBatch>, scripts: &Arc<Scripts>) -> KeyGroups {
        KeyGroups { input, batch: None, key: None, group: 0, scripts: Arc::clone(scripts) }
    }

    /// Waits for a pair; false when there are no more.
    pub fn wait(&mut self) -> Result<bool> {
        while self.batch.as_ref().is_none_or(|batch| batch.at == batch.keys.len()) {
            let Some(pairs) = self.input.blocking_recv() else { return Ok(false) };
            self.scripts.shuffle.count_reduced(pairs.num_rows());
            let (keys, values) = (pair_emitter::column(&pairs, KEY)?, pair_emitter::column(&pairs, VALUE)?);
            self.batch = Some(PairBatch { keys, values, at: 0 });
        }
        Ok(true)
    }

    /// Moves to the next key, past the remaining values of this one.
    pub fn next_key(&mut self) -> Result<Option<(Vec<u8>, u32)>> {
        while self.wait()? {
            let Some(batch) = &mut self.batch else { break };
            let key = batch.keys.value(batch.at);
            if self.key.as_deref() != Some(key) {
                self.group = self.group.wrapping_add(1);
                self.key = Some(key.to_vec());
                return Ok(Some((key.to_vec(), self.group)));
            }
            batch.at += 1;
        }
        Ok(None)
    }

    /// The next values of a group; `None` when there are no more.
    fn pull<'js>(&mut self, codec: &Codec<'js>, group: u32) -> Result<Option<rquickjs::Result<List<'js>>>> {
        if group != self.group || !self.wait()? {
            return Ok(None);
        }
        let (Some(batch), Some(key)) = (&mut self.batch, self.key.as_deref()) else { return Ok(None) };
        let mut some = Vec::new();
        let mut bytes = 0;
        while batch.at < batch.keys.len()
            && batch.keys.value(batch.at) == key
            && some.len() < PULL_VALUES
            && bytes < PULL_BYTES
        {
            let value = batch.values.value(batch.at);
            bytes += value.len();
            some.push(value);
            batch.at += 1;
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

/// The function of JavaScript that pulls the values of a key.
pub(super) fn puller<'js>(
    ctx: &Ctx<'js>,
    groups: &Rc<RefCell<KeyGroups>>,
    watch: &Rc<Watch>,
) -> rquickjs::Result<Function<'js>> {
    let (groups, watch) = (Rc::clone(groups), Rc::clone(watch));
    let pull = move |ctx: Ctx<'js>, group: u32| -> rquickjs::Result<Value<'js>> {
        let codec = Codec::new(&ctx);
        let pulled = groups.borrow_mut().pull(&codec, group);
        // The script is not charged for waiting for the plan.
        watch.step();
        match pulled {
            Ok(Some(list)) => Ok(list?.into_value()),
            Ok(None) => Ok(Value::new_undefined(ctx)),
            Err(error) => Err(watch.fail(&codec, error)),
        }
    };
    Function::new(ctx.clone(), pull)
}
