//! The logical plan of a query: operators over rows, whose values have slots instead of names.

use std::sync::Arc;

use crate::functions::{Aggregator, Function};
use crate::graph::{Edges, LabelId};
use crate::procedures::Procedure;
use crate::query_text::At;
use crate::values::{Arithmetic, Value, ValueType};

/// The position of a value in a row.
pub(crate) type Slot = usize;

/// One query: branches joined by UNION.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query {
    pub branches: Vec<Vec<Operator>>,
    /// UNION without ALL.
    pub distinct: bool,
    /// Names of the columns; empty when nothing is returned.
    pub columns: Vec<String>,
}

/// An operator, which makes rows of the rows of the one before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operator {
    Match(Match),
    Unwind { list: Expr, slot: Slot },
    Call(Call),
    Project(Box<Projection>),
    Filter(Expr),
}

/// MATCH.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Match {
    pub optional: bool,
    pub steps: Vec<MatchStep>,
    /// Slots that OPTIONAL MATCH fills with null when nothing matches.
    pub new: Vec<Slot>,
}

/// A step of matching, which makes any number of rows of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MatchStep {
    /// Scans nodes: by an index, or all nodes (of a label).
    ScanNodes {
        slot: Slot,
        seek: Option<Seek>,
        label: Option<LabelId>,
    },
    /// Keeps rows whose slot has a node.
    CheckNode {
        slot: Slot,
        at: At,
    },
    Expand(Box<Expand>),
    ShortestPath(Box<ShortestPath>),
    /// Assembles a path of its nodes and relationships.
    BuildPath {
        slot: Slot,
        parts: Vec<Slot>,
    },
    Filter(Expr),
}

/// An index seek: nodes whose property equals a value, or one of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seek {
    pub property: Arc<str>,
    pub value: Expr,
    pub any_of: bool,
}

/// Follows relationships from one node to another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expand {
    pub from: Slot,
    pub relationship: Slot,
    pub to: Slot,
    /// Whether the other node is bound: the relationships must lead there.
    pub to_bound: bool,
    pub relationship_bound: bool,
    pub direction: Direction,
    pub edges: Edges,
    /// Whether none of its types is in the graph.
    pub matches_nothing: bool,
    pub properties: Vec<(Arc<str>, Expr)>,
    /// Conditions on each relationship, with the slot that they read it from.
    pub conditions: Vec<(Slot, Expr)>,
    pub hops: Option<Hops>,
    /// Whether the pattern is written from the other end: a list of relationships is reversed.
    pub reversed: bool,
    /// Whether the relationships have a variable.
    pub is_named: bool,
    /// Whether only the distinct nodes at the end are needed.
    pub ends_only: bool,
    /// Slots of the other relationships of this MATCH: none may occur twice.
    pub other_relationships: Vec<Slot>,
    pub at: At,
}

/// `shortestPath` and `allShortestPaths` between two known nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShortestPath {
    pub expand: Expand,
    pub path: Slot,
    pub all: bool,
}

/// Number of relationships of a variable-length pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hops {
    pub min: u32,
    pub max: u32,
}

/// The direction in which relationships are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
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
pub(crate) struct Call {
    pub procedure: &'static Procedure,
    pub arguments: Vec<Expr>,
    /// Column of the procedure and the slot it goes to.
    pub outputs: Vec<(usize, Slot)>,
    pub optional: bool,
    pub at: At,
}

/// WITH and RETURN. The row that items, order and filter read has the old values, the keys and aggregates of a group, and
/// then the items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Projection {
    pub group: Option<Group>,
    pub items: Vec<Expr>,
    /// Slot of the first item in that row.
    pub first: Slot,
    pub distinct: bool,
    pub order: Vec<SortKey>,
    pub skip: Option<Expr>,
    pub limit: Option<Expr>,
    pub filter: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SortKey {
    pub expression: Expr,
    pub descending: bool,
    /// Where null goes; by default last, or first when descending.
    pub nulls_first: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub keys: Vec<Expr>,
    pub first_key: Slot,
    pub aggregates: Vec<Aggregate>,
    pub first_aggregate: Slot,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Aggregate {
    pub function: &'static Aggregator,
    pub distinct: bool,
    /// Empty for `count(*)`.
    pub arguments: Vec<Expr>,
    pub at: At,
}

/// An expression with its position in the text of the query and its static type.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub kind: Kind,
    pub at: At,
    pub value_type: ValueType,
}

/// Without the type, which follows from the kind.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
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
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
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
        steps: Vec<MatchStep>,
        item: Box<Expr>,
    },
    /// A pattern as a predicate.
    PatternExists(Vec<MatchStep>),
    /// `shortestPath(…)` as an expression: its path, or the list of all.
    PatternPaths {
        steps: Vec<MatchStep>,
        path: Slot,
        all: bool,
    },
    Subquery(Subquery, Box<Query>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum MapItem {
    All,
    Property(Arc<str>),
    Entry(Arc<str>, Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    And,
    Or,
    Xor,
    Arithmetic(Arithmetic),
    Power,
    Concat,
    Compare(Comparison),
    In,
    TextTest(TextTest),
    /// `list[0]`, `map['key']`.
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTest {
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Any,
    None,
    Single,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subquery {
    Exists,
    Count,
    Collect,
}

/// A boolean combination of labels, or of types. Names that are not in the graph are false.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Labels {
    Label(Option<LabelId>, Option<u32>),
    Any,
    Not(Box<Labels>),
    And(Vec<Labels>),
    Or(Vec<Labels>),
}
