//! The FROM clause: tables, queries of WITH, derived tables, and joins of these.

use rand::Rng;

use super::super::ast::{Expr, Form, From, On};
use super::super::values::Type;
use super::{Generator, Relation, Scope};

impl Generator<'_> {
    /// A FROM clause, and its columns.
    pub(super) fn from(&mut self, outer: &[Expr], depth: usize) -> (From, Vec<Expr>) {
        let (mut from, mut columns) = self.one(outer, depth);
        let joins = match self.random.random_range(0..10) {
            0..5 => 0,
            5..9 => 1,
            _ => 2,
        };
        for _ in 0..joins {
            (from, columns) = self.join(from, columns, outer, depth, joins == 1);
        }
        (from, columns)
    }

    /// One relation.
    fn one(&mut self, outer: &[Expr], depth: usize) -> (From, Vec<Expr>) {
        let alias = self.name("r");
        if depth > 0 && self.once_in(4) {
            let types = self.types(3);
            let query = self.query(&types, outer, depth - 1);
            let names = query.first_select().items.iter().map(|item| format!("{alias}.{}", item.name));
            let columns = names.zip(types).map(|(name, of)| Expr::Column(name, of)).collect();
            return (From::Derived { query: Box::new(query), alias, lateral: false }, columns);
        }
        let relations = self.relations.clone();
        let Relation { name, columns } = self.pick(&relations);
        let columns = columns.into_iter().map(|(name, of)| Expr::Column(format!("{alias}.{name}"), of)).collect();
        (From::Table { name, alias }, columns)
    }

    fn join(
        &mut self,
        left: From,
        mut columns: Vec<Expr>,
        outer: &[Expr],
        depth: usize,
        sole: bool,
    ) -> (From, Vec<Expr>) {
        if depth > 0 && self.once_in(12) {
            return self.lateral(left, columns, outer, depth);
        }
        // A derived table that is not lateral can't use columns of the other side.
        let (right, right_columns) = self.one(outer, depth);
        let kind = self.pick(&["join", "join", "left join", "left join", "right join", "full join", "cross join"]);
        if sole && kind != "cross join" && self.once_in(4) {
            let shared = shared_columns(&columns, &right_columns);
            if !shared.is_empty() {
                let count = self.random.random_range(1..=shared.len().min(2));
                let using: Vec<String> = shared[..count].iter().map(|(name, _)| name.clone()).collect();
                columns.extend(right_columns);
                columns.extend(shared[..count].iter().map(|(name, of)| Expr::Column(name.clone(), *of)));
                return (joined(kind, left, right, On::Using(using)), columns);
            }
        }
        let on =
            if kind == "cross join" { On::Nothing } else { On::Condition(self.on(&columns, &right_columns, kind)) };
        columns.extend(right_columns);
        (joined(kind, left, right, on), columns)
    }

    /// A join condition: an equality if both sides have columns of one type, often with a further condition.
    fn on(&mut self, left: &[Expr], right: &[Expr], kind: &str) -> Expr {
        let pairs: Vec<(&Expr, &Expr)> = left
            .iter()
            .flat_map(|left| right.iter().map(move |right| (left, right)))
            .filter(|(left, right)| left.value_type() == right.value_type() && left.value_type().has_order())
            .collect();
        let both = Scope { leaves: left.iter().chain(right).cloned().collect(), ..Scope::default() };
        if pairs.is_empty() || kind != "full join" && self.once_in(6) {
            return self.expr(Type::Bool, 1, &both);
        }
        let (one, other) = self.pick(&pairs);
        let operator = if kind != "full join" && self.once_in(8) { "is not distinct from" } else { "=" };
        let sides =
            if self.random.random() { vec![one.clone(), other.clone()] } else { vec![other.clone(), one.clone()] };
        let level = if operator == "=" { 5 } else { 4 };
        let equal = Expr::Form(Form::new(format!("{{0:6}} {operator} {{1:6}}"), level), sides, Type::Bool);
        // PostgreSQL supports FULL JOIN only with equalities.
        if kind == "full join" || !self.once_in(3) {
            return equal;
        }
        let more = self.expr(Type::Bool, 1, &both);
        Expr::Form(Form::new("{0:2} and {1:3}", 2), vec![equal, more], Type::Bool)
    }

    /// A lateral derived table.
    fn lateral(&mut self, left: From, mut columns: Vec<Expr>, outer: &[Expr], depth: usize) -> (From, Vec<Expr>) {
        let types = self.types(2);
        let around: Vec<Expr> = columns.iter().chain(outer).cloned().collect();
        let query = self.query(&types, &around, depth - 1);
        let alias = self.name("r");
        let names = query.first_select().items.iter().map(|item| format!("{alias}.{}", item.name));
        columns.extend(names.zip(types).map(|(name, of)| Expr::Column(name, of)));
        let right = From::Derived { query: Box::new(query), alias, lateral: true };
        let from = match self.random.random() {
            true => joined("cross join", left, right, On::Nothing),
            false => {
                let always = Expr::Constant(Some(super::super::values::Value::Bool(true)), Type::Bool);
                joined("left join", left, right, On::Condition(always))
            }
        };
        (from, columns)
    }
}

fn joined(kind: &'static str, left: From, right: From, on: On) -> From {
    From::Join { kind, left: Box::new(left), right: Box::new(right), on }
}

/// The columns that both sides have with the same name and type.
fn shared_columns(left: &[Expr], right: &[Expr]) -> Vec<(String, Type)> {
    let named = |column: &Expr| match column {
        Expr::Column(name, of) => name.split_once('.').map(|(_, name)| (name.to_string(), *of)),
        _ => None,
    };
    let right: Vec<(String, Type)> = right.iter().filter_map(named).collect();
    left.iter().filter_map(named).filter(|column| column.1.has_order() && right.contains(column)).collect()
}
