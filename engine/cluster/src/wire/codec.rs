//! The codec of functions, and of the plan nodes and expressions that DataFusion does not know.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::Schema;
use datafusion::common::{Result, internal_err};
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, HigherOrderUDF, ScalarUDF, WindowUDF};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr_common::physical_expr::proto_decode::PhysicalExprDecodeCtx;
use datafusion::physical_expr_common::physical_expr::proto_encode::PhysicalExprEncodeCtx;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion_distributed::DistributedCodec;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::PhysicalExprNode;
use prost::Message;
use quarry_lake::remote_scan;
use quarry_planner::remote_operators;

use super::context::{ExprConverter, WireContext, unsupported};
use super::converter::WireConverter;
use super::messages::{ExprKind, ExprMessage, PlanKind, PlanMessage};
use super::{fields, function_states, subqueries};

/// The codec of one conversion.
#[derive(Clone)]
pub(super) struct WireCodec(pub WireContext);

impl ExprConverter for WireCodec {
    fn encode(&self, expr: &Arc<dyn PhysicalExpr>) -> Result<PhysicalExprNode> {
        WireConverter::new(self).physical_expr_to_proto(expr, self)
    }

    fn decode(&self, message: &PhysicalExprNode, schema: &Schema) -> Result<Arc<dyn PhysicalExpr>> {
        let tasks = TaskContext::default();
        let context = PhysicalPlanDecodeContext::new(&tasks, self);
        WireConverter::new(self).proto_to_physical_expr(message, schema, &context)
    }
}

impl fmt::Debug for WireCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireCodec").finish_non_exhaustive()
    }
}

impl PhysicalExtensionCodec for WireCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        tasks: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let message = PlanMessage::decode(bytes).map_err(unsupported)?;
        match (message.kind, inputs) {
            (Some(PlanKind::Distributed(node)), _) => DistributedCodec.try_decode(&node, inputs, tasks, converter),
            (Some(PlanKind::Operator(name)), [input]) => {
                match remote_operators::operator_over(&name, Arc::clone(input)) {
                    Some(operator) => Ok(operator),
                    None => internal_err!("no operator {name}"),
                }
            }
            (Some(PlanKind::LakeScan(files)), [scan]) => {
                let files = serde_json::from_slice(&files).map_err(unsupported)?;
                let source = scan.downcast_ref::<DataSourceExec>();
                match source.and_then(|source| source.data_source().downcast_ref::<FileScanConfig>()) {
                    Some(scan) => remote_scan::restore(scan.clone(), &files, &self.0.lake),
                    None => internal_err!("no scan of files"),
                }
            }
            (Some(PlanKind::Projection(schema)), [projection]) => match projection.downcast_ref::<ProjectionExec>() {
                Some(projection) => {
                    let (exprs, input) = (projection.expr().to_vec(), Arc::clone(projection.input()));
                    let schema = (&schema).try_into()?;
                    Ok(Arc::new(ProjectionExec::try_new_with_schema_metadata(exprs, input, &schema)?))
                }
                None => internal_err!("no projection"),
            },
            _ => internal_err!("an unknown plan node"),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        _: &mut Vec<u8>,
        _: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        // The converter encodes all nodes that have an encoding.
        self.0.refuse(format!("{} has no encoding", node.name()))
    }

    fn try_decode_expr(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn PhysicalExpr>],
        _: &PhysicalExprDecodeCtx<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let message = ExprMessage::decode(bytes).map_err(unsupported)?;
        match (message.kind, inputs) {
            (Some(ExprKind::Field(field)), [expr]) => fields::restore(expr, (&field).try_into()?),
            (Some(ExprKind::Expression(name)), children) => match remote_operators::expression_over(&name, children) {
                Some(expr) => Ok(expr),
                None => internal_err!("no expression {name}"),
            },
            (Some(ExprKind::Subquery(message)), []) => subqueries::decode(&message),
            _ => internal_err!("an unknown expression"),
        }
    }

    fn try_encode_expr(
        &self,
        expr: &Arc<dyn PhysicalExpr>,
        bytes: &mut Vec<u8>,
        _: &PhysicalExprEncodeCtx<'_>,
    ) -> Result<()> {
        let Some(name) = remote_operators::expression_name(expr.as_ref()) else {
            return self.0.refuse("an expression has no encoding".to_string());
        };
        let message = ExprMessage { kind: Some(ExprKind::Expression(name.to_string())) };
        message.encode(bytes).map_err(unsupported)
    }

    fn try_decode_udf(&self, _: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        function_states::decode_scalar(&self.0, self, bytes)
    }

    fn try_encode_udf(&self, function: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        function_states::encode_scalar(&self.0, self, function, bytes)
    }

    fn try_decode_udaf(&self, _: &str, bytes: &[u8]) -> Result<Arc<AggregateUDF>> {
        function_states::decode_aggregate(&self.0, bytes)
    }

    fn try_encode_udaf(&self, function: &AggregateUDF, bytes: &mut Vec<u8>) -> Result<()> {
        function_states::encode_aggregate(&self.0, function, bytes)
    }

    fn try_decode_udwf(&self, _: &str, bytes: &[u8]) -> Result<Arc<WindowUDF>> {
        function_states::decode_window(&self.0, bytes)
    }

    fn try_encode_udwf(&self, function: &WindowUDF, bytes: &mut Vec<u8>) -> Result<()> {
        function_states::encode_window(&self.0, function, bytes)
    }

    fn try_decode_higher_order_function(&self, _: &str, bytes: &[u8]) -> Result<Arc<HigherOrderUDF>> {
        function_states::decode_higher_order(&self.0, bytes)
    }

    fn try_encode_higher_order_function(&self, function: &HigherOrderUDF, bytes: &mut Vec<u8>) -> Result<()> {
        function_states::encode_higher_order(&self.0, function, bytes)
    }
}
