//! The scrub reads every file, adds missing checksums, names damaged files, and continues after a restart.

use std::time::Duration;

use super::*;
use crate::ScrubStep;

const DAY: Option<Duration> = Some(Duration::from_secs(86_400));
const NOW: Option<Duration> = Some(Duration::ZERO);

async fn scrub_all(lake: &Lake, every: Option<Duration>) -> usize {
    let mut read = 0;
    while lake.scrub(every, |_| true).await.unwrap() == ScrubStep::Read {
        read += 1;
    }
    read
}

/// Waits for the next millisecond: a pass reads what was last read before it began.
fn until_later() {
    let now = crate::catalogue::now_ms();
    while crate::catalogue::now_ms() == now {
        std::thread::yield_now();
    }
}

fn flip(path: &Path, place: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[place] ^= 4;
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn scrub_reads_all_files_and_names_damaged_ones() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), small()).await.unwrap();
    publish(&lake.writer().await.unwrap(), range(0, 99), 20).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    let files: usize = snapshot.files.values().map(|files| files.len()).sum();
    let bytes: u64 = snapshot.files.values().flat_map(|files| files.iter()).map(|file| file.bytes).sum();
    // A pass begins a millisecond after the files were written, or later: those are not read again in it.
    until_later();
    let (path, entry) = lake.files(Table::Logs).await.unwrap().swap_remove(1);
    flip(&path, 2000);

    // Another process continues the pass.
    for _ in 0..3 {
        assert_eq!(lake.scrub(DAY, |_| true).await.unwrap(), ScrubStep::Read);
    }
    assert_eq!(lake.scrub(DAY, |_| false).await.unwrap(), ScrubStep::Stopped);
    let half = lake.status().await.unwrap().scrub;
    assert_eq!((half.current.unwrap().files, half.last), (3, None));
    let lake = Lake::open(dir.path()).await.unwrap();
    assert_eq!(scrub_all(&lake, DAY).await, files - 3);

    let status = lake.status().await.unwrap().scrub;
    let last = status.last.unwrap();
    assert_eq!((last.files, last.bytes, last.damaged), (files as u64, bytes, 1));
    assert!(last.ended >= Some(last.started) && status.current.is_none());
    let [damaged] = status.damaged.as_slice() else { panic!("{:?}", status.damaged) };
    assert_eq!((&damaged.path, damaged.blocks), (&entry.path, entry.blocks()));
    // The next pass begins a day later.
    assert_eq!(scrub_all(&lake, DAY).await, 0);

    // What was put back is sound again.
    flip(&path, 2000);
    assert_eq!(lake.check_files(range(0, 99), |_| {}).await.unwrap(), []);
    assert_eq!(lake.status().await.unwrap().scrub.damaged, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn scrub_reads_suspects_first() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), small()).await.unwrap();
    publish(&lake.writer().await.unwrap(), range(0, 99), 20).await.unwrap();
    let (path, entry) = lake.files(Table::Logs).await.unwrap().swap_remove(0);
    flip(&path, 1000);
    // Without passes nothing is read but what was met.
    assert_eq!(lake.scrub(None, |_| true).await.unwrap(), ScrubStep::Idle);
    let context = session(&lake, &lake.snapshot().await.unwrap());
    assert!(context.sql("select * from logs").await.unwrap().collect().await.is_err());
    assert_eq!(lake.scrub(None, |_| true).await.unwrap(), ScrubStep::Read);
    let damaged = lake.status().await.unwrap().scrub.damaged;
    assert_eq!(damaged.iter().map(|file| &file.path).collect::<Vec<_>>(), [&entry.path]);

    // Blocks that are written again take the damage away.
    let writer = lake.writer().await.unwrap();
    let staged = stage(&writer, range(0, 99), 20).await.unwrap();
    let publish = Publish { replace: true, reason: "test".to_string(), ..Publish::default() };
    writer.publish(vec![staged], publish).await.unwrap();
    assert_eq!(lake.status().await.unwrap().scrub.damaged, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_an_older_version_get_their_checksums() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), small()).await.unwrap();
    publish(&lake.writer().await.unwrap(), range(0, 9), 20).await.unwrap();
    for table in Table::ALL {
        for (path, _) in lake.files(table).await.unwrap() {
            lake.accept_changed_file(&path).await.unwrap();
        }
    }
    let context = session(&lake, &lake.snapshot().await.unwrap());
    assert_eq!(number(&context, "select count(*) from logs where data is not null").await.unwrap(), 200);
    assert!(scrub_all(&lake, DAY).await > 5);
    // Now they have some.
    let (path, entry) = lake.files(Table::Logs).await.unwrap().swap_remove(0);
    assert_eq!(entry.checksums, None, "a snapshot keeps what it knew");
    let lake = Lake::open_with(dir.path(), small()).await.unwrap();
    let (_, entry) = lake.files(Table::Logs).await.unwrap().swap_remove(0);
    assert!(entry.checksums.is_some_and(|known| known.tail.is_none()));
    flip(&path, 1000);
    until_later();
    scrub_all(&lake, NOW).await;
    assert_eq!(lake.status().await.unwrap().scrub.damaged.len(), 1);
}
