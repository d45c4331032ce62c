//! A JavaScript engine with nothing but the language: no files, network, clock, randomness, or code made of texts; with limits
//! on memory and on the time between two steps of a script.

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

use super::codec::Codec;
use super::script::Script;
use quarry_types::{Error, ErrorCode, Position, Result};

/// Parts of the language; the prelude removes some of what they have.
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
/// Deepest recursion, in bytes of stack; the threads that run scripts have 16 MiB.
const STACK: usize = 1 << 20;
/// The end of the name of a script whose text was put in brackets.
const WRAPPED: &str = "_wrapped";
/// Longest message of an error of a script, in characters.
const MESSAGE: usize = 1_000;

/// Limits of a script.
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

/// Checks a running script: the engine calls it every few thousand instructions.
pub(super) struct Watch {
    limit: Duration,
    /// Whether a step began since the clock was read: reading it costs more than many steps.
    step_began: Cell<bool>,
    deadline: Cell<Option<Instant>>,
    timed_out: Cell<bool>,
    /// Why a call out of the script failed; the script only sees that it did.
    failure: RefCell<Option<Error>>,
    /// Whether the job was stopped.
    is_canceled: Box<dyn Fn() -> bool>,
}

impl Watch {
    /// A step begins: a row, a pair, some values.
    pub fn step(&self) {
        self.step_began.set(true);
    }

    /// Stops the script with an error of Quarry, which is reported in place of the script's own.
    pub fn fail(&self, codec: &Codec<'_>, error: Error) -> rquickjs::Error {
        self.failure.borrow_mut().get_or_insert(error);
        codec.refuse("stopped")
    }

    fn should_stop(&self) -> bool {
        let now = Instant::now();
        if self.step_began.take() {
            self.deadline.set(Some(now + self.limit));
        }
        if self.deadline.get().is_some_and(|deadline| now > deadline) {
            self.timed_out.set(true);
        }
        self.timed_out.get() || (self.is_canceled)()
    }
}

impl Sandbox {
    /// A sandbox whose scripts stop when `is_canceled` returns true.
    pub fn open(limits: Limits, seed: u64, is_canceled: impl Fn() -> bool + 'static) -> Result<Sandbox> {
        let failed = |error: rquickjs::Error| Error::internal(error.to_string());
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(limits.memory);
        runtime.set_max_stack_size(STACK);
        let watch = Rc::new(Watch {
            limit: limits.step,
            step_began: Cell::new(false),
            deadline: Cell::new(None),
            timed_out: Cell::new(false),
            failure: RefCell::default(),
            is_canceled: Box::new(is_canceled),
        });
        let watching = Rc::clone(&watch);
        runtime.set_interrupt_handler(Some(Box::new(move || watching.should_stop())));
        let context = Context::custom::<Language>(&runtime).map_err(failed)?;
        Ok(Sandbox { context, watch, limits, seed })
    }

    /// Runs `work` inside, with the function that makes a list of values out of pulls; the members of `globals` are
    /// there besides the language. An error of JavaScript is reported as one of `script`.
    pub fn enter<T>(
        &self,
        script: Script,
        globals: impl for<'js> FnOnce(&Ctx<'js>) -> rquickjs::Result<Object<'js>>,
        work: impl for<'js> FnOnce(&Ctx<'js>, Function<'js>) -> rquickjs::Result<T>,
    ) -> Result<T> {
        self.watch.step();
        self.context.with(|ctx| {
            let ready = globals(&ctx).and_then(|globals| self.run_prelude(&ctx, globals));
            let outcome = ready.and_then(|values| work(&ctx, values));
            outcome.map_err(|error| self.explain(&ctx, error, script))
        })
    }

    /// Removes what reaches outside a job; returns the function that makes lists of values.
    fn run_prelude<'js>(&self, ctx: &Ctx<'js>, globals: Object<'js>) -> rquickjs::Result<Function<'js>> {
        let random = RefCell::new(StdRng::seed_from_u64(self.seed));
        let random = Function::new(ctx.clone(), move || random.borrow_mut().random::<f64>())?;
        eval::<Function>(ctx, PRELUDE, "quarry")?.call((random, globals))
    }

    /// The error at a place of the text, that of a loop with the line of its loop. The engine reports
    /// where the innermost function began, or made its last call.
    pub fn locate_loop(&self, error: Error, text: &str) -> Error {
        let reported = error.position;
        let count = text.lines().count() as u64;
        if let Some(reported) = reported.filter(|at| at.line > count) {
            // What closes an expression that the text leaves open is after its end.
            let column = text.lines().last().map_or(0, |line| line.chars().count()) as u64 + 1;
            return at_line(error, reported.line, Position { line: count.max(1), column });
        }
        let Some(reported) = reported.filter(|_| self.watch.timed_out.get()) else { return error };
        let words =
            |line: &str| line.split(|letter: char| !letter.is_alphanumeric()).map(str::to_string).collect::<Vec<_>>();
        let begins = |line: &str| words(line).iter().any(|word| ["for", "while", "do"].contains(&word.as_str()));
        let mut lines = text.lines().zip(1u64..).skip_while(|(_, number)| *number < reported.line);
        let Some((line, number)) = lines.find(|(line, _)| begins(line)) else { return error };
        let column = line.chars().take_while(|letter| letter.is_whitespace()).count() as u64 + 1;
        at_line(error, reported.line, Position { line: number, column })
    }

    /// What went wrong, for the person who wrote the script.
    fn explain(&self, ctx: &Ctx<'_>, error: rquickjs::Error, script: Script) -> Error {
        let caught = CaughtError::from_error(ctx, error);
        if let Some(own) = self.watch.failure.borrow_mut().take() {
            return match &caught {
                CaughtError::Exception(exception) => with_script(own, exception.stack().as_deref(), script),
                _ => own.about(script.name()),
            };
        }
        if (self.watch.is_canceled)() {
            return Error::new(ErrorCode::Killed, "The query was stopped.");
        }
        // Describing what was thrown may run the script again.
        self.watch.step();
        match caught {
            CaughtError::Exception(exception) => {
                let stack = exception.stack();
                let name = exception.get::<_, Coerced<String>>("name").map(|name| name.0).unwrap_or_default();
                let message = exception.message().unwrap_or_default();
                with_script(self.describe(&name, &message, script), stack.as_deref(), script)
            }
            // Without memory for an error of its own the engine throws null.
            CaughtError::Value(value) if value.is_null() => {
                with_script(self.describe("", "out of memory", script), None, script)
            }
            CaughtError::Value(value) => {
                let shown = value.get::<Coerced<String>>().map_or_else(|_| "a value".to_string(), |text| text.0);
                with_script(self.describe("", &format!("{shown} was thrown"), script), None, script)
            }
            CaughtError::Error(error) => with_script(self.describe("", &error.to_string(), script), None, script),
        }
    }

    fn describe(&self, name: &str, message: &str, script: Script) -> Error {
        if self.watch.timed_out.get() {
            let seconds = self.limits.step.as_secs_f64();
            let message = format!("ran {seconds} s without reading or emitting anything; is there an endless loop?");
            return Error::new(ErrorCode::TimeLimit, message).about(script.name());
        }
        if message.contains("out of memory") || name == "Allocation" {
            let message = format!("needed more than {} MB of memory.", self.limits.memory >> 20);
            return Error::new(ErrorCode::MemoryLimit, message).about(script.name());
        }
        let code = if name == "SyntaxError" { ErrorCode::Syntax } else { ErrorCode::InvalidQuery };
        let text = if name.is_empty() { message.to_string() } else { format!("{name}: {message}") };
        let text: String = text.chars().take(MESSAGE).collect();
        Error::new(code, if text.ends_with('.') { text } else { format!("{text}.") }).about(script.name())
    }
}

/// The error at another place than it reported.
fn at_line(mut error: Error, reported: u64, position: Position) -> Error {
    error.message = error.message.replacen(&format!("line {reported}:"), &format!("line {}:", position.line), 1);
    error.at(position)
}

/// The error with its script, and the line of the innermost call that is in it.
fn with_script(mut error: Error, stack: Option<&str>, script: Script) -> Error {
    error = error.about(script.name());
    let position = stack.and_then(|stack| position(stack, script));
    let line = position.map(|at| format!(", line {}", at.line)).unwrap_or_default();
    let message = std::mem::take(&mut error.message);
    error.message = format!("{}{line}: {message}", script.name());
    match position {
        Some(position) => error.at(position),
        None => error,
    }
}

fn position(stack: &str, script: Script) -> Option<Position> {
    static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(\w+):(\d+)(?::(\d+))?\)?\s*$").ok());
    let place = PLACE.as_ref()?;
    let in_script = |file: &str| file.strip_suffix(WRAPPED).unwrap_or(file) == script.name();
    let found = stack.lines().filter_map(|line| place.captures(line)).find(|found| in_script(&found[1]))?;
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

/// The value of the text of a script: an expression (`(row, emit) => …`, `{input: …}`), or a script that ends with
/// one or declares a function of the script's name.
pub(super) fn load<'js>(ctx: &Ctx<'js>, text: &str, script: Script) -> rquickjs::Result<Value<'js>> {
    let expression = text.trim_end().trim_end_matches(';');
    let error = match eval::<Value>(ctx, &format!("({expression}\n)"), &format!("{}{WRAPPED}", script.name())) {
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
    let last = eval::<Value>(ctx, text, script.name())?;
    if last.is_function() || last.is_object() {
        return Ok(last);
    }
    for name in script.functions() {
        let declared = eval::<Value>(ctx, &format!("typeof {name} === 'function' ? {name} : undefined"), "quarry")?;
        if declared.is_function() {
            return Ok(declared);
        }
    }
    Ok(last)
}

/// The function of a script.
pub(super) fn function<'js>(ctx: &Ctx<'js>, text: &str, script: Script) -> rquickjs::Result<Function<'js>> {
    let value = load(ctx, text, script)?;
    let message = format!("there is no function here: write (…) => {{ … }} or function {}(…) {{ … }}", script.name());
    value.into_function().ok_or_else(|| Exception::throw_type(ctx, &message))
}
