//! Expands `*` over joins with USING or NATURAL: the shared columns first, then the other columns of each table.

use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Expr, Ident, ObjectName, ReplaceSelectElement, ReplaceSelectItem, SelectItem,
    SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};

use super::relation::{left_out, normal};
use super::shared::{Member, Refused, Shared, Shown, Tables, unclear};
use crate::session::tables::Columns;
use quarry_types::{Error, ErrorCode};

/// Expands each `*` of a SELECT.
pub(super) fn expand(projection: &mut Vec<SelectItem>, all: &[Tables]) -> Result<(), Refused> {
    let mut items = Vec::with_capacity(projection.len());
    for item in std::mem::take(projection) {
        match item {
            SelectItem::Wildcard(options) => Star::parse(&options)?.items(all, &mut items)?,
            other => items.push(other),
        }
    }
    *projection = items;
    Ok(())
}

/// The options of a `*`: EXCLUDE, EXCEPT and REPLACE.
struct Star<'a> {
    /// Columns that are left out.
    gone: Vec<String>,
    replaced: Vec<&'a ReplaceSelectElement>,
}

impl<'a> Star<'a> {
    fn parse(options: &'a WildcardAdditionalOptions) -> Result<Star<'a>, Refused> {
        if options.opt_rename.is_some() || options.opt_ilike.is_some() {
            return Err(unclear(None));
        }
        let replaced = options.opt_replace.iter().flat_map(|replace| &replace.items).map(Box::as_ref).collect();
        Ok(Star { gone: left_out(options), replaced })
    }

    fn items(&self, all: &[Tables], items: &mut Vec<SelectItem>) -> Result<(), Refused> {
        let named = self.gone.iter().cloned().chain(self.replaced.iter().map(|item| normal(&item.column_name)));
        for name in named {
            let is_there = all.iter().flat_map(|tables| tables.star.iter().map(move |shown| (tables, shown)));
            if !is_there.clone().any(|(tables, shown)| may_be(tables, shown, &name)) {
                return Err(Box::new(Error::new(ErrorCode::UnknownColumn, format!("There is no column {name}."))));
            }
        }
        for tables in all {
            for shown in &tables.star {
                match shown {
                    Shown::Shared(name) => {
                        let shared = tables.shared.iter().find(|shared| shared.name == *name);
                        items.extend(shared.and_then(|shared| self.shared(shared)));
                    }
                    Shown::Rest(member) => items.extend(self.rest(&tables.members[*member])?),
                }
            }
        }
        Ok(())
    }

    fn shared(&self, shared: &Shared) -> Option<SelectItem> {
        if self.gone.contains(&shared.name) {
            return None;
        }
        let replaced = self.replaced.iter().find(|item| normal(&item.column_name) == shared.name);
        let value = replaced.map_or(&shared.value, |item| &item.expr);
        Some(match value {
            Expr::CompoundIdentifier(parts) if parts.last().is_some_and(|last| normal(last) == shared.name) => {
                SelectItem::UnnamedExpr(value.clone())
            }
            _ => SelectItem::ExprWithAlias { expr: value.clone(), alias: shared.ident.clone() },
        })
    }

    /// `t.*` without the shared columns; nothing if all are shared.
    fn rest(&self, Member { relation, hidden }: &Member) -> Result<Option<SelectItem>, Refused> {
        let Some(table) = &relation.name else { return Err(unclear(None)) };
        let mut without = hidden.clone();
        let mut replaced = Vec::new();
        match &relation.columns {
            Columns::Known { names, .. } => {
                let others = self.gone.iter().filter(|name| !hidden.contains(name));
                without.extend(others.cloned());
                without.retain(|name| names.contains(name));
                if names.iter().all(|name| without.contains(name)) && !names.is_empty() {
                    return Ok(None);
                }
                let here = |item: &&&ReplaceSelectElement| {
                    let name = normal(&item.column_name);
                    names.contains(&name) && !without.contains(&name)
                };
                replaced.extend(self.replaced.iter().filter(here).map(|item| Box::new((*item).clone())));
            }
            Columns::Unknown if self.gone.is_empty() && self.replaced.is_empty() => {}
            Columns::Unknown => return Err(unclear(None)),
        }
        let object = |name: &String| ObjectName::from(vec![Ident::with_quote('"', name)]);
        let without: Vec<ObjectName> = without.iter().map(object).collect();
        let options = WildcardAdditionalOptions {
            opt_exclude: (!without.is_empty()).then_some(ExcludeSelectItem::Multiple(without)),
            opt_replace: (!replaced.is_empty()).then_some(ReplaceSelectItem { items: replaced }),
            ..Default::default()
        };
        Ok(Some(SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(object(table)), options)))
    }
}

/// Whether a part of `*` may have a column of this name.
fn may_be(tables: &Tables, shown: &Shown, name: &str) -> bool {
    match shown {
        Shown::Shared(shared) => shared == name,
        Shown::Rest(member) => {
            let columns = &tables.members[*member].relation.columns;
            matches!(columns, Columns::Unknown) || columns.has(name)
        }
    }
}
