//! `UNNEST` as Trino and BigQuery write it, as the planner knows it: in a list of results.
//!
//! `FROM t JOIN s ON … CROSS JOIN UNNEST(t.list) AS u (x)` is `FROM (SELECT *, unnest(list) AS x FROM t) AS t JOIN s ON …`: the
//! items are those of one row of one table, so that they may join it before anything else does. With ordinality, or with
//! an offset, the places of the items are unnested beside them. A map is unnested into two columns, its keys and its values, a
//! list of rows into their fields where they have names.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, OrderBy, Select, SelectItem, TableAlias,
    TableAliasColumnDef, TableFactor, TableWithJoins, Value, WildcardAdditionalOptions,
};

use super::ast::{binary, call, case, number, query_of, tables};
use super::scoped::in_scope;
use crate::ast_visitor::{visit_expressions, visit_expressions_mut};
use quarry_functions::COLUMN_OF;

/// An `UNNEST` in parts.
struct Unnested {
    alias: Ident,
    lists: Vec<Expr>,
    /// How many columns each list makes: a map two, a list of rows as many as they have fields.
    width: usize,
    /// The names of its columns, that of the places last.
    names: Vec<Ident>,
    /// What the first place is called, where places are asked for.
    first: Option<u8>,
}

impl Unnested {
    /// `None` for what is no `UNNEST`, and for columns without names.
    fn of(table: &TableFactor) -> Option<Unnested> {
        let TableFactor::UNNEST { alias: Some(alias), array_exprs, with_offset, with_offset_alias, with_ordinality } =
            table
        else {
            return None;
        };
        let mut names: Vec<Ident> = alias.columns.iter().map(|column| column.name.clone()).collect();
        if names.is_empty() && array_exprs.len() == 1 {
            names.push(alias.name.clone());
        }
        let first = match (with_ordinality, with_offset) {
            (true, _) => Some(1),
            (false, true) => Some(0),
            (false, false) => None,
        };
        if first.is_some() && names.len() == array_exprs.len() {
            let usual = if *with_ordinality { "ordinality" } else { "offset" };
            names.push(with_offset_alias.clone().unwrap_or_else(|| Ident::new(usual)));
        }
        let items = names.len().checked_sub(usize::from(first.is_some()))?;
        let width = items.checked_div(array_exprs.len())?;
        let known = width > 0 && items == width * array_exprs.len();
        let unnested = Unnested { alias: alias.name.clone(), lists: array_exprs.clone(), width, names, first };
        known.then_some(unnested)
    }

    /// The columns as results of a query; a list that is kept has a null where it has nothing.
    fn items(&self, kept: bool) -> Vec<SelectItem> {
        let count = |list: &Expr| call("coalesce", vec![call("cardinality", vec![list.clone()]), number("0")]);
        let list = |of: &Expr, items: Expr| match kept {
            true => {
                let some = binary(count(of), BinaryOperator::Gt, number("0"));
                case(some, items, Some(call("make_array", vec![Expr::Value(Value::Null.into())])))
            }
            false => items,
        };
        let parts = |of: &Expr| match self.width {
            1 => vec![of.clone()],
            width => {
                let count = number(&width.to_string());
                let part = |place: usize| call(COLUMN_OF, vec![of.clone(), number(&place.to_string()), count.clone()]);
                (1..=width).map(part).collect()
            }
        };
        let mut columns: Vec<Expr> =
            self.lists.iter().flat_map(|of| parts(of).into_iter().map(|items| list(of, items))).collect();
        if let Some(first) = self.first {
            let most = call("greatest", self.lists.iter().map(count).collect());
            let last = match first {
                0 => binary(most, BinaryOperator::Minus, number("1")),
                _ => most,
            };
            let places = call("generate_array", vec![number(&first.to_string()), last]);
            columns.push(places);
        }
        let named = columns.into_iter().zip(&self.names);
        named
            .map(|(list, name)| SelectItem::ExprWithAlias { expr: call("unnest", vec![list]), alias: name.clone() })
            .collect()
    }
}

/// `UNNEST(list) AS x` names the column too; with ordinality, or of several columns, it is a query of its own.
pub(super) fn unnest(table: &mut TableFactor) {
    if let Some(unnested) = Unnested::of(table).filter(|unnested| unnested.first.is_some() || unnested.width > 1) {
        let subquery = Box::new(query_of(unnested.items(false), Vec::new(), None));
        *table = derived(subquery, unnested.alias);
        return;
    }
    if let TableFactor::UNNEST { alias: Some(alias), array_exprs, .. } = table
        && alias.columns.is_empty()
        && array_exprs.len() == 1
    {
        alias.columns.push(TableAliasColumnDef { name: alias.name.clone(), data_type: None });
    }
}

fn derived(subquery: Box<datafusion::sql::sqlparser::ast::Query>, name: Ident) -> TableFactor {
    let alias = TableAlias { explicit: true, name, columns: Vec::new(), at: None };
    TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None }
}

/// Joins the items of lists to the tables that have the lists, one `UNNEST` after another. What can't be moved is left to
/// the planner, which says that it can't do it.
pub(super) fn laterals(select: &mut Select, mut order: Option<&mut OrderBy>) {
    name_queries(select);
    fields_of_items(select, order.as_deref_mut());
    while lateral(select, order.as_deref_mut()).is_some() {}
}

/// Changes the expressions of a SELECT and of its order.
pub(super) fn in_all(select: &mut Select, order: Option<&mut OrderBy>, mut change: impl FnMut(&mut Expr)) {
    let mut visit = |expr: &mut Expr| {
        change(expr);
        ControlFlow::<()>::Continue(())
    };
    let _ = visit_expressions_mut(select, &mut visit);
    if let Some(order) = order {
        let _ = visit_expressions_mut(order, &mut visit);
    }
}

/// `t.field` of `UNNEST(rows) AS t`, where `t` is the table and the row in it, as `t.t.field`.
fn fields_of_items(select: &mut Select, mut order: Option<&mut OrderBy>) {
    let items = tables(select).filter_map(|table| match table {
        TableFactor::UNNEST { alias: Some(alias), array_exprs, with_offset_alias, .. }
            if alias.columns.is_empty() && array_exprs.len() == 1 =>
        {
            Some((alias.name.clone(), with_offset_alias.clone()))
        }
        _ => None,
    });
    for (item, offset) in items.collect::<Vec<_>>() {
        in_scope(select, order.as_deref_mut(), &item, |expr| {
            let Expr::CompoundIdentifier(parts) = expr else { return };
            let [table, field, ..] = parts.as_slice() else { return };
            let is = |name: &Ident, word: &str| name.value.eq_ignore_ascii_case(word);
            let place = ["offset", "ordinality"].iter().any(|word| is(field, word))
                || offset.as_ref().is_some_and(|offset| is(field, &offset.value));
            if is(table, &item.value) && !is(field, &item.value) && !place {
                parts.insert(0, item.clone());
            }
        });
    }
}

/// Names queries beside an `UNNEST` that have no name: their lists can only be joined to what has one. The items of an `UNNEST`
/// with places are called `unnest` then, as in PostgreSQL.
fn name_queries(select: &mut Select) {
    let mut tables: Vec<&mut TableFactor> = tables(select).collect();
    if !tables.iter().any(|table| matches!(table, TableFactor::UNNEST { .. })) {
        return;
    }
    for (place, table) in tables.iter_mut().enumerate() {
        let (alias, lists) = match table {
            TableFactor::Derived { alias: alias @ None, .. } => (alias, 0),
            TableFactor::UNNEST { alias: alias @ None, array_exprs, with_offset, with_ordinality, .. }
                if *with_offset || *with_ordinality =>
            {
                (alias, array_exprs.len())
            }
            _ => continue,
        };
        let name = Ident::new(format!("unnamed_{place}"));
        let names = std::iter::once("unnest".to_string()).chain((2..).map(|list| format!("unnest_{list}")));
        let columns = names.map(|name| TableAliasColumnDef { name: Ident::new(name), data_type: None });
        *alias = Some(TableAlias { explicit: true, name, columns: columns.take(lists).collect(), at: None });
    }
}

fn lateral(select: &mut Select, mut order: Option<&mut OrderBy>) -> Option<()> {
    let place =
        (0..select.from.len()).flat_map(|table| (0..=select.from[table].joins.len()).map(move |join| (table, join)));
    let (place, mut unnested, kept) = place.into_iter().find_map(|place| {
        let (table, kept) = at(&select.from, place)?;
        let unnested = Unnested::of(table)?;
        let lateral = place != (0, 0) && unnested.lists.iter().any(names_columns);
        lateral.then_some((place, unnested, kept))
    })?;
    let target = target(&select.from, place, &unnested.lists)?;
    let (table, _) = at(&select.from, target)?;
    let name = name_of(table)?;
    let base = TableWithJoins { relation: table.clone(), joins: Vec::new() };
    let renamed = apart(select, order.as_deref_mut(), &mut unnested);
    // A row without a list joins nothing.
    let known = unnested.lists.iter().map(|list| Expr::IsNotNull(Box::new(list.clone())));
    let selection = known.reduce(|all, one| binary(all, BinaryOperator::Or, one)).filter(|_| !kept);
    let mut items = vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())];
    items.extend(unnested.items(kept));
    let relation = derived(Box::new(query_of(items, vec![base], selection)), name.clone());
    if !kept {
        let last = if place.0 == target.0 { place.1 } else { select.from[target.0].joins.len() + 1 };
        for (index, join) in select.from[target.0].joins.iter_mut().enumerate().take(last.saturating_sub(1)) {
            without_missing(&mut join.join_operator, (index + 1).cmp(&target.1));
        }
    }
    match target {
        (table, 0) => select.from[table].relation = relation,
        (table, join) => select.from[table].joins[join - 1].relation = relation,
    }
    match place {
        (table, 0) => drop(select.from.remove(table)),
        (table, join) => drop(select.from[table].joins.remove(join - 1)),
    }
    // `u.x` is a column of the table now.
    in_scope(select, order, &unnested.alias, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let [table, column, ..] = parts.as_mut_slice()
            && table.value.eq_ignore_ascii_case(&unnested.alias.value)
        {
            table.value.clone_from(&name.value);
            table.quote_style = name.quote_style;
            if let Some((_, own)) = renamed.iter().find(|(known, _)| known.value.eq_ignore_ascii_case(&column.value)) {
                column.value.clone_from(&own.value);
            }
        }
    });
    Some(())
}

/// Gives columns of an `UNNEST` that are only asked for as `u.x` names of their own, since the table may have a column `x` too.
/// Answers their names before and after; results keep theirs.
fn apart(select: &mut Select, order: Option<&mut OrderBy>, unnested: &mut Unnested) -> Vec<(Ident, Ident)> {
    let wild = |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    let using = |join: &Join| match &join.join_operator {
        JoinOperator::CrossJoin(_) => false,
        operator => !matches!(constraint_of(operator), Some(JoinConstraint::On(_) | JoinConstraint::None)),
    };
    if select.projection.iter().any(wild) || select.from.iter().flat_map(|table| &table.joins).any(using) {
        return Vec::new();
    }
    let mut bare = Vec::new();
    in_all(select, order, |expr| {
        if let Expr::Identifier(name) = expr {
            bare.push(name.value.to_lowercase());
        }
    });
    let mut shown: Vec<String> = select.projection.iter().filter_map(shown_as).collect();
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr @ Expr::CompoundIdentifier(_)) = item
            && let Expr::CompoundIdentifier(parts) = &*expr
            && let [table, column] = parts.as_slice()
            && table.value.eq_ignore_ascii_case(&unnested.alias.value)
        {
            // `u.x, t.x`: the planner takes no name beside the same one of a table.
            let twice = shown.iter().filter(|name| **name == column.value.to_lowercase()).count() > 1;
            let numbered = |number: usize| format!("{}_{number}", column.value.to_lowercase());
            let free = if twice { (1..).map(numbered).find(|name| !shown.contains(name)) } else { None };
            shown.extend(free.clone());
            let alias = Ident { value: free.unwrap_or_else(|| column.value.clone()), ..column.clone() };
            *item = SelectItem::ExprWithAlias { alias, expr: expr.clone() };
        }
    }
    let mut renamed = Vec::new();
    for name in &mut unnested.names {
        if !bare.contains(&name.value.to_lowercase()) {
            let own =
                Ident { value: format!("{}_{}_item", unnested.alias.value, name.value).to_lowercase(), ..name.clone() };
            renamed.push((name.clone(), own.clone()));
            *name = own;
        }
    }
    renamed
}

/// The name of a column in the result, in small letters, where it is written.
fn shown_as(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::UnnamedExpr(Expr::Identifier(name)) | SelectItem::ExprWithAlias { alias: name, .. } => {
            Some(name.value.to_lowercase())
        }
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last().map(|name| name.value.to_lowercase()),
        _ => None,
    }
}

fn constraint_of(operator: &JoinOperator) -> Option<&JoinConstraint> {
    use JoinOperator::{FullOuter, Inner, Join, Left, LeftOuter, Right, RightOuter};
    match operator {
        Join(on) | Inner(on) | Left(on) | LeftOuter(on) | Right(on) | RightOuter(on) | FullOuter(on) => Some(on),
        _ => None,
    }
}

/// The join that is left of one when rows with nothing of a table go: of its right side (`Equal`), or of its left side
/// (`Greater`). Lists of rows that are not there have no items, so that such rows join nothing.
fn without_missing(join: &mut JoinOperator, side: Ordering) {
    use JoinOperator::{CrossJoin, FullOuter, Inner, Left, LeftOuter, Right, RightOuter};
    let taken = std::mem::replace(join, CrossJoin(JoinConstraint::None));
    *join = match (taken, side) {
        (Left(on) | LeftOuter(on), Ordering::Equal) | (Right(on) | RightOuter(on), Ordering::Greater) => Inner(on),
        (FullOuter(on), Ordering::Equal) => RightOuter(on),
        (FullOuter(on), Ordering::Greater) => LeftOuter(on),
        (other, _) => other,
    };
}

/// A table by its place, and whether a join keeps the rows before it that it has nothing for. `None` for joins on a
/// condition: the items can't be told apart before they are joined.
fn at(from: &[TableWithJoins], (table, join): (usize, usize)) -> Option<(&TableFactor, bool)> {
    let table = from.get(table)?;
    let Some(index) = join.checked_sub(1) else {
        // With joins that follow it would take them along.
        let alone = table.joins.is_empty() || !matches!(table.relation, TableFactor::UNNEST { .. });
        return alone.then_some((&table.relation, false));
    };
    let join = table.joins.get(index)?;
    let kept = match &join.join_operator {
        JoinOperator::CrossJoin(_) => false,
        JoinOperator::Left(on) | JoinOperator::LeftOuter(on) if is_true(on) => true,
        JoinOperator::Join(on) | JoinOperator::Inner(on) if is_true(on) => false,
        _ if !matches!(join.relation, TableFactor::UNNEST { .. }) => false,
        _ => return None,
    };
    Some((&join.relation, kept))
}

fn is_true(on: &JoinConstraint) -> bool {
    matches!(on, JoinConstraint::On(Expr::Value(value)) if value.value == Value::Boolean(true))
}

/// The table whose lists these are, when its rows are there before those that other joins make up.
fn target(from: &[TableWithJoins], place: (usize, usize), lists: &[Expr]) -> Option<(usize, usize)> {
    let all =
        from.iter().enumerate().flat_map(|(table, joined)| (0..=joined.joins.len()).map(move |join| (table, join)));
    let tables: Vec<((usize, usize), Ident)> = all
        .filter(|at| *at < place)
        .filter_map(|(table, join)| {
            let relation = match join {
                0 => &from[table].relation,
                join => &from[table].joins[join - 1].relation,
            };
            name_of(relation).map(|name| ((table, join), name))
        })
        .collect();
    let mut wanted: Vec<Option<String>> = Vec::new();
    for list in lists {
        let _: ControlFlow<()> = visit_expressions(list, |expr| {
            match expr {
                Expr::Identifier(_) => wanted.push(None),
                Expr::CompoundIdentifier(parts) if parts.len() > 1 => {
                    wanted.push(Some(parts[parts.len() - 2].value.to_lowercase()));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
    }
    wanted.sort();
    wanted.dedup();
    let mut found =
        tables.iter().filter(|(_, name)| wanted.iter().flatten().all(|wanted| name.value.eq_ignore_ascii_case(wanted)));
    // A name alone may be a column of any of several tables.
    let bare = wanted.contains(&None) && tables.len() > 1;
    let (target, _) = found.next().filter(|_| !bare)?;
    if found.next().is_some() {
        return None;
    }
    // Joins that show the columns of both sides.
    let shows = |operator: &JoinOperator| {
        use JoinOperator::{CrossJoin, FullOuter, Inner, Join, Left, LeftOuter, Right, RightOuter};
        let outer = matches!(operator, Left(_) | LeftOuter(_) | Right(_) | RightOuter(_) | FullOuter(_));
        outer || matches!(operator, Join(_) | Inner(_) | CrossJoin(_))
    };
    from[target.0].joins.iter().all(|join| shows(&join.join_operator)).then_some(*target)
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
pub(super) fn names_columns(expr: &Expr) -> bool {
    let found = visit_expressions(expr, |expr| match expr {
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}
