//! What every operator of a job shares: its texts, its limits, what it counts and says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rquickjs::convert::Coerced;
use rquickjs::function::Opt;
use rquickjs::{Ctx, Function, Object, Value};

use super::codec::Codec;
use super::driver::Sort;
use super::part::Part;
use super::sandbox::Limits;
use quarry_runtime::job::JobContext;

/// Most lines that the code of a job may say, and most characters of one.
const LINES: usize = 200;
const LINE: usize = 300;
/// Most counters, and most characters of a name.
const COUNTERS: usize = 100;
const COUNTER: usize = 60;

/// The code of one job.
pub(super) struct Code {
    pub mapper: String,
    pub combiner: Option<String>,
    pub reducer: String,
    /// JSON of `params`.
    pub params: String,
    pub limits: Limits,
    pub seed: u64,
    /// Whether the values of a key are sorted by what was emitted for it.
    pub sort: Option<Sort>,
    pub shuffle: Shuffle,
    counters: Mutex<BTreeMap<String, i64>>,
    lines: AtomicUsize,
    context: JobContext,
}

/// Pairs on their way.
#[derive(Debug, Default)]
pub(super) struct Shuffle {
    given: AtomicU64,
    taken: AtomicU64,
}

impl Shuffle {
    pub fn give(&self, pairs: usize) {
        self.given.fetch_add(pairs as u64, Ordering::Relaxed);
    }

    pub fn take(&self, pairs: usize) {
        self.taken.fetch_add(pairs as u64, Ordering::Relaxed);
    }

    /// Pairs that mappers and combiners emitted, and pairs that combiners and reducers took.
    pub fn seen(&self) -> (u64, u64) {
        (self.given.load(Ordering::Relaxed), self.taken.load(Ordering::Relaxed))
    }
}

/// The texts of a job.
pub(super) struct Texts {
    pub mapper: String,
    pub combiner: Option<String>,
    pub reducer: String,
    pub params: String,
}

impl Code {
    pub fn new(texts: Texts, limits: Limits, seed: u64, sort: Option<Sort>, context: &JobContext) -> Code {
        Code {
            mapper: texts.mapper,
            combiner: texts.combiner,
            reducer: texts.reducer,
            params: texts.params,
            limits,
            seed,
            sort,
            shuffle: Shuffle::default(),
            counters: Mutex::default(),
            lines: AtomicUsize::new(0),
            context: context.clone(),
        }
    }

    pub fn text(&self, part: Part) -> &str {
        match part {
            Part::Mapper => &self.mapper,
            Part::Combiner => self.combiner.as_deref().unwrap_or_default(),
            _ => &self.reducer,
        }
    }

    /// What all workers counted.
    pub fn counters(&self) -> BTreeMap<String, i64> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says a line. Past the last one nothing is made of what was given: most calls of a talkative job end here.
    fn say(&self, given: &Value<'_>) -> rquickjs::Result<()> {
        if self.lines.load(Ordering::Relaxed) > LINES {
            return Ok(());
        }
        let text = given.get::<Coerced<String>>()?.0;
        match self.lines.fetch_add(1, Ordering::Relaxed) {
            before if before < LINES => self.context.log(text.chars().take(LINE).collect::<String>()),
            LINES => self.context.log(format!("The code said more than {LINES} lines; the others are left out.")),
            _ => {}
        }
        Ok(())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("shuffle", &self.shuffle).finish_non_exhaustive()
    }
}

/// What one worker counts; told to the job when the worker is done.
#[derive(Default)]
pub(super) struct Tally(RefCell<BTreeMap<String, i64>>);

impl Tally {
    /// Adds what this worker counted to the job's counters.
    pub fn tell(&self, code: &Code) {
        let mut all = code.counters.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, by) in std::mem::take(&mut *self.0.borrow_mut()) {
            let sum = all.entry(name).or_default();
            *sum = sum.saturating_add(by);
        }
    }

    fn count(&self, codec: &Codec<'_>, name: &Value<'_>, by: Option<&Value<'_>>) -> rquickjs::Result<()> {
        let by = match by {
            None => 1.0,
            Some(by) => by
                .as_number()
                .filter(|by| by.fract() == 0.0)
                .ok_or_else(|| codec.refuse("count(name, by) takes a whole number"))?,
        };
        let name = name.get::<Coerced<String>>()?.0;
        let mut counters = self.0.borrow_mut();
        let room = counters.len() < COUNTERS || counters.contains_key(&name);
        if !room || name.chars().count() > COUNTER {
            let message = format!("a job has at most {COUNTERS} counters with names of {COUNTER} characters");
            return Err(codec.refuse(&message));
        }
        let sum = counters.entry(name).or_default();
        *sum = sum.saturating_add(by as i64);
        Ok(())
    }
}

/// What code finds beside the language: `params`, `count(name, by)` and `log(text)`.
pub(super) fn given<'js>(
    ctx: &Ctx<'js>,
    code: &std::sync::Arc<Code>,
    tally: &Rc<Tally>,
) -> rquickjs::Result<Object<'js>> {
    let given = Object::new(ctx.clone())?;
    given.set("params", ctx.json_parse(code.params.as_str())?)?;
    let tally = Rc::clone(tally);
    let count = move |ctx: Ctx<'js>, name: Value<'js>, by: Opt<Value<'js>>| {
        tally.count(&Codec::new(&ctx), &name, by.0.as_ref())
    };
    given.set("count", Function::new(ctx.clone(), count)?)?;
    let code = std::sync::Arc::clone(code);
    let log = move |text: Value<'js>| code.say(&text);
    given.set("log", Function::new(ctx.clone(), log)?)?;
    Ok(given)
}
