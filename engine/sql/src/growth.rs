//! What a statement grows by while functions and the like are written out as expressions that have an argument more than
//! once. One in another they double, and double again.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, Function, Visitor};

use super::error_location::place;
use crate::ast_visitor::visit;
use quarry_functions::hive::random::SEEDED;
pub use quarry_planner::analyzer::MAX_ADDED;
use quarry_planner::analyzer::{asked_again, too_many_added};
use quarry_types::{Error, Position};

/// Functions that give another value each time.
const CHANGING: [&str; 7] = ["generate_uuid", "rand", "random", SEEDED, "shuffle", "uuid", "uuid_string"];

/// What a statement has grown by.
#[derive(Default)]
pub struct Growth(usize);

impl Growth {
    /// Notes that an expression is about to be written down so many times; an error when that is too much.
    pub fn copies(&mut self, expr: &Expr, times: usize) -> ControlFlow<Box<Error>> {
        let contents = Contents::of(expr);
        let more = contents.expressions.saturating_mul(times.saturating_sub(1));
        self.grown(more, contents.changing > 0 && times > 1, &contents)
    }

    /// Notes that an expression became another one, whose parts were written out before; an error when that is too much.
    pub fn note(&mut self, before: &Contents, after: &Expr) -> ControlFlow<Box<Error>> {
        let now = Contents::of(after);
        let more = now.expressions.saturating_sub(before.expressions);
        // A call without such arguments may itself be another name of such a function.
        self.grown(more, before.changing > 0 && now.changing > before.changing, before)
    }

    fn grown(&mut self, more: usize, again: bool, contents: &Contents) -> ControlFlow<Box<Error>> {
        self.0 = self.0.saturating_add(more);
        let error = if again {
            asked_again()
        } else if self.0 > MAX_ADDED {
            too_many_added()
        } else {
            return ControlFlow::Continue(());
        };
        ControlFlow::Break(Box::new(match contents.position {
            Some(position) => error.at(position),
            None => error,
        }))
    }
}

/// Whether an expression is another one each time it is asked for.
pub fn changes(expr: &Expr) -> bool {
    Contents::of(expr).changing > 0
}

/// How many there are in brackets.
pub fn items(list: &Expr) -> usize {
    match list {
        Expr::Tuple(items) => items.len(),
        _ => 1,
    }
}

/// What an expression is made of.
#[derive(Default)]
pub struct Contents {
    expressions: usize,
    /// Calls of functions that give another value each time.
    changing: usize,
    /// Where it stands.
    position: Option<Position>,
}

impl Contents {
    pub fn of(expr: &Expr) -> Contents {
        let mut contents = Contents::default();
        // The visitor never breaks off.
        let _ = visit(expr, &mut contents);
        contents.position = place(expr);
        contents
    }
}

impl Visitor for Contents {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.expressions += 1;
        if let Expr::Function(Function { name, .. }) = expr {
            let name = name.to_string();
            self.changing += usize::from(CHANGING.iter().any(|changing| name.eq_ignore_ascii_case(changing)));
        }
        ControlFlow::Continue(())
    }
}
