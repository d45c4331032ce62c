//! A table that is called like a column, of the chain, of a view or of the query itself: `swaps s WHERE EXISTS (SELECT 1 FROM transactions t WHERE t.hash = s.hash)`.
//! Transactions have a column `s`, and the planner would look for a field of it before it looks at the tables around.

use std::collections::HashSet;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, Ident, OrderBy, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, Statement,
    TableAlias, TableFactor, Visitor, VisitorMut,
};

use super::ast::tables;
use super::scoped::in_scope;
use crate::ast_visitor::{visit, visit_mut};
use crate::views;
use quarry_lake::tables::{Column, Table};

/// Gives such tables names that no column has.
pub(crate) fn rename_hidden(statement: &mut Statement) {
    let mut made = Made::default();
    // The visitors never break off.
    let _ = visit(&*statement, &mut made);
    let _ = visit_mut(statement, &mut Hidden { made: made.0 });
}

/// Names of columns that a statement gives, in small letters.
#[derive(Default)]
struct Made(HashSet<String>);

impl Made {
    fn columns(&mut self, alias: Option<&TableAlias>) {
        self.0.extend(alias.iter().flat_map(|alias| &alias.columns).map(|column| column.name.value.to_lowercase()));
    }
}

impl Visitor for Made {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        query.with.iter().flat_map(|with| &with.cte_tables).for_each(|named| self.columns(Some(&named.alias)));
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                self.0.insert(alias.value.to_lowercase());
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<()> {
        match table {
            TableFactor::Table { alias, .. }
            | TableFactor::Derived { alias, .. }
            | TableFactor::UNNEST { alias, .. } => {
                self.columns(alias.as_ref());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

struct Hidden {
    made: HashSet<String>,
}

impl VisitorMut for Hidden {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        self.of_body(&mut query.body, query.order_by.as_mut());
        ControlFlow::Continue(())
    }
}

impl Hidden {
    fn of_body(&self, body: &mut SetExpr, order: Option<&mut OrderBy>) {
        match body {
            SetExpr::Select(select) => {
                let names: Vec<Ident> = tables(select).filter_map(|table| alias_of(table).cloned()).collect();
                rename(select, order, names.into_iter().filter(|name| self.is_column(name)));
            }
            SetExpr::SetOperation { left, right, .. } => {
                self.of_body(left, None);
                self.of_body(right, None);
            }
            _ => {}
        }
    }

    /// Whether a column has this name, as far as it is known before tables are looked up.
    fn is_column(&self, name: &Ident) -> bool {
        let of_chain = || Table::ALL.into_iter().flat_map(|table| table.def().columns);
        let columns = || of_chain().chain(views::ALL.into_iter().flat_map(|view| view.columns));
        let is = |column: &Column| column.name.eq_ignore_ascii_case(&name.value);
        name.quote_style.is_none() && (self.made.contains(&name.value.to_lowercase()) || columns().any(is))
    }
}

/// Renames tables of one SELECT, those whose columns a query inside asks for.
fn rename(select: &mut Select, mut order: Option<&mut OrderBy>, names: impl Iterator<Item = Ident>) {
    for name in names {
        let mut asked = Asked { name: &name, queries: 0, found: false, starred: false };
        // The visitor never breaks off.
        let _ = visit(&*select, &mut asked);
        if !asked.found || asked.starred {
            continue;
        }
        let other =
            |written: &Ident| Ident { quote_style: Some('"'), value: name.value.to_uppercase(), ..written.clone() };
        in_scope(select, order.as_deref_mut(), &name, |expr| {
            if let Some(written) = table_of(expr).filter(|written| is(written, &name)) {
                *written = other(written);
            }
        });
        for alias in tables(select).filter_map(alias_of_mut).filter(|alias| is(alias, &name)) {
            *alias = other(alias);
        }
    }
}

fn is(written: &Ident, name: &Ident) -> bool {
    written.quote_style.is_none() && written.value.eq_ignore_ascii_case(&name.value)
}

fn alias_of(table: &TableFactor) -> Option<&Ident> {
    match table {
        TableFactor::Table { alias, .. } | TableFactor::Derived { alias, .. } => {
            alias.as_ref().map(|alias| &alias.name)
        }
        _ => None,
    }
}

fn alias_of_mut(table: &mut TableFactor) -> Option<&mut Ident> {
    match table {
        TableFactor::Table { alias, .. } | TableFactor::Derived { alias, .. } => {
            alias.as_mut().map(|alias| &mut alias.name)
        }
        _ => None,
    }
}

/// The table that stands before the name of a column.
fn table_of(expr: &mut Expr) -> Option<&mut Ident> {
    match expr {
        Expr::CompoundIdentifier(parts) => parts.first_mut(),
        Expr::CompoundFieldAccess { root, access_chain } => match (root.as_mut(), access_chain.first()) {
            (Expr::Identifier(name), Some(AccessExpr::Dot(_))) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Looks for columns of a table that queries inside ask for, and for all of its columns at once.
struct Asked<'a> {
    name: &'a Ident,
    /// Queries that are open.
    queries: usize,
    found: bool,
    starred: bool,
}

impl Visitor for Asked<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.starred |= select.projection.iter().any(|item| match item {
            SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                name.0.first().and_then(|part| part.as_ident()).is_some_and(|part| is(part, self.name))
            }
            _ => false,
        });
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        let before = match expr {
            Expr::CompoundIdentifier(parts) => parts.first(),
            Expr::CompoundFieldAccess { root, .. } => match root.as_ref() {
                Expr::Identifier(name) => Some(name),
                _ => None,
            },
            _ => None,
        };
        self.found |= self.queries > 0 && before.is_some_and(|before| is(before, self.name));
        ControlFlow::Continue(())
    }
}
