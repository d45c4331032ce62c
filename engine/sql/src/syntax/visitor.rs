//! Walks over syntax trees of SQL.
//!
//! sqlparser's `Visit` is generic over the visitor, so each kind of visitor compiles the walk through all nodes once more. With
//! some sixty of them that was most of the time and size of this crate and of those above it. Here the walk is compiled once: it
//! calls the visitor through a trait object.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, GroupByExpr, ObjectName, OrderBy, Query, Select, SelectItem, Statement, TableFactor, ValueWithSpan, Visit,
    VisitMut, Visitor, VisitorMut,
};

/// Declares the walk for shared or mutable nodes: the object-safe form of a visitor, what keeps its break, and what sqlparser
/// calls.
macro_rules! walk {
    ($walk:ident, $accept:ident, $visit:ident, $visitor:ident, $object:ident, $keeping:ident, $erased:ident,
     ($($reference:tt)+), [$($method:ident: $node:ty),+ $(,)?]) => {
        /// The object-safe form of a visitor.
        pub trait $object {
            $(fn $method(&mut self, node: $node) -> ControlFlow<()>;)+
        }

        /// A visitor, and what it broke off with.
        struct $keeping<'a, V: $visitor> {
            visitor: &'a mut V,
            broken: Option<V::Break>,
        }

        impl<V: $visitor> $object for $keeping<'_, V> {
            $(fn $method(&mut self, node: $node) -> ControlFlow<()> {
                self.visitor.$method(node).map_break(|broken| self.broken = Some(broken))
            })+
        }

        struct $erased<'a>(&'a mut dyn $object);

        impl $visitor for $erased<'_> {
            type Break = ();

            $(fn $method(&mut self, node: $node) -> ControlFlow<()> {
                self.0.$method(node)
            })+
        }

        /// Visits a node and all below it, until the visitor breaks off.
        pub fn $walk<V: $visitor>(node: $($reference)+ impl Node, visitor: &mut V) -> ControlFlow<V::Break> {
            let mut keeping = $keeping { visitor, broken: None };
            let _ = node.$accept(&mut keeping);
            keeping.broken.map_or(ControlFlow::Continue(()), ControlFlow::Break)
        }
    };
}

walk!(
    visit, accept, Visit, Visitor, DynVisitor, Keeping, Erased, (&),
    [
        pre_visit_query: &Query,
        post_visit_query: &Query,
        pre_visit_select: &Select,
        post_visit_select: &Select,
        pre_visit_relation: &ObjectName,
        post_visit_relation: &ObjectName,
        pre_visit_table_factor: &TableFactor,
        post_visit_table_factor: &TableFactor,
        pre_visit_expr: &Expr,
        post_visit_expr: &Expr,
        pre_visit_statement: &Statement,
        post_visit_statement: &Statement,
        pre_visit_value: &ValueWithSpan,
        post_visit_value: &ValueWithSpan,
    ]
);
walk!(
    visit_mut, accept_mut, VisitMut, VisitorMut, DynVisitorMut, KeepingMut, ErasedMut, (&mut),
    [
        pre_visit_query: &mut Query,
        post_visit_query: &mut Query,
        pre_visit_select: &mut Select,
        post_visit_select: &mut Select,
        pre_visit_relation: &mut ObjectName,
        post_visit_relation: &mut ObjectName,
        pre_visit_table_factor: &mut TableFactor,
        post_visit_table_factor: &mut TableFactor,
        pre_visit_expr: &mut Expr,
        post_visit_expr: &mut Expr,
        pre_visit_statement: &mut Statement,
        post_visit_statement: &mut Statement,
        pre_visit_value: &mut ValueWithSpan,
        post_visit_value: &mut ValueWithSpan,
    ]
);

/// A node that can be walked through.
pub trait Node {
    fn accept(&self, visitor: &mut dyn DynVisitor) -> ControlFlow<()>;
    fn accept_mut(&mut self, visitor: &mut dyn DynVisitorMut) -> ControlFlow<()>;
}

macro_rules! nodes {
    ($($node:ty),+ $(,)?) => {
        $(impl Node for $node {
            fn accept(&self, visitor: &mut dyn DynVisitor) -> ControlFlow<()> {
                Visit::visit(self, &mut Erased(visitor))
            }

            fn accept_mut(&mut self, visitor: &mut dyn DynVisitorMut) -> ControlFlow<()> {
                VisitMut::visit(self, &mut ErasedMut(visitor))
            }
        })+
    };
}

nodes!(
    Statement,
    Vec<Statement>,
    Query,
    Box<Query>,
    Select,
    SelectItem,
    Vec<SelectItem>,
    GroupByExpr,
    OrderBy,
    Option<OrderBy>,
    Expr,
    Box<Expr>,
    Vec<Expr>,
    Option<Expr>,
);

struct Expressions<F>(F);

impl<B, F: FnMut(&Expr) -> ControlFlow<B>> Visitor for Expressions<F> {
    type Break = B;

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<B> {
        (self.0)(expr)
    }
}

impl<B, F: FnMut(&mut Expr) -> ControlFlow<B>> VisitorMut for Expressions<F> {
    type Break = B;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<B> {
        (self.0)(expr)
    }
}

/// Visits the expressions of a node, parents before children.
pub fn visit_expressions<B>(node: &impl Node, found: impl FnMut(&Expr) -> ControlFlow<B>) -> ControlFlow<B> {
    visit(node, &mut Expressions(found))
}

/// Changes the expressions of a node, children before parents.
pub fn visit_expressions_mut<B>(
    node: &mut impl Node,
    change: impl FnMut(&mut Expr) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit_mut(node, &mut Expressions(change))
}

struct Relations<F>(F);

impl<B, F: FnMut(&ObjectName) -> ControlFlow<B>> Visitor for Relations<F> {
    type Break = B;

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<B> {
        (self.0)(relation)
    }
}

/// Visits the names of the tables of a node.
pub fn visit_relations<B>(node: &impl Node, found: impl FnMut(&ObjectName) -> ControlFlow<B>) -> ControlFlow<B> {
    visit(node, &mut Relations(found))
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::GenericDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    #[test]
    fn a_walk_ends_where_the_visitor_breaks_off() {
        let mut parsed = Parser::parse_sql(&GenericDialect {}, "select a, (select b from t where c) from u").unwrap();
        let mut seen = Vec::new();
        let found = visit_expressions(&parsed, |expr| {
            seen.push(expr.to_string());
            if expr.to_string() == "b" { ControlFlow::Break(7) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((found, seen.len()), (ControlFlow::Break(7), 3));
        let mut tables = Vec::new();
        let all: ControlFlow<()> = visit_relations(&parsed, |name| {
            tables.push(name.to_string());
            ControlFlow::Continue(())
        });
        assert_eq!((all, tables), (ControlFlow::Continue(()), vec!["t".to_string(), "u".to_string()]));
        let _: ControlFlow<()> = visit_expressions_mut(&mut parsed, |expr| {
            if let Expr::Identifier(name) = expr {
                name.value.make_ascii_uppercase();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(parsed[0].to_string(), "SELECT A, (SELECT B FROM t WHERE C) FROM u");
    }
}
