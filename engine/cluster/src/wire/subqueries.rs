//! Scalar subqueries inside expressions. They run before the plan is cut, so their values travel with the expressions.

use std::sync::Arc;

use arrow::datatypes::{Field, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::{Result, ScalarValue, internal_err};
use datafusion::logical_expr::ColumnarValue;
use datafusion::logical_expr::physical_planning_context::{ScalarSubqueryResults, SubqueryIndex};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::scalar_subquery::ScalarSubqueryExpr;
use datafusion_proto::protobuf::PhysicalExprNode;
use datafusion_proto::protobuf::PhysicalExtensionExprNode;
use datafusion_proto::protobuf::physical_expr_node::ExprType;
use prost::Message;

use super::context::unsupported;
use super::messages::{ExprKind, ExprMessage, SubqueryMessage};

/// The value of a subquery; `None` for other expressions.
///
/// # Errors
///
/// The subquery did not run.
pub(super) fn value(expr: &Arc<dyn PhysicalExpr>) -> Result<Option<ScalarValue>> {
    if !expr.is::<ScalarSubqueryExpr>() {
        return Ok(None);
    }
    match expr.evaluate(&RecordBatch::new_empty(Arc::new(Schema::empty()))) {
        Ok(ColumnarValue::Scalar(value)) => Ok(Some(value)),
        _ => Err(unsupported("a subquery did not run yet")),
    }
}

pub(super) fn encode(expr: &Arc<dyn PhysicalExpr>, value: &ScalarValue) -> Result<PhysicalExprNode> {
    let field = expr.return_field(&Schema::empty())?;
    let message = SubqueryMessage { field: Some(field.as_ref().try_into()?), value: Some(value.try_into()?) };
    let message = ExprMessage { kind: Some(ExprKind::Subquery(message)) };
    let extension = PhysicalExtensionExprNode { expr: message.encode_to_vec(), inputs: Vec::new() };
    Ok(PhysicalExprNode { expr_id: None, expr_type: Some(ExprType::Extension(extension)) })
}

pub(super) fn decode(message: &SubqueryMessage) -> Result<Arc<dyn PhysicalExpr>> {
    let SubqueryMessage { field: Some(field), value: Some(value) } = message else {
        return internal_err!("a subquery without a value");
    };
    let (field, index, results) = (Field::try_from(field)?, SubqueryIndex::new(0), ScalarSubqueryResults::new(1));
    results.set(index, value.try_into()?)?;
    Ok(Arc::new(ScalarSubqueryExpr::new(field.data_type().clone(), field.is_nullable(), index, results)))
}
