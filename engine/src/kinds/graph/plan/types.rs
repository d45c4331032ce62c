//! What is known of values before the query runs.

use super::{Expr, Kind, Subquery};
use crate::kinds::graph::value::{Arithmetic, Value};

/// The type of a variable or an expression, as far as it is known. Any of them may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::kinds::graph) enum ValueType {
    /// Nothing is known.
    Any,
    Boolean,
    Integer,
    /// A whole number beyond 64 bits that is written out, or calculated of such alone.
    Amount,
    Float,
    Text,
    List,
    /// The list of a variable-length pattern.
    Relationships,
    Map,
    Node,
    Relationship,
    Path,
    Temporal,
}

use ValueType::{
    Amount, Any, Boolean, Float, Integer, List, Map, Node, Path, Relationship, Relationships, Temporal, Text,
};

impl ValueType {
    pub fn name(self) -> &'static str {
        match self {
            Any => "a value",
            Boolean => "a boolean",
            Integer | Amount => "a whole number",
            Float => "a floating-point number",
            Text => "a text",
            List => "a list",
            Relationships => "a list of relationships",
            Map => "a map",
            Node => "a node",
            Relationship => "a relationship",
            Path => "a path",
            Temporal => "a date or a time",
        }
    }

    fn of_constant(value: &Value) -> ValueType {
        match value {
            Value::Null => Any,
            Value::Bool(_) => Boolean,
            Value::Int(_) => Integer,
            Value::Amount(_) => Amount,
            Value::Float(_) => Float,
            Value::Text(_) => Text,
            Value::List(_) => List,
            Value::Map(_) => Map,
            Value::Node(_) => Node,
            Value::Relationship(_) => Relationship,
            Value::Path(_) => Path,
            Value::Temporal(_) => Temporal,
        }
    }

    /// Whether a value of this type may be of one of those.
    pub fn may_be(self, types: &[ValueType]) -> bool {
        match self {
            Any => true,
            Amount => types.contains(&Integer),
            Relationships => types.contains(&Relationships) || types.contains(&List),
            one => types.contains(&one),
        }
    }

    /// The type of all of them, if they have one.
    fn common(types: impl IntoIterator<Item = ValueType>) -> ValueType {
        let mut types = types.into_iter();
        let Some(first) = types.next() else { return Any };
        if types.all(|one| one == first) { first } else { Any }
    }
}

impl Expr {
    /// The type of the items, when its value is a list.
    pub fn item_type(&self) -> ValueType {
        match (&self.kind, self.of) {
            (Kind::List(items), _) => ValueType::common(items.iter().map(|item| item.of)),
            (_, Relationships) => Relationship,
            _ => Any,
        }
    }
}

/// The type of an expression by its parts. Variables and aggregates are given theirs where they are found.
pub(super) fn type_of(kind: &Kind) -> ValueType {
    match kind {
        Kind::Constant(value) => ValueType::of_constant(value),
        Kind::List(items) if !items.is_empty() && items.iter().all(|item| item.of == Relationship) => Relationships,
        Kind::List(_) | Kind::Slice(..) | Kind::Comprehension { .. } | Kind::PatternComprehension { .. } => List,
        Kind::Map(_) | Kind::MapProjection { .. } => Map,
        Kind::Not(_) | Kind::And(..) | Kind::Or(..) | Kind::Xor(..) => Boolean,
        Kind::Compare(..) | Kind::In(..) | Kind::TextTest(..) | Kind::IsNull(..) | Kind::HasLabels(..) => Boolean,
        Kind::Quantifier { .. } | Kind::PatternExists(_) | Kind::Subquery(Subquery::Exists, _) => Boolean,
        Kind::Negate(one) => one.of,
        Kind::Arithmetic(operation, a, b) => calculated(*operation, a.of, b.of),
        Kind::Power(..) => Float,
        Kind::Concat(a, b) => ValueType::common([a.of, b.of]),
        Kind::Call(function, _) => function.returns,
        Kind::Case { arms, otherwise, .. } => {
            let otherwise = otherwise.as_ref().map_or(Any, |one| one.of);
            ValueType::common(arms.iter().map(|(_, then)| then.of).chain([otherwise]))
        }
        Kind::PatternPaths { all, .. } => {
            if *all {
                List
            } else {
                Path
            }
        }
        Kind::Subquery(Subquery::Count, _) => Integer,
        Kind::Subquery(Subquery::Collect, _) => List,
        Kind::Slot(_) | Kind::Aggregate(_) | Kind::Property(..) | Kind::Index(..) | Kind::Reduce { .. } => Any,
    }
}

fn calculated(operation: Arithmetic, a: ValueType, b: ValueType) -> ValueType {
    let lists = [a, b].iter().any(|one| matches!(one, List | Relationships));
    match (a, b) {
        // Beside something unknown, which may be an amount of the chain, a number of any size has its place.
        (Amount, Any) | (Any, Amount) => Any,
        (Amount, _) | (_, Amount) => Amount,
        _ if operation == Arithmetic::Add && lists => List,
        (Any, _) | (_, Any) => Any,
        (Integer, Integer) => Integer,
        (Integer | Float, Integer | Float) => Float,
        (Text, _) | (_, Text) => Text,
        _ => Any,
    }
}
