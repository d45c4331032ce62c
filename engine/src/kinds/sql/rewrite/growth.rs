//! What a statement grows by while functions are written out as expressions that have an argument more than once. One in
//! another they double, and double again.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{Expr, Function, Visit, Visitor};

use crate::error::{Error, ErrorCode, Position};

/// Most expressions that a statement may get more. Planning takes some seconds for so many.
pub(in crate::kinds::sql) const MOST: usize = 20_000;

/// Functions that give another value each time, by the names that are left once all are written out.
const CHANGING: [&str; 4] = ["rand", "random", "shuffle", "uuid"];

/// What a statement has grown by.
#[derive(Default)]
pub(super) struct Growth(usize);

impl Growth {
    /// Notes that an expression became another one, whose parts were written out before; an error when that is too much.
    pub fn note(&mut self, before: &Contents, after: &Expr) -> ControlFlow<Box<Error>> {
        let now = Contents::of(after);
        self.0 += now.expressions.saturating_sub(before.expressions);
        // A call without such arguments may itself be another name of such a function.
        let error = if before.changing > 0 && now.changing > before.changing {
            let message = "What is another value each time it is asked for is asked for more than once here; compute it in \
                           a query in FROM.";
            Error::new(ErrorCode::InvalidQuery, message)
        } else if self.0 > MOST {
            let message = "Functions that are written out stand in one another too often; compute some of them in a query in \
                           FROM.";
            Error::new(ErrorCode::TooComplex, message)
        } else {
            return ControlFlow::Continue(());
        };
        ControlFlow::Break(Box::new(match before.position {
            Some(position) => error.at(position),
            None => error,
        }))
    }
}

/// What an expression is made of.
#[derive(Default)]
pub(super) struct Contents {
    expressions: usize,
    /// Calls of functions that give another value each time.
    changing: usize,
    /// Where it stands, when it is a call.
    position: Option<Position>,
}

impl Contents {
    pub fn of(expr: &Expr) -> Contents {
        let mut contents = Contents::default();
        // The visitor never breaks off.
        let _ = expr.visit(&mut contents);
        if let Expr::Function(Function { name, .. }) = expr {
            let start = name.0.first().and_then(|part| part.as_ident()).map(|part| part.span.start);
            let start = start.filter(|start| start.line > 0);
            contents.position = start.map(|start| Position { line: start.line, column: start.column });
        }
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

#[cfg(test)]
mod tests {
    use crate::error::ErrorCode;
    use crate::job::Parameters;
    use crate::kinds::sql::parse::parse;

    fn refusal(text: &str) -> (ErrorCode, Option<u64>) {
        let error = parse(text, &Parameters::default(), 1 << 20).unwrap_err();
        (error.code, error.position.map(|position| position.column))
    }

    #[test]
    fn functions_that_double_are_refused_before_they_fill_the_memory() {
        for (open, close) in [("square(", ")"), ("div0(1, ", ")"), ("add_months(", ", 1)"), ("strtok('a', ", ", 1)")] {
            let text = |depth| format!("select {}x{} from t", open.repeat(depth), close.repeat(depth));
            assert_eq!(refusal(&text(50)).0, ErrorCode::TooComplex, "{open}");
            assert!(parse(&text(2), &Parameters::default(), 1 << 20).is_ok(), "{open}");
        }
    }

    #[test]
    fn what_changes_each_time_is_asked_for_once() {
        assert_eq!(refusal("select 1, square(random())"), (ErrorCode::InvalidQuery, Some(11)));
        assert!(
            parse("select sqrt(random()), div0(random(), 2), uuid_string()", &Parameters::default(), 1 << 20).is_ok()
        );
    }
}
