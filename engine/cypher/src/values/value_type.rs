//! Static types: what is known about values before the query runs.

use super::Value;

/// The static type of a variable or an expression. A value of any type may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueType {
    /// The type is unknown.
    Any,
    Boolean,
    Integer,
    /// A literal of more than 64 bits, or a calculation from such a literal in which nothing can be an amount of the chain.
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
            Integer | Amount => "an integer",
            Float => "a floating-point number",
            Text => "a string",
            List => "a list",
            Relationships => "a list of relationships",
            Map => "a map",
            Node => "a node",
            Relationship => "a relationship",
            Path => "a path",
            Temporal => "a date or a time",
        }
    }

    /// The type of a constant.
    pub fn of_constant(value: &Value) -> ValueType {
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
    pub fn common(types: impl IntoIterator<Item = ValueType>) -> ValueType {
        let mut types = types.into_iter();
        let Some(first) = types.next() else { return Any };
        if types.all(|one| one == first) { first } else { Any }
    }
}
