//! Errors that mean that a worker is gone. They may pass through further workers, and a message keeps only the texts and the contexts
//! of an error, so the address of the lost worker is a context.

use std::error::Error;

use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use url::Url;

const CONTEXT: &str = "quarry_lost_worker ";

/// What a worker says of a stage that never arrived, because it was started again since (`worker/impl_execute_task.rs` of
/// datafusion-distributed 4.0). Also said of a stage that nobody read for ten minutes
/// (<https://github.com/datafusion-contrib/datafusion-distributed/issues/551>).
const NO_STAGE: &str = "Worker::execute_task timed-out while waiting for the plan";

/// The error of a call of a worker. One of the network says which worker it was.
pub(crate) fn of_call(url: &Url, error: DataFusionError) -> DataFusionError {
    let is_lost = match &error {
        DataFusionError::External(source) => source.is::<tonic::Status>() || source.is::<tonic::transport::Error>(),
        other => matches!(other.find_root(), DataFusionError::Execution(text) if text.starts_with(NO_STAGE)),
    };
    if is_lost { lost(url, error) } else { error }
}

/// The error of a query that loses a worker.
pub(crate) fn lost(url: &Url, error: DataFusionError) -> DataFusionError {
    DataFusionError::Context(format!("{CONTEXT}{url}"), Box::new(error))
}

/// The address of the lost worker, if that is why a query failed.
pub(crate) fn find(error: &DataFusionError) -> Option<String> {
    match error {
        DataFusionError::Context(context, inner) => context.strip_prefix(CONTEXT).map_or_else(|| find(inner), found),
        DataFusionError::Diagnostic(_, inner) => find(inner),
        DataFusionError::Shared(inner) => find(inner),
        DataFusionError::Collection(all) => all.iter().find_map(find),
        DataFusionError::External(source) => source.downcast_ref().and_then(find),
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            ArrowError::ExternalError(source) => {
                (source.as_ref() as &(dyn Error + 'static)).downcast_ref().and_then(find)
            }
            _ => None,
        },
        _ => None,
    }
}

fn found(url: &str) -> Option<String> {
    Some(url.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion_distributed::{ExecuteTaskRequest, ProducerHead, TaskKey, Worker};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn network_errors_name_the_worker() {
        let url = Url::parse("http://10.0.0.5:8790").unwrap();
        let network = || DataFusionError::External(tonic::Status::unavailable("connection reset").into());
        for error in [
            of_call(&url, network()),
            DataFusionError::Shared(Arc::new(of_call(&url, network()))),
            DataFusionError::ArrowError(Box::new(ArrowError::ExternalError(of_call(&url, network()).into())), None),
            of_call(&url, DataFusionError::Execution(format!("{NO_STAGE} to be set"))),
        ] {
            assert_eq!(find(&error).as_deref(), Some("http://10.0.0.5:8790/"), "{error}");
        }
        let of_query = DataFusionError::Execution("divided by zero".to_string());
        assert_eq!(find(&of_call(&url, of_query)), None);
    }

    /// Takes the ten seconds that a worker waits for a stage.
    #[tokio::test]
    async fn a_worker_without_the_stage_says_so() {
        let task_key = TaskKey { query_id: Uuid::nil(), stage_id: 1, task_number: 0 };
        let request = ExecuteTaskRequest {
            task_key,
            target_partition_start: 0,
            target_partition_end: 1,
            producer_head: ProducerHead::None,
        };
        let Err(error) = Worker::default().execute_task(request).await else { panic!("there is no such stage") };
        let url = Url::parse("http://10.0.0.5:8790").unwrap();
        assert!(
            find(&of_call(&url, error)).is_some(),
            "datafusion-distributed says something else now: change NO_STAGE"
        );
    }
}
