//! Prints queries in a dialect.

use super::ast::{ATOM, Body, Expr, From, Group, Kind, On, Query, Select};
use super::values::{Dialect, constant};

/// Prints queries; `sparse` leaves out redundant parentheses.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    pub dialect: Dialect,
    pub sparse: bool,
}

impl Printer {
    /// The text of a query; `None` if the dialect lacks a part of it.
    pub fn query(self, query: &Query) -> Option<String> {
        let mut text = String::new();
        if !query.with.is_empty() {
            let parts: Option<Vec<String>> = query
                .with
                .iter()
                .map(|with| Some(format!("{} as ({})", with.name, self.query(&with.query)?)))
                .collect();
            text += &format!("with {} ", parts?.join(", "));
        }
        text += &self.body(&query.body)?;
        if !query.order.is_empty() {
            let keys = query.order.iter().map(|key| {
                let direction = if key.descending { " desc" } else { "" };
                // Nulls are last by default in Quarry and DuckDB, but in PostgreSQL only in ascending order.
                let nulls = match key.nulls_first {
                    Some(true) => " nulls first",
                    Some(false) => " nulls last",
                    None if self.dialect == Dialect::Postgres => " nulls last",
                    None => "",
                };
                format!("{}{direction}{nulls}", key.column + 1)
            });
            text += &format!(" order by {}", keys.collect::<Vec<_>>().join(", "));
        }
        if let Some(limit) = query.limit {
            text += &format!(" limit {limit}");
        }
        if let Some(offset) = query.offset {
            text += &format!(" offset {offset}");
        }
        Some(text)
    }

    fn body(self, body: &Body) -> Option<String> {
        Some(match body {
            Body::Select(select) => self.select(select)?,
            Body::Set(word, left, right) => {
                let side = |side: &Body| {
                    let text = self.body(side)?;
                    Some(if matches!(side, Body::Set(..)) { format!("({text})") } else { text })
                };
                format!("{} {word} {}", side(left)?, side(right)?)
            }
        })
    }

    fn select(self, select: &Select) -> Option<String> {
        let items = select.items.iter().map(|item| Some(format!("{} as {}", self.expr(&item.expr)?, item.name)));
        let items = items.collect::<Option<Vec<_>>>()?.join(", ");
        let mut text = format!("select {}{items}", if select.distinct { "distinct " } else { "" });
        if let Some(from) = &select.from {
            text += &format!(" from {}", self.from(from)?);
        }
        if let Some(filter) = &select.filter {
            text += &format!(" where {}", self.expr(filter)?);
        }
        let list =
            |exprs: &[Expr]| Some(exprs.iter().map(|expr| self.expr(expr)).collect::<Option<Vec<_>>>()?.join(", "));
        match &select.group {
            Group::None => {}
            Group::By(keys) => text += &format!(" group by {}", list(keys)?),
            Group::All(word, keys) => text += &format!(" group by {word} ({})", list(keys)?),
            Group::Sets(sets) => {
                let sets = sets.iter().map(|set| Some(format!("({})", list(set)?))).collect::<Option<Vec<_>>>()?;
                text += &format!(" group by grouping sets ({})", sets.join(", "));
            }
        }
        if let Some(having) = &select.having {
            text += &format!(" having {}", self.expr(having)?);
        }
        if let Some(qualify) = &select.qualify {
            if self.dialect == Dialect::Postgres {
                return None;
            }
            text += &format!(" qualify {}", self.expr(qualify)?);
        }
        Some(text)
    }

    fn from(self, from: &From) -> Option<String> {
        Some(match from {
            From::Table { name, alias } => format!("{name} as {alias}"),
            From::Derived { query, alias, lateral } => {
                if self.dialect == Dialect::DuckDb && *lateral && removes_rows(&query.body) {
                    return None;
                }
                let lateral = if *lateral { "lateral " } else { "" };
                format!("{lateral}({}) as {alias}", self.query(query)?)
            }
            From::Join { kind, left, right, on } => {
                let (left, nested) = (self.from(left)?, matches!(**right, From::Join { .. }));
                let right = self.from(right)?;
                let right = if nested { format!("({right})") } else { right };
                let on = match on {
                    On::Nothing => String::new(),
                    On::Condition(condition) => format!(" on {}", self.expr(condition)?),
                    On::Using(columns) => format!(" using ({})", columns.join(", ")),
                };
                format!("{left} {kind} {right}{on}")
            }
        })
    }

    pub fn expr(self, expr: &Expr) -> Option<String> {
        Some(match expr {
            Expr::Column(name, _) => name.clone(),
            Expr::Constant(value, of) => constant(value.as_ref(), *of, self.dialect),
            Expr::Null(_) => "null".to_string(),
            Expr::Form(form, parts, _) => self.fill(form.text(self.dialect)?, parts, None)?,
            Expr::Sub(form, parts, query, _) => {
                let (text, query) = (form.text(self.dialect)?, self.query(query)?);
                if self.dialect == Dialect::DuckDb && text.contains("exists") && has_outer_join(&query) {
                    return None;
                }
                self.fill(text, parts, Some(&query))?
            }
        })
    }

    /// Replaces the placeholders of a form by its arguments.
    fn fill(self, template: &str, parts: &[Expr], query: Option<&str>) -> Option<String> {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (place, after) = after.split_once('}').expect("a place ends");
            text += before;
            rest = after;
            if place == "q" {
                text += query?;
                continue;
            }
            let (at, needed) = place.split_once(':').unwrap_or((place, "0"));
            let part = &parts[at.parse::<usize>().expect("a place has a number")];
            let needed: u8 = needed.parse().expect("a level is a number");
            let level = match part {
                Expr::Form(form, ..) | Expr::Sub(form, ..) => form.level,
                _ => ATOM,
            };
            let written = self.expr(part)?;
            let bare = needed == 0 || level == ATOM || self.sparse && level >= needed;
            text += &if bare { written } else { format!("({written})") };
        }
        Some(text + rest)
    }
}

/// DuckDB 2.0 leaves the row of an aggregate over no rows out of a lateral EXCEPT, INTERSECT or SELECT DISTINCT.
fn removes_rows(body: &Body) -> bool {
    match body {
        Body::Set(word, ..) => !word.starts_with("union"),
        Body::Select(select) => select.distinct && select.items.iter().any(|item| item.expr.has(Kind::Aggregate)),
    }
}

/// DuckDB 2.0 takes EXISTS over an outer join for false when no row of one side matches.
fn has_outer_join(query: &str) -> bool {
    ["left join", "right join", "full join"].iter().any(|join| query.contains(join))
}
