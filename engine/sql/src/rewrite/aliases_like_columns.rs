//! A table alias that is also the name of a column: `swaps s WHERE EXISTS (SELECT 1 FROM transactions t WHERE t.hash = s.hash)`.
//! Transactions have a column `s`, and the planner looks for a field of it before it looks for a table of the outer query.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, Ident, OrderBy, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, Statement,
    TableAlias, TableFactor, Visitor, VisitorMut,
};

use super::ast::{change_all, tables};
use super::table_scope::change_in_scope;
use crate::syntax::change_outside_subqueries;
use crate::syntax::visitor::{visit, visit_mut};
use crate::views;
use quarry_lake::tables::Table;

/// Gives such tables aliases that no column has.
pub(crate) fn rename_aliases_like_columns(statement: &mut Statement) {
    let mut aliases = ColumnAliases::default();
    // The visitors never break off.
    let _ = visit(&*statement, &mut aliases);
    let _ = visit_mut(statement, &mut Renamer { column_aliases: aliases.0 });
}

/// The columns of the chain's tables and of views.
static COLUMNS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let chain = Table::ALL.into_iter().flat_map(|table| table.def().columns);
    chain.chain(views::ALL.into_iter().flat_map(|view| view.columns)).map(|column| column.name).collect()
});

/// The aliases of columns in a statement, in lower case.
#[derive(Default)]
struct ColumnAliases(HashSet<String>);

impl ColumnAliases {
    fn add(&mut self, alias: Option<&TableAlias>) {
        self.0.extend(alias.iter().flat_map(|alias| &alias.columns).map(|column| column.name.value.to_lowercase()));
    }
}

impl Visitor for ColumnAliases {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        query.with.iter().flat_map(|with| &with.cte_tables).for_each(|cte| self.add(Some(&cte.alias)));
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.0.extend(select.projection.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
            _ => None,
        }));
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::UNNEST { alias, .. } = table
        {
            self.add(alias.as_ref());
        }
        ControlFlow::Continue(())
    }
}

struct Renamer {
    column_aliases: HashSet<String>,
}

impl VisitorMut for Renamer {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        self.rename_in_body(&mut query.body, query.order_by.as_mut());
        ControlFlow::Continue(())
    }
}

impl Renamer {
    fn rename_in_body(&self, body: &mut SetExpr, order: Option<&mut OrderBy>) {
        match body {
            SetExpr::Select(select) => self.rename(select, order),
            SetExpr::SetOperation { left, right, .. } => {
                self.rename_in_body(left, None);
                self.rename_in_body(right, None);
            }
            _ => {}
        }
    }

    /// Renames the tables of a SELECT whose columns a subquery names.
    fn rename(&self, select: &mut Select, mut order: Option<&mut OrderBy>) {
        let aliases: Vec<Ident> = tables(select).filter_map(|table| alias_of(table).cloned()).collect();
        for alias in aliases {
            let name = alias.value.to_lowercase();
            let is_column = self.column_aliases.contains(&name) || COLUMNS.contains(name.as_str());
            let is_renamed = alias.quote_style.is_none()
                && is_column
                && !has_star(select, &alias)
                && is_used_in_subqueries(select, &alias);
            if !is_renamed {
                continue;
            }
            let rename = |written: &mut Ident| {
                if is_unquoted(written, &alias) {
                    (written.quote_style, written.value) = (Some('"'), alias.value.to_uppercase());
                }
            };
            change_in_scope(select, order.as_deref_mut(), &alias, |expr| {
                qualifier(expr).into_iter().for_each(rename);
            });
            tables(select).filter_map(alias_of).for_each(rename);
        }
    }
}

fn is_unquoted(written: &Ident, name: &Ident) -> bool {
    written.quote_style.is_none() && written.value.eq_ignore_ascii_case(&name.value)
}

fn alias_of(table: &mut TableFactor) -> Option<&mut Ident> {
    match table {
        TableFactor::Table { alias, .. } | TableFactor::Derived { alias, .. } => {
            alias.as_mut().map(|alias| &mut alias.name)
        }
        _ => None,
    }
}

/// The table before the name of a column.
fn qualifier(expr: &mut Expr) -> Option<&mut Ident> {
    match expr {
        Expr::CompoundIdentifier(parts) => parts.first_mut(),
        Expr::CompoundFieldAccess { root, access_chain } => match (root.as_mut(), access_chain.first()) {
            (Expr::Identifier(name), Some(AccessExpr::Dot(_))) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a subquery names a column of a table.
fn is_used_in_subqueries(select: &mut Select, alias: &Ident) -> bool {
    let is_use = |expr: &mut Expr| qualifier(expr).is_some_and(|name| is_unquoted(name, alias));
    let (mut all, mut outside) = (0, 0);
    change_all(select, |expr| all += usize::from(is_use(expr)));
    change_outside_subqueries(select, |expr| outside += usize::from(is_use(expr)));
    all > outside
}

/// Whether there is an `alias.*`.
fn has_star(select: &Select, alias: &Ident) -> bool {
    struct Stars<'a>(&'a Ident);
    impl Visitor for Stars<'_> {
        type Break = ();

        fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
            let is_star = |item: &SelectItem| match item {
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    name.0.first().and_then(|part| part.as_ident()).is_some_and(|part| is_unquoted(part, self.0))
                }
                _ => false,
            };
            if select.projection.iter().any(is_star) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    visit(select, &mut Stars(alias)).is_break()
}
