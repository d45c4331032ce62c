//! Expressions of a type: columns, constants, forms that all types share, conditions and subqueries.

use rand::Rng;

use super::super::ast::{ATOM, Expr, Form, Query};
use super::super::values::{Type, any_value};
use super::{Generator, Scope};

impl Generator<'_> {
    /// An expression of a type, at most `depth` levels deep.
    pub(super) fn expr(&mut self, of: Type, depth: usize, scope: &Scope) -> Expr {
        if depth == 0 || self.once_in(5) {
            return self.leaf(of, scope);
        }
        match self.random.random_range(0..12) {
            0 => self.case(of, depth, scope),
            1 => self.chosen(of, depth, scope),
            2 if self.once_in(3) => self.scalar_query(of, scope),
            _ if of == Type::Bool => self.condition(depth, scope),
            _ => match self.form(of) {
                Some((form, types)) => {
                    let parts = types.into_iter().map(|of| self.expr(of, depth - 1, scope)).collect();
                    Expr::Form(form, parts, of)
                }
                None => self.leaf(of, scope),
            },
        }
    }

    /// A column, a constant, or an aggregate where one is allowed.
    pub(super) fn leaf(&mut self, of: Type, scope: &Scope) -> Expr {
        if scope.grouped.is_some()
            && !self.once_in(3)
            && let Some(aggregate) = self.aggregate(of, scope)
        {
            return aggregate;
        }
        let outer = !scope.outer.is_empty() && self.once_in(4);
        let of_type =
            |leaves: &[Expr]| leaves.iter().filter(|leaf| leaf.value_type() == of).cloned().collect::<Vec<_>>();
        let from = if outer { of_type(&scope.outer) } else { of_type(&scope.leaves) };
        if !from.is_empty() && !self.once_in(5) {
            return self.pick(&from);
        }
        self.constant(of)
    }

    pub(super) fn constant(&mut self, of: Type) -> Expr {
        let value = (!self.once_in(8)).then(|| any_value(of, &mut self.random));
        Expr::Constant(value, of)
    }

    /// An operation on columns only.
    pub(super) fn computed(&mut self, of: Type, scope: &Scope) -> Option<Expr> {
        let (form, types) = self.form(of)?;
        let mut parts = Vec::new();
        for of in types {
            let leaves: Vec<Expr> = scope.leaves.iter().filter(|leaf| leaf.value_type() == of).cloned().collect();
            parts.push(if leaves.is_empty() { return None } else { self.pick(&leaves) });
        }
        Some(Expr::Form(form, parts, of))
    }

    /// Both forms of CASE.
    fn case(&mut self, of: Type, depth: usize, scope: &Scope) -> Expr {
        let branches = self.random.random_range(1..4);
        let (mut text, mut parts) = ("case".to_string(), Vec::new());
        let simple = self.once_in(2).then(|| self.ordered_type());
        if let Some(tested) = simple {
            text += " {0}";
            parts.push(self.expr(tested, depth - 1, scope));
        }
        for _ in 0..branches {
            let at = parts.len();
            text += &format!(" when {{{at}}} then {{{}}}", at + 1);
            parts.push(match simple {
                Some(tested) if self.once_in(2) => self.constant(tested),
                Some(tested) => self.leaf(tested, scope),
                None => self.expr(Type::Bool, depth - 1, scope),
            });
            parts.push(self.expr(of, depth - 1, scope));
        }
        if !self.once_in(3) {
            text += &format!(" else {{{}}}", parts.len());
            parts.push(self.expr(of, depth - 1, scope));
        }
        Expr::Form(Form::new(text + " end", ATOM), parts, of)
    }

    /// COALESCE, NULLIF, GREATEST and LEAST.
    fn chosen(&mut self, of: Type, depth: usize, scope: &Scope) -> Expr {
        let (one, other) = (self.expr(of, depth - 1, scope), self.expr(of, depth - 1, scope));
        let form = match self.random.random_range(0..4) {
            0 | 1 => Form::new("coalesce({0}, {1})", ATOM),
            2 if of.has_order() => Form::new("nullif({0}, {1})", ATOM),
            3 if of.has_order() && of != Type::Bool => {
                let word = self.pick(&["greatest", "least"]);
                // Null if any argument is null, as in Trino; the other products ignore nulls.
                let elsewhere =
                    format!("case when {{0:5}} is not null and {{1:5}} is not null then {word}({{0}}, {{1}}) end");
                Form::new(format!("{word}({{0}}, {{1}})"), ATOM).duckdb(elsewhere.clone()).postgres(elsewhere)
            }
            _ => return self.leaf(of, scope),
        };
        Expr::Form(form, vec![one, other], of)
    }

    /// A condition.
    fn condition(&mut self, depth: usize, scope: &Scope) -> Expr {
        let form = |text: &str, level: u8| Form::new(text, level);
        let inner = depth - 1;
        match self.random.random_range(0..20) {
            0..7 => self.comparison(inner, scope),
            7 | 8 => {
                let parts = vec![self.expr(Type::Bool, inner, scope), self.expr(Type::Bool, inner, scope)];
                let form = if self.once_in(2) { form("{0:2} and {1:3}", 2) } else { form("{0:1} or {1:2}", 1) };
                Expr::Form(form, parts, Type::Bool)
            }
            9 => Expr::Form(form("not {0:3}", 3), vec![self.expr(Type::Bool, inner, scope)], Type::Bool),
            10 | 11 => {
                let of = self.any_type();
                let word = self.pick(&["is null", "is not null"]);
                Expr::Form(form(&format!("{{0:5}} {word}"), 4), vec![self.expr(of, inner, scope)], Type::Bool)
            }
            12 => {
                let word =
                    self.pick(&["is true", "is not true", "is false", "is not false", "is unknown", "is not unknown"]);
                Expr::Form(form(&format!("{{0:5}} {word}"), 4), vec![self.expr(Type::Bool, inner, scope)], Type::Bool)
            }
            13 => {
                let of = self.ordered_type();
                let parts = (0..3).map(|_| self.expr(of, inner, scope)).collect();
                let word = self.pick(&["between", "not between"]);
                Expr::Form(form(&format!("{{0:7}} {word} {{1:7}} and {{2:7}}"), 6), parts, Type::Bool)
            }
            14 | 15 => self.listed(inner, scope),
            16 => {
                let pattern = self.pick(&["a%", "%b", "_", "%", "", "a_b", "%a%"]);
                let word = self.pick(&["like", "not like"]);
                let text = self.expr(Type::Text, inner, scope);
                Expr::Form(form(&format!("{{0:7}} {word} '{pattern}'"), 6), vec![text], Type::Bool)
            }
            _ => self.asked(scope),
        }
    }

    /// A comparison of two expressions, sometimes of different types.
    fn comparison(&mut self, depth: usize, scope: &Scope) -> Expr {
        let of = self.any_type();
        let left = self.expr(of, depth, scope);
        let right = match of {
            Type::Int if self.once_in(4) => self.pick(&[Type::Decimal, Type::Double, Type::Big]),
            Type::Decimal if self.once_in(4) => Type::Int,
            Type::Date if self.once_in(4) => Type::Time,
            Type::Wei if self.once_in(4) => Type::Int,
            of => of,
        };
        let right = self.expr(right, depth, scope);
        let operators: &[&str] = match of.has_order() {
            true => &["=", "=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from"],
            false => &["=", "<>", "is distinct from"],
        };
        let operator = self.pick(operators);
        let (level, needed) = if operator.starts_with("is") { (4, 5) } else { (5, 6) };
        let form = Form::new(format!("{{0:{needed}}} {operator} {{1:{needed}}}"), level);
        Expr::Form(form, vec![left, right], Type::Bool)
    }

    /// A comparison of an expression with another of the same type.
    pub(super) fn compared(&mut self, with: Expr, scope: &Scope) -> Expr {
        let other = self.expr(with.value_type(), 1, scope);
        let operator = self.pick(&["=", "<>", "<", ">="]);
        Expr::Form(Form::new(format!("{{0:6}} {operator} {{1:6}}"), 5), vec![with, other], Type::Bool)
    }

    /// IN a list.
    fn listed(&mut self, depth: usize, scope: &Scope) -> Expr {
        let of = self.ordered_type();
        let mut parts = vec![self.expr(of, depth, scope)];
        let count = self.random.random_range(1..5);
        for _ in 0..count {
            parts.push(match self.random.random_range(0..5) {
                0 => Expr::Null(of),
                1 => self.leaf(of, scope),
                _ => self.constant(of),
            });
        }
        let places: Vec<String> = (1..parts.len()).map(|at| format!("{{{at}}}")).collect();
        let word = self.pick(&["in", "not in"]);
        Expr::Form(Form::new(format!("{{0:7}} {word} ({})", places.join(", ")), 6), parts, Type::Bool)
    }

    /// EXISTS, IN, and ANY or ALL with a subquery.
    fn asked(&mut self, scope: &Scope) -> Expr {
        let of = self.ordered_type();
        let query = self.inner_query(&[of], scope);
        let (text, level, parts) = match self.random.random_range(0..6) {
            0 => ("exists ({q})", ATOM, vec![]),
            1 => ("not exists ({q})", 3, vec![]),
            2 | 3 => ("{0:7} in ({q})", 6, vec![self.expr(of, 1, scope)]),
            4 => ("{0:7} not in ({q})", 6, vec![self.expr(of, 1, scope)]),
            _ => {
                let text =
                    self.pick(&["{0:6} = any ({q})", "{0:6} >= all ({q})", "{0:6} <> all ({q})", "{0:6} < any ({q})"]);
                (text, 5, vec![self.expr(of, 1, scope)])
            }
        };
        Expr::Sub(Form::new(text, level), parts, query, Type::Bool)
    }

    /// A scalar subquery: an aggregate of all rows, or the first row.
    fn scalar_query(&mut self, of: Type, scope: &Scope) -> Expr {
        let mut query = self.inner_query(&[of], scope);
        let super::super::ast::Body::Select(select) = &mut query.body else { return self.leaf(of, scope) };
        let form = Form::new("({q})", ATOM);
        let item = &select.items[0].expr;
        // An aggregate of outer columns only would belong to the enclosing query, where a dialect supports it at all.
        let inside = matches!(item, Expr::Column(..))
            && !scope.leaves.iter().chain(&scope.outer).any(|leaf| is_same(leaf, item));
        let rows = if inside && query.limit.is_none() { self.sole(item) } else { None };
        match rows {
            Some(aggregate) if matches!(select.group, super::super::ast::Group::None) => {
                select.items[0].expr = aggregate;
                (select.distinct, select.qualify) = (false, None);
                query.order.clear();
                query.offset = None;
            }
            _ if of.has_order() => {
                self.order(&mut query, 1);
                query.limit = Some(1);
            }
            _ => return self.leaf(of, scope),
        }
        Expr::Sub(form, Vec::new(), query, of)
    }

    /// An aggregate of an expression, unless that contains an aggregate or a window function.
    fn sole(&mut self, expr: &Expr) -> Option<Expr> {
        use super::super::ast::Kind;
        if expr.has(Kind::Aggregate)
            || expr.has(Kind::Window)
            || !expr.value_type().has_order()
            || expr.value_type() == Type::Bool
        {
            return None;
        }
        let word = self.pick(&["min", "max"]);
        let form = Form::new(format!("{word}({{0}})"), ATOM).kind(Kind::Aggregate);
        Some(Expr::Form(form, vec![expr.clone()], expr.value_type()))
    }

    /// A subquery that may be correlated with the columns in scope.
    fn inner_query(&mut self, types: &[Type], scope: &Scope) -> Box<Query> {
        let columns = scope.leaves.iter().chain(&scope.outer).filter(|leaf| matches!(leaf, Expr::Column(..)));
        let around: Vec<Expr> = columns.cloned().collect();
        Box::new(self.query(types, &around, 0))
    }
}

fn is_same(one: &Expr, other: &Expr) -> bool {
    matches!((one, other), (Expr::Column(one, _), Expr::Column(other, _)) if one == other)
}
