//! Limits what a statement grows by while calls are expanded to expressions that have an argument more than once: nested calls
//! double, and double again.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, Function, Visitor};

use super::error_location::{error_at, expr_position};
use crate::syntax::visitor::visit;
use quarry_functions::hive::seeded_rand::SEEDED;
pub use quarry_planner::analyzer::MAX_ADDED;
use quarry_planner::analyzer::{repeated_volatile_argument, too_many_added};
use quarry_types::{Error, Position};

/// Functions with another value each time.
const VOLATILE: [&str; 7] = ["generate_uuid", "rand", "random", SEEDED, "shuffle", "uuid", "uuid_string"];

/// What a statement has grown by.
#[derive(Default)]
pub struct Growth(usize);

impl Growth {
    /// Counts copies of an expression; an error when they are too many.
    pub fn copies(&mut self, expr: &Expr, times: usize) -> ControlFlow<Box<Error>> {
        let contents = Contents::of(expr);
        let more = contents.expressions.saturating_mul(times.saturating_sub(1));
        self.grown(more, contents.volatile_calls > 0 && times > 1, &contents)
    }

    /// Counts what an expression grew by, whose arguments were expanded before; an error when it is too much.
    pub fn note(&mut self, before: &Contents, after: &Expr) -> ControlFlow<Box<Error>> {
        let now = Contents::of(after);
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
    Contents::of(expr).volatile_calls > 0
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
    pub fn of(expr: &Expr) -> Contents {
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
            let name = name.to_string();
            self.volatile_calls += usize::from(VOLATILE.iter().any(|volatile| name.eq_ignore_ascii_case(volatile)));
        }
        ControlFlow::Continue(())
    }
}
