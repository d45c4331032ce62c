//! Shrinking: smaller queries that may show the same difference, each with one part removed or replaced by a part of itself.

use super::ast::{Body, Expr, From, Group, Kind, On, Query, Select, With};
use super::tables::Table;
use super::values::{Type, Value};

/// All queries that are one step smaller. Some of them may be invalid.
pub fn queries(query: &Query) -> Vec<Query> {
    let mut all = Vec::new();
    for at in 0..query.with.len() {
        let mut fewer = query.clone();
        fewer.with.remove(at);
        all.push(fewer);
    }
    if query.order.iter().any(|key| key.descending || key.nulls_first.is_some()) {
        let mut plain = query.clone();
        plain.order.iter_mut().for_each(|key| (key.descending, key.nulls_first) = (false, None));
        all.push(plain);
    }
    if !query.order.is_empty() {
        all.push(Query { order: Vec::new(), limit: None, offset: None, ..query.clone() });
    }
    if query.limit.is_some() {
        all.push(Query { limit: None, ..query.clone() });
    }
    if query.offset.is_some() {
        all.push(Query { offset: None, ..query.clone() });
    }
    all.extend(columns(query));
    for (at, with) in query.with.iter().enumerate() {
        all.extend(queries(&with.query).into_iter().map(|smaller| {
            let mut whole = query.clone();
            whole.with[at] = With { name: with.name.clone(), query: smaller };
            whole
        }));
    }
    all.extend(bodies(&query.body).into_iter().map(|body| Query { body, ..query.clone() }));
    all
}

/// The query without one of its columns.
fn columns(query: &Query) -> Vec<Query> {
    let count = query.first_select().items.len();
    if count < 2 {
        return Vec::new();
    }
    let without = |at: usize| {
        let mut fewer = query.clone();
        remove_column(&mut fewer.body, at);
        fewer.order.retain(|key| key.column != at);
        fewer.order.iter_mut().filter(|key| key.column > at).for_each(|key| key.column -= 1);
        if fewer.order.is_empty() {
            (fewer.limit, fewer.offset) = (None, None);
        }
        fewer
    };
    (0..count).map(without).collect()
}

fn remove_column(body: &mut Body, at: usize) {
    match body {
        Body::Select(select) => drop(select.items.remove(at)),
        Body::Set(_, left, right) => [left, right].into_iter().for_each(|side| remove_column(side, at)),
    }
}

fn bodies(body: &Body) -> Vec<Body> {
    match body {
        Body::Select(select) => selects(select).into_iter().map(|select| Body::Select(Box::new(select))).collect(),
        Body::Set(word, left, right) => {
            let mut all = vec![(**left).clone(), (**right).clone()];
            all.extend(bodies(left).into_iter().map(|left| Body::Set(word.clone(), Box::new(left), right.clone())));
            all.extend(bodies(right).into_iter().map(|right| Body::Set(word.clone(), left.clone(), Box::new(right))));
            all
        }
    }
}

fn selects(select: &Select) -> Vec<Select> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Select)| {
        let mut changed = select.clone();
        change(&mut changed);
        all.push(changed);
    };
    if select.distinct {
        add(&|select| select.distinct = false);
    }
    if select.filter.is_some() {
        add(&|select| select.filter = None);
    }
    if select.having.is_some() {
        add(&|select| select.having = None);
    }
    if select.qualify.is_some() {
        add(&|select| select.qualify = None);
    }
    for group in groups(&select.group) {
        add(&|select| select.group = group.clone());
    }
    if let Some(from) = &select.from {
        // Without FROM, an aggregate would belong to the enclosing query.
        if !select.items.iter().any(|item| item.expr.has(Kind::Aggregate)) {
            add(&|select| select.from = None);
        }
        for smaller in froms(from) {
            add(&|select| select.from = Some(smaller.clone()));
        }
    }
    for (at, item) in select.items.iter().enumerate() {
        for smaller in exprs(&item.expr) {
            add(&|select| select.items[at].expr = smaller.clone());
        }
    }
    for (at, condition) in [&select.filter, &select.having, &select.qualify].into_iter().enumerate() {
        for smaller in condition.iter().flat_map(exprs) {
            add(&|select| match at {
                0 => select.filter = Some(smaller.clone()),
                1 => select.having = Some(smaller.clone()),
                _ => select.qualify = Some(smaller.clone()),
            });
        }
    }
    all
}

fn groups(group: &Group) -> Vec<Group> {
    let fewer = |keys: &Vec<Expr>| -> Vec<Vec<Expr>> {
        let without =
            |at: usize| keys.iter().enumerate().filter(|(key, _)| *key != at).map(|(_, key)| key.clone()).collect();
        (0..keys.len()).map(without).collect()
    };
    match group {
        Group::None => Vec::new(),
        Group::By(keys) if keys.len() == 1 => vec![Group::None],
        Group::By(keys) => fewer(keys).into_iter().map(Group::By).collect(),
        Group::All(word, keys) => {
            let mut all = vec![Group::By(keys.clone())];
            all.extend(fewer(keys).into_iter().filter(|keys| !keys.is_empty()).map(|keys| Group::All(word, keys)));
            all
        }
        Group::Sets(sets) => {
            let mut all = vec![Group::None];
            for at in 0..sets.len() {
                if sets.len() > 1 {
                    let mut without = sets.clone();
                    without.remove(at);
                    all.push(Group::Sets(without));
                }
                for keys in fewer(&sets[at]) {
                    let mut smaller = sets.clone();
                    smaller[at] = keys;
                    all.push(Group::Sets(smaller));
                }
            }
            all
        }
    }
}

fn froms(from: &From) -> Vec<From> {
    match from {
        From::Table { .. } => Vec::new(),
        From::Derived { query, alias, lateral } => {
            let derived =
                |query: Query| From::Derived { query: Box::new(query), alias: alias.clone(), lateral: *lateral };
            let mut all: Vec<From> = queries(query).into_iter().map(derived).collect();
            if *lateral {
                all.push(From::Derived { query: query.clone(), alias: alias.clone(), lateral: false });
            }
            all
        }
        From::Join { kind, left, right, on } => {
            let join = |left: &From, right: &From, on: On| {
                let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
                From::Join { kind, left, right, on }
            };
            let mut all = vec![(**left).clone(), (**right).clone()];
            all.extend(froms(left).iter().map(|left| join(left, right, on.clone())));
            all.extend(froms(right).iter().map(|right| join(left, right, on.clone())));
            if *kind != "join" && *kind != "cross join" {
                all.push(From::Join { kind: "join", left: left.clone(), right: right.clone(), on: on.clone() });
            }
            if let On::Condition(condition) = on {
                all.extend(exprs(condition).into_iter().map(|smaller| join(left, right, On::Condition(smaller))));
            }
            all
        }
    }
}

/// Smaller expressions of the same type.
fn exprs(expr: &Expr) -> Vec<Expr> {
    let of = expr.value_type();
    let mut all = Vec::new();
    match expr {
        Expr::Column(..) | Expr::Null(_) => all.extend(simplest(of)),
        Expr::Constant(value, _) => {
            if value.is_some() {
                all.extend(simplest(of).into_iter().filter(|simple| written(simple) != written(expr)));
            }
        }
        Expr::Form(form, parts, _) => {
            all.extend(simplest(of));
            all.extend(parts.iter().filter(|part| part.value_type() == of).cloned());
            // Keep window functions whole: without a total order their answer is not unique.
            let parts_of = if form.kind == Kind::Window { &[][..] } else { parts.as_slice() };
            for (at, part) in parts_of.iter().enumerate() {
                all.extend(exprs(part).into_iter().map(|smaller| {
                    let mut parts = parts.clone();
                    parts[at] = smaller;
                    Expr::Form(form.clone(), parts, of)
                }));
            }
        }
        Expr::Sub(form, parts, query, _) => {
            all.extend(simplest(of));
            let smaller = queries(query).into_iter();
            all.extend(smaller.map(|query| Expr::Sub(form.clone(), parts.clone(), Box::new(query), of)));
            for (at, part) in parts.iter().enumerate() {
                all.extend(exprs(part).into_iter().map(|smaller| {
                    let mut parts = parts.clone();
                    parts[at] = smaller;
                    Expr::Sub(form.clone(), parts, query.clone(), of)
                }));
            }
        }
    }
    all
}

/// The simplest constant of a type. It is never null: a query full of nulls says little.
fn simplest(of: Type) -> Option<Expr> {
    let value = match of {
        Type::Bool => Value::Bool(true),
        Type::Int | Type::Big => Value::Int(1),
        Type::Decimal => Value::Decimal(100),
        Type::Wei | Type::Huge => Value::Digits("1".to_string()),
        Type::Double => Value::Double(2),
        Type::Text => Value::Text("a".to_string()),
        Type::Bytes => Value::Bytes(vec![1]),
        Type::Date => Value::Date(0),
        Type::Time => Value::Time(0),
        Type::Ints => Value::Ints(vec![Some(1)]),
    };
    Some(Expr::Constant(Some(value), of))
}

fn written(expr: &Expr) -> String {
    format!("{expr:?}")
}

/// The tables without one row or one column, or without a table that the query does not use.
pub fn tables(tables: &[Table], text: &str) -> Vec<Vec<Table>> {
    let mut all = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        if !text.contains(&format!("from {} ", table.name)) && !text.contains(&format!("join {} ", table.name)) {
            let mut fewer = tables.to_vec();
            fewer.remove(at);
            return vec![fewer];
        }
        for row in 0..table.rows.len() {
            let mut fewer = tables.to_vec();
            fewer[at].rows.remove(row);
            all.push(fewer);
        }
        for column in (0..table.columns.len()).filter(|_| table.columns.len() > 1) {
            let mut fewer = tables.to_vec();
            fewer[at].columns.remove(column);
            fewer[at].rows.iter_mut().for_each(|row| drop(row.remove(column)));
            all.push(fewer);
        }
    }
    all
}
