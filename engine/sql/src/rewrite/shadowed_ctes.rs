//! A common table expression with the name of one around it: `with c as (…) select * from (with c as (select * from c) select * from c)`.
//! The planner refuses the name.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::syntax::visitor::{Node, visit_mut};
use datafusion::sql::sqlparser::ast::{Ident, ObjectNamePart, Query, TableFactor, VisitorMut, With};

use super::ast::table_alias;

/// Gives such expressions, and the tables that name them, other names.
pub fn rename_shadowed_ctes(node: &mut impl Node) {
    // The visitor never breaks off.
    let _ = visit_mut(node, &mut Renamer::default());
}

#[derive(Default)]
struct Renamer {
    /// The open queries, the innermost last.
    scopes: Vec<Scope>,
    /// How many names were changed.
    renamed: usize,
}

/// The WITH of one query.
#[derive(Default)]
struct Scope {
    recursive: bool,
    /// The names of expressions that are not visited yet, the next one last: before and after.
    pending: Vec<(String, Ident)>,
    /// Those that tables can name by now.
    visible: HashMap<String, Ident>,
}

impl Scope {
    fn show_next(&mut self) {
        self.visible.extend(self.pending.pop());
    }
}

/// A name as the planner compares it.
fn normalized(name: &Ident) -> String {
    if name.quote_style.is_some() { name.value.clone() } else { name.value.to_ascii_lowercase() }
}

impl Renamer {
    fn find(&self, name: &str) -> Option<&Ident> {
        self.scopes.iter().rev().find_map(|scope| scope.visible.get(name))
    }

    fn scope(&mut self, with: &mut With) -> Scope {
        let names: Vec<String> = with.cte_tables.iter().map(|cte| normalized(&cte.alias.name)).collect();
        let mut pending = Vec::with_capacity(names.len());
        for (cte, name) in with.cte_tables.iter_mut().zip(&names) {
            let is_unique = names.iter().filter(|other| *other == name).count() == 1;
            if is_unique && self.find(name).is_some() {
                self.renamed += 1;
                cte.alias.name = Ident::new(format!("__with_{}", self.renamed));
            }
            pending.push((name.clone(), cte.alias.name.clone()));
        }
        pending.reverse();
        Scope { recursive: with.recursive, pending, visible: HashMap::new() }
    }
}

impl VisitorMut for Renamer {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        // The expressions of WITH are visited first, in their order. A recursive one names itself.
        if let Some(outer) = self.scopes.last_mut().filter(|outer| outer.recursive) {
            outer.show_next();
        }
        let scope = query.with.as_mut().map(|with| self.scope(with)).unwrap_or_default();
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.scopes.pop();
        if let Some(outer) = self.scopes.last_mut().filter(|outer| !outer.recursive) {
            outer.show_next();
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, alias, .. } = table
            && let [ObjectNamePart::Identifier(name)] = name.0.as_mut_slice()
            && let Some(renamed) =
                self.find(&normalized(name)).filter(|renamed| normalized(renamed) != normalized(name))
        {
            let before = std::mem::replace(name, renamed.clone());
            alias.get_or_insert_with(|| table_alias(before, []));
        }
        ControlFlow::Continue(())
    }
}
