//! Functions as bytes: the id of one that is made once in a process, the state of one that is made for a query.

use std::sync::Arc;

use arrow::datatypes::{Field, Schema};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::{AggregateUDF, HigherOrderUDF, ScalarUDF, WindowUDF};
use prost::Message;
use quarry_functions::FrameExclusion;
use quarry_functions::remote::{
    AggregateState, ExcludingFunction, FrameFunction, FrameItem, ScalarState, TryExpr, aggregate_from, aggregate_state,
    scalar_from, scalar_state, window_from, window_state,
};

use super::context::{ExprConverter, WireContext, unsupported};
use super::messages::{ConstantMessage, ExcludingMessage, FunctionKind, FunctionMessage, OrderedMessage, TryMessage};

fn write(kind: FunctionKind, bytes: &mut Vec<u8>) -> Result<()> {
    FunctionMessage { kind: Some(kind) }.encode(bytes).map_err(unsupported)
}

fn read(bytes: &[u8]) -> Result<FunctionKind> {
    match FunctionMessage::decode(bytes).map_err(unsupported)?.kind {
        Some(kind) => Ok(kind),
        None => internal_err!("a function without a kind"),
    }
}

fn known<F>(function: Option<&Arc<F>>, id: &str) -> Result<Arc<F>> {
    match function {
        Some(function) => Ok(Arc::clone(function)),
        None => internal_err!("there is no function {id}"),
    }
}

pub(super) fn encode_scalar(
    context: &WireContext,
    exprs: &dyn ExprConverter,
    function: &ScalarUDF,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    if let Some(id) = context.registry.scalar_id(function) {
        return write(FunctionKind::Id(id.to_string()), bytes);
    }
    let kind = match scalar_state(function) {
        Some(ScalarState::Constant { name, value }) => {
            FunctionKind::Constant(ConstantMessage { name, value: Some((&value).try_into()?) })
        }
        Some(ScalarState::Try(TryExpr { expr, schema, returns, volatile })) => {
            FunctionKind::Try(Box::new(TryMessage {
                expr: Some(exprs.encode(&expr)?),
                schema: Some(schema.as_ref().try_into()?),
                returns: Some(returns.as_ref().try_into()?),
                volatile,
            }))
        }
        Some(ScalarState::Answer { summary }) => FunctionKind::Summary(summary),
        None => return context.refuse(format!("the function {} has no encoding", function.name())),
    };
    write(kind, bytes)
}

pub(super) fn decode_scalar(context: &WireContext, exprs: &dyn ExprConverter, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
    match read(bytes)? {
        FunctionKind::Id(id) => known(context.registry.scalar(&id), &id),
        FunctionKind::Constant(ConstantMessage { name, value: Some(value) }) => {
            scalar_from(ScalarState::Constant { name, value: (&value).try_into()? })
        }
        FunctionKind::Try(message) => {
            let TryMessage { expr: Some(expr), schema: Some(schema), returns: Some(returns), volatile } = *message
            else {
                return internal_err!("a part of try is missing");
            };
            let schema = Arc::new(Schema::try_from(&schema)?);
            let returns = Arc::new(Field::try_from(&returns)?);
            // It was compiled with default settings.
            let expr = exprs.decode(&expr, &schema)?;
            scalar_from(ScalarState::Try(TryExpr { expr, schema, returns, volatile }))
        }
        FunctionKind::Summary(summary) => scalar_from(ScalarState::Answer { summary }),
        _ => internal_err!("not a scalar function"),
    }
}

pub(super) fn encode_aggregate(context: &WireContext, function: &AggregateUDF, bytes: &mut Vec<u8>) -> Result<()> {
    if let Some(id) = context.registry.aggregate_id(function) {
        return write(FunctionKind::Id(id.to_string()), bytes);
    }
    let kind = match aggregate_state(function) {
        Some(AggregateState::Ordered { base, in_order }) => {
            let mut encoded = Vec::new();
            encode_aggregate(context, &base, &mut encoded)?;
            FunctionKind::Ordered(OrderedMessage { base: encoded, in_order })
        }
        Some(AggregateState::Summarize { summary }) => FunctionKind::Summary(summary),
        None => return context.refuse(format!("the aggregate {} has no encoding", function.name())),
    };
    write(kind, bytes)
}

pub(super) fn decode_aggregate(context: &WireContext, bytes: &[u8]) -> Result<Arc<AggregateUDF>> {
    match read(bytes)? {
        FunctionKind::Id(id) => known(context.registry.aggregate(&id), &id),
        FunctionKind::Ordered(OrderedMessage { base, in_order }) => {
            aggregate_from(AggregateState::Ordered { base: decode_aggregate(context, &base)?, in_order })
        }
        FunctionKind::Summary(summary) => aggregate_from(AggregateState::Summarize { summary }),
        _ => internal_err!("not an aggregate"),
    }
}

pub(super) fn encode_window(context: &WireContext, function: &WindowUDF, bytes: &mut Vec<u8>) -> Result<()> {
    if let Some(id) = context.registry.window_id(function) {
        return write(FunctionKind::Id(id.to_string()), bytes);
    }
    let Some(excluding) = window_state(function) else {
        return context.refuse(format!("the window function {} has no encoding", function.name()));
    };
    let (mut aggregate, mut item, mut distinct) = (Vec::new(), String::new(), false);
    match &excluding.function {
        FrameFunction::Aggregate { aggregate: function, distinct: only_distinct } => {
            encode_aggregate(context, function, &mut aggregate)?;
            distinct = *only_distinct;
        }
        FrameFunction::Item(place) => item = place.name().to_string(),
    }
    let exclusion = excluding.exclusion.words().to_string();
    let arguments = u32::try_from(excluding.arguments).map_err(unsupported)?;
    let filtered = excluding.filtered;
    write(
        FunctionKind::Excluding(ExcludingMessage { aggregate, distinct, item, exclusion, filtered, arguments }),
        bytes,
    )
}

pub(super) fn decode_window(context: &WireContext, bytes: &[u8]) -> Result<Arc<WindowUDF>> {
    match read(bytes)? {
        FunctionKind::Id(id) => known(context.registry.window(&id), &id),
        FunctionKind::Excluding(message) => {
            let ExcludingMessage { aggregate, distinct, item, exclusion, filtered, arguments } = message;
            let function = match FrameItem::from_name(&item) {
                Some(item) => FrameFunction::Item(item),
                None => FrameFunction::Aggregate { aggregate: decode_aggregate(context, &aggregate)?, distinct },
            };
            let Some(exclusion) = FrameExclusion::from_words(&exclusion) else {
                return internal_err!("no exclusion {exclusion}");
            };
            Ok(window_from(ExcludingFunction { function, exclusion, filtered, arguments: arguments as usize }))
        }
        _ => internal_err!("not a window function"),
    }
}

pub(super) fn encode_higher_order(context: &WireContext, function: &HigherOrderUDF, bytes: &mut Vec<u8>) -> Result<()> {
    match context.registry.higher_order_id(function) {
        Some(id) => write(FunctionKind::Id(id.to_string()), bytes),
        None => context.refuse(format!("the function {} has no encoding", function.name())),
    }
}

pub(super) fn decode_higher_order(context: &WireContext, bytes: &[u8]) -> Result<Arc<HigherOrderUDF>> {
    match read(bytes)? {
        FunctionKind::Id(id) => known(context.registry.higher_order(&id), &id),
        _ => internal_err!("not a function with lambdas"),
    }
}
