//! Resolves USING and NATURAL. `l JOIN r USING (b)` becomes `l JOIN r ON l.b = r.b`, the bare name `b` becomes the merged column
//! (`coalesce(l.b, r.b)` of a full join), and `*` lists the merged columns first.
//!
//! DataFusion leaves these columns at their index in the tables, picks the table whose name sorts first, and has no merged
//! column for full joins (<https://github.com/apache/datafusion/issues/20989>).

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, TableAlias, TableFactor,
    TableWithJoins, Value, WildcardAdditionalOptions,
};

use crate::error_location::{error_at, location_position};
use crate::names::relation::{Relation, left_out, normal};
use crate::session::tables::Columns;
use crate::syntax::{call, change_outside_subqueries, join_constraint, join_constraint_mut};
use quarry_types::{Error, ErrorCode};

pub(super) type Refused = Box<Error>;
type RelationsOf<'a> = &'a dyn Fn(&TableFactor) -> Vec<Relation>;

/// Whether a join of FROM has USING or NATURAL.
pub(super) fn in_any(from: &[TableWithJoins]) -> bool {
    let inside = |factor: &TableFactor| match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => in_any(std::slice::from_ref(table_with_joins)),
        _ => false,
    };
    from.iter().any(|table| {
        inside(&table.relation)
            || table.joins.iter().any(|join| {
                let constraint = join_constraint(&join.join_operator);
                matches!(constraint, Some(JoinConstraint::Using(_) | JoinConstraint::Natural)) || inside(&join.relation)
            })
    })
}

/// A column of USING or NATURAL.
#[derive(Debug, Clone)]
pub(super) struct UsingColumn {
    pub(super) name: String,
    /// The name as written in the query.
    pub(super) ident: Ident,
    /// Its value, by columns of the tables.
    pub(super) value: Expr,
}

/// The tables of one item of FROM.
#[derive(Default)]
pub(super) struct JoinedTables {
    pub(super) members: Vec<Member>,
    pub(super) merged: Vec<UsingColumn>,
    /// What `*` expands to, in order.
    pub(super) star: Vec<WildcardPart>,
}

pub(super) struct Member {
    pub(super) relation: Relation,
    /// Columns that `*` lists as merged ones instead.
    pub(super) hidden: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum WildcardPart {
    /// A merged column, by its name.
    Merged(String),
    /// The columns of a table that are not merged, by its index in `members`.
    Rest(usize),
}

/// Replaces each USING and NATURAL by a condition, and returns the tables of each item of FROM. Subqueries without an alias get one;
/// `named` counts them.
pub(super) fn resolve(
    from: &mut [TableWithJoins],
    relations_of: RelationsOf<'_>,
    named: &mut usize,
) -> Result<Vec<JoinedTables>, Refused> {
    from.iter_mut().map(|table| JoinedTables::joined(table, relations_of, named)).collect()
}

/// The tables of each item of FROM, unless its USING or NATURAL is refused.
pub(super) fn joined_tables(from: &[TableWithJoins], relations_of: RelationsOf<'_>) -> Option<Vec<JoinedTables>> {
    resolve(&mut from.to_vec(), relations_of, &mut 0).ok()
}

/// The column names that `*` expands to, if they are known.
pub(super) fn names_of_star(all: &[JoinedTables], options: &WildcardAdditionalOptions) -> Option<Vec<String>> {
    if options.opt_rename.is_some() || options.opt_ilike.is_some() {
        return None;
    }
    let names = all.iter().map(JoinedTables::names).collect::<Option<Vec<_>>>()?;
    let left_out = left_out(options);
    Some(names.into_iter().flatten().filter(|name| !left_out.contains(name)).collect())
}

/// The merged columns whose bare names are not ambiguous.
pub(super) fn unambiguous(all: &[JoinedTables]) -> Vec<UsingColumn> {
    let meanings = |name: &str| all.iter().map(|tables| tables.meanings(name)).sum::<usize>();
    all.iter().flat_map(|tables| &tables.merged).filter(|column| meanings(&column.name) == 1).cloned().collect()
}

impl JoinedTables {
    pub(super) fn relations(&self) -> impl Iterator<Item = &Relation> {
        self.members.iter().map(|member| &member.relation)
    }

    fn joined(
        table: &mut TableWithJoins,
        relations_of: RelationsOf<'_>,
        named: &mut usize,
    ) -> Result<JoinedTables, Refused> {
        let mut tables = JoinedTables::single(&mut table.relation, relations_of, named)?;
        for join in &mut table.joins {
            let right = JoinedTables::single(&mut join.relation, relations_of, named)?;
            tables.join(right, &mut join.join_operator)?;
        }
        Ok(tables)
    }

    fn single(
        factor: &mut TableFactor,
        relations_of: RelationsOf<'_>,
        named: &mut usize,
    ) -> Result<JoinedTables, Refused> {
        if let TableFactor::NestedJoin { table_with_joins, alias: None } = factor {
            return JoinedTables::joined(table_with_joins, relations_of, named);
        }
        if let TableFactor::Derived { alias: alias @ None, .. } = factor {
            *named += 1;
            let name = Ident::new(format!("__joined_{named}"));
            *alias = Some(TableAlias { explicit: true, name, columns: Vec::new(), at: None });
        }
        let member = |relation| Member { relation, hidden: Vec::new() };
        let members: Vec<Member> = relations_of(factor).into_iter().map(member).collect();
        let star = (0..members.len()).map(WildcardPart::Rest).collect();
        Ok(JoinedTables { members, merged: Vec::new(), star })
    }

    /// Adds the right side of a join, and replaces its USING or NATURAL.
    fn join(&mut self, mut right: JoinedTables, operator: &mut JoinOperator) -> Result<(), Refused> {
        let output = match operator {
            JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) | JoinOperator::Anti(_) | JoinOperator::LeftAnti(_) => {
                Output::Left
            }
            JoinOperator::RightSemi(_) | JoinOperator::RightAnti(_) => Output::Right,
            JoinOperator::Right(_) | JoinOperator::RightOuter(_) => Output::Both(|_, right| right),
            JoinOperator::FullOuter(_) => Output::Both(coalesce),
            _ => Output::Both(|left, _| left),
        };
        let Some(constraint) = join_constraint_mut(operator) else {
            self.add(right);
            return Ok(());
        };
        let columns = match constraint {
            JoinConstraint::Using(names) => {
                let ident = |name: &ObjectName| name.0.last().and_then(ObjectNamePart::as_ident).cloned();
                names.iter().map(ident).collect::<Option<Vec<Ident>>>().ok_or_else(|| unclear(None))?
            }
            JoinConstraint::Natural => {
                let (left, right) = self.names().zip(right.names()).ok_or_else(|| unclear(None))?;
                left.into_iter().filter(|name| right.contains(name)).map(|name| Ident::with_quote('"', name)).collect()
            }
            JoinConstraint::On(condition) => {
                let merged = unambiguous(std::slice::from_ref(self));
                change_outside_subqueries(condition, |expr| {
                    if let Expr::Identifier(ident) = &*expr
                        && let Some(column) = merged.iter().find(|column| column.name == normal(ident))
                    {
                        *expr = column.value.clone();
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
        *constraint = JoinConstraint::On(all.unwrap_or_else(|| Expr::Value(Value::Boolean(true).into())));
        let value = match output {
            Output::Left => return Ok(()),
            Output::Right => {
                *self = right;
                return Ok(());
            }
            Output::Both(value) => value,
        };
        let mut merged = Vec::with_capacity(both.len());
        for (ident, left, of_right) in both {
            self.hide(&left);
            right.hide(&of_right);
            merged.push(UsingColumn { name: normal(&ident), value: value(left.value, of_right.value), ident });
        }
        let first: Vec<WildcardPart> = merged.iter().map(|column| WildcardPart::Merged(column.name.clone())).collect();
        self.add(right);
        self.star.retain(|part| !first.contains(part));
        self.star.splice(0..0, first);
        self.merged.retain(|known| !merged.iter().any(|new| new.name == known.name));
        self.merged.extend(merged);
        Ok(())
    }

    /// Adds tables without a merged column.
    fn add(&mut self, other: JoinedTables) {
        let before = self.members.len();
        self.members.extend(other.members);
        self.merged.extend(other.merged);
        self.star.extend(other.star.into_iter().map(|part| match part {
            WildcardPart::Rest(member) => WildcardPart::Rest(before + member),
            merged => merged,
        }));
    }

    /// Resolves a bare column name.
    fn find(&self, ident: &Ident) -> Result<Operand, Refused> {
        let name = self.known_name(ident);
        let mut members = self.having(&name);
        if members.len() > 1 {
            members.retain(|member| !self.members[*member].relation.columns.yields(&name));
        }
        let merged = self.merged.iter().find(|column| column.name == name);
        let member = match (merged, members.as_slice()) {
            (Some(column), []) => return Ok(Operand { value: column.value.clone(), source: None }),
            (None, [member]) => *member,
            // The only table whose columns are not known must have it.
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
        Ok(Operand { value, source: Some((member, real)) })
    }

    fn hide(&mut self, operand: &Operand) {
        if let Some((member, name)) = &operand.source {
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
        self.having(name).len() + self.merged.iter().filter(|column| column.name == name).count()
    }

    /// The tables that have a column of this name that is not merged.
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
        for part in &self.star {
            match part {
                WildcardPart::Merged(name) => names.push(name.clone()),
                WildcardPart::Rest(member) => {
                    let Member { relation, hidden } = &self.members[*member];
                    let Columns::Known { names: columns, .. } = &relation.columns else { return None };
                    names.extend(columns.iter().filter(|name| !hidden.contains(name)).cloned());
                }
            }
        }
        Some(names)
    }
}

/// The sides that a join returns, and how it computes a merged column when it returns both.
enum Output {
    Left,
    Right,
    Both(fn(Expr, Expr) -> Expr),
}

/// A side of the equality that replaces a column of USING.
struct Operand {
    value: Expr,
    /// Its table and its name there, unless it is a merged column already.
    source: Option<(usize, String)>,
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

fn coalesce(left: Expr, right: Expr) -> Expr {
    call("coalesce", vec![left, right])
}

fn missing(ident: &Ident) -> Refused {
    let error = Error::new(ErrorCode::UnknownColumn, format!("There is no column {}.", ident.value));
    Box::new(error_at(error, location_position(ident.span.start)))
}

pub(super) fn unclear(ident: Option<&Ident>) -> Refused {
    let message = "The columns of this USING or NATURAL join are ambiguous; write ON a.id = b.id, and coalesce(a.id, \
                   b.id) for the column.";
    let error = Error::new(ErrorCode::InvalidQuery, message);
    Box::new(error_at(error, ident.and_then(|ident| location_position(ident.span.start))))
}
