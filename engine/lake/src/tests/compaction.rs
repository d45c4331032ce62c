//! Compaction changes files and nothing that a reader sees.

use std::collections::BTreeSet;
use std::time::Duration;

use alloy_primitives::B256;
use arrow::compute::concat_batches;
use futures::StreamExt;

use super::super::catalogue::CompactedRanges;
use super::super::{Compaction, Head};
use super::*;
use quarry_types::ErrorCode;

/// 20 ranges of 10 blocks each, all final but the last two.
async fn scattered(writer: &LakeWriter) {
    for from in (0..200).step_by(10) {
        let staged = stage(writer, range(from, from + 9), 20).await.unwrap();
        let head = Head { number: from + 9, hash: B256::repeat_byte(from as u8), time: block_time(from + 9) };
        let publish =
            Publish { head: Some(head), finalized: Some(179), reason: "test".to_string(), ..Publish::default() };
        writer.publish(vec![staged], publish).await.unwrap();
    }
}

/// Compaction into files that hold the whole lake.
fn roomy() -> LakeOptions {
    LakeOptions { row_group_rows: 100, ..LakeOptions::default() }
}

async fn all_rows(context: &SessionContext, table: Table) -> RecordBatch {
    let order = table.def().sort.join(", ");
    let batches = context.sql(&format!("select * from {} order by {order}", table.name())).await.unwrap();
    concat_batches(&table.schema(), &batches.collect().await.unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn compaction_preserves_rows() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), roomy()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    scattered(&writer).await;
    let before = lake.snapshot().await.unwrap();
    let mut heard = 0;
    let summary = writer.compact(Compaction::Everything, |_| heard += 1).await.unwrap();
    assert_eq!((summary.ranges_before, summary.ranges_after, heard), (18, 1, 1));
    assert_eq!((summary.files_before, summary.files_after), (18 * 9, 9));

    let after = lake.snapshot().await.unwrap();
    assert_eq!((after.head, after.finalized, after.covered()), (before.head, before.finalized, before.covered()));
    assert_eq!(after.ranges, [range(0, 179), range(180, 189), range(190, 199)]);
    let (old, new) = (session(&lake, &before), session(&lake, &after));
    for table in Table::ALL {
        assert_eq!(after.files(table).len(), 3, "{}", table.name());
        assert_eq!(all_rows(&old, table).await, all_rows(&new, table).await, "{}", table.name());
    }
    let again = writer.compact(Compaction::Everything, |_| {}).await.unwrap();
    assert_eq!(again.ranges_before, 0, "there is nothing left to merge");
}

#[tokio::test(flavor = "multi_thread")]
async fn caches_drop_merged_files() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), roomy()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    scattered(&writer).await;
    let ask = async |snapshot: &Snapshot| {
        let context = session(&lake, snapshot);
        number(&context, "select count(*) from transactions where hash = x'00'").await.unwrap();
        number(&context, "select count(*) from logs where log_index < 5").await.unwrap();
        lake.cache().cached_paths()
    };
    let before = ask(lake.snapshot().await.unwrap().as_ref()).await;
    writer.compact(Compaction::Everything, |_| {}).await.unwrap();
    let after = lake.snapshot().await.unwrap();
    let kept = ask(&after).await;
    let live: BTreeSet<String> =
        after.files.values().flat_map(|files| files.iter()).map(|file| file.path.clone()).collect();
    assert!(before.len() > kept.len() && !kept.is_empty() && kept.is_subset(&live), "{before:?} {kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn query_keeps_its_snapshot_during_compaction() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), roomy()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    scattered(&writer).await;
    let context = session(&lake, &lake.snapshot().await.unwrap());
    let query = context.sql("select block_number, log_index from logs").await.unwrap();
    let mut stream = query.execute_stream().await.unwrap();
    let first = stream.next().await.unwrap().unwrap().num_rows();
    writer.compact(Compaction::Everything, |_| {}).await.unwrap();
    let mut rows = first;
    while let Some(batch) = stream.next().await {
        rows += batch.unwrap().num_rows();
    }
    assert_eq!(rows, 200 * 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn query_beyond_the_grace_period_fails() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), LakeOptions { retired_grace: Duration::ZERO, ..roomy() }).await.unwrap();
    let writer = lake.writer().await.unwrap();
    scattered(&writer).await;
    let old = session(&lake, &lake.snapshot().await.unwrap());
    writer.compact(Compaction::Everything, |_| {}).await.unwrap();
    assert_eq!(files_on_disk(dir.path()), 3 * 7, "the retired files are gone");
    let failed = number(&old, "select sum(log_index) from logs").await.unwrap_err();
    let error = quarry_types::Error::within(&failed).unwrap();
    assert_eq!(error.code, ErrorCode::DamagedFile);
    let new = session(&lake, &lake.snapshot().await.unwrap());
    assert_eq!(number(&new, "select sum(log_index) from logs").await.unwrap(), 200 * 190);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_changes_prevent_compaction() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), roomy()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 9), 20).await.unwrap();
    publish(&writer, range(10, 19), 20).await.unwrap();
    let read = lake.snapshot().await.unwrap();
    let stale = stage(&writer, range(0, 19), 20).await.unwrap();
    let repaired = stage(&writer, range(10, 19), 7).await.unwrap();
    writer.publish(vec![repaired], Publish { replace: true, ..Publish::default() }).await.unwrap();
    let as_read = CompactedRanges { snapshot: read.id, ranges: &read.ranges };
    let error = writer.publish_compacted(stale, as_read).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Busy);
    assert_eq!(lake.snapshot().await.unwrap().rows(Table::Logs), 10 * 20 + 10 * 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_blocks_do_not_reappear() {
    for cut_from in [0, 10] {
        let dir = tempfile::tempdir().unwrap();
        let lake = Lake::open_with(dir.path(), roomy()).await.unwrap();
        let writer = lake.writer().await.unwrap();
        publish(&writer, range(0, 9), 20).await.unwrap();
        publish(&writer, range(10, 19), 20).await.unwrap();
        let read = lake.snapshot().await.unwrap();
        let stale = stage(&writer, range(0, 19), 20).await.unwrap();
        let cut = Publish { replace: true, cut_from: Some(cut_from), ..Publish::default() };
        writer.publish(Vec::new(), cut).await.unwrap();
        let as_read = CompactedRanges { snapshot: read.id, ranges: &read.ranges };
        let error = writer.publish_compacted(stale, as_read).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Busy);
        let rows = lake.snapshot().await.unwrap().rows(Table::Logs);
        assert_eq!(rows, cut_from.unsigned_abs() * 20);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn compaction_stops_at_a_damaged_file() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), roomy()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    scattered(&writer).await;
    let before = lake.snapshot().await.unwrap();
    let (path, _) = lake.files(Table::Traces).await.unwrap().swap_remove(3);
    std::fs::write(&path, b"PAR1").unwrap();
    let files = files_on_disk(dir.path());
    let error = writer.compact(Compaction::Everything, |_| {}).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::DamagedFile);
    assert!(error.message.contains(path.file_name().unwrap().to_str().unwrap()), "{}", error.message);
    assert_eq!(lake.snapshot().await.unwrap().id, before.id);
    drop(writer);
    // Encoders clean up on their own threads, and a writer that opens cleans up what is left.
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while lake.writer().await.is_err() {
        assert!(std::time::Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
    assert_eq!(files_on_disk(dir.path()), files);
}
