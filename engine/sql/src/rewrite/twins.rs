//! Names for columns of a SELECT that the planner would call the same: `select 0, 0, 1`, `select x, t.x`,
//! `select x, cast(x as double)`.

use std::collections::{HashMap, HashSet};

use datafusion::sql::sqlparser::ast::{Expr, Ident, Select, SelectItem};
use datafusion::sql::sqlparser::tokenizer::Span;

use super::names::MAX_NAME;

/// Gives each of them but the first a name with a number. A column keeps its name beside what is only named after it.
pub(super) fn name(select: &mut Select) {
    let named = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
        _ => None,
    };
    let mut names = Names { own: select.projection.iter().filter_map(named).collect(), ..Names::default() };
    for plain in [true, false] {
        for item in &mut select.projection {
            let SelectItem::UnnamedExpr(expr) = item else { continue };
            if column_of(expr).is_some() == plain
                && let Some(name) = names.other(expr)
            {
                let alias = Ident { value: name, quote_style: Some('"'), span: Span::empty() };
                *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
            }
        }
    }
}

/// The names that are taken in a SELECT, in small letters.
#[derive(Default)]
struct Names {
    /// Those that are written.
    own: HashSet<String>,
    /// Texts of columns and of other expressions.
    texts: HashSet<String>,
    /// Columns without their table.
    bare: HashSet<String>,
    /// The last part of columns with their table.
    of_tables: HashSet<String>,
    /// The last number that a name has got.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// Takes the name of an expression; another one for it, when its own is taken.
    fn other(&mut self, expr: &Expr) -> Option<String> {
        let named_after = without_casts(expr);
        let text = named_after.to_string().to_lowercase();
        // What may stand for another column of the same SELECT is numbered with it.
        if self.own.contains(&text) {
            return None;
        }
        let column = column_of(named_after);
        let last = column.map(|(column, _)| column.value.to_lowercase());
        let (bare, of_table) = match (column, last) {
            (Some((_, true)), last) => (None, last),
            (Some((_, false)), last) => (last, None),
            (None, _) => (None, None),
        };
        // The same column with its table and without it.
        let taken = self.texts.contains(&text)
            || bare.as_ref().is_some_and(|name| self.of_tables.contains(name))
            || of_table.as_ref().is_some_and(|name| self.bare.contains(name));
        if !taken {
            self.texts.insert(text);
            self.bare.extend(bare);
            self.of_tables.extend(of_table);
            return None;
        }
        let shown: String = match column {
            Some((column, _)) => column.value.clone(),
            None => expr.to_string().chars().take(MAX_NAME).collect(),
        };
        loop {
            let number = self.numbers.entry(shown.clone()).or_default();
            *number += 1;
            let name = format!("{shown}_{number}");
            let small = name.to_lowercase();
            let free = [&self.own, &self.bare, &self.of_tables].iter().all(|names| !names.contains(&small));
            if free && self.texts.insert(small) {
                return Some(name);
            }
        }
    }
}

/// What the planner names a column after.
fn without_casts(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast { expr, .. } | Expr::Nested(expr) => without_casts(expr),
        other => other,
    }
}

/// The name of a column, and whether its table stands before it.
fn column_of(expr: &Expr) -> Option<(&Ident, bool)> {
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

    /// As many columns as a text may have, which are all called the same: each finds its number at once.
    #[test]
    fn twins_without_end_get_their_names() {
        for column in ["1", "t.x", "count(1)"] {
            let columns = vec![column; 39_000 / if column == "1" { 2 } else { 6 }].join(",");
            let text = format!("select * from (select {columns} from t) u");
            let written = parse(&text, &Parameters::default(), 1 << 20).unwrap().to_string();
            assert!(written.contains("_2999\""), "{column}");
        }
    }
}
