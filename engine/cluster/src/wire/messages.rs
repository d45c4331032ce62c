//! The messages of what the stock protobuf of plans has no place for.

use datafusion_proto::protobuf;

/// A plan node that the stock protobuf can't carry, or not whole.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct PlanMessage {
    #[prost(oneof = "PlanKind", tags = "1, 2, 3, 4")]
    pub kind: Option<PlanKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum PlanKind {
    /// A node of datafusion-distributed, in the encoding of its own codec.
    #[prost(bytes, tag = "1")]
    Distributed(Vec<u8>),
    /// The name of one of our operators, over its input.
    #[prost(string, tag = "2")]
    Operator(String),
    /// What the stock message of a scan lacks for the lake (JSON), over that message.
    #[prost(bytes, tag = "3")]
    LakeScan(Vec<u8>),
    /// The schema of a projection, over the stock projection: its fields have metadata that the expressions don't give.
    #[prost(message, tag = "4")]
    Projection(protobuf::Schema),
}

/// An expression that the stock protobuf can't carry, or not whole.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ExprMessage {
    #[prost(oneof = "ExprKind", tags = "1, 2, 3")]
    pub kind: Option<ExprKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum ExprKind {
    /// The whole field of the value of the stock expression: a literal, a cast or a call.
    #[prost(message, tag = "1")]
    Field(protobuf::Field),
    /// The name of one of our expressions, over its children.
    #[prost(string, tag = "2")]
    Expression(String),
    #[prost(message, tag = "3")]
    Subquery(SubqueryMessage),
}

/// A scalar subquery that ran.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct SubqueryMessage {
    #[prost(message, optional, tag = "1")]
    pub field: Option<protobuf::Field>,
    #[prost(message, optional, tag = "2")]
    pub value: Option<protobuf::ScalarValue>,
}

/// A function.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct FunctionMessage {
    #[prost(oneof = "FunctionKind", tags = "1, 2, 3, 4, 5, 6")]
    pub kind: Option<FunctionKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum FunctionKind {
    /// An id of the registry.
    #[prost(string, tag = "1")]
    Id(String),
    #[prost(message, tag = "2")]
    Constant(ConstantMessage),
    #[prost(message, boxed, tag = "3")]
    Try(Box<TryMessage>),
    /// A summary of groups for semi joins, or the function that answers from it.
    #[prost(string, tag = "4")]
    Summary(String),
    #[prost(message, tag = "5")]
    Excluding(ExcludingMessage),
    #[prost(message, tag = "6")]
    Ordered(OrderedMessage),
}

/// A function without arguments that returns a value.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ConstantMessage {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub value: Option<protobuf::ScalarValue>,
}

/// An expression of which `try` catches failures.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TryMessage {
    #[prost(message, optional, tag = "1")]
    pub expr: Option<protobuf::PhysicalExprNode>,
    /// The columns that the expression reads.
    #[prost(message, optional, tag = "2")]
    pub schema: Option<protobuf::Schema>,
    #[prost(message, optional, tag = "3")]
    pub returns: Option<protobuf::Field>,
    #[prost(bool, tag = "4")]
    pub volatile: bool,
}

/// An aggregate that knows whether its rows come in its order.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct OrderedMessage {
    /// The encoded aggregate.
    #[prost(bytes, tag = "1")]
    pub base: Vec<u8>,
    #[prost(bool, tag = "2")]
    pub in_order: bool,
}

/// A window function with EXCLUDE.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ExcludingMessage {
    /// The encoded aggregate; empty for a function that picks an item.
    #[prost(bytes, tag = "1")]
    pub aggregate: Vec<u8>,
    #[prost(bool, tag = "2")]
    pub distinct: bool,
    /// The function that picks an item; empty for an aggregate.
    #[prost(string, tag = "3")]
    pub item: String,
    #[prost(string, tag = "4")]
    pub exclusion: String,
    #[prost(bool, tag = "5")]
    pub filtered: bool,
    #[prost(uint32, tag = "6")]
    pub arguments: u32,
}
