//! `UNNEST` as Trino and BigQuery write it, as the planner reads it: in the list of results.
//!
//! `FROM t JOIN s ON … CROSS JOIN UNNEST(t.list) AS u (x)` is `FROM (SELECT *, unnest(list) AS x FROM t) AS t JOIN s ON …`: the
//! items belong to one row of one table, so that they can be joined to it before other tables. With ordinality or an offset, the
//! positions of the items are unnested beside them. A map is unnested into two columns, its keys and its values, and a list of
//! structs into their fields if these have names.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, OrderBy, Query, Select, SelectItem, TableFactor,
    TableWithJoins, Value, WildcardAdditionalOptions,
};

use super::ast::{
    Position, binary, call, call_with, case, derived, from_one, is_not_null, is_star, names_columns, number, positions,
    query_of, same_name, table_alias, table_at, table_name, tables, value,
};
use super::table_scope::{change_in_scope, change_in_select};
use crate::syntax::visitor::visit_expressions;
use quarry_functions::COLUMN_OF;

/// The parts of an `UNNEST`.
struct Unnest {
    alias: Ident,
    lists: Vec<Expr>,
    /// Columns of each list: two for a map, as many as fields for a list of structs.
    width: usize,
    /// The names of its columns, that of the positions last.
    names: Vec<Ident>,
    /// The number of the first position, with ordinality or an offset.
    first: Option<u8>,
}

impl Unnest {
    /// `None` for other tables, and for columns without names.
    fn from_table(table: &TableFactor) -> Option<Unnest> {
        let TableFactor::UNNEST { alias: Some(alias), array_exprs, with_offset, with_offset_alias, with_ordinality } =
            table
        else {
            return None;
        };
        let mut names: Vec<Ident> = alias.columns.iter().map(|column| column.name.clone()).collect();
        if names.is_empty() && array_exprs.len() == 1 {
            names.push(alias.name.clone());
        }
        let first = if *with_ordinality { Some(1) } else { with_offset.then_some(0) };
        if first.is_some() && names.len() == array_exprs.len() {
            let default = if *with_ordinality { "ordinality" } else { "offset" };
            names.push(with_offset_alias.clone().unwrap_or_else(|| Ident::new(default)));
        }
        let items = names.len().checked_sub(usize::from(first.is_some()))?;
        let width = items.checked_div(array_exprs.len())?;
        let is_known = width > 0 && items == width * array_exprs.len();
        is_known.then(|| Unnest { alias: alias.name.clone(), lists: array_exprs.clone(), width, names, first })
    }

    /// The columns of its items and positions. With `keep_rows`, a list without items has one null.
    fn columns(&self, keep_rows: bool) -> Vec<SelectItem> {
        let length = |list: &Expr| call("coalesce", vec![call_with("cardinality", [list]), number(0)]);
        let items = |list: &Expr, column: usize| {
            let items = match self.width {
                1 => list.clone(),
                width => call_with(COLUMN_OF, [list, &number(column), &number(width)]),
            };
            if !keep_rows {
                return items;
            }
            let is_filled = binary(length(list), BinaryOperator::Gt, number(0));
            case(is_filled, items, Some(call("make_array", vec![value(Value::Null)])))
        };
        let mut columns = Vec::new();
        for list in &self.lists {
            columns.extend((1..=self.width).map(|column| items(list, column)));
        }
        if let Some(first) = self.first {
            let longest = call("greatest", self.lists.iter().map(length).collect());
            let last = if first == 0 { binary(longest, BinaryOperator::Minus, number(1)) } else { longest };
            columns.push(call("generate_array", vec![number(first), last]));
        }
        let unnested = |(list, alias): (Expr, &Ident)| SelectItem::ExprWithAlias {
            expr: call("unnest", vec![list]),
            alias: alias.clone(),
        };
        columns.into_iter().zip(&self.names).map(unnested).collect()
    }
}

/// Names the column of `UNNEST(list) AS x` after its table. With ordinality, or of several columns, an `UNNEST` becomes a query.
pub(super) fn name_columns(table: &mut TableFactor) {
    if let Some(unnest) = Unnest::from_table(table).filter(|unnest| unnest.first.is_some() || unnest.width > 1) {
        *table = named(query_of(unnest.columns(false), Vec::new(), None), unnest.alias);
    } else if let TableFactor::UNNEST { alias: Some(alias), array_exprs, .. } = table
        && alias.columns.is_empty()
        && array_exprs.len() == 1
    {
        *alias = table_alias(alias.name.clone(), [alias.name.clone()]);
    }
}

fn named(query: Query, name: Ident) -> TableFactor {
    derived(query, table_alias(name, []))
}

/// Joins the items of lists to the tables that have the lists, one `UNNEST` after another. The planner refuses what can't be moved.
pub(super) fn join_to_tables(select: &mut Select, mut order: Option<&mut OrderBy>) {
    name_queries(select);
    qualify_fields(select, order.as_deref_mut());
    while join_first(select, order.as_deref_mut()).is_some() {}
}

/// `t.field` of `UNNEST(structs) AS t`, where `t` is both the table and its column, as `t.t.field`.
fn qualify_fields(select: &mut Select, mut order: Option<&mut OrderBy>) {
    let items = tables(select).filter_map(|table| match table {
        TableFactor::UNNEST { alias: Some(alias), array_exprs, with_offset_alias, .. }
            if alias.columns.is_empty() && array_exprs.len() == 1 =>
        {
            Some((alias.name.clone(), with_offset_alias.clone()))
        }
        _ => None,
    });
    for (item, offset) in items.collect::<Vec<_>>() {
        change_in_scope(select, order.as_deref_mut(), &item, |expr| {
            let Expr::CompoundIdentifier(parts) = expr else { return };
            let [table, field, ..] = parts.as_slice() else { return };
            let is_position = ["offset", "ordinality"].iter().any(|word| field.value.eq_ignore_ascii_case(word))
                || offset.as_ref().is_some_and(|offset| same_name(field, offset));
            if same_name(table, &item) && !same_name(field, &item) && !is_position {
                parts.insert(0, item.clone());
            }
        });
    }
}

/// Names queries without a name beside an `UNNEST`: lists can only be joined to a table with a name. The items of an `UNNEST` with
/// positions are called `unnest` then, as in PostgreSQL.
fn name_queries(select: &mut Select) {
    let mut tables: Vec<&mut TableFactor> = tables(select).collect();
    if !tables.iter().any(|table| matches!(table, TableFactor::UNNEST { .. })) {
        return;
    }
    for (index, table) in tables.iter_mut().enumerate() {
        let (alias, lists) = match table {
            TableFactor::Derived { alias: alias @ None, .. } => (alias, 0),
            TableFactor::UNNEST { alias: alias @ None, array_exprs, with_offset, with_ordinality, .. }
                if *with_offset || *with_ordinality =>
            {
                (alias, array_exprs.len())
            }
            _ => continue,
        };
        let columns = (1..=lists).map(|list| match list {
            1 => Ident::new("unnest"),
            list => Ident::new(format!("unnest_{list}")),
        });
        *alias = Some(table_alias(Ident::new(format!("unnamed_{index}")), columns));
    }
}

/// Joins the items of the first `UNNEST` with a list of another table to that table.
fn join_first(select: &mut Select, mut order: Option<&mut OrderBy>) -> Option<()> {
    let (position, mut unnest, keep_rows) = positions(&select.from).find_map(|position| {
        let (table, keep_rows) = joinable_at(&select.from, position)?;
        let unnest = Unnest::from_table(table)?;
        let is_lateral = position != (0, 0) && unnest.lists.iter().any(names_columns);
        is_lateral.then_some((position, unnest, keep_rows))
    })?;
    let target = owner(&select.from, position, &unnest.lists)?;
    let (table, _) = joinable_at(&select.from, target)?;
    let name = table_name(table)?.clone();
    let base = from_one(table.clone());
    let renamed = rename_columns(select, order.as_deref_mut(), &mut unnest);
    // A row without a list has no items.
    let has_list = unnest.lists.iter().map(is_not_null);
    let has_list = has_list.reduce(|all, one| binary(all, BinaryOperator::Or, one)).filter(|_| !keep_rows);
    let mut columns = vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())];
    columns.extend(unnest.columns(keep_rows));
    if !keep_rows {
        let joins = &mut select.from[target.0].joins;
        let end = if position.0 == target.0 { position.1 } else { joins.len() + 1 };
        for (index, join) in joins.iter_mut().enumerate().take(end.saturating_sub(1)) {
            drop_unmatched(&mut join.join_operator, (index + 1).cmp(&target.1));
        }
    }
    *table_at(&mut select.from, target) = named(query_of(columns, base, has_list), name.clone());
    match position {
        (item, 0) => drop(select.from.remove(item)),
        (item, join) => drop(select.from[item].joins.remove(join - 1)),
    }
    // `u.x` is a column of the table now.
    change_in_scope(select, order, &unnest.alias, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [table, column, ..] = parts.as_mut_slice()
            && same_name(table, &unnest.alias)
        {
            table.value.clone_from(&name.value);
            table.quote_style = name.quote_style;
            if let Some((_, unique)) = renamed.iter().find(|(known, _)| same_name(known, column)) {
                column.value.clone_from(&unique.value);
            }
        }
    });
    Some(())
}

/// Gives columns of an `UNNEST` that are only named as `u.x` unique names, since the table may have a column `x` too. Returns
/// the names before and after. Columns of the result keep their names.
fn rename_columns(select: &mut Select, order: Option<&mut OrderBy>, unnest: &mut Unnest) -> Vec<(Ident, Ident)> {
    let merges_columns = |join: &Join| match &join.join_operator {
        JoinOperator::CrossJoin(_) => false,
        operator => !matches!(constraint_of(operator), Some(JoinConstraint::On(_) | JoinConstraint::None)),
    };
    if select.projection.iter().any(is_star) || select.from.iter().flat_map(|table| &table.joins).any(merges_columns) {
        return Vec::new();
    }
    let mut unqualified = Vec::new();
    change_in_select(select, order, |expr| {
        if let Expr::Identifier(name) = expr {
            unqualified.push(name.value.to_lowercase());
        }
    });
    let mut outputs: Vec<String> = select.projection.iter().filter_map(output_name).collect();
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) = item
            && let Expr::CompoundIdentifier(parts) = &*expr
            && let [table, column] = parts.as_slice()
            && same_name(table, &unnest.alias)
        {
            // `u.x, t.x`: the planner does not accept a second column of that name.
            let name = column.value.to_lowercase();
            let is_taken = outputs.iter().filter(|output| **output == name).count() > 1;
            let mut numbered = (1..).map(|number| format!("{name}_{number}"));
            let unique = if is_taken { numbered.find(|name| !outputs.contains(name)) } else { None };
            outputs.extend(unique.clone());
            let alias = Ident { value: unique.unwrap_or_else(|| column.value.clone()), ..column.clone() };
            *item = SelectItem::ExprWithAlias { alias, expr: expr.clone() };
        }
    }
    let mut renamed = Vec::new();
    for name in &mut unnest.names {
        if !unqualified.contains(&name.value.to_lowercase()) {
            let value = format!("{}_{}_item", unnest.alias.value, name.value).to_lowercase();
            let unique = Ident { value, ..name.clone() };
            renamed.push((std::mem::replace(name, unique.clone()), unique));
        }
    }
    renamed
}

/// The name of a column of the result in lower case, if the text has one.
fn output_name(item: &SelectItem) -> Option<String> {
    let name = match item {
        SelectItem::UnnamedExpr(Expr::Identifier(name)) | SelectItem::ExprWithAlias { alias: name, .. } => name,
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last()?,
        _ => return None,
    };
    Some(name.value.to_lowercase())
}

fn constraint_of(operator: &JoinOperator) -> Option<&JoinConstraint> {
    use JoinOperator::{FullOuter, Inner, Join, Left, LeftOuter, Right, RightOuter};
    match operator {
        Join(on) | Inner(on) | Left(on) | LeftOuter(on) | Right(on) | RightOuter(on) | FullOuter(on) => Some(on),
        _ => None,
    }
}

/// Drops the rows of a join without a row of its right side (`Equal`) or of its left side (`Greater`): without a row there is no
/// list, so that the join with the items would drop them.
fn drop_unmatched(join: &mut JoinOperator, side: Ordering) {
    use JoinOperator::{CrossJoin, FullOuter, Inner, Left, LeftOuter, Right, RightOuter};
    let join_before = std::mem::replace(join, CrossJoin(JoinConstraint::None));
    *join = match (join_before, side) {
        (Left(on) | LeftOuter(on), Ordering::Equal) | (Right(on) | RightOuter(on), Ordering::Greater) => Inner(on),
        (FullOuter(on), Ordering::Equal) => RightOuter(on),
        (FullOuter(on), Ordering::Greater) => LeftOuter(on),
        (other, _) => other,
    };
}

/// A table at a position, and whether its join keeps rows of the left side without a match. `None` for an `UNNEST` that is joined
/// on a condition: its items are only known after the join.
fn joinable_at(from: &[TableWithJoins], (item, table): Position) -> Option<(&TableFactor, bool)> {
    let item = from.get(item)?;
    let is_unnest = |table: &TableFactor| matches!(table, TableFactor::UNNEST { .. });
    let Some(index) = table.checked_sub(1) else {
        // The joins after an `UNNEST` would move with it.
        let is_alone = item.joins.is_empty() || !is_unnest(&item.relation);
        return is_alone.then_some((&item.relation, false));
    };
    let join = item.joins.get(index)?;
    let is_true = |on: &JoinConstraint| matches!(on, JoinConstraint::On(Expr::Value(value)) if value.value == Value::Boolean(true));
    match &join.join_operator {
        JoinOperator::CrossJoin(_) => Some((&join.relation, false)),
        JoinOperator::Left(on) | JoinOperator::LeftOuter(on) if is_true(on) => Some((&join.relation, true)),
        JoinOperator::Join(on) | JoinOperator::Inner(on) if is_true(on) => Some((&join.relation, false)),
        _ => (!is_unnest(&join.relation)).then_some((&join.relation, false)),
    }
}

/// The table that has the lists, if it is a single one and its rows exist before those that other joins add.
fn owner(from: &[TableWithJoins], end: Position, lists: &[Expr]) -> Option<Position> {
    let tables = positions(from).take_while(|position| *position < end);
    let tables: Vec<(Position, &Ident)> = tables
        .filter_map(|(item, table)| {
            let relation = match table.checked_sub(1) {
                None => &from[item].relation,
                Some(join) => &from[item].joins[join].relation,
            };
            Some(((item, table), table_name(relation)?))
        })
        .collect();
    let mut qualifiers: Vec<Option<String>> = Vec::new();
    for list in lists {
        let _: ControlFlow<()> = visit_expressions(list, |expr| {
            match expr {
                Expr::Identifier(_) => qualifiers.push(None),
                Expr::CompoundIdentifier(parts) if parts.len() > 1 => {
                    qualifiers.push(Some(parts[parts.len() - 2].value.to_lowercase()));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
    }
    // A column without its table may belong to any of several tables.
    if qualifiers.contains(&None) && tables.len() > 1 {
        return None;
    }
    let is_owner =
        |name: &Ident| qualifiers.iter().flatten().all(|qualifier| name.value.eq_ignore_ascii_case(qualifier));
    let mut owners = tables.iter().filter(|(_, name)| is_owner(name));
    let (Some((owner, _)), None) = (owners.next(), owners.next()) else { return None };
    // Joins that return the columns of both sides.
    let has_both_sides = |join: &Join| {
        constraint_of(&join.join_operator).is_some() || matches!(join.join_operator, JoinOperator::CrossJoin(_))
    };
    from[owner.0].joins.iter().all(has_both_sides).then_some(*owner)
}
