//! Converts plans and expressions to protobuf messages and back. It takes the place of DataFusion's converter at every node,
//! because the stock messages drop what answers depend on: row groups of a scan
//! (<https://github.com/apache/datafusion/issues/24695>), and the metadata of fields
//! (<https://github.com/apache/datafusion/issues/24613>).

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::Schema;
use datafusion::common::Result;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion_distributed::{DistributedCodec, NetworkBoundaryExt};
use datafusion_proto::physical_plan::from_proto::parse_physical_expr_with_converter;
use datafusion_proto::physical_plan::to_proto::serialize_physical_expr_with_converter;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalPlanNodeExt, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::physical_expr_node::ExprType;
use datafusion_proto::protobuf::physical_plan_node::PhysicalPlanType;
use datafusion_proto::protobuf::{PhysicalExprNode, PhysicalExtensionNode, PhysicalPlanNode};
use prost::Message;
use quarry_lake::remote_scan::ScanFiles;
use quarry_planner::remote_operators;

use super::context::unsupported;
use super::messages::{PlanKind, PlanMessage};
use super::{fields, subqueries};

/// One conversion. Whatever codec a caller hands in, functions and extensions go through ours.
pub(super) struct WireConverter<'a> {
    codec: &'a dyn PhysicalExtensionCodec,
    /// Expressions that several nodes share, such as the filter that a join fills and a scan reads, by their id.
    shared: RefCell<HashMap<u64, Arc<dyn PhysicalExpr>>>,
}

impl<'a> WireConverter<'a> {
    pub fn new(codec: &'a dyn PhysicalExtensionCodec) -> WireConverter<'a> {
        WireConverter { codec, shared: RefCell::default() }
    }

    fn extension(&self, kind: PlanKind, inputs: &[&Arc<dyn ExecutionPlan>]) -> Result<PhysicalPlanNode> {
        let inputs = inputs.iter().map(|input| self.execution_plan_to_proto(input, self.codec));
        Ok(extension(kind, inputs.collect::<Result<_>>()?))
    }

    fn stock_message(&self, plan: &Arc<dyn ExecutionPlan>) -> Result<PhysicalPlanNode> {
        PhysicalPlanNode::try_from_physical_plan_with_converter(Arc::clone(plan), self.codec, self)
    }

    /// The context of a caller with our codec in place of its own.
    fn context<'c>(&'c self, caller: &'c PhysicalPlanDecodeContext<'_>) -> PhysicalPlanDecodeContext<'c> {
        let context = PhysicalPlanDecodeContext::new(caller.task_ctx(), self.codec);
        match caller.scalar_subquery_results() {
            Some(results) => context.with_scalar_subquery_results(results.clone()),
            None => context,
        }
    }
}

fn extension(kind: PlanKind, inputs: Vec<PhysicalPlanNode>) -> PhysicalPlanNode {
    let node = PlanMessage { kind: Some(kind) }.encode_to_vec();
    PhysicalPlanNode { physical_plan_type: Some(PhysicalPlanType::Extension(PhysicalExtensionNode { node, inputs })) }
}

/// Whether a projection gives a field metadata that its expressions don't.
fn overrides_metadata(projection: &ProjectionExec) -> Result<bool> {
    let (input, output) = (projection.input().schema(), projection.schema());
    if input.metadata() != output.metadata() {
        return Ok(true);
    }
    for (expr, field) in projection.expr().iter().zip(output.fields()) {
        if expr.expr.return_field(&input)?.metadata() != field.metadata() {
            return Ok(true);
        }
    }
    Ok(false)
}

impl PhysicalProtoConverterExtension for WireConverter<'_> {
    fn execution_plan_to_proto(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        _: &dyn PhysicalExtensionCodec,
    ) -> Result<PhysicalPlanNode> {
        if let Some((name, input)) = remote_operators::operator_name(plan.as_ref()) {
            return self.extension(PlanKind::Operator(name.to_string()), &[input]);
        }
        if plan.is_network_boundary() || is_distributed(plan) {
            let mut node = Vec::new();
            DistributedCodec.try_encode(Arc::clone(plan), &mut node, self)?;
            return self.extension(PlanKind::Distributed(node), &plan.children());
        }
        if let Some(files) = lake_files(plan) {
            let files = serde_json::to_vec(&files).map_err(unsupported)?;
            return Ok(extension(PlanKind::LakeScan(files), vec![self.stock_message(plan)?]));
        }
        let stock = self.stock_message(plan)?;
        match plan.downcast_ref::<ProjectionExec>() {
            Some(projection) if overrides_metadata(projection)? => {
                Ok(extension(PlanKind::Projection(projection.schema().as_ref().try_into()?), vec![stock]))
            }
            _ => Ok(stock),
        }
    }

    fn proto_to_execution_plan(
        &self,
        proto: &PhysicalPlanNode,
        context: &PhysicalPlanDecodeContext<'_>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        proto.try_into_physical_plan_with_context(&self.context(context), self)
    }

    fn physical_expr_to_proto(
        &self,
        expr: &Arc<dyn PhysicalExpr>,
        _: &dyn PhysicalExtensionCodec,
    ) -> Result<PhysicalExprNode> {
        if let Some(value) = subqueries::value(expr)? {
            return subqueries::encode(expr, &value);
        }
        let mut stock = serialize_physical_expr_with_converter(expr, self.codec, self)?;
        if let Some(ExprType::DynamicFilter(filter)) = &mut stock.expr_type
            && filter.remapped_children == filter.children
        {
            // The same, but only one of two that share their values can be decoded as if it had not been moved.
            filter.remapped_children.clear();
        }
        fields::with_field(expr, stock)
    }

    fn proto_to_physical_expr(
        &self,
        proto: &PhysicalExprNode,
        schema: &Schema,
        context: &PhysicalPlanDecodeContext<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        let parsed = parse_physical_expr_with_converter(proto, schema, &self.context(context), self)?;
        let Some(id) = proto.expr_id else { return Ok(parsed) };
        let known = self.shared.borrow().get(&id).cloned();
        match known {
            // The same source of values, over the columns of this node.
            Some(known) => known.with_new_children(parsed.children().into_iter().cloned().collect()),
            None => {
                self.shared.borrow_mut().insert(id, Arc::clone(&parsed));
                Ok(parsed)
            }
        }
    }
}

/// Nodes of datafusion-distributed besides the boundaries of stages.
fn is_distributed(plan: &Arc<dyn ExecutionPlan>) -> bool {
    matches!(plan.name(), "BroadcastExec" | "ChildrenIsolatorUnionExec" | "SamplerExec")
}

fn lake_files(plan: &Arc<dyn ExecutionPlan>) -> Option<ScanFiles> {
    let scan = plan.downcast_ref::<DataSourceExec>()?.data_source().downcast_ref::<FileScanConfig>()?;
    ScanFiles::from_scan(scan)
}
