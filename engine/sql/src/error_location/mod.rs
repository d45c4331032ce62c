//! Finds the position of an expression that the planner refused without a position.
//!
//! The planner's errors of types and arguments have no position, and the parsed statement does. So the expressions of the statement
//! are planned alone, each over the tables that it sees: the innermost that fails with the same message is the one. What can't be
//! planned alone, as an expression over the columns of an outer query, fails with another message, and then the error has no
//! position rather than a wrong one.

mod only_candidate;
mod position;
pub(crate) mod scopes;

use std::time::{Duration, Instant};

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Statement, Value};

pub use position::{error_at, expr_position, keep_position, location_position};
use quarry_types::{Error, ErrorCode};

/// Most expressions that are planned for one error, and how long that may take: somebody waits for the error.
const MAX_ATTEMPTS: usize = 120;
pub const SEARCH_TIME: Duration = Duration::from_secs(2);

/// Functions that evaluate some of their arguments only when they need them.
const SHORT_CIRCUIT: [&str; 8] = ["coalesce", "if", "ifnull", "iff", "nullif", "nvl", "nvl2", "try"];

/// Whether an error is one of an expression, and has no position yet.
pub fn is_missing(error: &Error) -> bool {
    error.position.is_none()
        && matches!(error.code, ErrorCode::InvalidQuery | ErrorCode::Arithmetic | ErrorCode::TooComplex)
}

/// The error of a statement that can't be planned, with the position of the expression that is to blame. `attempt` plans a
/// statement and returns the message that it fails with.
pub async fn locate_plan_error(
    error: Error,
    statement: &Statement,
    attempt: impl AsyncFn(Statement) -> Option<String>,
) -> Error {
    let mut search = Search::new(&error.message, attempt);
    for scope in scopes::of_statement(statement) {
        // Tables that fail themselves were searched before.
        if search.message(scope.with(null())).await.is_some() {
            continue;
        }
        for root in &scope.roots {
            if let Some(found) = search.innermost(root, &|expr| scope.with(expr)).await {
                return error_at(error, expr_position(&found));
            }
        }
    }
    error
}

/// The same for a statement that failed while it ran: only expressions without columns fail alone as they do there.
/// `attempt` runs a statement.
pub async fn locate_run_error(
    error: Error,
    statement: &Statement,
    attempt: impl AsyncFn(Statement) -> Option<String>,
) -> Error {
    let mut search = Search::new(&error.message, attempt);
    for root in scopes::of_statement(statement).iter().flat_map(|scope| &scope.roots) {
        for constant in constants(root) {
            if let Some(found) = search.innermost(&constant, &scopes::alone).await {
                return error_at(error, expr_position(&found));
            }
        }
    }
    let position = only_candidate::position(&error.message, statement);
    error_at(error, position)
}

fn null() -> Expr {
    Expr::Value(Value::Null.into())
}

/// A search that ends after so many attempts.
struct Search<'a, A> {
    wanted: &'a str,
    attempt: A,
    left: usize,
    until: Instant,
}

impl<'a, A: AsyncFn(Statement) -> Option<String>> Search<'a, A> {
    fn new(wanted: &'a str, attempt: A) -> Search<'a, A> {
        Search { wanted, attempt, left: MAX_ATTEMPTS, until: Instant::now() + SEARCH_TIME }
    }

    async fn message(&mut self, statement: Statement) -> Option<String> {
        if self.left == 0 || Instant::now() > self.until {
            return Some(String::new());
        }
        self.left -= 1;
        (self.attempt)(statement).await
    }

    async fn fails(&mut self, statement: Statement) -> bool {
        let wanted = self.wanted;
        self.message(statement).await.is_some_and(|message| is_same(&message, wanted))
    }

    /// The innermost part of an expression that fails alone with the same message.
    async fn innermost(&mut self, root: &Expr, alone: &(dyn Fn(Expr) -> Statement + Sync)) -> Option<Expr> {
        if is_leaf(root) || !self.fails(alone(root.clone())).await {
            return None;
        }
        let mut faulty = root.clone();
        'inward: loop {
            for part in scopes::parts(&faulty) {
                if let Expr::Lambda(lambda) = &part {
                    let call = faulty.clone();
                    let body = |body| alone(scopes::with_body(&call, lambda, body));
                    // The body means nothing without the items of its list: its parts are planned in its place.
                    if !self.fails(body(null())).await
                        && let Some(found) = Box::pin(self.innermost(&lambda.body, &body)).await
                    {
                        return Some(found);
                    }
                    continue;
                }
                if !is_leaf(&part) && self.fails(alone(part.clone())).await {
                    faulty = part;
                    continue 'inward;
                }
            }
            // All parts were tried, unless the search ended early.
            return (self.left > 0 && Instant::now() <= self.until).then_some(faulty);
        }
    }
}

/// Whether two messages are the same. One about the arguments of a call may lack their types.
fn is_same(one: &str, other: &str) -> bool {
    fn function(message: &str) -> Option<&str> {
        message.strip_prefix("The function ")?.split_once(" does not accept ").map(|(function, _)| function)
    }
    one == other || function(one).is_some_and(|function_of_one| function(other) == Some(function_of_one))
}

/// Whether an expression can't fail alone.
fn is_leaf(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_) | Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

/// The largest parts without columns that are always evaluated.
fn constants(expr: &Expr) -> Vec<Expr> {
    let may_skip = match expr {
        Expr::Case { .. } | Expr::Lambda(_) => true,
        Expr::Function(function) => {
            SHORT_CIRCUIT.iter().any(|name| function.name.to_string().eq_ignore_ascii_case(name))
        }
        Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. } => true,
        _ => false,
    };
    if may_skip || is_leaf(expr) {
        return Vec::new();
    }
    if scopes::is_constant(expr) {
        return vec![expr.clone()];
    }
    scopes::parts(expr).iter().flat_map(constants).collect()
}
