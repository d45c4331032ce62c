//! Lateral column aliases, as in Snowflake and DuckDB: in `select value / 1e18 as eth, eth * 2000 as usd` the alias is replaced by
//! its expression in the items after it and in WHERE. A column in scope takes precedence over an alias.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use datafusion::execution::context::SessionState;
use datafusion::logical_expr::Volatility;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, Ident, LambdaFunction, Query, Select, SelectItem, Visitor, VisitorMut,
};
use datafusion::sql::sqlparser::tokenizer::Location;

use crate::error_location::{error_at, location_position};
use crate::expansion::MAX_ADDED;
use crate::names::relation::normal;
use crate::syntax::visitor::{Node, visit, visit_mut};
use quarry_types::{Error, ErrorCode};

/// How deep expressions may be nested. Planning recurses, and finding the type of an expression takes time by the square of its
/// depth.
const MAX_DEPTH: usize = 250;

type Flow = ControlFlow<Box<Error>>;

/// What replacing the aliases of a statement needs and adds up.
pub(super) struct LateralAliases<'a> {
    state: &'a SessionState,
    /// How many expressions the statement grew by.
    added: usize,
}

impl<'a> LateralAliases<'a> {
    pub(super) fn new(state: &'a SessionState) -> LateralAliases<'a> {
        LateralAliases { state, added: 0 }
    }

    /// Whether a call is that of an aggregate over the rows of a group.
    pub(super) fn is_aggregate(&self, Function { name, over, .. }: &Function) -> bool {
        over.is_none() && self.state.aggregate_functions().contains_key(&name.to_string().to_lowercase())
    }

    /// Replaces the aliases of a SELECT. `is_column` says whether a name is a column in scope, and `fields` where names are fields of
    /// structs.
    pub(super) fn replace(
        &mut self,
        select: &mut Select,
        is_column: &dyn Fn(&str) -> bool,
        fields: &HashSet<Location>,
    ) -> Flow {
        let mut times: HashMap<String, usize> = HashMap::new();
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                *times.entry(normal(alias)).or_default() += 1;
            }
        }
        let mut aliases: HashMap<String, usize> = HashMap::new();
        let mut contents = HashMap::new();
        for index in 0..=select.projection.len() {
            let in_where = index == select.projection.len();
            let (items, rest) = select.projection.split_at_mut(index);
            let mut uses = Uses {
                all: self,
                items,
                aliases: &aliases,
                contents: &mut contents,
                is_column,
                fields,
                in_where,
                depth: 0,
                queries: 0,
                lambdas: Vec::new(),
            };
            match rest.first_mut() {
                Some(item) => uses.replace_in(item)?,
                None => select.selection.iter_mut().try_for_each(|condition| uses.replace_in(condition))?,
            }
            // An alias of two columns is ambiguous.
            if let Some(SelectItem::ExprWithAlias { alias, .. }) = rest.first()
                && times.get(&normal(alias)) == Some(&1)
            {
                aliases.insert(normal(alias), index);
            }
        }
        ControlFlow::Continue(())
    }
}

/// What an aliased expression is made of.
struct Contents<'a> {
    state: &'a SessionState,
    expressions: usize,
    max_depth: usize,
    depth: usize,
    queries: usize,
    is_volatile: bool,
    has_aggregates: bool,
    has_windows: bool,
    /// The names in it.
    names: HashSet<String>,
}

impl<'a> Contents<'a> {
    fn new(expr: &Expr, state: &'a SessionState) -> Contents<'a> {
        let mut contents = Contents {
            state,
            expressions: 0,
            max_depth: 0,
            depth: 0,
            queries: 0,
            is_volatile: false,
            has_aggregates: false,
            has_windows: false,
            names: HashSet::new(),
        };
        // The visitor never breaks off.
        let _ = visit(expr, &mut contents);
        contents
    }

    /// Why its alias can't be replaced by it.
    fn refusal(&self, alias: &str, in_where: bool, captured: bool) -> Option<String> {
        if self.is_volatile {
            let message = "has a different value each time it is evaluated; compute it in a subquery in FROM to use it \
                           twice.";
            return Some(format!("The column {alias} {message}"));
        }
        if in_where && self.has_windows {
            return Some("Window functions are not allowed in WHERE; filter by them with QUALIFY.".to_string());
        }
        if in_where && self.has_aggregates {
            let message = "is an aggregate, which is not allowed in WHERE; filter by it with HAVING.";
            return Some(format!("The column {alias} {message}"));
        }
        captured.then(|| {
            format!("The column {alias} refers to a column that has the same name as a lambda parameter here.")
        })
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
        self.depth += 1;
        self.max_depth = self.max_depth.max(self.depth);
        match expr {
            Expr::Identifier(name) => drop(self.names.insert(normal(name))),
            Expr::CompoundIdentifier(parts) => self.names.extend(parts.first().map(normal)),
            Expr::Function(Function { name, over, .. }) => {
                let name = name.to_string().to_lowercase();
                let scalar = self.state.scalar_functions().get(&name);
                self.is_volatile |= scalar.is_some_and(|known| known.signature().volatility == Volatility::Volatile);
                // Aggregates of a subquery are its own.
                if self.queries == 0 {
                    self.has_windows |= over.is_some();
                    self.has_aggregates |= over.is_none() && self.state.aggregate_functions().contains_key(&name);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }
}

/// Replaces aliases in an item or in WHERE, outside its subqueries.
struct Uses<'a, 'b> {
    all: &'b mut LateralAliases<'a>,
    /// The items before, in which aliases are replaced already.
    items: &'b [SelectItem],
    /// The aliases of the items before, each with the index of its item.
    aliases: &'b HashMap<String, usize>,
    contents: &'b mut HashMap<usize, Contents<'a>>,
    is_column: &'b dyn Fn(&str) -> bool,
    fields: &'b HashSet<Location>,
    in_where: bool,
    depth: usize,
    queries: usize,
    /// The parameters of the lambdas around.
    lambdas: Vec<HashSet<String>>,
}

impl Uses<'_, '_> {
    fn replace_in(&mut self, node: &mut impl Node) -> Flow {
        if self.aliases.is_empty() { ControlFlow::Continue(()) } else { visit_mut(node, self) }
    }

    /// The expression of a name that is an alias.
    fn meaning(&mut self, ident: &Ident) -> ControlFlow<Box<Error>, Option<Expr>> {
        let name = normal(ident);
        let Some(index) = self.aliases.get(&name) else { return ControlFlow::Continue(None) };
        let Some(SelectItem::ExprWithAlias { expr, .. }) = self.items.get(*index) else {
            return ControlFlow::Continue(None);
        };
        let is_field = ident.span.start.line > 0 && self.fields.contains(&ident.span.start);
        if is_field || self.lambdas.iter().any(|parameters| parameters.contains(&name)) || (self.is_column)(&name) {
            return ControlFlow::Continue(None);
        }
        let contents = self.contents.entry(*index).or_insert_with(|| Contents::new(expr, self.all.state));
        let captured = self.lambdas.iter().any(|parameters| !parameters.is_disjoint(&contents.names));
        if let Some(message) = contents.refusal(&name, self.in_where, captured) {
            let error = Error::new(ErrorCode::InvalidQuery, message);
            return ControlFlow::Break(Box::new(error_at(error, location_position(ident.span.start))));
        }
        self.all.added += contents.expressions;
        if self.all.added > MAX_ADDED || self.depth + contents.max_depth > MAX_DEPTH {
            const MESSAGE: &str = "Column aliases used in the same SELECT expand to too many expressions; compute \
                                   some of them in a subquery in FROM.";
            return ControlFlow::Break(Box::new(Error::new(ErrorCode::TooComplex, MESSAGE)));
        }
        ControlFlow::Continue(Some(Expr::Nested(Box::new(expr.clone()))))
    }
}

impl VisitorMut for Uses<'_, '_> {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, _: &mut Query) -> Flow {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> Flow {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        self.depth += 1;
        if let Expr::Lambda(LambdaFunction { params, .. }) = expr {
            self.lambdas.push(params.iter().map(|parameter| normal(&parameter.name)).collect());
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> Flow {
        self.depth -= 1;
        match &*expr {
            Expr::Lambda(_) => drop(self.lambdas.pop()),
            Expr::Identifier(ident) if self.queries == 0 => {
                if let Some(meaning) = self.meaning(ident)? {
                    *expr = meaning;
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}
