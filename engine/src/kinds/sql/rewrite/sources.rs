//! What stands after FROM: BigQuery's quoted paths, `UNNEST` as Trino and BigQuery write it; and text in double quotes.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinOperator, ObjectName, ObjectNamePart, Select, SelectItem, TableAlias,
    TableAliasColumnDef, TableFactor, TableWithJoins, WildcardAdditionalOptions, visit_expressions,
    visit_expressions_mut,
};

use super::ast::{binary, call, query_of, text};

/// BigQuery quotes a whole path: `` `bigquery-public-data.crypto_ethereum.blocks` `` is three names.
pub(super) fn split_quoted_path(ObjectName(parts): &mut ObjectName) {
    let quoted_path = match parts.as_slice() {
        [ObjectNamePart::Identifier(ident)] if ident.quote_style == Some('`') && ident.value.contains('.') => {
            ident.clone()
        }
        _ => return,
    };
    let ident = |name: &str| Ident { value: name.to_string(), quote_style: Some('`'), span: quoted_path.span };
    *parts = quoted_path.value.split('.').map(|name| ObjectNamePart::Identifier(ident(name))).collect();
}

/// BigQuery writes text in double quotes too: dates and hex can't be names of columns.
pub(super) fn quoted_text(name: &Ident) -> Option<Expr> {
    let value = name.value.as_str();
    let is_date = value.len() >= 10
        && value.bytes().enumerate().take(10).all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let is_hex = value
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() >= 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    (name.quote_style == Some('"') && (is_date || is_hex)).then(|| text(value))
}

/// `UNNEST(list) AS x` names the column too.
pub(super) fn unnest(table: &mut TableFactor) {
    if let TableFactor::UNNEST { alias: Some(alias), array_exprs, .. } = table
        && alias.columns.is_empty()
        && array_exprs.len() == 1
    {
        alias.columns.push(TableAliasColumnDef { name: alias.name.clone(), data_type: None });
    }
}

/// `FROM t CROSS JOIN UNNEST(t.list) AS u (x)`, and the same after a comma, as `FROM (SELECT *, unnest(list) AS x FROM t)`:
/// the planner unnests columns of a table only in a list of results. With more tables it says that it can't.
pub(super) fn laterals(select: &mut Select) {
    let Some(name) = select.from.first().and_then(|from| name_of(&from.relation)) else { return };
    let unnested = match select.from.as_mut_slice() {
        [TableWithJoins { joins, .. }] => match joins.as_mut_slice() {
            [Join { relation, join_operator: JoinOperator::CrossJoin(_), .. }] => relation,
            _ => return,
        },
        [TableWithJoins { joins: first, .. }, TableWithJoins { relation, joins }]
            if first.is_empty() && joins.is_empty() =>
        {
            relation
        }
        _ => return,
    };
    unnest(unnested);
    let TableFactor::UNNEST { alias: Some(alias), array_exprs, with_offset: false, with_ordinality: false, .. } =
        unnested
    else {
        return;
    };
    if !array_exprs.iter().any(names_columns) || alias.columns.len() != array_exprs.len() {
        return;
    }
    let (alias, lists) = (alias.clone(), std::mem::take(array_exprs));
    let base = select.from.swap_remove(0).relation;
    select.from.clear();
    // A row without a list joins nothing.
    let known = lists.iter().map(|list| Expr::IsNotNull(Box::new(list.clone())));
    let selection = known.reduce(|all, one| binary(all, BinaryOperator::Or, one));
    let names: Vec<Ident> = alias.columns.iter().map(|column| column.name.clone()).collect();
    let mut items = vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())];
    items.extend(
        lists
            .into_iter()
            .zip(&names)
            .map(|(list, name)| SelectItem::ExprWithAlias { expr: call("unnest", vec![list]), alias: name.clone() }),
    );
    let subquery = query_of(items, vec![TableWithJoins { relation: base, joins: Vec::new() }], selection);
    let table = TableAlias { explicit: true, name, columns: Vec::new(), at: None };
    let relation =
        TableFactor::Derived { lateral: false, subquery: Box::new(subquery), alias: Some(table), sample: None };
    select.from = vec![TableWithJoins { relation, joins: Vec::new() }];
    // `u.x` is a column of the table now.
    let _: ControlFlow<()> = visit_expressions_mut(select, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [table, column] = parts.as_slice()
            && table.value.eq_ignore_ascii_case(&alias.name.value)
        {
            *expr = Expr::Identifier(column.clone());
        }
        ControlFlow::Continue(())
    });
}

/// The name under which a query knows a table.
fn name_of(table: &TableFactor) -> Option<Ident> {
    match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(alias.name.clone())
        }
        TableFactor::Table { name, .. } => name.0.last()?.as_ident().cloned(),
        _ => None,
    }
}

/// Whether an expression looks at a column.
fn names_columns(expr: &Expr) -> bool {
    let found = visit_expressions(expr, |expr| match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}
