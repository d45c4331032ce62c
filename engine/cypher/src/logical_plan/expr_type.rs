//! Static types of expressions.

use super::plan::{BinaryOperator, Expr, Kind, Subquery};
use crate::query_text::At;
use crate::values::Arithmetic;
use crate::values::ValueType::{
    self, Amount, Any, Boolean, Float, Integer, List, Map, Path, Relationship, Relationships, Text,
};

impl Expr {
    /// An expression whose type is inferred from its parts.
    pub fn new(kind: Kind, at: At) -> Expr {
        Expr { value_type: type_of(&kind), kind, at }
    }

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
fn type_of(kind: &Kind) -> ValueType {
    match kind {
        Kind::Constant(value) => ValueType::of_constant(value),
        Kind::List(items) if !items.is_empty() && items.iter().all(|item| item.value_type == Relationship) => {
            Relationships
        }
        Kind::List(_) | Kind::Slice(..) | Kind::Comprehension { .. } | Kind::PatternComprehension { .. } => List,
        Kind::Map(_) | Kind::MapProjection { .. } => Map,
        Kind::Not(_) | Kind::IsNull(..) | Kind::HasLabels(..) => Boolean,
        Kind::Quantifier { .. } | Kind::PatternExists(_) | Kind::Subquery(Subquery::Exists, _) => Boolean,
        Kind::Negate(one) => one.value_type,
        Kind::Binary(operator, a, b) => match operator {
            BinaryOperator::Arithmetic(operation) => calculated(*operation, a.value_type, b.value_type),
            BinaryOperator::Power => Float,
            BinaryOperator::Concat => ValueType::common([a.value_type, b.value_type]),
            BinaryOperator::Index => Any,
            _ => Boolean,
        },
        Kind::Call(function, _) => function.returns,
        Kind::Case { arms, otherwise, .. } => {
            let otherwise = otherwise.as_ref().map_or(Any, |one| one.value_type);
            ValueType::common(arms.iter().map(|(_, then)| then.value_type).chain([otherwise]))
        }
        Kind::PatternPaths { all: true, .. } => List,
        Kind::PatternPaths { .. } => Path,
        Kind::Subquery(Subquery::Count, _) => Integer,
        Kind::Subquery(Subquery::Collect, _) => List,
        Kind::Slot(_) | Kind::Aggregate(_) | Kind::Property(..) | Kind::Reduce { .. } => Any,
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
