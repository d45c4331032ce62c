//! What the operators of a job share: its scripts, their limits, counters and log.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rquickjs::convert::Coerced;
use rquickjs::function::Opt;
use rquickjs::{Ctx, Function, Object, Value};

use super::codec::Codec;
use super::driver::{Driver, Sort};
use super::job_spec::JobSpec;
use super::sandbox::Limits;
use super::script::Script;
use quarry_runtime::job::JobContext;

/// Most lines that the scripts of a job may log, and most characters of one.
const MAX_LINES: usize = 200;
const LINE_LENGTH: usize = 300;
/// Most counters, and most characters of a name.
const MAX_COUNTERS: usize = 100;
const NAME_LENGTH: usize = 60;

/// The scripts of one job.
pub(super) struct Scripts {
    mapper: String,
    combiner: Option<String>,
    reducer: String,
    /// JSON of `params`.
    params: String,
    pub limits: Limits,
    pub seed: u64,
    /// Whether the values of a key are sorted by what was emitted for it.
    pub sort: Option<Sort>,
    pub shuffle: Shuffle,
    counters: Mutex<BTreeMap<String, i64>>,
    lines: AtomicUsize,
    context: JobContext,
}

/// Numbers of pairs between the operators.
#[derive(Debug, Default)]
pub(super) struct Shuffle {
    emitted: AtomicU64,
    reduced: AtomicU64,
}

impl Shuffle {
    pub fn count_emitted(&self, pairs: usize) {
        self.emitted.fetch_add(pairs as u64, Ordering::Relaxed);
    }

    pub fn count_reduced(&self, pairs: usize) {
        self.reduced.fetch_add(pairs as u64, Ordering::Relaxed);
    }

    /// Pairs that mappers and combiners emitted, and pairs that combiners and reducers took.
    pub fn counts(&self) -> (u64, u64) {
        (self.emitted.load(Ordering::Relaxed), self.reduced.load(Ordering::Relaxed))
    }
}

impl Scripts {
    pub fn new(spec: &JobSpec, driver: &Driver, limits: Limits, context: &JobContext) -> Scripts {
        Scripts {
            mapper: spec.mapper.clone(),
            combiner: spec.combiner.clone(),
            reducer: spec.reducer.clone(),
            params: serde_json::Value::Object(driver.params.clone()).to_string(),
            limits,
            seed: driver.seed,
            sort: driver.sort,
            shuffle: Shuffle::default(),
            counters: Mutex::default(),
            lines: AtomicUsize::new(0),
            context: context.clone(),
        }
    }

    pub fn has_combiner(&self) -> bool {
        self.combiner.is_some()
    }

    pub fn text(&self, script: Script) -> &str {
        match script {
            Script::Mapper => &self.mapper,
            Script::Combiner => self.combiner.as_deref().unwrap_or_default(),
            _ => &self.reducer,
        }
    }

    /// The sums of the counters of all threads.
    pub fn counters(&self) -> BTreeMap<String, i64> {
        self.counters.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Logs a line. After the last one the value is not even converted: most calls of a job that logs much end here.
    fn log(&self, value: &Value<'_>) -> rquickjs::Result<()> {
        if self.lines.load(Ordering::Relaxed) > MAX_LINES {
            return Ok(());
        }
        let text = value.get::<Coerced<String>>()?.0;
        match self.lines.fetch_add(1, Ordering::Relaxed) {
            before if before < MAX_LINES => self.context.log(text.chars().take(LINE_LENGTH).collect::<String>()),
            MAX_LINES => {
                self.context
                    .log(format!("The scripts logged more than {MAX_LINES} lines; further lines are left out."));
            }
            _ => {}
        }
        Ok(())
    }
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripts").field("shuffle", &self.shuffle).finish_non_exhaustive()
    }
}

/// The counters of one thread; added to those of the job when it is done.
#[derive(Default)]
pub(super) struct Counters(RefCell<BTreeMap<String, i64>>);

impl Counters {
    /// Adds them to the counters of the job.
    pub fn add_to(&self, scripts: &Scripts) {
        let mut all = scripts.counters.lock().unwrap_or_else(PoisonError::into_inner);
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
                .ok_or_else(|| codec.refuse("count(name, by) expects an integer"))?,
        };
        let name = name.get::<Coerced<String>>()?.0;
        let mut counters = self.0.borrow_mut();
        let room = counters.len() < MAX_COUNTERS || counters.contains_key(&name);
        if !room || name.chars().count() > NAME_LENGTH {
            let message = format!(
                "a job can have at most {MAX_COUNTERS} counters, with names of at most {NAME_LENGTH} characters"
            );
            return Err(codec.refuse(&message));
        }
        let sum = counters.entry(name).or_default();
        *sum = sum.saturating_add(by as i64);
        Ok(())
    }
}

/// The globals of a script besides the language: `params`, `count(name, by)` and `log(text)`.
pub(super) fn globals<'js>(
    ctx: &Ctx<'js>,
    scripts: &Arc<Scripts>,
    counters: &Rc<Counters>,
) -> rquickjs::Result<Object<'js>> {
    let globals = Object::new(ctx.clone())?;
    globals.set("params", ctx.json_parse(scripts.params.as_str())?)?;
    let counters = Rc::clone(counters);
    let count = move |ctx: Ctx<'js>, name: Value<'js>, by: Opt<Value<'js>>| {
        counters.count(&Codec::new(&ctx), &name, by.0.as_ref())
    };
    globals.set("count", Function::new(ctx.clone(), count)?)?;
    let scripts = Arc::clone(scripts);
    let log = move |text: Value<'js>| scripts.log(&text);
    globals.set("log", Function::new(ctx.clone(), log)?)?;
    Ok(globals)
}
