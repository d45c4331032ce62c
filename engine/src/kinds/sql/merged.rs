//! The column of `RIGHT JOIN … USING (c)` and `FULL JOIN … USING (c)`: the planner takes that of the left table, which is
//! null in the rows that only the right one has.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, GroupByExpr, Ident, JoinConstraint, JoinOperator, ObjectNamePart, OrderByKind, Query, ReplaceSelectElement,
    ReplaceSelectItem, Select, SelectItem, SetExpr, TableFactor, TableWithJoins, VisitMut, VisitorMut,
};

use crate::error::{Error, ErrorCode, Result};

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
        let SetExpr::Select(select) = query.body.as_mut() else { return ControlFlow::Continue(()) };
        let merged = match columns(&select.from) {
            Ok(merged) if merged.is_empty() => return ControlFlow::Continue(()),
            Ok(merged) => merged,
            Err(error) => return ControlFlow::Break(error),
        };
        let shown: Vec<String> = select.projection.iter().filter_map(name).collect();
        in_select(select, &merged);
        if let Some(OrderByKind::Expressions(order)) = query.order_by.as_mut().map(|order| &mut order.kind) {
            let hidden = merged.into_iter().filter(|(column, _)| !shown.contains(&column.value.to_lowercase()));
            let mut replace = Replace { merged: hidden.collect(), in_queries: 0 };
            order.iter_mut().for_each(|ordered| replace.visit(&mut ordered.expr));
        }
        ControlFlow::Continue(())
    }
}

/// The columns that are not simply those of the left table, with what they are.
fn columns(from: &[TableWithJoins]) -> Result<Vec<(Ident, Expr)>, Box<Error>> {
    let mut merged: Vec<(Ident, Expr)> = Vec::new();
    for table in from {
        for (index, join) in table.joins.iter().enumerate() {
            let (held, full) = match &join.join_operator {
                JoinOperator::FullOuter(held) => (held, true),
                JoinOperator::Right(held) | JoinOperator::RightOuter(held) => (held, false),
                _ => continue,
            };
            let names = match held {
                JoinConstraint::Using(names) => names,
                JoinConstraint::Natural => return Err(refuse()),
                _ => continue,
            };
            for column in names.iter().map(|name| name.0.last().and_then(ObjectNamePart::as_ident)) {
                let Some(column) = column else { return Err(refuse()) };
                let right = qualified(&join.relation, column)?;
                let known = merged.iter().position(|(known, _)| known.value.eq_ignore_ascii_case(&column.value));
                let left = match known {
                    Some(known) => merged.swap_remove(known).1,
                    // Which of several tables on the left has the column can't be known here.
                    None if table.joins[..index].iter().all(|join| shares(&join.join_operator, column)) => {
                        qualified(&table.relation, column)?
                    }
                    None => return Err(refuse()),
                };
                let value = if full { coalesce(left, right) } else { right };
                merged.push((column.clone(), value));
            }
        }
    }
    Ok(merged)
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
fn qualified(table: &TableFactor, column: &Ident) -> Result<Expr, Box<Error>> {
    let (alias, name) = match table {
        TableFactor::Table { alias, name, .. } => (alias.as_ref(), name.0.last().and_then(ObjectNamePart::as_ident)),
        TableFactor::Derived { alias, .. } => (alias.as_ref(), None),
        _ => (None, None),
    };
    let table = alias.map(|alias| &alias.name).or(name).ok_or_else(refuse)?;
    Ok(Expr::CompoundIdentifier(vec![table.clone(), column.clone()]))
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

fn in_select(select: &mut Select, merged: &[(Ident, Expr)]) {
    let mut replace = Replace { merged: merged.to_vec(), in_queries: 0 };
    for item in &mut select.projection {
        match item {
            SelectItem::Wildcard(options) if options.opt_replace.is_none() => {
                let element = |(column, value): &(Ident, Expr)| {
                    let (expr, column_name) = (value.clone(), column.clone());
                    Box::new(ReplaceSelectElement { expr, column_name, as_keyword: true })
                };
                options.opt_replace = Some(ReplaceSelectItem { items: merged.iter().map(element).collect() });
            }
            SelectItem::UnnamedExpr(Expr::Identifier(column)) => {
                let found = merged.iter().find(|(known, _)| known.value.eq_ignore_ascii_case(&column.value));
                if let Some((_, value)) = found {
                    *item = SelectItem::ExprWithAlias { expr: value.clone(), alias: column.clone() };
                }
            }
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => replace.visit(expr),
            _ => {}
        }
    }
    let conditions = [&mut select.selection, &mut select.having, &mut select.qualify];
    conditions.into_iter().flatten().for_each(|expr| replace.visit(expr));
    if let GroupByExpr::Expressions(groups, _) = &mut select.group_by {
        groups.iter_mut().for_each(|group| replace.visit(group));
    }
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
