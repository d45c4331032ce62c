//! Distinct names for the columns of a SELECT that would have the same name: `select 0, 0`, `select x, t.x`, `select hash, *`,
//! `select x, cast(x as double)`, `select x + 1 as y, y`. All but the first get a number, as `hash_1`. An alias of the query and
//! the columns of `*` keep their names.

use std::collections::{HashMap, HashSet};

use datafusion::sql::sqlparser::ast::{Expr, Ident, Select, SelectItem};
use datafusion::sql::sqlparser::tokenizer::Span;

use super::relation::{Relation, left_out, normal};
use crate::session::tables::Columns;

/// Longest text of an expression that becomes the name of its column.
pub const MAX_NAME: usize = 60;

/// Names with a number: `x_1`, `x_2`.
#[derive(Default)]
pub struct NumberedNames(HashMap<String, usize>);

impl NumberedNames {
    /// The next one that `take` accepts.
    pub fn next(&mut self, name: &str, mut take: impl FnMut(&str) -> bool) -> String {
        let number = self.0.entry(name.to_string()).or_default();
        loop {
            *number += 1;
            let numbered = format!("{name}_{number}");
            if take(&numbered) {
                return numbered;
            }
        }
    }
}

/// Names columns of a SELECT where nothing is known of the tables.
pub fn name_duplicates(select: &mut Select) {
    name_duplicates_of(select, &[]);
}

/// Names columns of a SELECT from relations.
pub(crate) fn name_duplicates_of(select: &mut Select, relations: &[Relation]) {
    let mut names = Names::default();
    for item in &select.projection {
        match item {
            SelectItem::ExprWithAlias { alias, .. } => drop(names.unqualified.insert(alias.value.to_lowercase())),
            SelectItem::Wildcard(options) => {
                let left_out = left_out(options);
                for relation in relations {
                    let Columns::Known { names: columns, .. } = &relation.columns else { continue };
                    let columns = columns.iter().filter(|name| !left_out.contains(name));
                    names.of_wildcard.extend(columns.map(|name| name.to_lowercase()));
                }
            }
            _ => {}
        }
    }
    // A column keeps its name beside an expression that is named after it.
    for of_columns in [true, false] {
        for item in &mut select.projection {
            let SelectItem::UnnamedExpr(expr) = item else { continue };
            if column_of(expr).is_some() == of_columns
                && let Some(alias) = names.alias(expr)
            {
                *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
            }
        }
    }
}

/// The names of the output columns of a SELECT that are written in it.
pub(crate) fn names_written(select: &Select) -> HashSet<String> {
    let name = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(normal(alias)),
        SelectItem::UnnamedExpr(Expr::Identifier(ident)) => Some(normal(ident)),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last().map(normal),
        _ => None,
    };
    select.projection.iter().filter_map(name).collect()
}

/// Numbers the aliases of columns that are selected by one synonym, as in `a."from", b."from"`.
pub(crate) fn number_synonyms(items: &mut [SelectItem], synonyms: &[usize]) {
    let (mut taken, mut numbered) = (HashSet::new(), NumberedNames::default());
    for (index, item) in items.iter_mut().enumerate() {
        let SelectItem::ExprWithAlias { alias, .. } = item else { continue };
        if !taken.insert(alias.value.to_lowercase()) && synonyms.binary_search(&index).is_ok() {
            alias.value = numbered.next(&alias.value, |name| taken.insert(name.to_lowercase()));
            alias.quote_style = Some('"');
        }
    }
}

/// The names of a SELECT, in lower case.
#[derive(Default)]
struct Names {
    /// Aliases, columns without a qualifier, and texts of other expressions.
    unqualified: HashSet<String>,
    /// Columns with their qualifier, and without it.
    qualified: HashSet<String>,
    of_qualified: HashSet<String>,
    of_wildcard: HashSet<String>,
    numbered: NumberedNames,
}

impl Names {
    /// An alias for an expression whose own name is taken.
    fn alias(&mut self, expr: &Expr) -> Option<Ident> {
        let named_after = without_casts(expr);
        let text = named_after.to_string().to_lowercase();
        let column = column_of(named_after);
        let is_free = match column {
            Some((column, is_qualified)) => {
                let name = column.value.to_lowercase();
                let of_wildcard = column_of(expr).is_some() && self.of_wildcard.contains(&name);
                !of_wildcard
                    && match is_qualified {
                        true => {
                            let is_free = !self.unqualified.contains(&name) && self.qualified.insert(text);
                            self.of_qualified.insert(name);
                            is_free
                        }
                        false => !self.of_qualified.contains(&name) && self.unqualified.insert(name),
                    }
            }
            None => self.unqualified.insert(text),
        };
        if is_free {
            return None;
        }
        let shown = match column {
            Some((column, _)) => column.value.clone(),
            None => expr.to_string().chars().take(MAX_NAME).collect(),
        };
        let Names { unqualified, of_qualified, of_wildcard, numbered, .. } = self;
        let value = numbered.next(&shown, |name| {
            let name = name.to_lowercase();
            !of_qualified.contains(&name) && !of_wildcard.contains(&name) && unqualified.insert(name)
        });
        let span = column.map_or_else(Span::empty, |(column, _)| column.span);
        Some(Ident { value, quote_style: Some('"'), span })
    }
}

/// What the planner names a column after.
fn without_casts(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast { expr, .. } | Expr::Nested(expr) => without_casts(expr),
        other => other,
    }
}

/// The name of a column, and whether it is qualified.
pub fn column_of(expr: &Expr) -> Option<(&Ident, bool)> {
    match expr {
        Expr::Identifier(name) => Some((name, false)),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| (name, parts.len() > 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse;
    use quarry_runtime::job::Parameters;

    /// As many columns as a text may have, all with the same name: each finds its number at once.
    #[test]
    fn many_duplicates_are_named_in_linear_time() {
        for column in ["1", "t.x", "count(1)"] {
            let columns = vec![column; 39_000 / if column == "1" { 2 } else { 6 }].join(",");
            let text = format!("select * from (select {columns} from t) u");
            let written = parse(&text, &Parameters::default(), 1 << 20).unwrap().to_string();
            assert!(written.contains("_2999\""), "{column}");
        }
    }
}
