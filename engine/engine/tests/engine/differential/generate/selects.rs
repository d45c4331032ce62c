//! One SELECT: its columns, its groups and its conditions.

use std::collections::{BTreeSet, HashSet};

use rand::Rng;

use super::super::ast::{Expr, Group, Item, Kind, Select};
use super::super::values::Type;
use super::windows::depends_on_ties;
use super::{Generator, Scope};

impl Generator<'_> {
    pub(super) fn select(&mut self, types: &[Type], outer: &[Expr], depth: usize) -> Select {
        let (from, columns) = self.from(outer, depth);
        let rows = Scope { leaves: columns.clone(), outer: outer.to_vec(), ..Scope::default() };
        let filter = (!self.once_in(3)).then(|| self.expr(Type::Bool, 2, &rows));
        let mut select = Select {
            distinct: self.once_in(8),
            items: Vec::new(),
            from: Some(from),
            filter,
            group: Group::None,
            having: None,
            qualify: None,
        };
        let grouped = self.once_in(3);
        let scope = match grouped {
            true => {
                select.group = self.group(&rows);
                let unique = matches!(select.group, Group::None | Group::By(_));
                Scope {
                    leaves: keys(&select.group),
                    grouped: Some(columns),
                    windows: unique && self.once_in(4),
                    ..rows.clone()
                }
            }
            false => Scope { windows: self.once_in(3), ..rows },
        };
        let mut tied = false;
        for (at, of) in types.iter().enumerate() {
            let expr = self.item(*of, &scope, &mut tied);
            select.items.push(Item { expr, name: format!("x{at}") });
        }
        // Without a key or an aggregate, the query would not be grouped at all.
        if grouped
            && matches!(select.group, Group::None)
            && !select.items.iter().any(|item| item.expr.has(Kind::Aggregate))
        {
            let of = select.items[0].expr.value_type();
            select.items[0].expr = self.aggregate(of, &scope).unwrap_or(Expr::Constant(None, of));
        }
        let no_windows = Scope { windows: false, ..scope.clone() };
        if grouped && self.once_in(3) && !matches!(select.group, Group::None) {
            select.having = Some(self.expr(Type::Bool, 2, &no_windows));
        }
        if scope.windows && select.items.iter().any(|item| item.expr.has(Kind::Window)) && self.once_in(5) {
            let of = self.ordered_type();
            if let Some(window) = self.window(of, &scope).filter(|window| !(tied && depends_on_ties(window))) {
                select.qualify = Some(self.compared(window, &no_windows));
            }
        }
        select
    }

    /// One column of a SELECT. `tied` says whether a column before it depends on the order of equal rows: two such columns
    /// would have several correct answers.
    fn item(&mut self, of: Type, scope: &Scope, tied: &mut bool) -> Expr {
        if scope.windows
            && self.once_in(2)
            && let Some(window) = self.window(of, scope)
        {
            // Groups differ, so that windows over them have no ties.
            let depends = scope.grouped.is_none() && depends_on_ties(&window);
            if !(depends && *tied) {
                *tied |= depends;
                return window;
            }
        }
        let depth = self.random.random_range(0..4);
        self.expr(of, depth, scope)
    }

    fn group(&mut self, rows: &Scope) -> Group {
        if self.once_in(5) {
            return Group::None;
        }
        let count = self.random.random_range(1..4);
        let mut keys: Vec<Expr> = (0..count).map(|_| self.key(rows)).collect();
        let kind = self.random.random_range(0..8);
        if kind < 3 {
            // DuckDB merges equal grouping sets; the other products keep each.
            let mut seen = HashSet::new();
            keys.retain(|key| seen.insert(format!("{key:?}")));
        }
        match kind {
            0 => Group::All("rollup", keys),
            1 => Group::All("cube", keys),
            2 => {
                let sets = self.random.random_range(1..4);
                let sets: BTreeSet<Vec<usize>> =
                    (0..sets).map(|_| (0..keys.len()).filter(|_| self.random.random()).collect()).collect();
                Group::Sets(
                    sets.into_iter().map(|set| set.into_iter().map(|key| keys[key].clone()).collect()).collect(),
                )
            }
            _ => Group::By(keys),
        }
    }

    /// A grouping key: mostly a column, never a constant, since GROUP BY would read it as a column position.
    fn key(&mut self, rows: &Scope) -> Expr {
        let column = self.pick(&rows.leaves);
        if !self.once_in(4) {
            return column;
        }
        let columns = Scope { leaves: rows.leaves.clone(), ..Scope::default() };
        match self.computed(column.value_type(), &columns) {
            Some(key @ Expr::Form(..)) if key.value_type().has_order() => key,
            _ => column,
        }
    }
}

/// The expressions with one value per group.
fn keys(group: &Group) -> Vec<Expr> {
    match group {
        Group::None => Vec::new(),
        Group::By(keys) | Group::All(_, keys) => keys.clone(),
        Group::Sets(sets) => sets.iter().flatten().cloned().collect(),
    }
}
