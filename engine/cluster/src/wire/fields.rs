//! The fields of values. The stock messages of literals, casts and calls have the type of their value, but not the metadata that
//! says what it means (a signed number of 256 bits, JSON), on which some functions decide.

use std::sync::Arc;

use arrow::datatypes::{Field, FieldRef, Schema};
use datafusion::common::metadata::FieldMetadata;
use datafusion::common::{Result, internal_err};
use datafusion::physical_expr::expressions::{CastExpr, Literal};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use datafusion_proto::protobuf::physical_expr_node::ExprType;
use datafusion_proto::protobuf::{PhysicalExprNode, PhysicalExtensionExprNode};
use prost::Message;

use super::messages::{ExprKind, ExprMessage};

/// The stock message of an expression, with its field if that says more than the message.
pub(super) fn with_field(expr: &Arc<dyn PhysicalExpr>, stock: PhysicalExprNode) -> Result<PhysicalExprNode> {
    let Some(field) = field_beyond_message(expr)? else { return Ok(stock) };
    let message = ExprMessage { kind: Some(ExprKind::Field(field.as_ref().try_into()?)) };
    let extension = PhysicalExtensionExprNode { expr: message.encode_to_vec(), inputs: vec![stock] };
    Ok(PhysicalExprNode { expr_id: None, expr_type: Some(ExprType::Extension(extension)) })
}

/// The field of an expression whose stock message loses some of it.
fn field_beyond_message(expr: &Arc<dyn PhysicalExpr>) -> Result<Option<FieldRef>> {
    if let Some(cast) = expr.downcast_ref::<CastExpr>() {
        return Ok(cast.has_explicit_metadata().then(|| Arc::clone(cast.target_field())));
    }
    if expr.is::<Literal>() || expr.is::<ScalarFunctionExpr>() {
        // These have a field of their own, whatever the schema is.
        let field = expr.return_field(&Schema::empty())?;
        return Ok((!field.metadata().is_empty()).then_some(field));
    }
    Ok(None)
}

/// The expression of a stock message with the field that came beside it.
pub(super) fn restore(expr: &Arc<dyn PhysicalExpr>, field: Field) -> Result<Arc<dyn PhysicalExpr>> {
    if let Some(cast) = expr.downcast_ref::<CastExpr>() {
        let options = Some(cast.cast_options().clone());
        return Ok(Arc::new(CastExpr::new_with_target_field(Arc::clone(cast.expr()), Arc::new(field), options)));
    }
    if let Some(literal) = expr.downcast_ref::<Literal>() {
        let metadata = FieldMetadata::from(&field);
        return Ok(Arc::new(Literal::new_with_metadata(literal.value().clone(), Some(metadata))));
    }
    if let Some(call) = expr.downcast_ref::<ScalarFunctionExpr>() {
        let function = Arc::new(call.fun().clone());
        let options = Arc::new(call.config_options().clone());
        return Ok(Arc::new(ScalarFunctionExpr::new(
            call.name(),
            function,
            call.args().to_vec(),
            Arc::new(field),
            options,
        )));
    }
    internal_err!("no expression with a field of its own")
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;
    use datafusion::common::ScalarValue;
    use datafusion::config::ConfigOptions;
    use datafusion::execution::TaskContext;
    use datafusion_proto::physical_plan::DefaultPhysicalExtensionCodec;
    use datafusion_proto::physical_plan::from_proto::parse_physical_expr;
    use datafusion_proto::physical_plan::to_proto::serialize_physical_expr;

    use super::*;

    fn signed(name: &str) -> Field {
        Field::new(name, DataType::Utf8, false).with_metadata([("meaning".to_string(), "int256".to_string())].into())
    }

    /// A literal, a cast and a call, whose fields say what their value means.
    fn expressions() -> [Arc<dyn PhysicalExpr>; 3] {
        let value = ScalarValue::from("1");
        let metadata = Some(FieldMetadata::from(&signed("lit")));
        let literal: Arc<dyn PhysicalExpr> = Arc::new(Literal::new_with_metadata(value, metadata));
        let cast = CastExpr::new_with_target_field(Arc::clone(&literal), Arc::new(signed("value")), None);
        let call = ScalarFunctionExpr::new(
            "lower",
            datafusion::functions::string::lower(),
            vec![Arc::clone(&literal)],
            Arc::new(signed("lower")),
            Arc::new(ConfigOptions::default()),
        );
        [literal, Arc::new(cast), Arc::new(call)]
    }

    fn meaning(expr: &Arc<dyn PhysicalExpr>) -> Option<String> {
        expr.return_field(&Schema::empty()).unwrap().metadata().get("meaning").cloned()
    }

    /// Fails once DataFusion's messages have the metadata: then this file can go
    /// (<https://github.com/apache/datafusion/issues/24613>).
    #[test]
    fn stock_messages_lose_the_metadata_of_values() {
        let context = datafusion::prelude::SessionContext::new().task_ctx();
        let codec = DefaultPhysicalExtensionCodec {};
        for expr in expressions() {
            assert_eq!(meaning(&expr).as_deref(), Some("int256"));
            let message = serialize_physical_expr(&expr, &codec).unwrap();
            let arrived = parse_physical_expr(&message, &context as &TaskContext, &Schema::empty(), &codec).unwrap();
            // The argument of the cast keeps nothing either, so its own field has to say it.
            assert_eq!(meaning(&arrived), None, "{expr}");
        }
    }

    #[test]
    fn fields_beside_messages_bring_the_metadata_back() {
        for expr in expressions() {
            let field = field_beyond_message(&expr).unwrap().expect("a field with metadata");
            let restored = restore(&expr, field.as_ref().clone()).unwrap();
            assert_eq!(meaning(&restored).as_deref(), Some("int256"), "{expr}");
        }
    }
}
