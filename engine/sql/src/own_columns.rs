//! The name of a column of a SELECT stands for what it names in the columns behind it and in WHERE, as in Snowflake and DuckDB:
//! `select value / 1e18 as eth, eth * 2000 as usd`. A name that means something already keeps its meaning.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::context::SessionState;
use datafusion::logical_expr::Volatility;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, Ident, LambdaFunction, Query, Select, SelectItem, Statement, VisitMut, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use crate::ast_visitor::{visit, visit_mut};
use crate::growth::MAX_ADDED;
use crate::name_resolution::normal;
use quarry_types::{Error, ErrorCode, Position, refuse};

/// How deep expressions may be nested. Planning recurses, and finding the type of a deep one takes time by the square of its
/// depth.
const DEEPEST: usize = 250;

/// What a statement grew by.
#[derive(Default)]
pub struct Growth {
    expressions: usize,
}

/// Writes what a name stands for in its place, in the SELECT where the planner did not know it; false when it stands for
/// nothing there.
pub fn stand_for(
    statement: &mut Statement,
    name: &str,
    place: Location,
    state: &SessionState,
    growth: &mut Growth,
) -> Result<bool> {
    let mut own = OwnColumn { name, place, state, growth, found: false };
    match visit_mut(statement, &mut own) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(own.found),
    }
}

/// Looks for the SELECT in which the name is asked for.
struct OwnColumn<'a> {
    name: &'a str,
    place: Location,
    state: &'a SessionState,
    growth: &'a mut Growth,
    found: bool,
}

impl VisitorMut for OwnColumn<'_> {
    type Break = DataFusionError;

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        match self.write(select) {
            Ok(found) => {
                self.found |= found;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        }
    }
}

impl OwnColumn<'_> {
    fn write(&mut self, select: &mut Select) -> Result<bool> {
        let named = select.projection.iter().enumerate().filter_map(|(index, item)| match item {
            SelectItem::ExprWithAlias { expr, alias } if normal(alias) == self.name => Some((index, expr)),
            _ => None,
        });
        // A name that two columns have is neither's.
        let (Some((index, meaning)), None) = two(named) else { return Ok(false) };
        let contents = Contents::of(meaning, self.state);
        let meaning = meaning.clone();
        let behind = index + 1..select.projection.len();
        let mut uses = Uses::new(self.name, self.place, &contents);
        for item in &mut select.projection[behind.clone()] {
            uses.look(item);
        }
        let deepest = uses.deepest;
        let among_columns = uses.count;
        if let Some(condition) = &mut select.selection {
            uses.look(condition);
        }
        if !uses.met {
            return Ok(false);
        }
        if let Some(message) = contents.refusal(self.name, uses.count > among_columns, uses.captured) {
            let Location { line, column } = self.place;
            let error = Error::new(ErrorCode::InvalidQuery, message).at(Position { line, column });
            return Err(error.into());
        }
        self.growth.expressions += uses.count * contents.expressions;
        if self.growth.expressions > MAX_ADDED || deepest.max(uses.deepest) + contents.depth > DEEPEST {
            const MESSAGE: &str = "The names of columns stand for too much in other columns of the same SELECT; \
                                   compute some of them in a query in FROM.";
            return Err(refuse(ErrorCode::TooComplex, MESSAGE));
        }
        uses.meaning = Some(Expr::Nested(Box::new(meaning)));
        let mut times = 0;
        for item in &mut select.projection[behind] {
            named_again(item, self.name, &mut times);
            uses.look(item);
        }
        if let Some(condition) = &mut select.selection {
            uses.look(condition);
        }
        Ok(true)
    }
}

/// The first of some items, and the second.
fn two<T>(mut items: impl Iterator<Item = T>) -> (Option<T>, Option<T>) {
    (items.next(), items.next())
}

/// A column that is the name alone gets it with a number: no two columns have one name.
fn named_again(item: &mut SelectItem, name: &str, times: &mut usize) {
    if let SelectItem::UnnamedExpr(Expr::Identifier(column)) = item
        && normal(column) == name
    {
        *times += 1;
        let alias = Ident::with_quote('"', format!("{name}_{times}"));
        *item = SelectItem::ExprWithAlias { expr: Expr::Identifier(column.clone()), alias };
    }
}

/// What an expression is made of.
struct Contents<'a> {
    state: &'a SessionState,
    expressions: usize,
    depth: usize,
    open: usize,
    queries: usize,
    /// Whether it is another value each time it is asked for.
    changes: bool,
    aggregates: bool,
    windows: bool,
    /// The names in it.
    names: HashSet<String>,
}

impl<'a> Contents<'a> {
    fn of(expr: &Expr, state: &'a SessionState) -> Contents<'a> {
        let mut contents = Contents {
            state,
            expressions: 0,
            depth: 0,
            open: 0,
            queries: 0,
            changes: false,
            aggregates: false,
            windows: false,
            names: HashSet::new(),
        };
        // The visitor never breaks off.
        let _ = visit(expr, &mut contents);
        contents
    }

    /// Why it can't stand where its name does.
    fn refusal(&self, name: &str, in_where: bool, captured: bool) -> Option<String> {
        if self.changes {
            let message = "is another value each time it is asked for; compute it in a query in FROM to use it twice.";
            return Some(format!("The column {name} {message}"));
        }
        if in_where && self.windows {
            return Some("A window function can't stand in WHERE; filter by it with QUALIFY.".to_string());
        }
        if in_where && self.aggregates {
            let message = "is an aggregate, which is not known yet in WHERE; filter by it with HAVING.";
            return Some(format!("The column {name} {message}"));
        }
        captured.then(|| format!("The column {name} is made of a column that has the name of the lambda's item here."))
    }
}

impl Visitor for Contents<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.expressions += 1;
        self.open += 1;
        self.depth = self.depth.max(self.open);
        match expr {
            Expr::Identifier(name) => drop(self.names.insert(normal(name))),
            Expr::CompoundIdentifier(parts) => self.names.extend(parts.first().map(normal)),
            Expr::Function(Function { name, over, .. }) => {
                let name = name.to_string().to_lowercase();
                let scalar = self.state.scalar_functions().get(&name);
                self.changes |= scalar.is_some_and(|known| known.signature().volatility == Volatility::Volatile);
                // What a query inside counts is its own.
                if self.queries == 0 {
                    self.windows |= over.is_some();
                    self.aggregates |= over.is_none() && self.state.aggregate_functions().contains_key(&name);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.open -= 1;
        ControlFlow::Continue(())
    }
}

/// The name in an expression, not in the queries inside it.
struct Uses<'a> {
    name: &'a str,
    place: Location,
    contents: &'a Contents<'a>,
    /// What stands for the name from now on.
    meaning: Option<Expr>,
    count: usize,
    /// Whether the name was met where the error is.
    met: bool,
    /// Whether a lambda has an item of a name that the meaning has too.
    captured: bool,
    deepest: usize,
    open: usize,
    queries: usize,
    /// The items of the lambdas that are open.
    items: Vec<HashSet<String>>,
}

impl<'a> Uses<'a> {
    fn new(name: &'a str, place: Location, contents: &'a Contents<'a>) -> Uses<'a> {
        Uses {
            name,
            place,
            contents,
            meaning: None,
            count: 0,
            met: false,
            captured: false,
            deepest: 0,
            open: 0,
            queries: 0,
            items: Vec::new(),
        }
    }

    fn look(&mut self, within: &mut impl VisitMut) {
        // The visitor never breaks off.
        let _ = visit_mut(within, self);
    }
}

impl VisitorMut for Uses<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.open += 1;
        if let Expr::Lambda(LambdaFunction { params, .. }) = expr {
            self.items.push(params.iter().map(|item| normal(&item.name)).collect());
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.open -= 1;
        match &*expr {
            Expr::Lambda(_) => drop(self.items.pop()),
            Expr::Identifier(name)
                if self.queries == 0
                    && normal(name) == self.name
                    && !self.items.iter().any(|items| items.contains(self.name)) =>
            {
                self.count += 1;
                self.met |= self.place == name.span.start;
                self.captured |= self.items.iter().any(|items| !items.is_disjoint(&self.contents.names));
                self.deepest = self.deepest.max(self.open);
                if let Some(meaning) = &self.meaning {
                    *expr = meaning.clone();
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
