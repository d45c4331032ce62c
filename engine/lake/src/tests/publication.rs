//! What becomes visible when, and what is refused.

use std::time::Duration;

use alloy_primitives::{Address, B256};

use super::super::{Compaction, Head, KnownContracts, Lake, LakeOptions, Origin, Publish};
use super::*;
use quarry_types::ErrorCode;

#[tokio::test(flavor = "multi_thread")]
async fn empty_folder_becomes_an_empty_lake() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(&dir.path().join("lake")).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    assert_eq!((snapshot.id, snapshot.head, snapshot.covered()), (0, None, vec![]));
    assert_eq!(lake.info().await.unwrap().chain_id, None);
    let context = session(&lake, &snapshot);
    assert_eq!(number(&context, "select count(*) from transactions").await.unwrap(), 0);
    assert_eq!(number(&context, "select count(*) from logs where log_index > 3").await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_folder_can_be_opened_concurrently() {
    let dir = tempfile::tempdir().unwrap();
    let mut opening = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let dir = dir.path().to_path_buf();
        opening.spawn(async move { Lake::open(&dir).await.map(|_| ()) });
    }
    for opened in opening.join_all().await {
        opened.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn publication_is_atomic_and_snapshots_are_stable() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let before = lake.snapshot().await.unwrap();
    let writer = lake.writer().await.unwrap();
    let staged = stage(&writer, range(0, 19), 3).await.unwrap();
    assert_eq!(lake.snapshot().await.unwrap().id, 0, "staged is not visible");
    let head = Head { number: 19, hash: B256::repeat_byte(7), time: block_time(19) };
    let publish = Publish { head: Some(head), finalized: Some(5), reason: "test".to_string(), ..Publish::default() };
    assert_eq!(writer.publish(vec![staged], publish).await.unwrap(), 1);

    // Another process sees the same as the writer's own.
    for lake in [lake.clone(), Lake::open(dir.path()).await.unwrap()] {
        let after = lake.snapshot().await.unwrap();
        assert_eq!((after.id, after.head, after.finalized), (1, Some(head), Some(5)));
        assert_eq!(after.covered(), vec![range(0, 19)]);
        for table in Table::ALL {
            let expected = if table == Table::Blocks { 20 } else { 60 };
            assert_eq!(after.rows(table), expected, "{}", table.name());
            let sql = format!("select count(*) from {}", table.name());
            assert_eq!(number(&session(&lake, &after), &sql).await.unwrap(), expected as i64);
            assert_eq!(number(&session(&lake, &before), &sql).await.unwrap(), 0, "pinned before");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_blocks_are_rejected_without_files() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(10, 19), 2).await.unwrap();
    let files = files_on_disk(dir.path());
    let error = publish(&writer, range(19, 25), 2).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert!(error.message.contains("10 to 19"), "{}", error.message);
    assert_eq!(files_on_disk(dir.path()), files);

    let twice = vec![stage(&writer, range(30, 39), 1).await.unwrap(), stage(&writer, range(35, 40), 1).await.unwrap()];
    assert_eq!(writer.publish(twice, Publish::default()).await.unwrap_err().code, ErrorCode::InvalidInput);
    assert_eq!(files_on_disk(dir.path()), files);
    assert_eq!(lake.snapshot().await.unwrap().id, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn replaced_ranges_are_retired() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 9), 2).await.unwrap();
    publish(&writer, range(10, 19), 2).await.unwrap();
    let pinned = lake.snapshot().await.unwrap();
    let replace = Publish { replace: true, reason: "reorg".to_string(), ..Publish::default() };

    let part = stage(&writer, range(12, 25), 5).await.unwrap();
    let error = writer.publish(vec![part], replace.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput, "half a range can't be replaced");
    assert_eq!(pinned.widen(range(12, 25)), range(10, 25));

    let whole = stage(&writer, range(10, 25), 5).await.unwrap();
    writer.publish(vec![whole], replace).await.unwrap();
    let newest = lake.snapshot().await.unwrap();
    assert_eq!(newest.covered(), vec![range(0, 25)]);
    assert_eq!(newest.rows(Table::Logs), 10 * 2 + 16 * 5);
    let sql = "select sum(log_index) from logs";
    assert_eq!(number(&session(&lake, &newest), sql).await.unwrap(), 10 + 16 * 10);
    assert_eq!(number(&session(&lake, &pinned), sql).await.unwrap(), 20, "the replaced files are still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn shorter_chain_removes_blocks() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    for from in [0, 10, 20] {
        publish(&writer, range(from, from + 9), 2).await.unwrap();
    }
    let at = |number: i64| Head { number, hash: B256::ZERO, time: block_time(number) };
    let cut = |from: i64, to: i64| Publish {
        head: Some(at(to)),
        replace: true,
        cut_from: Some(from),
        reason: "reorg".to_string(),
        ..Publish::default()
    };
    let halved = writer.publish(Vec::new(), cut(15, 14)).await.unwrap_err();
    assert_eq!(halved.code, ErrorCode::InvalidInput, "half a range can't be cut off");

    let brought = stage(&writer, range(10, 12), 5).await.unwrap();
    writer.publish(vec![brought], cut(10, 12)).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    assert_eq!((snapshot.covered(), snapshot.head), (vec![range(0, 12)], Some(at(12))));
    assert_eq!(snapshot.rows(Table::Logs), 10 * 2 + 3 * 5);

    writer.publish(Vec::new(), cut(10, 9)).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    assert_eq!((snapshot.covered(), snapshot.head), (vec![range(0, 9)], Some(at(9))));
    assert_eq!(snapshot.rows(Table::Logs), 10 * 2);

    writer.publish(Vec::new(), Publish { head: None, ..cut(0, 0) }).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    assert_eq!((snapshot.covered(), snapshot.head), (vec![], None), "nothing is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn retired_files_are_deleted_after_the_grace_period() {
    let dir = tempfile::tempdir().unwrap();
    let options = LakeOptions { retired_grace: Duration::ZERO, ..LakeOptions::default() };
    let lake = Lake::open_with(dir.path(), options).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 9), 2).await.unwrap();
    let files = files_on_disk(dir.path());
    let staged = stage(&writer, range(0, 9), 2).await.unwrap();
    writer.publish(vec![staged], Publish { replace: true, ..Publish::default() }).await.unwrap();
    assert_eq!(files_on_disk(dir.path()), files);
    assert_eq!(lake.snapshot().await.unwrap().rows(Table::Traces), 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn head_only_decreases_by_replacement() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let at = |number: i64| Head { number, hash: B256::ZERO, time: block_time(number) };
    for (from, to, replace, expected) in [(50, 59, false, 59), (0, 9, false, 59), (50, 54, true, 54)] {
        let staged = stage(&writer, range(from, to), 1).await.unwrap();
        let staged = if replace { vec![stage(&writer, range(55, 59), 1).await.unwrap(), staged] } else { vec![staged] };
        let publish = Publish { head: Some(at(to)), replace, ..Publish::default() };
        writer.publish(staged, publish).await.unwrap();
        assert_eq!(lake.snapshot().await.unwrap().head, Some(at(expected)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_writer_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let other = Lake::open(dir.path()).await.unwrap();
    let second = other.writer().await.err().unwrap();
    assert_eq!(second.code, ErrorCode::LakeLocked);
    assert!(second.message.contains(&format!("(process {})", std::process::id())), "{}", second.message);
    let staging = writer.stage(range(0, 9));
    drop(writer);
    assert_eq!(other.writer().await.err().map(|error| error.code), Some(ErrorCode::LakeLocked), "still staging");
    drop(staging);
    other.writer().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn lake_accepts_one_chain() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    writer.claim(1, Origin::Node).await.unwrap();
    writer.claim(1, Origin::Node).await.unwrap();
    let error = writer.claim(5, Origin::Node).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert!(error.message.contains("chain 1") && error.message.contains("chain 5"), "{}", error.message);
    assert!(writer.claim(1, Origin::Sample).await.is_err());
    let info = lake.info().await.unwrap();
    assert_eq!((info.chain_id, info.origin), (Some(1), Some(Origin::Node)));
}

#[tokio::test(flavor = "multi_thread")]
async fn known_contracts_are_shipped_or_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let own = KnownContracts { deposit_contract: Some(Address::with_last_byte(7)), ..KnownContracts::default() };
    assert!(writer.record_contracts(Some(&own)).await.is_err(), "the lake has no chain yet");
    writer.claim(1, Origin::Node).await.unwrap();
    let shipped = KnownContracts::shipped(Some(1));
    assert_eq!(lake.info().await.unwrap().contracts, shipped);
    publish(&writer, range(0, 9), 1).await.unwrap();
    let before = lake.snapshot().await.unwrap();
    writer.record_contracts(Some(&own)).await.unwrap();
    assert_eq!(*lake.info().await.unwrap().contracts, own);
    let after = lake.snapshot().await.unwrap();
    assert_eq!((after.id, after.head, after.rows(Table::Blocks)), (before.id + 1, before.head, 10));
    writer.record_contracts(None).await.unwrap();
    assert_eq!(lake.info().await.unwrap().contracts, shipped);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_rows_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let mut staging = writer.stage(range(10, 20));
    staging.write(Table::Logs, rows(Table::Logs, range(14, 15), 2)).await.unwrap();
    assert!(staging.write(Table::Logs, rows(Table::Logs, range(12, 12), 2)).await.is_err(), "backwards");
    assert!(staging.write(Table::Logs, rows(Table::Logs, range(19, 21), 2)).await.is_err(), "past the range");
    assert!(staging.write(Table::Traces, rows(Table::Traces, range(9, 9), 2)).await.is_err(), "before the range");
    assert!(staging.write(Table::Traces, rows(Table::Logs, range(11, 11), 2)).await.is_err(), "another table");
}

#[tokio::test(flavor = "multi_thread")]
async fn status_has_gaps_reorgs_and_failures() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 9), 2).await.unwrap();
    publish(&writer, range(30, 39), 2).await.unwrap();
    let status = lake.status().await.unwrap();
    assert_eq!((status.gaps, status.reorgs, status.verification_failures), (vec![range(10, 29)], vec![], 0));

    let staged = stage(&writer, range(30, 39), 3).await.unwrap();
    writer
        .publish(vec![staged], Publish { replace: true, reason: "reorg".to_string(), ..Publish::default() })
        .await
        .unwrap();
    lake.record_verification_failure(Some(31), "The receipts root differs.").await.unwrap();
    let status = lake.status().await.unwrap();
    assert_eq!(status.reorgs.iter().map(|reorg| reorg.blocks).collect::<Vec<_>>(), [range(30, 39)]);
    assert_eq!((status.verification_failures, status.last_failures[0].block), (1, Some(31)));
    assert_eq!((status.retired.files, status.retired.bytes > 0), (9, true));
    let logs = status.tables.iter().find(|table| table.name == "logs").unwrap();
    assert_eq!((logs.rows, logs.head, logs.files), (10 * 2 + 10 * 3, Some(39), 2));
    let days = status.tables.iter().find(|table| table.name == "days").unwrap();
    assert_eq!((days.head, days.files), (None, 2), "a row is of all the blocks of a day");
}

#[tokio::test(flavor = "multi_thread")]
async fn reorgs_are_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let options = LakeOptions { retired_grace: Duration::ZERO, ..LakeOptions::default() };
    let lake = Lake::open_with(dir.path(), options).await.unwrap();
    let writer = lake.writer().await.unwrap();
    for from in [0, 10, 20, 30] {
        publish(&writer, range(from, from + 9), 2).await.unwrap();
    }
    let cut = |from: i64, finalized: Option<i64>| Publish {
        finalized,
        replace: true,
        cut_from: Some(from),
        reason: "reorg".to_string(),
        ..Publish::default()
    };
    writer.publish(Vec::new(), cut(30, None)).await.unwrap();
    let shorter = stage(&writer, range(10, 15), 3).await.unwrap();
    // Blocks 10 to 13 come again as they were, with those that took the place of others.
    let again = Publish { dropped_from: Some(14), ..cut(10, Some(15)) };
    writer.publish(vec![shorter], again).await.unwrap();
    let gone = async || lake.status().await.unwrap().reorgs.iter().map(|reorg| reorg.blocks).collect::<Vec<_>>();
    assert_eq!(gone().await, [range(14, 29), range(30, 39)]);

    assert_eq!(writer.compact(Compaction::Everything, |_| {}).await.unwrap().ranges_before, 2);
    publish(&writer, range(16, 19), 2).await.unwrap();
    assert_eq!(gone().await, [range(14, 29), range(30, 39)]);
}
