//! One JavaScript engine with nothing but the language: no files, network, clock, chance, or code made of texts; with a
//! limit on memory, and one on the time between two steps that the engine sees.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use regex::Regex;
use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::convert::Coerced;
use rquickjs::{CaughtError, Context, Ctx, Exception, Function, Object, Runtime, Value};

use super::part::Part;
use quarry_types::{Error, ErrorCode, Position, Result};

/// What the language may have; each is looked through again by the prelude.
type Language = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

const PRELUDE: &str = include_str!("prelude.js");
/// Deepest recursion, in bytes of stack; the threads that run code have 16 MiB.
const STACK: usize = 1 << 20;
/// What the name of a part ends with whose text was put in brackets.
const WRAPPED: &str = "_wrapped";
/// Longest message of an error of the code, in characters.
const MESSAGE: usize = 1_000;

/// What code may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of memory of one sandbox.
    pub memory: usize,
    /// Longest time without reading or emitting anything.
    pub step: Duration,
}

/// A fresh engine with one global scope.
pub(super) struct Sandbox {
    context: Context,
    pub watch: Rc<Watch>,
    limits: Limits,
    seed: u64,
}

/// Looks after running code: asked by the engine every some thousand steps.
pub(super) struct Watch {
    limit: Duration,
    /// Whether a step began since the clock was looked at: a look costs more than many a step.
    begun: Cell<bool>,
    deadline: Cell<Option<Instant>>,
    timed_out: Cell<bool>,
    /// Why a call into the engine failed; the code only sees that it did.
    failure: RefCell<Option<Error>>,
    /// Whether nobody waits for the outcome any more.
    unheard: Box<dyn Fn() -> bool>,
}

impl Watch {
    /// A step begins: a row, a pair, some values.
    pub fn step(&self) {
        self.begun.set(true);
    }

    /// Keeps an error of the engine's own, to be told in place of what the code makes of it.
    pub fn fail(&self, error: Error) {
        self.failure.borrow_mut().get_or_insert(error);
    }

    fn interrupts(&self) -> bool {
        let now = Instant::now();
        if self.begun.take() {
            self.deadline.set(Some(now + self.limit));
        }
        if self.deadline.get().is_some_and(|deadline| now > deadline) {
            self.timed_out.set(true);
        }
        self.timed_out.get() || (self.unheard)()
    }
}

impl Sandbox {
    /// A sandbox whose code stops when `unheard` says that nobody waits for it.
    pub fn open(limits: Limits, seed: u64, unheard: impl Fn() -> bool + 'static) -> Result<Sandbox> {
        let failed = |error: rquickjs::Error| Error::internal(error.to_string());
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(limits.memory);
        runtime.set_max_stack_size(STACK);
        let watch = Rc::new(Watch {
            limit: limits.step,
            begun: Cell::new(false),
            deadline: Cell::new(None),
            timed_out: Cell::new(false),
            failure: RefCell::default(),
            unheard: Box::new(unheard),
        });
        let watching = Rc::clone(&watch);
        runtime.set_interrupt_handler(Some(Box::new(move || watching.interrupts())));
        let context = Context::custom::<Language>(&runtime).map_err(failed)?;
        Ok(Sandbox { context, watch, limits, seed })
    }

    /// Runs `work` inside, with the function that makes a list of values out of pulls; its code finds the members of `given`
    /// beside the language. An error of JavaScript is told as one of `part`.
    pub fn enter<T>(
        &self,
        part: Part,
        given: impl for<'js> FnOnce(&Ctx<'js>) -> rquickjs::Result<Object<'js>>,
        work: impl for<'js> FnOnce(&Ctx<'js>, Function<'js>) -> rquickjs::Result<T>,
    ) -> Result<T> {
        self.watch.step();
        self.context.with(|ctx| {
            let ready = given(&ctx).and_then(|given| self.close(&ctx, given));
            let outcome = ready.and_then(|values| work(&ctx, values));
            outcome.map_err(|error| self.explain(&ctx, error, part))
        })
    }

    /// Takes away what does not belong here.
    fn close<'js>(&self, ctx: &Ctx<'js>, given: Object<'js>) -> rquickjs::Result<Function<'js>> {
        let random = RefCell::new(StdRng::seed_from_u64(self.seed));
        let random = Function::new(ctx.clone(), move || random.borrow_mut().random::<f64>())?;
        eval::<Function>(ctx, PRELUDE, "quarry")?.call((random, given))
    }

    /// The error at a place of the text, that of a loop with the line of its loop. What the engine tells is where the
    /// innermost function began, or made its last call.
    pub fn with_loop(&self, error: Error, text: &str) -> Error {
        let told = error.position;
        let count = text.lines().count() as u64;
        if let Some(told) = told.filter(|told| told.line > count) {
            // What closes an expression that the text leaves open stands behind its end.
            let column = text.lines().last().map_or(0, |line| line.chars().count()) as u64 + 1;
            return at_line(error, told.line, Position { line: count.max(1), column });
        }
        let Some(told) = told.filter(|_| self.watch.timed_out.get()) else { return error };
        let words =
            |line: &str| line.split(|letter: char| !letter.is_alphanumeric()).map(str::to_string).collect::<Vec<_>>();
        let begins = |line: &str| words(line).iter().any(|word| ["for", "while", "do"].contains(&word.as_str()));
        let mut lines = text.lines().zip(1u64..).skip_while(|(_, number)| *number < told.line);
        let Some((line, number)) = lines.find(|(line, _)| begins(line)) else { return error };
        let column = line.chars().take_while(|letter| letter.is_whitespace()).count() as u64 + 1;
        at_line(error, told.line, Position { line: number, column })
    }

    /// What went wrong, for the person who wrote the code.
    fn explain(&self, ctx: &Ctx<'_>, error: rquickjs::Error, part: Part) -> Error {
        let caught = CaughtError::from_error(ctx, error);
        if let Some(own) = self.watch.failure.borrow_mut().take() {
            return match &caught {
                CaughtError::Exception(exception) => placed(own, exception.stack().as_deref(), part),
                _ => own.about(part.name()),
            };
        }
        if (self.watch.unheard)() {
            return Error::new(ErrorCode::Killed, "The query was stopped.");
        }
        // What follows may run code of the person once more, to describe what was thrown.
        self.watch.step();
        match caught {
            CaughtError::Exception(exception) => {
                let stack = exception.stack();
                let name = exception.get::<_, Coerced<String>>("name").map(|name| name.0).unwrap_or_default();
                let message = exception.message().unwrap_or_default();
                placed(self.wording(&name, &message, part), stack.as_deref(), part)
            }
            // Without memory for an error of its own the engine throws null.
            CaughtError::Value(value) if value.is_null() => placed(self.wording("", "out of memory", part), None, part),
            CaughtError::Value(value) => {
                let shown = value.get::<Coerced<String>>().map_or_else(|_| "a value".to_string(), |text| text.0);
                placed(self.wording("", &format!("{shown} was thrown"), part), None, part)
            }
            CaughtError::Error(error) => placed(self.wording("", &error.to_string(), part), None, part),
        }
    }

    fn wording(&self, name: &str, message: &str, part: Part) -> Error {
        if self.watch.timed_out.get() {
            let seconds = self.limits.step.as_secs_f64();
            let message = format!("ran {seconds} s without reading or emitting anything; is there an endless loop?");
            return Error::new(ErrorCode::TimeLimit, message).about(part.name());
        }
        if message.contains("out of memory") || name == "Allocation" {
            let message = format!("needed more than {} MB of memory.", self.limits.memory >> 20);
            return Error::new(ErrorCode::MemoryLimit, message).about(part.name());
        }
        let code = if name == "SyntaxError" { ErrorCode::Syntax } else { ErrorCode::InvalidQuery };
        let text = if name.is_empty() { message.to_string() } else { format!("{name}: {message}") };
        let text: String = text.chars().take(MESSAGE).collect();
        Error::new(code, if text.ends_with('.') { text } else { format!("{text}.") }).about(part.name())
    }
}

/// The error at another place than it told.
fn at_line(mut error: Error, told: u64, position: Position) -> Error {
    error.message = error.message.replacen(&format!("line {told}:"), &format!("line {}:", position.line), 1);
    error.at(position)
}

/// The error with its part, and the line of the innermost call that stands in it.
fn placed(mut error: Error, stack: Option<&str>, part: Part) -> Error {
    error = error.about(part.name());
    let position = stack.and_then(|stack| position(stack, part));
    let line = position.map(|at| format!(", line {}", at.line)).unwrap_or_default();
    let message = std::mem::take(&mut error.message);
    error.message = format!("{}{line}: {message}", part.name());
    match position {
        Some(position) => error.at(position),
        None => error,
    }
}

fn position(stack: &str, part: Part) -> Option<Position> {
    static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(\w+):(\d+)(?::(\d+))?\)?\s*$").ok());
    let place = PLACE.as_ref()?;
    let in_part = |file: &str| file.strip_suffix(WRAPPED).unwrap_or(file) == part.name();
    let found = stack.lines().filter_map(|line| place.captures(line)).find(|found| in_part(&found[1]))?;
    let column: u64 = found.get(3).and_then(|column| column.as_str().parse().ok()).unwrap_or(1);
    let line = found[2].parse().ok()?;
    // The bracket before an expression is none of its letters.
    let before = u64::from(line == 1 && found[1].ends_with(WRAPPED));
    Some(Position { line, column: column.saturating_sub(before).max(1) })
}

/// Runs a script in the global scope, strict.
pub(super) fn eval<'js, T: rquickjs::FromJs<'js>>(ctx: &Ctx<'js>, text: &str, file: &str) -> rquickjs::Result<T> {
    let mut options = EvalOptions::default();
    options.filename = Some(file.to_string());
    ctx.eval_with_options(text, options)
}

/// The value that a part's text stands for: an expression (`(row, emit) => …`, `{input: …}`), or a script that ends with
/// one or declares a function of the part's name.
pub(super) fn load<'js>(ctx: &Ctx<'js>, text: &str, part: Part) -> rquickjs::Result<Value<'js>> {
    let expression = text.trim_end().trim_end_matches(';');
    let error = match eval::<Value>(ctx, &format!("({expression}\n)"), &format!("{}{WRAPPED}", part.name())) {
        Ok(value) => return Ok(value),
        Err(error) => CaughtError::from_error(ctx, error),
    };
    let syntax = match &error {
        CaughtError::Exception(exception) => {
            exception.get::<_, Coerced<String>>("name").is_ok_and(|name| name.0 == "SyntaxError")
        }
        _ => false,
    };
    // An object can't be a script; whose text begins like one gets the error of the expression.
    if !syntax || text.trim_start().starts_with('{') {
        return Err(error.throw(ctx));
    }
    let last = eval::<Value>(ctx, text, part.name())?;
    if last.is_function() || last.is_object() {
        return Ok(last);
    }
    for name in part.functions() {
        let declared = eval::<Value>(ctx, &format!("typeof {name} === 'function' ? {name} : undefined"), "quarry")?;
        if declared.is_function() {
            return Ok(declared);
        }
    }
    Ok(last)
}

/// The function that a part's text stands for.
pub(super) fn function<'js>(ctx: &Ctx<'js>, text: &str, part: Part) -> rquickjs::Result<Function<'js>> {
    let value = load(ctx, text, part)?;
    let message = format!("there is no function here: write (…) => {{ … }} or function {}(…) {{ … }}", part.name());
    value.into_function().ok_or_else(|| Exception::throw_type(ctx, &message))
}
