//! Finds the damaged file after a read error: operators do not say which file they read.

use std::sync::Arc;

use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use quarry_planner::optimizer::common_subplan::RepeatedExec;

/// The name of the first file of a plan that can't be read to its end.
pub async fn find_damaged_file(plan: &Arc<dyn ExecutionPlan>, runtime: &RuntimeEnv) -> Option<String> {
    let mut plans = vec![plan.clone()];
    while let Some(plan) = plans.pop() {
        plans.extend(plan.children().into_iter().cloned());
        plans.extend(plan.downcast_ref::<RepeatedExec>().map(|repeated| Arc::clone(repeated.made_by())));
        let Some(source) = plan.downcast_ref::<DataSourceExec>() else { continue };
        let Some(scan) = source.data_source().downcast_ref::<FileScanConfig>() else { continue };
        let store = runtime.object_store(&scan.object_store_url).ok()?;
        for file in scan.file_groups.iter().flat_map(|group| group.iter()) {
            if !is_readable(store.as_ref(), &file.object_meta).await {
                return file.object_meta.location.filename().map(str::to_string);
            }
        }
    }
    None
}

async fn is_readable(store: &dyn ObjectStore, file: &ObjectMeta) -> bool {
    let Ok(object) = store.get(&file.location).await else { return false };
    let Ok(bytes) = object.bytes().await else { return false };
    let Ok(reader) = ParquetRecordBatchReaderBuilder::try_new(bytes) else { return false };
    let Ok(mut batches) = reader.build() else { return false };
    batches.all(|batch| batch.is_ok())
}
