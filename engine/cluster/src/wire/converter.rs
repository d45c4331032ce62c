//! Converts plans and expressions to protobuf messages and back. It replaces DataFusion's converter at every node, because the
//! stock messages drop what answers depend on: the row groups that a scan reads of a file, the field metadata of a projection
//! (<https://github.com/apache/datafusion/issues/24695>), and that of a literal
//! (<https://github.com/apache/datafusion/issues/24613>).

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::Schema;
use datafusion::common::Result;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::lit;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion_distributed::{BroadcastExec, DistributedCodec, NetworkBoundaryExt};
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

/// What DataFusion gives a filter that nobody has filled yet.
const FIRST_GENERATION: u64 = 1;

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
        if plan.is_network_boundary() || plan.is::<BroadcastExec>() {
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
        if let Some(ExprType::DynamicFilter(filter)) = &mut stock.expr_type {
            // Each process fills its own. What a filter has in this one would arrive over the columns of another operator.
            let all: Arc<dyn PhysicalExpr> = lit(true);
            filter.inner_expr = Some(Box::new(self.physical_expr_to_proto(&all, self.codec)?));
            (filter.generation, filter.is_complete) = (FIRST_GENERATION, false);
            if filter.remapped_children == filter.children {
                // The same, but only one of two that share their values can be decoded as if it had not been moved.
                filter.remapped_children.clear();
            }
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

fn lake_files(plan: &Arc<dyn ExecutionPlan>) -> Option<ScanFiles> {
    let scan = plan.downcast_ref::<DataSourceExec>()?.data_source().downcast_ref::<FileScanConfig>()?;
    ScanFiles::from_scan(scan)
}

#[cfg(test)]
mod tests {
    use arrow::compute::SortOptions;
    use arrow::datatypes::{DataType, Field, Schema};
    use datafusion::datasource::listing::PartitionedFile;
    use datafusion::datasource::object_store::ObjectStoreUrl;
    use datafusion::datasource::physical_plan::parquet::ParquetAccessPlan;
    use datafusion::datasource::physical_plan::{FileScanConfigBuilder, FileSource, ParquetSource};
    use datafusion::execution::TaskContext;
    use datafusion::physical_expr::expressions::{Column, DynamicFilterPhysicalExpr};
    use datafusion::physical_expr::{EquivalenceProperties, PhysicalSortExpr};
    use datafusion::physical_plan::empty::EmptyExec;
    use datafusion::physical_plan::projection::ProjectionExpr;
    use datafusion::physical_plan::{SortOrderPushdownResult, displayable};
    use datafusion_proto::physical_plan::{AsExecutionPlan, DefaultPhysicalExtensionCodec};

    use super::*;

    fn schema(metadata: &[(&str, &str)]) -> Arc<Schema> {
        let metadata = metadata.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Arc::new(Schema::new(vec![Field::new("v", DataType::Int64, true).with_metadata(metadata)]))
    }

    fn through_stock_messages(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let message = PhysicalPlanNode::try_from_physical_plan(plan, &DefaultPhysicalExtensionCodec {}).unwrap();
        message.try_into_physical_plan(&TaskContext::default(), &DefaultPhysicalExtensionCodec {}).unwrap()
    }

    fn file(scan: &Arc<dyn ExecutionPlan>) -> PartitionedFile {
        let source = scan.downcast_ref::<DataSourceExec>().unwrap().data_source();
        source.downcast_ref::<FileScanConfig>().unwrap().file_groups[0].files()[0].clone()
    }

    #[test]
    fn stock_messages_lose_row_groups() {
        let access = ParquetAccessPlan::new_none(3);
        let file_of_scan = PartitionedFile::new("a.parquet", 10).with_extension(access);
        let source = Arc::new(ParquetSource::new(schema(&[])));
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source).with_file(file_of_scan);
        let scan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config.build());
        assert!(file(&scan).extensions.get::<ParquetAccessPlan>().is_some());
        let lost = file(&through_stock_messages(scan)).extensions.get::<ParquetAccessPlan>().is_none();
        assert!(lost, "the messages keep row groups: the converter need not send them");
    }

    #[test]
    fn stock_messages_lose_the_sort_of_a_scan() {
        let source = ParquetSource::new(schema(&[]));
        let options = SortOptions { descending: true, nulls_first: false };
        let order = [PhysicalSortExpr::new(Arc::new(Column::new("v", 0)), options)];
        let properties = EquivalenceProperties::new(schema(&[]));
        let SortOrderPushdownResult::Inexact { inner } = source.try_pushdown_sort(&order, &properties).unwrap() else {
            panic!("a scan takes a sort by a column");
        };
        let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), inner)
            .with_file(PartitionedFile::new("a.parquet", 10));
        let scan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config.build());
        let text = |plan: &Arc<dyn ExecutionPlan>| displayable(plan.as_ref()).one_line().to_string();
        assert!(text(&scan).contains("sort_order_for_reorder"), "{}", text(&scan));
        let arrived = text(&through_stock_messages(scan));
        assert!(!arrived.contains("sort_order_for_reorder"), "SortHint is no longer needed: {arrived}");
    }

    #[test]
    fn a_filter_that_a_join_has_filled_is_sent_empty() {
        let codec = DefaultPhysicalExtensionCodec {};
        let message = |expr: &Arc<dyn PhysicalExpr>| {
            let message = WireConverter::new(&codec).physical_expr_to_proto(expr, &codec).unwrap();
            let Some(ExprType::DynamicFilter(filter)) = message.expr_type else { panic!("another expression") };
            filter
        };
        let filter = Arc::new(DynamicFilterPhysicalExpr::new(vec![Arc::new(Column::new("v", 0))], lit(true)));
        let expr: Arc<dyn PhysicalExpr> = Arc::clone(&filter) as _;
        let empty = message(&expr);
        filter.update(lit(false)).unwrap();
        filter.mark_complete();
        assert_eq!(message(&expr), empty);
    }

    #[test]
    fn stock_messages_lose_metadata_of_projections() {
        let input = Arc::new(EmptyExec::new(schema(&[])));
        let column = ProjectionExpr { expr: Arc::new(Column::new("v", 0)), alias: "v".to_string() };
        let signed = schema(&[("meaning", "int256")]);
        let projection = ProjectionExec::try_new_with_schema_metadata(vec![column], input, &signed).unwrap();
        assert_eq!(projection.schema(), signed);
        let arrived = through_stock_messages(Arc::new(projection));
        let lost = arrived.schema().field(0).metadata().is_empty();
        assert!(lost, "the messages keep metadata: PlanKind::Projection is no longer needed");
    }
}
