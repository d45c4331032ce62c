//! Random queries with one correct answer: every LIMIT, and every window where it matters, has a total order, and nothing is
//! used on which products legitimately differ.

mod aggregates;
mod expressions;
mod forms;
mod relations;
mod selects;
mod windows;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::ast::{Body, Expr, Order, Query, With};
use super::tables::Table;
use super::values::Type;

/// Generates queries over some tables.
pub struct Generator<'a> {
    random: StdRng,
    /// The relations FROM can refer to: tables and queries of WITH.
    relations: Vec<Relation>,
    tables: &'a [Table],
    names: usize,
}

/// A table or a query of WITH.
#[derive(Debug, Clone)]
struct Relation {
    name: String,
    columns: Vec<(String, Type)>,
}

/// The building blocks of an expression at its place in a query.
#[derive(Debug, Clone, Default)]
struct Scope {
    /// Columns, or grouping keys.
    leaves: Vec<Expr>,
    /// Columns of the enclosing queries.
    outer: Vec<Expr>,
    /// The columns that aggregates can use; `None` where aggregates are not allowed.
    grouped: Option<Vec<Expr>>,
    /// Whether window functions are allowed.
    windows: bool,
}

impl<'a> Generator<'a> {
    pub fn new(seed: u64, tables: &'a [Table]) -> Generator<'a> {
        Generator { random: StdRng::seed_from_u64(seed), relations: Vec::new(), tables, names: 0 }
    }

    /// A whole query.
    pub fn top(&mut self) -> Query {
        let relation = |table: &Table| Relation {
            name: table.name.clone(),
            columns: table.columns.iter().map(|column| (column.name.clone(), column.of)).collect(),
        };
        self.relations = self.tables.iter().map(relation).collect();
        self.names = 0;
        let types = self.types(4);
        let with = if self.once_in(4) { self.with() } else { Vec::new() };
        let mut query = self.query(&types, &[], 2);
        query.with = with;
        query
    }

    /// Queries of WITH, which everything after them can refer to.
    fn with(&mut self) -> Vec<With> {
        let count = self.random.random_range(1..3);
        (0..count)
            .map(|_| {
                let types = self.types(3);
                let query = self.query(&types, &[], 1);
                let name = self.name("w");
                let names = query.first_select().items.iter().map(|item| item.name.clone());
                let relation = Relation { name: name.clone(), columns: names.zip(types).collect() };
                // Listed repeatedly, so that queries often use it more than once.
                self.relations.extend([relation.clone(), relation.clone(), relation]);
                With { name, query }
            })
            .collect()
    }

    /// A query with columns of these types, which may be correlated with enclosing queries.
    fn query(&mut self, types: &[Type], outer: &[Expr], depth: usize) -> Query {
        let mut body = Body::Select(Box::new(self.select(types, outer, depth)));
        if depth > 0 && self.once_in(7) {
            let words = ["union all", "union", "intersect", "except", "intersect all", "except all"];
            let word = words.choose(&mut self.random).unwrap().to_string();
            let other = Body::Select(Box::new(self.select(types, outer, depth - 1)));
            body = Body::Set(word, Box::new(body), Box::new(other));
        }
        let mut query = Query { with: Vec::new(), body, order: Vec::new(), limit: None, offset: None };
        if self.once_in(4) && types.iter().all(|of| of.has_order()) {
            self.order(&mut query, types.len());
        }
        query
    }

    /// Orders the rows by all columns, so that LIMIT and OFFSET have one correct answer.
    fn order(&mut self, query: &mut Query, columns: usize) {
        let mut places: Vec<usize> = (0..columns).collect();
        for at in (1..places.len()).rev() {
            places.swap(at, self.random.random_range(0..=at));
        }
        let key = |column: usize| Order {
            column,
            descending: self.random.random(),
            nulls_first: *[None, Some(true), Some(false)].choose(&mut self.random).unwrap(),
        };
        query.order = places.into_iter().map(key).collect();
        if self.random.random() {
            query.limit = Some(*[0, 1, 2, 3, 5, 10].choose(&mut self.random).unwrap());
        }
        if self.once_in(4) {
            query.offset = Some(self.random.random_range(0..4));
        }
    }

    fn types(&mut self, most: usize) -> Vec<Type> {
        let count = self.random.random_range(1..=most);
        (0..count).map(|_| self.any_type()).collect()
    }

    /// A random type, biased toward integers.
    fn any_type(&mut self) -> Type {
        if self.once_in(4) { Type::Int } else { *Type::ALL.choose(&mut self.random).unwrap() }
    }

    fn ordered_type(&mut self) -> Type {
        loop {
            let of = self.any_type();
            if of.has_order() {
                return of;
            }
        }
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn once_in(&mut self, times: u32) -> bool {
        self.random.random_ratio(1, times)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of.choose(&mut self.random).expect("something to pick from").clone()
    }
}
