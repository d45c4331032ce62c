//! Where in the text an expression stands that the planner refused without saying where.
//!
//! The planner's errors of types and arguments carry no place, and the parsed statement does. So the parts of the
//! statement are planned alone, each over the tables that it sees: the innermost that is refused in the same words is the
//! one. What can't be planned alone, as an expression over the columns of an outer query, is refused in other words, and
//! then the error has no place rather than a wrong one.

mod begin;
mod only;
mod scopes;

use std::time::{Duration, Instant};

use datafusion::sql::sqlparser::ast::{Expr, Ident, ObjectNamePart, Query, Statement};
use datafusion::sql::sqlparser::tokenizer::{Location, Span};

pub use begin::place;
use quarry_types::{Error, ErrorCode, Position};

/// Most parts that are planned for one error, and how long that may take: the person waits for the error.
const MAX_ATTEMPTS: usize = 120;
pub const SEARCH_TIME: Duration = Duration::from_secs(2);

/// Functions that look at some of their arguments only when they need them.
const CHOOSING: [&str; 8] = ["coalesce", "if", "ifnull", "iff", "nullif", "nvl", "nvl2", "try"];

/// Whether an error is one of an expression, and has no place yet.
pub fn is_missing(error: &Error) -> bool {
    error.position.is_none()
        && matches!(error.code, ErrorCode::InvalidQuery | ErrorCode::Arithmetic | ErrorCode::TooComplex)
}

/// The error of a statement that can't be planned, with the place of the part that is to blame. `attempt` plans a
/// statement and answers the sentence it is refused with.
pub async fn of_plan(error: Error, statement: &Statement, attempt: impl AsyncFn(Statement) -> Option<String>) -> Error {
    let Some(query) = query(statement) else { return error };
    let mut search = Search::new(&error.message, attempt);
    for scope in scopes::of(query) {
        // Tables that are refused themselves were looked into before.
        let nothing = Expr::Value(datafusion::sql::sqlparser::ast::Value::Null.into());
        if search.answer(scope.with(nothing)).await.is_some() {
            continue;
        }
        for root in &scope.roots {
            if let Some(found) = search.innermost(root, &|part| scope.with(part)).await {
                return placed(error, found);
            }
        }
    }
    error
}

/// The same for a statement that failed while it ran: only expressions without columns fail alone as they do there.
/// `attempt` runs a statement.
pub async fn of_run(error: Error, statement: &Statement, attempt: impl AsyncFn(Statement) -> Option<String>) -> Error {
    let Some(query) = query(statement) else { return error };
    let mut search = Search::new(&error.message, attempt);
    for root in scopes::of(query).iter().flat_map(|scope| &scope.roots) {
        for constant in constants(root) {
            if let Some(found) = search.innermost(&constant, &scopes::alone).await {
                return placed(error, found);
            }
        }
    }
    match only::of(&error.message, query) {
        Some(position) => error.at(position),
        None => error,
    }
}

/// The names before the stars of a statement, each with a statement that answers what the name stands for as a column.
pub fn stars(statement: &Statement) -> Vec<(Vec<Ident>, Statement)> {
    let scopes = query(statement).map(scopes::of).unwrap_or_default();
    let alone = |scope: &scopes::Scope| {
        let column = |names: &[Ident]| match names {
            [name] => Expr::Identifier(name.clone()),
            _ => Expr::CompoundIdentifier(names.to_vec()),
        };
        scope.stars.iter().map(|names| (names.clone(), scope.with(column(names)))).collect::<Vec<_>>()
    };
    scopes.iter().flat_map(alone).collect()
}

fn query(statement: &Statement) -> Option<&Query> {
    match statement {
        Statement::Query(query) => Some(query),
        Statement::Explain { statement, .. } => self::query(statement),
        _ => None,
    }
}

fn placed(error: Error, found: Expr) -> Error {
    match place(&found) {
        Some(position) => error.at(position),
        None => error,
    }
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

    async fn answer(&mut self, statement: Statement) -> Option<String> {
        if self.left == 0 || Instant::now() > self.until {
            return Some(String::new());
        }
        self.left -= 1;
        (self.attempt)(statement).await
    }

    async fn fails(&mut self, statement: Statement) -> bool {
        let wanted = self.wanted;
        self.answer(statement).await.is_some_and(|answer| is_same(&answer, wanted))
    }

    /// The innermost part of an expression that fails alone in the wanted words.
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
                    let nothing = Expr::Value(datafusion::sql::sqlparser::ast::Value::Null.into());
                    // The body means nothing without the items of its list: its parts are looked at in its place.
                    if !self.fails(body(nothing)).await
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
            // Whether all parts were looked at.
            return (self.left > 0 && Instant::now() <= self.until).then_some(faulty);
        }
    }
}

/// Whether two sentences tell of the same fault. What a call does not take is told with or without the types.
fn is_same(one: &str, other: &str) -> bool {
    let refused = |sentence: &str| {
        let (call, _) = sentence.strip_prefix("The function ")?.split_once(" does not take ")?;
        Some(call.to_string())
    };
    one == other || refused(one).is_some_and(|call| refused(other) == Some(call))
}

/// What nothing can be wrong with alone.
fn is_leaf(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_) | Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

/// The largest parts without columns that are evaluated whatever the rest says.
fn constants(expr: &Expr) -> Vec<Expr> {
    let chooses = match expr {
        Expr::Case { .. } | Expr::Lambda(_) => true,
        Expr::Function(function) => CHOOSING.iter().any(|name| function.name.to_string().eq_ignore_ascii_case(name)),
        Expr::BinaryOp { op, .. } => {
            use datafusion::sql::sqlparser::ast::BinaryOperator::{And, Or};
            matches!(op, And | Or)
        }
        _ => false,
    };
    if chooses || is_leaf(expr) {
        return Vec::new();
    }
    if scopes::is_constant(expr) {
        return vec![expr.clone()];
    }
    scopes::parts(expr).iter().flat_map(constants).collect()
}

/// Lets an expression that was rewritten as a call or a number stand where it stood.
pub fn keep(expr: &mut Expr, place: Option<Position>) {
    let Some(Position { line, column }) = place else { return };
    let span = match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => return keep(inner, place),
        Expr::Function(function) => match function.name.0.first_mut() {
            Some(ObjectNamePart::Identifier(Ident { span, .. })) => span,
            _ => return,
        },
        Expr::Value(value) => &mut value.span,
        Expr::Case { case_token, .. } => &mut case_token.0.span,
        _ => return,
    };
    if span.start.line == 0 {
        let start = Location { line, column };
        *span = Span { start, end: start };
    }
}
