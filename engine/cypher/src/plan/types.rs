//! Static types: what is known about values before the query runs.

use super::{Expr, Kind, Subquery};
use crate::value::{Arithmetic, Value};

/// The static type of a variable or an expression. A value of any type may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueType {
    /// The type is unknown.
    Any,
    Boolean,
    Integer,
    /// A literal beyond 64 bits, or a calculation from such a literal in which nothing can be an amount of the chain.
    Amount,
    Float,
    Text,
    List,
    /// A list of relationships, such as a variable-length pattern binds.
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
    /// The type with its article, for error messages.
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

    /// Whether a value of this type may also have one of `types`.
    pub fn may_be(self, types: &[ValueType]) -> bool {
        match self {
            Any => true,
            Amount => types.contains(&Integer),
            Relationships => types.contains(&Relationships) || types.contains(&List),
            one => types.contains(&one),
        }
    }

    /// The type that all of them share, or `Any`.
    fn common(types: impl IntoIterator<Item = ValueType>) -> ValueType {
        let mut types = types.into_iter();
        let Some(first) = types.next() else { return Any };
        if types.all(|one| one == first) { first } else { Any }
    }
}

impl Expr {
    /// The type of the items when the value is a list.
    pub fn item_type(&self) -> ValueType {
        match (&self.kind, self.value_type) {
            (Kind::List(items), _) => ValueType::common(items.iter().map(|item| item.value_type)),
            (_, Relationships) => Relationship,
            _ => Any,
        }
    }
}

/// The type of an expression, inferred from its parts. The planner sets the types of variables and aggregates.
pub(super) fn type_of(kind: &Kind) -> ValueType {
    match kind {
        Kind::Constant(value) => ValueType::of_constant(value),
        Kind::List(items) if !items.is_empty() && items.iter().all(|item| item.value_type == Relationship) => {
            Relationships
        }
        Kind::List(_) | Kind::Slice(..) | Kind::Comprehension { .. } | Kind::PatternComprehension { .. } => List,
        Kind::Map(_) | Kind::MapProjection { .. } => Map,
        Kind::Not(_) | Kind::And(..) | Kind::Or(..) | Kind::Xor(..) => Boolean,
        Kind::Compare(..) | Kind::In(..) | Kind::TextTest(..) | Kind::IsNull(..) | Kind::HasLabels(..) => Boolean,
        Kind::Quantifier { .. } | Kind::PatternExists(_) | Kind::Subquery(Subquery::Exists, _) => Boolean,
        Kind::Negate(one) => one.value_type,
        Kind::Arithmetic(operation, a, b) => calculated(*operation, a.value_type, b.value_type),
        Kind::Power(..) => Float,
        Kind::Concat(a, b) => ValueType::common([a.value_type, b.value_type]),
        Kind::Call(function, _) => function.returns,
        Kind::Case { arms, otherwise, .. } => {
            let otherwise = otherwise.as_ref().map_or(Any, |one| one.value_type);
            ValueType::common(arms.iter().map(|(_, then)| then.value_type).chain([otherwise]))
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
        // The unknown operand may be an amount of the chain, so a literal of any size is allowed next to it.
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
