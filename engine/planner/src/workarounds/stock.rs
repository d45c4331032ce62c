//! Runs queries on DataFusion without our steps, for the tests that fail once a workaround can go.

use arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::Result;
use datafusion::prelude::{SessionConfig, SessionContext};

/// The rows that the last of these statements answers, the values of each joined by blanks; the message if one of them fails.
pub(crate) async fn rows(partitions: usize, statements: &[&str]) -> Vec<String> {
    let mut config = SessionConfig::new().with_target_partitions(partitions);
    config.options_mut().execution.parquet.pushdown_filters = true;
    // Small files are read in several partitions too.
    config.options_mut().optimizer.repartition_file_min_size = 1;
    run(&SessionContext::new_with_config(config), statements).await.unwrap_or_else(|error| vec![error.to_string()])
}

/// The same in a session of the caller's.
pub(crate) async fn run(context: &SessionContext, statements: &[&str]) -> Result<Vec<String>> {
    let mut batches = Vec::new();
    for statement in statements {
        batches = context.sql(statement).await?.collect().await?;
    }
    let options = FormatOptions::default().with_null("null");
    let mut rows = Vec::new();
    for batch in &batches {
        let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
        let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
        let row = |row| columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join(" ");
        rows.extend((0..batch.num_rows()).map(row));
    }
    Ok(rows)
}
