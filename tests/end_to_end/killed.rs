//! Killed (SIGKILL) at moments that a seed chooses, again and again: no block is lost, none is there twice, no table is
//! ahead of another, and the next start heals what was left. Compaction has the same test in the engine.

use std::time::Duration;

use quarry_tests::dice::Dice;
use quarry_tests::kills::{Run, TABLES, lake_bytes, lake_files, rounds};
use quarry_tests::node::Node;
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::{etl, wait};
use serde_json::json;

use crate::expected;
use crate::follow::{assert_same, follower, wait_for_head};

const SEED: u64 = 20_261_121;

/// What must be the same in two lakes of the same blocks.
const CONTENT: [&str; 6] = [
    expected::BLOCKS,
    expected::TRANSACTIONS,
    expected::LOGS,
    expected::TOKEN_TRANSFERS,
    "select count(*), sum(trace_index), sum(gas_used) from traces",
    "select sum(sent), sum(received), count(distinct address) from rollups.address_days",
];

#[test]
fn an_ingest() {
    let node = Node::start();
    node.make_chain(10);
    node.mine(1500);
    let last = node.head().to_string();
    let url = node.url();
    kill_again_and_again(&["ingest", "--rpc", &url, "--from", "0", "--to", &last]);
}

#[test]
fn an_import() {
    let sample = Home::with_sample(SMALLEST_SAMPLE, 4);
    let folder = tempfile::tempdir().expect("a folder");
    etl::write(&sample, folder.path(), &(0..12).map(|part| part * 10..part * 10 + 10).collect::<Vec<_>>());
    let path = folder.path().to_str().expect("a path of text");
    kill_again_and_again(&["import", "--format", "ethereum-etl", "--chain-id", "90210001", path]);
}

/// Each piece is there in the old form or in the new one, which have the same rows.
#[test]
fn blocks_brought_anew() {
    let node = Node::start();
    node.make_chain(10);
    node.mine(1500);
    let (last, url) = (node.head().to_string(), node.url());
    let home = Home::new();
    let words = ["ingest", "--rpc", &url, "--from", "0", "--to", &last];
    home.run(&words);
    let content = || CONTENT.map(|query| home.csv(query));
    let (before, step) = (content(), lake_bytes(&home));
    let again = [words.as_slice(), &["--overwrite"]].concat();
    let mut dice = Dice::new(SEED);
    let mut kills = 0;
    while kills < rounds() {
        let run = Run::start(home.command(&again));
        let moment = lake_bytes(&home) + dice.below(step);
        kills += u64::from(run.kill_at(&home, moment));
        assert_eq!(content(), before);
    }
    home.run(&again);
    assert_eq!(home.run(&["verify", "--rpc", &url]), "");
}

/// Kills the command until it was killed often enough, each time going on in what was left; a run that reaches its end
/// must have the lake of one that was never killed, and the next begins in an empty home.
fn kill_again_and_again(words: &[&str]) {
    let whole = Home::new();
    whole.run(words);
    let step = lake_bytes(&whole) / 3;
    let mut dice = Dice::new(SEED);
    let mut home = Home::new();
    let (mut kills, mut held) = (0, 0);
    while kills < rounds() {
        let run = Run::start(home.command(words));
        let moment = lake_bytes(&home) + dice.below(step);
        if run.kill_at(&home, moment) {
            kills += 1;
            let now = assert_whole(&home);
            assert!(now >= held, "blocks were lost: {now} of {held} are there");
            held = now;
        } else {
            assert_equal(&home, &whole);
            (home, held) = (Home::new(), 0);
        }
    }
    home.run(words);
    assert_equal(&home, &whole);
}

fn assert_equal(home: &Home, whole: &Home) {
    for query in CONTENT {
        assert_eq!(home.csv(query), whole.csv(query), "{query}");
    }
    // Who writes next removes what the last one left.
    let live: usize = TABLES.iter().map(|table| home.lake_files(table).len()).sum();
    assert_eq!(lake_files(home), live, "files that nobody names are left");
}

/// That no block is there twice or only in part; answers how many there are.
fn assert_whole(home: &Home) -> u64 {
    let counts = home.csv(
        "select count(*), count(distinct number), coalesce(sum(transaction_count), 0), \
         (select count(*) from transactions), \
         (select count(distinct block_number * 100000 + transaction_index) from transactions), \
         (select count(*) from logs) - (select count(distinct block_number * 100000 + log_index) from logs), \
         (select count(*) from transactions where block_hash not in (select hash from blocks)) + \
         (select count(*) from logs where block_hash not in (select hash from blocks)) from blocks",
    );
    let counts: Vec<u64> = counts[0].split(',').map(|count| count.parse().expect("a number")).collect();
    assert_eq!(counts[0], counts[1], "a block is there twice");
    assert_eq!((counts[2], counts[2]), (counts[3], counts[4]), "transactions are missing or there twice");
    assert_eq!((counts[5], counts[6]), (0, 0), "logs are there twice, or rows without their block");
    counts[0]
}

#[test]
fn following_the_head() {
    let node = Node::start();
    node.make_chain(2);
    let home = Home::new();
    let mut dice = Dice::new(SEED);
    for _ in 0..rounds() {
        let follower = follower(&home, &node.websocket());
        // Three heads or so: some kills come at its start, some with blocks under way, some after a reorganisation.
        let moment = lake_bytes(&home) + dice.below(150_000);
        move_on(&node, &home, &mut dice, moment);
        drop(follower);
        assert_whole(&home);
    }
    let _follower = follower(&home, &node.websocket());
    wait_for_head(&home, &node);
    assert_same(&home, &node);
}

/// Lets the chain grow and be reorganised until the lake has so many bytes.
fn move_on(node: &Node, home: &Home, dice: &mut Dice, bytes: u64) {
    wait::wait_for("the lake to grow", Duration::from_secs(60), || {
        match dice.below(4) {
            0 => drop(node.call("anvil_reorg", json!([1 + dice.below(6), []]))),
            _ => node.mine(1 + dice.below(3) as u32),
        }
        (lake_bytes(home) >= bytes).then_some(())
    });
}
