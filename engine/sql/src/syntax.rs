//! Small parts that rewrites of parsed SQL share.

use std::ops::ControlFlow;

use crate::ast_visitor::visit_mut;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident, ObjectName, Query,
    VisitMut, VisitorMut,
};

/// A call without clauses.
pub fn call(function: &str, args: Vec<Expr>) -> Expr {
    Expr::Function(Function {
        name: ObjectName::from(vec![Ident::new(function)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: arguments(args),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

/// The arguments of a call without clauses.
pub fn arguments(args: Vec<Expr>) -> FunctionArguments {
    let args = args.into_iter().map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))).collect();
    FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses: Vec::new() })
}

/// Changes every expression in a part of a query, children before parents. Subqueries are skipped: they have their own tables.
pub fn change_outside_subqueries(part: &mut impl VisitMut, change: impl FnMut(&mut Expr)) {
    // The visitor never breaks off.
    let _ = visit_mut(part, &mut Outside { depth: 0, change });
}

struct Outside<F> {
    /// How many subqueries are open.
    depth: usize,
    change: F,
}

impl<F: FnMut(&mut Expr)> VisitorMut for Outside<F> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.depth == 0 {
            (self.change)(expr);
        }
        ControlFlow::Continue(())
    }
}
