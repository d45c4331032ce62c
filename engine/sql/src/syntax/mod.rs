//! The dialect, walks over syntax trees, and small syntax trees to build with.

pub mod dialect;
pub mod visitor;

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::helpers::attached_token::AttachedToken;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, GroupByExpr, Ident,
    JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Query, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, TableWithJoins, Visitor, VisitorMut,
};

use visitor::{Node, visit, visit_mut};

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
pub fn change_outside_subqueries(part: &mut impl Node, change: impl FnMut(&mut Expr)) {
    // The visitor never breaks off.
    let _ = visit_mut(part, &mut Outside { depth: 0, visit: change });
}

/// Visits every expression in a part of a query, parents before children, but not those of subqueries.
pub fn visit_outside_subqueries(part: &impl Node, visit_expr: impl FnMut(&Expr)) {
    // The visitor never breaks off.
    let _ = visit(part, &mut Outside { depth: 0, visit: visit_expr });
}

struct Outside<F> {
    /// How many subqueries are open.
    depth: usize,
    visit: F,
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
            (self.visit)(expr);
        }
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Expr)> Visitor for Outside<F> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.depth == 0 {
            (self.visit)(expr);
        }
        ControlFlow::Continue(())
    }
}

/// The names before a star; none of a star with options.
pub fn star_qualifier(item: &SelectItem) -> Vec<Ident> {
    match item {
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)
            if *options == Default::default() =>
        {
            name.0.iter().filter_map(ObjectNamePart::as_ident).cloned().collect()
        }
        _ => Vec::new(),
    }
}

macro_rules! constraint_of {
    ($operator:expr) => {
        match $operator {
            JoinOperator::Join(constraint)
            | JoinOperator::Inner(constraint)
            | JoinOperator::Left(constraint)
            | JoinOperator::LeftOuter(constraint)
            | JoinOperator::Right(constraint)
            | JoinOperator::RightOuter(constraint)
            | JoinOperator::FullOuter(constraint)
            | JoinOperator::Semi(constraint)
            | JoinOperator::LeftSemi(constraint)
            | JoinOperator::RightSemi(constraint)
            | JoinOperator::Anti(constraint)
            | JoinOperator::LeftAnti(constraint)
            | JoinOperator::RightAnti(constraint) => Some(constraint),
            _ => None,
        }
    };
}

/// The ON, USING or NATURAL of a join, where it may have one.
pub fn join_constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    constraint_of!(operator)
}

/// The same to change it.
pub fn join_constraint_mut(operator: &mut JoinOperator) -> Option<&mut JoinConstraint> {
    constraint_of!(operator)
}

/// `SELECT` of items from tables.
pub fn query_of(projection: Vec<SelectItem>, from: Vec<TableWithJoins>, selection: Option<Expr>) -> Query {
    let select = Select {
        select_token: AttachedToken::empty(),
        optimizer_hints: Vec::new(),
        distinct: None,
        select_modifiers: None,
        top: None,
        top_before_distinct: false,
        projection,
        exclude: None,
        into: None,
        from,
        lateral_views: Vec::new(),
        prewhere: None,
        selection,
        connect_by: Vec::new(),
        group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
        cluster_by: Vec::new(),
        distribute_by: Vec::new(),
        sort_by: Vec::new(),
        having: None,
        named_window: Vec::new(),
        qualify: None,
        window_before_qualify: false,
        value_table_mode: None,
        flavor: SelectFlavor::Standard,
    };
    query(SetExpr::Select(Box::new(select)))
}

/// A query of a body alone.
pub fn query(body: SetExpr) -> Query {
    Query {
        with: None,
        body: Box::new(body),
        order_by: None,
        limit_clause: None,
        fetch: None,
        locks: Vec::new(),
        for_clause: None,
        settings: None,
        format_clause: None,
        pipe_operators: Vec::new(),
    }
}
