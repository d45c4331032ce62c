//! What is known of a relation of FROM: its name and the names of its columns.

use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Ident, ObjectName, ObjectNamePart, TableAlias, TableFactor, WildcardAdditionalOptions,
};

use crate::session::tables::Columns;
use quarry_lake::tables::Synonym;

/// A relation of a FROM clause.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    /// What its columns are qualified with.
    pub(crate) name: Option<String>,
    pub(crate) columns: Columns,
}

impl Relation {
    pub(crate) fn unnamed(columns: Columns) -> Relation {
        Relation { name: None, columns }
    }
}

impl Columns {
    pub(crate) fn has(&self, name: &str) -> bool {
        matches!(self, Columns::Known { names, .. } if names.iter().any(|known| known == name))
    }

    /// Whether one of them has this name, or they are not known.
    pub(crate) fn may_have(&self, name: &str) -> bool {
        matches!(self, Columns::Unknown) || self.has(name)
    }

    /// Whether a column `name` of another relation takes precedence over its own.
    pub(crate) fn yields(&self, name: &str) -> bool {
        matches!(self, Columns::Known { chain: Some(table), .. } if table.yields(name))
    }

    /// What `name` means here when it is another name of a column.
    pub(crate) fn synonym(&self, name: &str) -> Option<&'static Synonym> {
        match self {
            Columns::Known { chain: Some(table), .. } if !self.has(name) => table.synonym(name),
            _ => None,
        }
    }
}

/// An identifier as the planner compares it.
pub fn normal(ident: &Ident) -> String {
    if ident.quote_style.is_some() { ident.value.clone() } else { ident.value.to_lowercase() }
}

/// The columns that EXCLUDE and EXCEPT leave out of `*`.
pub(crate) fn left_out(options: &WildcardAdditionalOptions) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    if let Some(except) = &options.opt_except {
        names.extend(std::iter::once(&except.first_element).chain(&except.additional_elements).map(normal));
    }
    match &options.opt_exclude {
        Some(ExcludeSelectItem::Single(name)) => names.extend(last(name)),
        Some(ExcludeSelectItem::Multiple(all)) => names.extend(all.iter().filter_map(last)),
        None => {}
    }
    names
}

/// The alias of a relation of FROM.
pub(crate) fn alias_of(factor: &TableFactor) -> Option<&TableAlias> {
    match factor {
        TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. }
        | TableFactor::NestedJoin { alias, .. }
        | TableFactor::Pivot { alias, .. }
        | TableFactor::Unpivot { alias, .. } => alias.as_ref(),
        _ => None,
    }
}

/// The last part of a name.
pub(crate) fn last(ObjectName(parts): &ObjectName) -> Option<String> {
    parts.last().and_then(ObjectNamePart::as_ident).map(normal)
}
