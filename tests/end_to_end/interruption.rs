//! An ingest that is killed and started again ends with the lake of one that was not.

use std::process::Stdio;

use quarry_tests::node::Node;
use quarry_tests::quarry::Home;
use quarry_tests::tap::Tap;

use crate::expected;

const BLOCKS: u32 = 1500;

#[test]
fn killed_anywhere_and_started_again_the_lake_is_the_same() {
    let node = Node::start();
    node.make_chain(10);
    node.mine(BLOCKS);
    let last = node.head();
    let range = ["--from", "0", "--to", &last.to_string()];

    let whole = Home::new();
    whole.run(&[&["ingest", "--rpc", &node.url()][..], &range[..]].concat());

    let home = Home::new();
    // Killed early, in the middle and late; each attempt goes on where the one before ended.
    for limit in [20_000, 600_000, 900_000] {
        let tap = Tap::start(node.port, limit);
        let mut ingest = home
            .command(&[&["ingest", "--rpc", &tap.url()][..], &range[..]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        tap.wait_until_dry();
        ingest.kill().unwrap();
        ingest.wait().unwrap();
        assert_all_tables_agree(&home);
    }
    home.run(&[&["ingest", "--rpc", &node.url()][..], &range[..]].concat());

    for query in [expected::BLOCKS, expected::TRANSACTIONS, expected::LOGS, expected::TOKEN_TRANSFERS] {
        assert_eq!(home.csv(query), whole.csv(query), "{query}");
    }
    assert_eq!(home.value("select count(*) from blocks"), (last + 1).to_string());
}

/// A range is there in all tables or in none: what blocks say of their transactions is what the other tables hold.
fn assert_all_tables_agree(home: &Home) {
    let said = home.value("select coalesce(sum(transaction_count), 0) from blocks");
    assert_eq!(home.value("select count(*) from transactions"), said);
    let orphans = "select count(*) from logs where block_number not in (select number from blocks)";
    assert_eq!(home.value(orphans), "0");
}
