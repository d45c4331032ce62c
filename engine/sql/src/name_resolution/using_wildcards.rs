//! Expands `*` over joins with USING or NATURAL: the merged columns first, then the other columns of each table.

use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Expr, Ident, ObjectName, ReplaceSelectElement, ReplaceSelectItem, SelectItem,
    SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};

use super::using::{JoinedTables, Member, Refused, UsingColumn, WildcardPart, unclear};
use crate::names::relation::{left_out, normal};
use crate::session::tables::Columns;
use quarry_types::{Error, ErrorCode};

/// Expands each `*` of a SELECT.
pub(super) fn expand(projection: &mut Vec<SelectItem>, all: &[JoinedTables]) -> Result<(), Refused> {
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
    left_out: Vec<String>,
    replaced: Vec<&'a ReplaceSelectElement>,
}

impl<'a> Star<'a> {
    fn parse(options: &'a WildcardAdditionalOptions) -> Result<Star<'a>, Refused> {
        if options.opt_rename.is_some() || options.opt_ilike.is_some() {
            return Err(unclear(None));
        }
        let replaced = options.opt_replace.iter().flat_map(|replace| &replace.items).map(Box::as_ref).collect();
        Ok(Star { left_out: left_out(options), replaced })
    }

    fn items(&self, all: &[JoinedTables], items: &mut Vec<SelectItem>) -> Result<(), Refused> {
        let names = self.left_out.iter().cloned().chain(self.replaced.iter().map(|item| normal(&item.column_name)));
        for name in names {
            let parts = all.iter().flat_map(|tables| tables.star.iter().map(move |part| (tables, part)));
            if !parts.clone().any(|(tables, part)| may_be(tables, part, &name)) {
                return Err(Box::new(Error::new(ErrorCode::UnknownColumn, format!("There is no column {name}."))));
            }
        }
        for tables in all {
            for part in &tables.star {
                match part {
                    WildcardPart::Merged(name) => {
                        let merged = tables.merged.iter().find(|column| column.name == *name);
                        items.extend(merged.and_then(|column| self.merged(column)));
                    }
                    WildcardPart::Rest(member) => items.extend(self.rest(&tables.members[*member])?),
                }
            }
        }
        Ok(())
    }

    fn merged(&self, column: &UsingColumn) -> Option<SelectItem> {
        if self.left_out.contains(&column.name) {
            return None;
        }
        let replaced = self.replaced.iter().find(|item| normal(&item.column_name) == column.name);
        let value = replaced.map_or(&column.value, |item| &item.expr);
        Some(match value {
            Expr::CompoundIdentifier(parts) if parts.last().is_some_and(|last| normal(last) == column.name) => {
                SelectItem::UnnamedExpr(value.clone())
            }
            _ => SelectItem::ExprWithAlias { expr: value.clone(), alias: column.ident.clone() },
        })
    }

    /// `t.*` without the merged columns; nothing if all are merged.
    fn rest(&self, Member { relation, hidden }: &Member) -> Result<Option<SelectItem>, Refused> {
        let Some(table) = &relation.name else { return Err(unclear(None)) };
        let mut without = hidden.clone();
        let mut replaced = Vec::new();
        match &relation.columns {
            Columns::Known { names, .. } => {
                let others = self.left_out.iter().filter(|name| !hidden.contains(name));
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
            Columns::Unknown if self.left_out.is_empty() && self.replaced.is_empty() => {}
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
fn may_be(tables: &JoinedTables, part: &WildcardPart, name: &str) -> bool {
    match part {
        WildcardPart::Merged(merged) => merged == name,
        WildcardPart::Rest(member) => {
            let columns = &tables.members[*member].relation.columns;
            columns.may_have(name)
        }
    }
}
