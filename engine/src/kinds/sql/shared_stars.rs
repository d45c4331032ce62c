//! Expands `*` over joins with USING: the shared columns first, then the other columns of each table. The stock planner keeps the
//! columns in the order of the tables instead, and takes a shared column from the table whose name sorts first
//! (<https://github.com/apache/datafusion/issues/20989>).

use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Expr, Ident, Join, JoinOperator, ObjectName, ObjectNamePart, SelectItem,
    SelectItemQualifiedWildcardKind, TableAlias, TableFactor, TableWithJoins, WildcardAdditionalOptions,
};

use super::merged::{asked, named, qualified};

/// The shared columns and then `a.*, b.*` without them; `shared` are those of each join, all of which the first table has.
pub(super) fn stars_of(
    table: &TableWithJoins,
    merged: &[(Ident, Expr)],
    shared: &[Vec<Ident>],
) -> Option<Vec<SelectItem>> {
    let mut first: Vec<Ident> = Vec::new();
    let mut others = Vec::new();
    for (join, shared) in table.joins.iter().zip(shared).rev() {
        match &join.join_operator {
            JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) | JoinOperator::Anti(_) | JoinOperator::LeftAnti(_) => {
                continue;
            }
            JoinOperator::RightSemi(_) | JoinOperator::RightAnti(_) => return None,
            _ => others.push(star(&join.relation, shared)?),
        }
        let new = |column: &&Ident| !first.iter().any(|known| known.value.eq_ignore_ascii_case(&column.value));
        let new: Vec<Ident> = shared.iter().filter(new).cloned().collect();
        first.extend(new);
    }
    let value = |column: &Ident| match merged.iter().find(|(known, _)| known.value.eq_ignore_ascii_case(&column.value))
    {
        Some((_, value)) if !matches!(value, Expr::CompoundIdentifier(_)) => {
            Some(SelectItem::ExprWithAlias { expr: value.clone(), alias: column.clone() })
        }
        Some((_, value)) => Some(SelectItem::UnnamedExpr(value.clone())),
        None => qualified(&table.relation, column).ok().map(SelectItem::UnnamedExpr),
    };
    let mut stars = first.iter().map(value).collect::<Option<Vec<_>>>()?;
    stars.push(star(&table.relation, &first)?);
    stars.extend(others.into_iter().rev());
    Some(stars)
}

/// Removes parentheses around all tables of a FROM.
pub(super) fn without_parentheses(table: &mut TableWithJoins) {
    while table.joins.is_empty()
        && let TableFactor::NestedJoin { alias: None, table_with_joins } = &table.relation
    {
        *table = table_with_joins.as_ref().clone();
    }
}

/// Names the queries in FROM that have none, where a join shares columns: `*` is written out by the names.
pub(super) fn name_queries(from: &mut [TableWithJoins]) {
    let mut count = 0;
    for table in from {
        without_parentheses(table);
        if !table.joins.iter_mut().any(|join| asked(&mut join.join_operator).is_ok_and(|asked| !asked.is_empty())) {
            continue;
        }
        let relations =
            std::iter::once(&mut table.relation).chain(table.joins.iter_mut().map(|join| &mut join.relation));
        for relation in relations {
            if let TableFactor::Derived { alias: alias @ None, .. } = relation {
                count += 1;
                let name = Ident::new(format!("__shared_{count}"));
                *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
            }
        }
    }
}

/// Whether the tables before a join have other names, all of them before that of its own table in the alphabet.
pub(super) fn in_alphabet(first: &TableFactor, before: &[Join], join: &Join) -> bool {
    let alias = |table: &TableFactor| match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(alias.name.value.to_lowercase())
        }
        TableFactor::Table { name, .. } => match name.0.as_slice() {
            [ObjectNamePart::Identifier(name)] => Some(name.value.to_lowercase()),
            _ => None,
        },
        _ => None,
    };
    let mut left = std::iter::once(first).chain(before.iter().map(|join| &join.relation));
    let Some(own) = alias(&join.relation) else { return false };
    left.all(|table| alias(table).is_some_and(|name| name < own))
}

fn star(table: &TableFactor, without: &[Ident]) -> Option<SelectItem> {
    let name = SelectItemQualifiedWildcardKind::ObjectName(ObjectName::from(vec![named(table)?.clone()]));
    let without: Vec<ObjectName> = without.iter().map(|column| ObjectName::from(vec![column.clone()])).collect();
    let opt_exclude = (!without.is_empty()).then_some(ExcludeSelectItem::Multiple(without));
    Some(SelectItem::QualifiedWildcard(name, WildcardAdditionalOptions { opt_exclude, ..Default::default() }))
}

/// Whether `*` is shown without some columns, or with others or other names in their place.
pub(super) fn has_options(star: &WildcardAdditionalOptions) -> bool {
    let others = star.opt_ilike.is_some() || star.opt_rename.is_some();
    star.opt_replace.is_some() || star.opt_exclude.is_some() || star.opt_except.is_some() || others
}
