//! The column of `RIGHT JOIN … USING (c)` and `FULL JOIN … USING (c)`: the planner takes that of the left table, which is
//! null in the rows that only the right one has. And the column that more than two tables share, of which the planner does not
//! know which one is meant. And `*`, in which shared columns come first, those of the last join before those of the joins before
//! it, as the standard has it: the planner leaves one of each pair where it stands, the one whose table comes first in the alphabet.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Distinct, Expr, GroupByExpr, Ident, Join, JoinConstraint, JoinOperator, NamedWindowDefinition,
    ObjectNamePart, OrderByKind, Query, ReplaceSelectElement, ReplaceSelectItem, Select, SelectItem, SetExpr,
    TableFactor, TableWithJoins, VisitMut, VisitorMut,
};

use crate::error::{Error, ErrorCode, Result};
use crate::exec::names::constraint;

use super::shared_stars::{has_options, in_alphabet, name_queries, stars_of, without_parentheses};

/// Writes the column of such a join as what it is, in every query of a statement or a query.
pub(in crate::kinds) fn using(statement: &mut impl VisitMut) -> Result<()> {
    match VisitMut::visit(statement, &mut Joins) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(error) => Err(*error),
    }
}

struct Joins;

impl VisitorMut for Joins {
    type Break = Box<Error>;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Box<Error>> {
        let (merged, shown) = match in_body(&mut query.body) {
            Ok(Some(done)) => done,
            Ok(None) => return ControlFlow::Continue(()),
            Err(error) => return ControlFlow::Break(error),
        };
        if let Some(OrderByKind::Expressions(order)) = query.order_by.as_mut().map(|order| &mut order.kind) {
            let hidden = merged.columns.into_iter().filter(|(column, _)| !shown.contains(&column.value.to_lowercase()));
            let mut replace = Replace { merged: hidden.collect(), in_queries: 0 };
            order.iter_mut().for_each(|ordered| replace.visit(&mut ordered.expr));
        }
        ControlFlow::Continue(())
    }
}

/// Writes the columns out in a body, in each side of a union too. Of a single SELECT that has some: what they are, and the names
/// that it shows.
fn in_body(body: &mut SetExpr) -> Result<Option<(Merged, Vec<String>)>, Box<Error>> {
    let select = match body {
        SetExpr::Select(select) => select,
        SetExpr::SetOperation { left, right, .. } => {
            in_body(left)?;
            in_body(right)?;
            return Ok(None);
        }
        _ => return Ok(None),
    };
    let plain = |item: &SelectItem| !matches!(item, SelectItem::Wildcard(options) if has_options(options));
    let plain = select.projection.iter().all(plain);
    let bare = |item: &SelectItem| matches!(item, SelectItem::Wildcard(_));
    if select.projection.iter().any(bare) {
        name_queries(&mut select.from);
    }
    let merged = Merged::of(&mut select.from, plain)?;
    if merged.columns.is_empty() && !merged.shares {
        return Ok(None);
    }
    let shown = select.projection.iter().filter_map(name).collect();
    in_select(select, &merged)?;
    Ok(Some((merged, shown)))
}

/// The columns that joins share and that are not simply those of the left table.
#[derive(Default)]
struct Merged {
    /// Each with what it is.
    columns: Vec<(Ident, Expr)>,
    /// Those that are simply columns of one table. The planner finds them by their bare names, but not in WHERE and in ON.
    plain: Vec<(Ident, Expr)>,
    /// Whether a join compares what such a column is: its USING was written as ON, so that `*` would show the column again.
    compared: bool,
    /// Whether a third table that shares a column may be given a condition: `*` can be written out then.
    again: bool,
    /// Whether any join has USING or NATURAL.
    shares: bool,
    /// Whether the planner may take the column of the right table of a left join for the shared one in `*`.
    doubtful: bool,
    /// What `*` is; none where a table has no name to ask it by, or where it is not known which table has a shared column.
    stars: Option<Vec<SelectItem>>,
}

impl Merged {
    /// What the joins of FROM share; a join that asks for such a column again is given a condition that compares it. `plain`
    /// tells that every `*` is a bare one.
    fn of(from: &mut [TableWithJoins], plain: bool) -> Result<Merged, Box<Error>> {
        let mut all = Merged { stars: Some(Vec::new()), ..Merged::default() };
        for table in from {
            without_parentheses(table);
            let all_named =
                named(&table.relation).is_some() && table.joins.iter().all(|join| named(&join.relation).is_some());
            let mut merged = Merged { again: plain && all_named, ..Merged::default() };
            let mut shared = Vec::new();
            for index in 0..table.joins.len() {
                let (before, rest) = table.joins.split_at_mut(index);
                let natural = matches!(constraint(&mut rest[0].join_operator), Some(JoinConstraint::Natural));
                let asked = asked(&mut rest[0].join_operator)?;
                all.shares |= natural || !asked.is_empty();
                let of_first = |column: &Ident| {
                    merged.place(column).is_some() || before.iter().all(|join| shares(&join.join_operator, column))
                };
                let known = !natural && asked.iter().all(of_first);
                let inner = matches!(rest[0].join_operator, JoinOperator::Join(_) | JoinOperator::Inner(_));
                let plain = asked.iter().filter_map(|column| {
                    // Where it isn't known which table on the left has it, that on the right has the same of an inner join.
                    let owner = match of_first(column) {
                        true => Some(&table.relation),
                        false => inner.then_some(&rest[0].relation),
                    };
                    Some((column.clone(), qualified(owner?, column).ok()?))
                });
                let plain: Vec<(Ident, Expr)> = plain.collect();
                merged.plain.extend(plain);
                let left = matches!(rest[0].join_operator, JoinOperator::Left(_) | JoinOperator::LeftOuter(_));
                all.doubtful |=
                    left && (natural || !asked.is_empty()) && !in_alphabet(&table.relation, before, &rest[0]);
                shared.push(known.then_some(asked));
                merged.join(&table.relation, before, &mut rest[0])?;
            }
            let stars = shared.into_iter().collect::<Option<Vec<_>>>();
            let stars = stars.and_then(|shared| stars_of(table, &merged.columns, &shared));
            all.columns.append(&mut merged.columns);
            all.plain.append(&mut merged.plain);
            all.compared |= merged.compared;
            all.stars = all.stars.zip(stars).map(|(all, more)| [all, more].concat());
        }
        Ok(all)
    }

    fn join(&mut self, first: &TableFactor, before: &[Join], join: &mut Join) -> Result<(), Box<Error>> {
        let outer = match &join.join_operator {
            JoinOperator::FullOuter(_) => Some(Outer::Full),
            JoinOperator::Right(_) | JoinOperator::RightOuter(_) => Some(Outer::Right),
            _ => None,
        };
        let asked = asked(&mut join.join_operator)?;
        let makes_pairs = outer.is_some() || makes_pairs(&join.join_operator);
        let Some(held) = constraint(&mut join.join_operator) else { return Ok(()) };
        match held {
            JoinConstraint::Natural if outer.is_some() || !self.columns.is_empty() => return Err(refuse()),
            JoinConstraint::On(condition) => {
                let merged = [self.columns.as_slice(), self.plain.as_slice()].concat();
                Replace { merged, in_queries: 0 }.visit(condition);
            }
            _ => {}
        }
        let shared =
            |column: &Ident| !before.is_empty() && before.iter().all(|join| shares(&join.join_operator, column));
        let known = |column: &Ident| self.place(column).is_some();
        let again =
            self.again && asked.iter().any(shared) && asked.iter().all(|column| shared(column) || known(column));
        let compares = asked.iter().any(known) || again && makes_pairs;
        if asked.is_empty() || outer.is_none() && !compares {
            return Ok(());
        }
        let mut conditions = Vec::with_capacity(asked.len());
        for column in asked {
            let right = qualified(&join.relation, &column)?;
            let left = match self.place(&column) {
                Some(known) => self.columns.swap_remove(known).1,
                // Which of several tables on the left has the column can't be known here.
                None if before.iter().all(|join| shares(&join.join_operator, &column)) => qualified(first, &column)?,
                None => return Err(refuse()),
            };
            conditions.push(equal(left.clone(), right.clone()));
            let value = match outer {
                Some(Outer::Full) => coalesce(left, right),
                Some(Outer::Right) => right,
                None => left,
            };
            self.columns.push((column, value));
        }
        if compares && let Some(condition) = conditions.into_iter().reduce(both) {
            *held = JoinConstraint::On(condition);
            self.compared = true;
        }
        Ok(())
    }

    fn place(&self, column: &Ident) -> Option<usize> {
        self.columns.iter().position(|(known, _)| known.value.eq_ignore_ascii_case(&column.value))
    }
}

/// Which joins make rows that the left side does not have.
enum Outer {
    Right,
    Full,
}

/// The columns of USING.
pub(super) fn asked(operator: &mut JoinOperator) -> Result<Vec<Ident>, Box<Error>> {
    let Some(JoinConstraint::Using(names)) = constraint(operator) else { return Ok(Vec::new()) };
    let names = names.iter().map(|name| name.0.last().and_then(ObjectNamePart::as_ident).cloned());
    names.collect::<Option<_>>().ok_or_else(refuse)
}

/// Whether a join puts rows of both sides together, and keeps the left ones.
fn makes_pairs(join: &JoinOperator) -> bool {
    matches!(join, JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::Left(_) | JoinOperator::LeftOuter(_))
}

/// Whether a join has the column in its USING, so that all tables up to it share it.
fn shares(join: &JoinOperator, column: &Ident) -> bool {
    let (JoinOperator::Join(held)
    | JoinOperator::Inner(held)
    | JoinOperator::Left(held)
    | JoinOperator::LeftOuter(held)) = join
    else {
        return false;
    };
    let same =
        |part: &ObjectNamePart| part.as_ident().is_some_and(|name| name.value.eq_ignore_ascii_case(&column.value));
    matches!(held, JoinConstraint::Using(names) if names.iter().any(|name| name.0.last().is_some_and(same)))
}

/// `table.column`, by the name that the query gives the table.
pub(super) fn qualified(table: &TableFactor, column: &Ident) -> Result<Expr, Box<Error>> {
    let table = named(table).ok_or_else(refuse)?;
    Ok(Expr::CompoundIdentifier(vec![table.clone(), column.clone()]))
}

/// What the query calls a table.
pub(super) fn named(table: &TableFactor) -> Option<&Ident> {
    let (alias, name) = match table {
        TableFactor::Table { alias, name, .. } => (alias.as_ref(), name.0.last().and_then(ObjectNamePart::as_ident)),
        TableFactor::Derived { alias, .. } => (alias.as_ref(), None),
        _ => (None, None),
    };
    alias.map(|alias| &alias.name).or(name)
}

fn equal(left: Expr, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::Eq, right: Box::new(right) }
}

fn both(left: Expr, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op: BinaryOperator::And, right: Box::new(right) }
}

fn coalesce(left: Expr, right: Expr) -> Expr {
    super::rewrite::call("coalesce", vec![left, right])
}

fn refuse() -> Box<Error> {
    let message = "What this USING or NATURAL makes of its columns is not clear; write ON a.id = b.id, and coalesce(a.id, b.id) for the column.";
    Box::new(Error::new(ErrorCode::InvalidQuery, message))
}

/// The name under which an item is shown.
fn name(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name.value.to_lowercase()),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.to_lowercase()),
        _ => None,
    }
}

fn in_select(select: &mut Select, merged: &Merged) -> Result<(), Box<Error>> {
    let columns = &merged.columns;
    let mut replace = Replace { merged: columns.clone(), in_queries: 0 };
    let mut projection = Vec::with_capacity(select.projection.len());
    for mut item in std::mem::take(&mut select.projection) {
        match &mut item {
            SelectItem::Wildcard(options) if !has_options(options) && merged.stars.is_some() => {
                projection.extend(merged.stars.iter().flatten().cloned());
                continue;
            }
            SelectItem::Wildcard(_) if merged.compared || merged.doubtful => return Err(refuse()),
            SelectItem::Wildcard(options) if options.opt_replace.is_none() && !columns.is_empty() => {
                let element = |(column, value): &(Ident, Expr)| {
                    let (expr, column_name) = (value.clone(), column.clone());
                    Box::new(ReplaceSelectElement { expr, column_name, as_keyword: true })
                };
                options.opt_replace = Some(ReplaceSelectItem { items: columns.iter().map(element).collect() });
            }
            SelectItem::UnnamedExpr(Expr::Identifier(column)) => {
                let found = columns.iter().find(|(known, _)| known.value.eq_ignore_ascii_case(&column.value));
                if let Some((_, value)) = found {
                    item = SelectItem::ExprWithAlias { expr: value.clone(), alias: column.clone() };
                }
            }
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => replace.visit(expr),
            _ => {}
        }
        projection.push(item);
    }
    select.projection = projection;
    if let Some(condition) = &mut select.selection {
        Replace { merged: [columns.as_slice(), merged.plain.as_slice()].concat(), in_queries: 0 }.visit(condition);
    }
    let conditions = [&mut select.having, &mut select.qualify];
    conditions.into_iter().flatten().for_each(|expr| replace.visit(expr));
    if let GroupByExpr::Expressions(groups, _) = &mut select.group_by {
        groups.iter_mut().for_each(|group| replace.visit(group));
    }
    if let Some(Distinct::On(values)) = &mut select.distinct {
        values.iter_mut().for_each(|value| replace.visit(value));
    }
    for NamedWindowDefinition(_, window) in &mut select.named_window {
        // The visitor never breaks off.
        let _ = VisitMut::visit(window, &mut replace);
    }
    Ok(())
}

/// Puts the values in the place of the bare names, but not in queries inside, which see tables of their own.
struct Replace {
    merged: Vec<(Ident, Expr)>,
    in_queries: usize,
}

impl Replace {
    fn visit(&mut self, expr: &mut Expr) {
        // The visitor never breaks off.
        let _ = VisitMut::visit(expr, self);
    }
}

impl VisitorMut for Replace {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.in_queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.in_queries -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Identifier(column) = &*expr
            && self.in_queries == 0
            && let Some((_, value)) =
                self.merged.iter().find(|(known, _)| known.value.eq_ignore_ascii_case(&column.value))
        {
            *expr = value.clone();
        }
        ControlFlow::Continue(())
    }
}
