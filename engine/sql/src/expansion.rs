//! Limits what a statement grows by while calls are expanded to expressions that have an argument more than once: nested calls
//! double, and double again.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::Volatility;
use datafusion::sql::sqlparser::ast::{Expr, Function, Visitor};

use super::error_location::{error_at, expr_position};
use crate::macros::macros_of;
use crate::syntax::visitor::visit;
use quarry_functions::hive::seeded_rand::SEEDED;
pub use quarry_planner::analyzer::MAX_ADDED;
use quarry_planner::analyzer::{repeated_volatile_argument, too_many_added};
use quarry_types::{Error, Position};

/// The names of volatile functions of SQL, of macros that call them, and of HiveQL's `rand(seed)`.
static VOLATILE: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut state = SessionStateBuilder::new().with_default_features().build();
    // An engine whose functions can't be registered does not start.
    let registered = quarry_functions::register(&mut state);
    debug_assert!(registered.is_ok(), "{registered:?}");
    let functions = state.scalar_functions().iter();
    let functions = functions.filter(|(_, function)| function.signature().volatility == Volatility::Volatile);
    let names: Vec<String> = functions.map(|(name, _)| name.clone()).chain([SEEDED.to_string()]).collect();
    let macros = names.iter().flat_map(|name| macros_of(name)).map(str::to_string).collect::<Vec<_>>();
    names.into_iter().chain(macros).collect()
});

/// What a statement has grown by.
#[derive(Default)]
pub struct Growth(usize);

impl Growth {
    /// Counts copies of an expression; an error when they are too many.
    pub fn copies(&mut self, expr: &Expr, times: usize) -> ControlFlow<Box<Error>> {
        let contents = Contents::new(expr);
        let more = contents.expressions.saturating_mul(times.saturating_sub(1));
        self.grown(more, contents.volatile_calls > 0 && times > 1, &contents)
    }

    /// Counts what an expression grew by, whose arguments were expanded before; an error when it is too much.
    pub fn note(&mut self, before: &Contents, after: &Expr) -> ControlFlow<Box<Error>> {
        let now = Contents::new(after);
        let more = now.expressions.saturating_sub(before.expressions);
        // A call without such arguments may itself be another name of such a function.
        self.grown(more, before.volatile_calls > 0 && now.volatile_calls > before.volatile_calls, before)
    }

    fn grown(&mut self, more: usize, again: bool, contents: &Contents) -> ControlFlow<Box<Error>> {
        self.0 = self.0.saturating_add(more);
        let error = if again {
            repeated_volatile_argument()
        } else if self.0 > MAX_ADDED {
            too_many_added()
        } else {
            return ControlFlow::Continue(());
        };
        ControlFlow::Break(Box::new(error_at(error, contents.position)))
    }
}

/// Whether an expression has another value each time.
pub fn is_volatile(expr: &Expr) -> bool {
    Contents::new(expr).volatile_calls > 0
}

/// What an expression is made of.
#[derive(Default)]
pub struct Contents {
    expressions: usize,
    /// Calls of volatile functions.
    volatile_calls: usize,
    position: Option<Position>,
}

impl Contents {
    pub fn new(expr: &Expr) -> Contents {
        let mut contents = Contents::default();
        // The visitor never breaks off.
        let _ = visit(expr, &mut contents);
        contents.position = expr_position(expr);
        contents
    }
}

impl Visitor for Contents {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.expressions += 1;
        if let Expr::Function(Function { name, .. }) = expr {
            self.volatile_calls += usize::from(VOLATILE.contains(&name.to_string().to_ascii_lowercase()));
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volatile_functions_are_known_by_all_their_names() {
        for name in ["generate_uuid", "rand", "random", SEEDED, "shuffle", "uuid", "uuid_string"] {
            assert!(VOLATILE.contains(name), "{name}");
        }
        for name in ["now", "length", "square"] {
            assert!(!VOLATILE.contains(name), "{name}");
        }
    }
}
