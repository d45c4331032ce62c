//! Resolves USING and NATURAL before planning. `l JOIN r USING (b)` becomes `l JOIN r ON l.b = r.b`, the bare name `b` becomes the
//! joined column (`coalesce(l.b, r.b)` of a full join), and `*` lists the shared columns first.
//!
//! The stock planner keeps shared columns at their place in the tables, picks the table whose name sorts first, and has no
//! merged column for full joins (<https://github.com/apache/datafusion/issues/20989>).

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, TableAlias, TableFactor,
    TableWithJoins, Value, WildcardAdditionalOptions,
};

use super::relation::{Relation, left_out, normal};
use crate::session::tables::Columns;
use crate::syntax::{call, change_outside_subqueries};
use quarry_types::{Error, ErrorCode, Position};

pub(super) type Refused = Box<Error>;
type RelationsOf<'a> = &'a dyn Fn(&TableFactor) -> Vec<Relation>;

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
pub fn constraint(operator: &mut JoinOperator) -> Option<&mut JoinConstraint> {
    constraint_of!(operator)
}

/// Whether a join of FROM has USING or NATURAL.
pub(super) fn in_any(from: &[TableWithJoins]) -> bool {
    let inside = |factor: &TableFactor| match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => in_any(std::slice::from_ref(table_with_joins)),
        _ => false,
    };
    from.iter().any(|table| {
        inside(&table.relation)
            || table.joins.iter().any(|join| {
                let held = constraint_of!(&join.join_operator);
                matches!(held, Some(JoinConstraint::Using(_) | JoinConstraint::Natural)) || inside(&join.relation)
            })
    })
}

/// A column that joined tables share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) name: String,
    /// The name as written in the query.
    pub(super) ident: Ident,
    /// Its value, by columns of the tables.
    pub(super) value: Expr,
}

/// The tables of one item of FROM.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) members: Vec<Member>,
    pub(super) shared: Vec<Shared>,
    /// What `*` expands to, in order.
    pub(super) star: Vec<Shown>,
}

pub(super) struct Member {
    pub(super) relation: Relation,
    /// Columns that `*` lists as shared ones instead.
    pub(super) hidden: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shown {
    /// A shared column, by its name.
    Shared(String),
    /// The columns of a table that are not shared, by its index in `members`.
    Rest(usize),
}

/// Replaces each USING and NATURAL by a condition, and returns the tables of each item of FROM. Subqueries without an alias are given
/// one; `named` counts them.
pub(super) fn write_out(
    from: &mut [TableWithJoins],
    relations_of: RelationsOf<'_>,
    named: &mut usize,
) -> Result<Vec<Tables>, Refused> {
    from.iter_mut().map(|table| Tables::joined(table, relations_of, named)).collect()
}

/// The column names that `*` expands to, if they are known.
pub(super) fn names_of_star(
    from: &[TableWithJoins],
    options: &WildcardAdditionalOptions,
    relations_of: RelationsOf<'_>,
) -> Option<Vec<String>> {
    if options.opt_rename.is_some() || options.opt_ilike.is_some() {
        return None;
    }
    let all = write_out(&mut from.to_vec(), relations_of, &mut 0).ok()?;
    let names = all.iter().map(Tables::names).collect::<Option<Vec<_>>>()?;
    let gone = left_out(options);
    Some(names.into_iter().flatten().filter(|name| !gone.contains(name)).collect())
}

/// The shared columns whose bare names are not ambiguous.
pub(super) fn unambiguous(all: &[Tables]) -> Vec<Shared> {
    let meanings = |name: &str| all.iter().map(|tables| tables.meanings(name)).sum::<usize>();
    all.iter().flat_map(|tables| &tables.shared).filter(|shared| meanings(&shared.name) == 1).cloned().collect()
}

impl Tables {
    fn joined(table: &mut TableWithJoins, relations_of: RelationsOf<'_>, named: &mut usize) -> Result<Tables, Refused> {
        let mut tables = Tables::single(&mut table.relation, relations_of, named)?;
        for join in &mut table.joins {
            let right = Tables::single(&mut join.relation, relations_of, named)?;
            tables.join(right, &mut join.join_operator)?;
        }
        Ok(tables)
    }

    fn single(factor: &mut TableFactor, relations_of: RelationsOf<'_>, named: &mut usize) -> Result<Tables, Refused> {
        if let TableFactor::NestedJoin { table_with_joins, alias: None } = factor {
            return Tables::joined(table_with_joins, relations_of, named);
        }
        if let TableFactor::Derived { alias: alias @ None, .. } = factor {
            *named += 1;
            let name = Ident::new(format!("__joined_{named}"));
            *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        }
        let member = |relation| Member { relation, hidden: Vec::new() };
        let members: Vec<Member> = relations_of(factor).into_iter().map(member).collect();
        let star = (0..members.len()).map(Shown::Rest).collect();
        Ok(Tables { members, shared: Vec::new(), star })
    }

    /// Adds the right side of a join, and replaces its USING or NATURAL.
    fn join(&mut self, mut right: Tables, operator: &mut JoinOperator) -> Result<(), Refused> {
        let kept = match operator {
            JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) | JoinOperator::Anti(_) | JoinOperator::LeftAnti(_) => {
                Kept::Left
            }
            JoinOperator::RightSemi(_) | JoinOperator::RightAnti(_) => Kept::Right,
            JoinOperator::Right(_) | JoinOperator::RightOuter(_) => Kept::Both(|_, right| right),
            JoinOperator::FullOuter(_) => Kept::Both(coalesce),
            _ => Kept::Both(|left, _| left),
        };
        let Some(held) = constraint(operator) else {
            self.add(right);
            return Ok(());
        };
        let columns = match held {
            JoinConstraint::Using(names) => {
                let ident = |name: &ObjectName| name.0.last().and_then(ObjectNamePart::as_ident).cloned();
                names.iter().map(ident).collect::<Option<Vec<Ident>>>().ok_or_else(|| unclear(None))?
            }
            JoinConstraint::Natural => {
                let (left, right) = self.names().zip(right.names()).ok_or_else(|| unclear(None))?;
                left.into_iter().filter(|name| right.contains(name)).map(|name| Ident::with_quote('"', name)).collect()
            }
            JoinConstraint::On(condition) => {
                let shared = unambiguous(std::slice::from_ref(self));
                change_outside_subqueries(condition, |expr| {
                    if let Expr::Identifier(ident) = &*expr
                        && let Some(shared) = shared.iter().find(|shared| shared.name == normal(ident))
                    {
                        *expr = shared.value.clone();
                    }
                });
                self.add(right);
                return Ok(());
            }
            JoinConstraint::None => {
                self.add(right);
                return Ok(());
            }
        };
        let mut conditions = Vec::with_capacity(columns.len());
        let mut both = Vec::with_capacity(columns.len());
        for ident in columns {
            let (left, right) = (self.find(&ident)?, right.find(&ident)?);
            conditions.push(binary(left.value.clone(), BinaryOperator::Eq, right.value.clone()));
            both.push((ident, left, right));
        }
        let all = conditions.into_iter().reduce(|all, next| binary(all, BinaryOperator::And, next));
        *held = JoinConstraint::On(all.unwrap_or_else(|| Expr::Value(Value::Boolean(true).into())));
        let value = match kept {
            Kept::Left => return Ok(()),
            Kept::Right => {
                *self = right;
                return Ok(());
            }
            Kept::Both(value) => value,
        };
        let mut shared = Vec::with_capacity(both.len());
        for (ident, left, of_right) in both {
            self.hide(&left);
            right.hide(&of_right);
            shared.push(Shared { name: normal(&ident), value: value(left.value, of_right.value), ident });
        }
        let first: Vec<Shown> = shared.iter().map(|shared| Shown::Shared(shared.name.clone())).collect();
        self.add(right);
        self.star.retain(|shown| !first.contains(shown));
        self.star.splice(0..0, first);
        self.shared.retain(|known| !shared.iter().any(|new| new.name == known.name));
        self.shared.extend(shared);
        Ok(())
    }

    /// Adds tables without a shared column.
    fn add(&mut self, other: Tables) {
        let before = self.members.len();
        self.members.extend(other.members);
        self.shared.extend(other.shared);
        self.star.extend(other.star.into_iter().map(|shown| match shown {
            Shown::Rest(member) => Shown::Rest(before + member),
            shared => shared,
        }));
    }

    /// Resolves a bare column name.
    fn find(&self, ident: &Ident) -> Result<Found, Refused> {
        let name = self.known_name(ident);
        let mut members = self.having(&name);
        if members.len() > 1 {
            members.retain(|member| !self.members[*member].relation.columns.yields(&name));
        }
        let shared = self.shared.iter().find(|shared| shared.name == name);
        let member = match (shared, members.as_slice()) {
            (Some(shared), []) => return Ok(Found { value: shared.value.clone(), hidden: None }),
            (None, [member]) => *member,
            // If one table has unknown columns, it is that one's.
            (None, []) => {
                let unknown = |member: &usize| matches!(self.members[*member].relation.columns, Columns::Unknown);
                let mut unknown = (0..self.members.len()).filter(unknown);
                match (unknown.next(), unknown.next()) {
                    (Some(member), None) => member,
                    (None, _) => return Err(missing(ident)),
                    _ => return Err(unclear(Some(ident))),
                }
            }
            _ => return Err(unclear(Some(ident))),
        };
        let relation = &self.members[member].relation;
        let Some(table) = &relation.name else { return Err(unclear(Some(ident))) };
        let column = Ident { value: name.clone(), quote_style: Some('"'), span: ident.span };
        let value = Expr::CompoundIdentifier(vec![Ident::with_quote('"', table), column]);
        let real = relation.columns.synonym(&name).map_or(name, |synonym| synonym.means.to_string());
        Ok(Found { value, hidden: Some((member, real)) })
    }

    fn hide(&mut self, found: &Found) {
        if let Some((member, name)) = &found.hidden {
            self.members[*member].hidden.push(name.clone());
        }
    }

    /// The name to look up. A quoted name keeps its case, unless only the lower-case name exists.
    fn known_name(&self, ident: &Ident) -> String {
        let name = normal(ident);
        if self.meanings(&name) > 0 { name } else { name.to_lowercase() }
    }

    /// The number of columns that a bare name could refer to.
    fn meanings(&self, name: &str) -> usize {
        self.having(name).len() + self.shared.iter().filter(|shared| shared.name == name).count()
    }

    /// The tables that have an unshared column of this name.
    fn having(&self, name: &str) -> Vec<usize> {
        let has = |member: &Member| {
            let columns = &member.relation.columns;
            let real = columns.synonym(name).map_or(name, |synonym| synonym.means);
            (columns.has(name) || columns.synonym(name).is_some()) && !member.hidden.iter().any(|hidden| hidden == real)
        };
        (0..self.members.len()).filter(|member| has(&self.members[*member])).collect()
    }

    /// The column names that `*` expands to, if they are known.
    fn names(&self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for shown in &self.star {
            match shown {
                Shown::Shared(name) => names.push(name.clone()),
                Shown::Rest(member) => {
                    let Member { relation, hidden } = &self.members[*member];
                    let Columns::Known { names: held, .. } = &relation.columns else { return None };
                    names.extend(held.iter().filter(|name| !hidden.contains(name)).cloned());
                }
            }
        }
        Some(names)
    }
}

/// The sides that a join returns, and how it computes a shared column when it returns both.
enum Kept {
    Left,
    Right,
    Both(fn(Expr, Expr) -> Expr),
}

struct Found {
    value: Expr,
    /// Its table and its name there, unless it is already a shared column.
    hidden: Option<(usize, String)>,
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

fn coalesce(left: Expr, right: Expr) -> Expr {
    call("coalesce", vec![left, right])
}

fn missing(ident: &Ident) -> Refused {
    at(ident, Error::new(ErrorCode::UnknownColumn, format!("There is no column {}.", ident.value)))
}

pub(super) fn unclear(ident: Option<&Ident>) -> Refused {
    let message = "What this USING or NATURAL makes of its columns is not clear; write ON a.id = b.id, and coalesce(a.id, b.id) for the column.";
    let error = Error::new(ErrorCode::InvalidQuery, message);
    match ident {
        Some(ident) => at(ident, error),
        None => Box::new(error),
    }
}

fn at(ident: &Ident, error: Error) -> Refused {
    let place = ident.span.start;
    Box::new(match place.line {
        0 => error,
        _ => error.at(Position { line: place.line, column: place.column }),
    })
}
