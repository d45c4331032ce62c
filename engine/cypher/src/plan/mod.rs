//! The plan of a query: names are resolved to places in a row, patterns to steps of a walk.

mod bounds;
mod checks;
mod clauses;
mod expressions;
mod functions;
mod matching;
mod patterns;
mod planner;
mod projection;
mod rewrite;
mod scope;
mod types;

use std::sync::Arc;

use super::functions::{Aggregator, Function};
use super::procedures::Procedure;
use super::store::{Edges, LabelId};
use super::value::{Arithmetic, Value, ValueType};

pub(super) use clauses::plan;

/// Place of a value in a row.
pub(super) type Slot = usize;

/// Byte offset of an expression in the query text. Always equal, so that comparing expressions ignores positions.
#[derive(Debug, Clone, Copy)]
pub(super) struct At(pub usize);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// One query: branches joined by UNION.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Query {
    pub branches: Vec<Vec<Stage>>,
    /// UNION without ALL.
    pub distinct: bool,
    /// Names of the columns; empty when nothing is returned.
    pub columns: Vec<String>,
}

/// One clause.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stage {
    Match(Match),
    Unwind { list: Expr, slot: Slot },
    Call(Call),
    Project(Box<Projection>),
    Filter(Expr),
}

/// MATCH.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Match {
    pub optional: bool,
    pub steps: Vec<Step>,
    /// Slots that OPTIONAL MATCH fills with null when nothing matches.
    pub new: Vec<Slot>,
}

/// One step of matching; each makes any number of rows of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    /// Binds a node: by an index, or by looking at all nodes (of a label).
    Nodes {
        slot: Slot,
        seek: Option<Seek>,
        label: Option<LabelId>,
    },
    /// Goes on only when the slot holds a node.
    IsNode {
        slot: Slot,
        at: At,
    },
    Expand(Box<Expand>),
    Shortest(Box<Shortest>),
    /// Puts a path together from its nodes and relationships in turn.
    Path {
        slot: Slot,
        parts: Vec<Slot>,
    },
    Filter(Expr),
}

/// Nodes whose property equals a value, or one of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seek {
    pub property: Arc<str>,
    pub value: Expr,
    pub any_of: bool,
}

/// From one node over relationships to another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expand {
    pub from: Slot,
    pub relationship: Slot,
    pub to: Slot,
    /// The other node is known already: the walk must end there.
    pub to_bound: bool,
    pub relationship_bound: bool,
    pub direction: Direction,
    pub edges: Edges,
    /// Types that are not in the graph were asked for along others, or alone: nothing may match.
    pub nothing: bool,
    pub properties: Vec<(Arc<str>, Expr)>,
    /// Predicates every relationship of the walk must pass, each with the slot it looks at.
    pub each: Vec<(Slot, Expr)>,
    pub hops: Option<Hops>,
    /// The pattern is written from the other end: a list of relationships is turned round.
    pub reversed: bool,
    /// Somebody can name the relationships.
    pub named: bool,
    /// Only the nodes at the end matter, each once: no path is followed twice to the same node.
    pub ends_only: bool,
    /// Slots of the other relationships of this MATCH: none may be used twice.
    pub others: Vec<Slot>,
    pub at: At,
}

/// `shortestPath` and `allShortestPaths` between two known nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shortest {
    pub walk: Expand,
    pub path: Slot,
    pub all: bool,
}

/// Number of relationships of a variable-length pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hops {
    pub min: u32,
    pub max: u32,
}

/// Which way relationships are followed, seen from where the walk comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Out,
    In,
    Both,
}

impl Direction {
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Out => Direction::In,
            Direction::In => Direction::Out,
            Direction::Both => Direction::Both,
        }
    }
}

/// CALL of a procedure.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub procedure: &'static Procedure,
    pub arguments: Vec<Expr>,
    /// Column of the procedure and the slot it goes to.
    pub outputs: Vec<(usize, Slot)>,
    pub optional: bool,
    pub at: At,
}

/// WITH and RETURN. The row that items, order and filter see holds the old values, the keys and aggregates of a group,
/// and then the items.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Projection {
    pub group: Option<Group>,
    pub items: Vec<Expr>,
    /// Slot of the first item in the wide row.
    pub first: Slot,
    pub distinct: bool,
    pub order: Vec<SortKey>,
    pub skip: Option<Expr>,
    pub limit: Option<Expr>,
    pub filter: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortKey {
    pub expression: Expr,
    pub descending: bool,
    /// Where null goes; by default last, or first when descending.
    pub nulls_first: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub keys: Vec<Expr>,
    pub first_key: Slot,
    pub aggregates: Vec<Aggregate>,
    pub first_aggregate: Slot,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Aggregate {
    pub function: &'static Aggregator,
    pub distinct: bool,
    /// Empty for `count(*)`.
    pub arguments: Vec<Expr>,
    pub at: At,
}

/// An expression with its position in the query text and its static type.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub kind: Kind,
    pub at: At,
    pub value_type: ValueType,
}

/// The type is left out because it follows from the kind.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Constant(Value),
    Slot(Slot),
    /// The result of an aggregate of the projection, until it is given a slot.
    Aggregate(usize),
    List(Vec<Expr>),
    Map(Vec<(Arc<str>, Expr)>),
    MapProjection {
        base: Box<Expr>,
        items: Vec<MapItem>,
    },
    Property(Box<Expr>, Arc<str>),
    Index(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Power(Box<Expr>, Box<Expr>),
    Concat(Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Box<Expr>),
    TextTest(TextTest, Box<Expr>, Box<Expr>),
    IsNull(Box<Expr>, bool),
    HasLabels(Box<Expr>, Labels),
    Call(&'static Function, Vec<Expr>),
    Case {
        operand: Option<Box<Expr>>,
        arms: Vec<(Vec<Expr>, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    Comprehension {
        list: Box<Expr>,
        slot: Slot,
        filter: Option<Box<Expr>>,
        item: Option<Box<Expr>>,
    },
    Quantifier {
        kind: Quantifier,
        list: Box<Expr>,
        slot: Slot,
        predicate: Box<Expr>,
    },
    Reduce {
        accumulator: Slot,
        initial: Box<Expr>,
        slot: Slot,
        list: Box<Expr>,
        step: Box<Expr>,
    },
    /// `[(a)-->(b) | b.x]`
    PatternComprehension {
        steps: Vec<Step>,
        item: Box<Expr>,
    },
    /// A pattern as a predicate.
    PatternExists(Vec<Step>),
    /// `shortestPath(…)` as an expression: its path, or the list of all.
    PatternPaths {
        steps: Vec<Step>,
        path: Slot,
        all: bool,
    },
    Subquery(Subquery, Box<Query>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum MapItem {
    All,
    Property(Arc<str>),
    Entry(Arc<str>, Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextTest {
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Any,
    None,
    Single,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subquery {
    Exists,
    Count,
    Collect,
}

/// A boolean combination of labels, or of types. Names that are not in the graph are false.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Labels {
    Label(Option<LabelId>, Option<u32>),
    Any,
    Not(Box<Labels>),
    And(Vec<Labels>),
    Or(Vec<Labels>),
}
