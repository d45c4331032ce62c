//! `hash(*)`: a star as the argument of a function stands for all columns of FROM.

use std::ops::ControlFlow;

use datafusion::execution::SessionState;
use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Query, Select, SelectItem, SetExpr, Statement, Visit,
    VisitMut, Visitor, VisitorMut,
};

use super::plan::plan;
use crate::error::Result;
use crate::kinds::sql;
use crate::kinds::sql::errors::Names;

/// Puts the columns in the place of the stars of a rewritten query.
pub(super) async fn expand(state: &SessionState, names: &Names, query: &mut Query) -> Result<()> {
    let mut found = Find::default();
    // The visitor never breaks off.
    let _ = Visit::visit(query, &mut found);
    if found.selects.is_empty() {
        return Ok(());
    }
    let mut columns = Vec::new();
    for select in found.selects {
        let mut everything = sql::query(SetExpr::Select(Box::new(select)));
        everything.with = query.with.clone();
        let statement = Statement::Query(Box::new(everything));
        let planned = plan(state, statement).await.map_err(|error| names.explain(&error))?;
        columns.push(
            planned
                .schema()
                .iter()
                .map(|(qualifier, field)| {
                    let quoted = |name: &str| Ident::with_quote('"', name);
                    match qualifier {
                        Some(table) => Expr::CompoundIdentifier(vec![quoted(table.table()), quoted(field.name())]),
                        None => Expr::Identifier(quoted(field.name())),
                    }
                })
                .collect(),
        );
    }
    columns.reverse();
    let _ = VisitMut::visit(query, &mut Fill { columns });
    Ok(())
}

/// Whether a call has a star that is not `count(*)`.
fn has_star(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return false };
    let FunctionArguments::List(list) = &function.args else { return false };
    let star = list.args.iter().any(|arg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Wildcard)));
    star && !function.name.to_string().eq_ignore_ascii_case("count")
}

#[derive(Default)]
struct Find {
    selects: Vec<Select>,
}

impl Visitor for Find {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let mut stars = Stars(false);
        let _ = select.projection.iter().try_for_each(|item| Visit::visit(item, &mut stars));
        if stars.0 {
            let mut everything = select.clone();
            everything.projection = vec![SelectItem::Wildcard(Default::default())];
            (everything.selection, everything.having, everything.distinct) = (None, None, None);
            everything.group_by = datafusion::sql::sqlparser::ast::GroupByExpr::Expressions(Vec::new(), Vec::new());
            self.selects.push(everything);
        }
        ControlFlow::Continue(())
    }
}

struct Stars(bool);

impl Visitor for Stars {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.0 |= has_star(expr);
        ControlFlow::Continue(())
    }
}

/// Goes the same way and fills in, select by select.
struct Fill {
    columns: Vec<Vec<Expr>>,
}

impl VisitorMut for Fill {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let mut stars = Stars(false);
        let _ = select.projection.iter().try_for_each(|item| Visit::visit(item, &mut stars));
        if stars.0
            && let Some(columns) = self.columns.pop()
        {
            let mut replace = Replace { columns };
            let _ = select.projection.iter_mut().try_for_each(|item| VisitMut::visit(item, &mut replace));
        }
        ControlFlow::Continue(())
    }
}

struct Replace {
    columns: Vec<Expr>,
}

impl VisitorMut for Replace {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if has_star(expr)
            && let Expr::Function(function) = expr
            && let FunctionArguments::List(list) = &mut function.args
        {
            let all = self.columns.iter().cloned().map(|column| FunctionArg::Unnamed(FunctionArgExpr::Expr(column)));
            list.args = all.collect();
        }
        ControlFlow::Continue(())
    }
}
