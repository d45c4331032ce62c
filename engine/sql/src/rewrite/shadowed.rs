//! A query of WITH that is called like one around it: `with c as (…) select * from (with c as (select * from c) select * from c)`.
//! The planner refuses the name; here the inner one gets another, and so do those who read it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::ast_visitor::visit_mut;
use datafusion::sql::sqlparser::ast::{
    Ident, ObjectNamePart, Query, TableAlias, TableFactor, VisitMut, VisitorMut, With,
};

/// Gives each query of WITH a name that no query around it has.
pub fn rename_shadowed(text: &mut impl VisitMut) {
    // The visitor never breaks off.
    let _ = visit_mut(text, &mut Shadowed::default());
}

#[derive(Default)]
struct Shadowed {
    /// The queries that are open, the innermost last.
    scopes: Vec<Scope>,
    /// How many names were given so far.
    given: usize,
}

/// What the WITH of one query names.
#[derive(Default)]
struct Scope {
    recursive: bool,
    /// The names of the queries that are still to come, the next one last, each as it was written and as it is.
    coming: Vec<(String, Ident)>,
    /// Those that can be read by now.
    known: HashMap<String, Ident>,
}

impl Scope {
    fn next_is_known(&mut self) {
        self.known.extend(self.coming.pop());
    }
}

/// A name as the planner compares it.
fn plain(name: &Ident) -> String {
    if name.quote_style.is_some() { name.value.clone() } else { name.value.to_ascii_lowercase() }
}

impl Shadowed {
    fn find(&self, name: &str) -> Option<&Ident> {
        self.scopes.iter().rev().find_map(|scope| scope.known.get(name))
    }

    fn scope(&mut self, with: &mut With) -> Scope {
        let names: Vec<String> = with.cte_tables.iter().map(|named| plain(&named.alias.name)).collect();
        let mut coming = Vec::with_capacity(names.len());
        for (named, written) in with.cte_tables.iter_mut().zip(&names) {
            let once = names.iter().filter(|name| *name == written).count() == 1;
            if once && self.find(written).is_some() {
                self.given += 1;
                named.alias.name = Ident::new(format!("__with_{}", self.given));
            }
            coming.push((written.clone(), named.alias.name.clone()));
        }
        coming.reverse();
        Scope { recursive: with.recursive, coming, known: HashMap::new() }
    }
}

impl VisitorMut for Shadowed {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        // The queries of WITH come before everything else, in their order; a recursive one reads itself.
        if let Some(around) = self.scopes.last_mut().filter(|around| around.recursive) {
            around.next_is_known();
        }
        let scope = query.with.as_mut().map(|with| self.scope(with)).unwrap_or_default();
        self.scopes.push(scope);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.scopes.pop();
        if let Some(around) = self.scopes.last_mut().filter(|around| !around.recursive) {
            around.next_is_known();
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
        let TableFactor::Table { name, alias, .. } = table else { return ControlFlow::Continue(()) };
        let [ObjectNamePart::Identifier(written)] = name.0.as_mut_slice() else { return ControlFlow::Continue(()) };
        if let Some(known) = self.find(&plain(written)).filter(|known| plain(known) != plain(written)) {
            let shown = std::mem::replace(written, known.clone());
            alias.get_or_insert(TableAlias { explicit: true, name: shown, columns: Vec::new(), at: None });
        }
        ControlFlow::Continue(())
    }
}
