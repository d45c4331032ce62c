//! Kill -9 at any moment: what was published stays whole, what was not leaves nothing behind.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use super::super::Compaction;
use super::*;

/// Names the folder to the child process; without it the child test does nothing.
const CHILD_DIR: &str = "QUARRY_TEST_CRASH_DIR";

const BLOCKS: i64 = 20;

/// Ranges the child publishes, one after the other.
fn nth(index: i64) -> BlockRange {
    range(index * BLOCKS, (index + 1) * BLOCKS - 1)
}

/// Body of the process that is killed while it compacts what it writes, for ever.
#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::disallowed_methods, reason = "how a test speaks to its child process, not a setting of the product")]
async fn compacts_until_killed() {
    let Some(dir) = std::env::var_os(CHILD_DIR) else { return };
    let lake =
        Lake::open_with(Path::new(&dir), LakeOptions { retired_grace: Duration::ZERO, ..small() }).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let covered = lake.snapshot().await.unwrap().covered();
    let next = covered.last().map_or(0, |last| (last.to + 1) / BLOCKS);
    for index in next.. {
        let staged = stage(&writer, nth(index), 20).await.unwrap();
        let finalized = Some(nth(index).to);
        let publish = Publish { finalized, reason: "test".to_string(), ..Publish::default() };
        writer.publish(vec![staged], publish).await.unwrap();
        writer.compact(Compaction::Everything, |_| {}).await.unwrap();
    }
}

/// Body of the process that is killed: appends blocks to the lake forever.
#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::disallowed_methods, reason = "how a test speaks to its child process, not a setting of the product")]
async fn writes_until_killed() {
    let Some(dir) = std::env::var_os(CHILD_DIR) else { return };
    let lake = Lake::open_with(Path::new(&dir), small()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let covered = lake.snapshot().await.unwrap().covered();
    let next = covered.last().map_or(0, |last| (last.to + 1) / BLOCKS);
    for index in next.. {
        publish(&writer, nth(index), 20).await.unwrap();
    }
}

fn start_child(dir: &Path, body: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("tests::crash::{body}"), "--test-threads=1"])
        .env(CHILD_DIR, dir)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_writer_leaves_a_consistent_lake() {
    kill_again_and_again("writes_until_killed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_compaction_leaves_a_consistent_lake() {
    kill_again_and_again("compacts_until_killed").await;
}

/// How often each is killed; `make soak` asks for hundreds.
#[allow(clippy::disallowed_methods, reason = "how often a test repeats is no setting of the product")]
fn rounds() -> usize {
    std::env::var("QUARRY_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20)
}

/// Kills the body at rising numbers of unpublished files; what it published must be whole each time.
async fn kill_again_and_again(body: &str) {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), LakeOptions { retired_grace: Duration::ZERO, ..small() }).await.unwrap();
    let mut orphans = 0;
    let mut held = 0;
    for round in 0..rounds() {
        let mut child = start_child(dir.path(), body);
        let deadline = Instant::now() + Duration::from_secs(60);
        // Kill it while it writes: at a different number of files beyond the published ones each time.
        let mut published = lake.snapshot().await.unwrap();
        loop {
            let newest = lake.snapshot().await.unwrap();
            let live: usize = Table::ALL.into_iter().map(|table| newest.files(table).len()).sum();
            if newest.id > published.id && files_on_disk(dir.path()) > live + round % 10 {
                published = newest;
                break;
            }
            assert!(Instant::now() < deadline, "the child writes nothing");
            assert!(child.try_wait().unwrap().is_none(), "the child ended by itself");
            tokio::task::yield_now().await;
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let snapshot = lake.snapshot().await.unwrap();
        assert!(snapshot.id >= published.id);
        let blocks = i64::try_from(snapshot.rows(Table::Blocks)).unwrap();
        assert_eq!(snapshot.covered(), vec![range(0, blocks - 1)]);
        assert!(blocks > held && blocks % BLOCKS == 0);
        held = blocks;
        for table in Table::ALL.into_iter().filter(|table| *table != Table::Blocks) {
            assert_eq!(snapshot.rows(table), blocks.unsigned_abs() * 20, "{}", table.name());
        }
        let live: usize = Table::ALL.into_iter().map(|table| snapshot.files(table).len()).sum();
        orphans += files_on_disk(dir.path()) - live;
        let sum = number(&session(&lake, &snapshot), "select sum(transaction_index) from transactions").await.unwrap();
        assert_eq!(sum, blocks * 190, "every live file can be read");
        drop(lake.writer().await.unwrap());
        assert_eq!(files_on_disk(dir.path()), live, "the next writer removes what nobody names");
    }
    assert!(orphans > 0, "no kill fell into a moment with unpublished files");
}
