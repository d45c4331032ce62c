//! The lake says exactly what the node says.

use quarry_tests::node::Node;
use quarry_tests::quarry::Home;

use crate::expected::{self, Expected};

#[test]
fn sql_finds_what_the_node_answers() {
    let node = Node::start();
    let last = node.make_chain_with_blobs(20);
    let expected = expected::expected(&node, 0, last);
    assert!(expected.failed >= 40 && expected.token_transfers.len() > 100, "the chain has what the test is about");

    for url in [node.url(), node.websocket()] {
        let home = Home::new();
        home.run(&["ingest", "--rpc", &url, "--from", "0", "--to", &last.to_string(), "--no-verify"]);
        compare(&home, &expected);
    }
}

/// Every row of every table, then counts and sums as a person would ask for them.
fn compare(home: &Home, expected: &Expected) {
    for (query, rows) in [
        (expected::BLOCKS, &expected.blocks),
        (expected::TRANSACTIONS, &expected.transactions),
        (expected::LOGS, &expected.logs),
        (expected::TOKEN_TRANSFERS, &expected.token_transfers),
    ] {
        let found = home.csv(query);
        assert_eq!(found.len(), rows.len(), "{query}");
        for (found, expected) in found.iter().zip(rows) {
            assert_eq!(found, expected, "{query}");
        }
    }
    assert_eq!(home.value("select count(*) from transactions"), expected.transactions.len().to_string());
    assert_eq!(home.value("select sum(value) from transactions"), expected.value.to_string());
    assert_eq!(home.value("select count(*) from transactions where receipt_status = 0"), expected.failed.to_string());
    let types = home.csv("select distinct transaction_type from transactions order by 1");
    assert_eq!(types, ["0", "1", "2", "3", "4"], "every transaction type is there");
}

#[test]
fn a_lake_proves_itself_and_agrees_with_its_node() {
    let node = Node::start();
    let last = node.make_chain(10).to_string();
    let home = Home::new();
    home.run(&["ingest", "--rpc", &node.url(), "--from", "0", "--to", &last]);
    assert_eq!(home.run(&["verify", "--from", "0", "--to", &last]), "");
    assert_eq!(home.run(&["verify", "--rpc", &node.url()]), "");
    let said = home.fail(1, &["verify", "--to", "100000"]);
    assert!(said.contains("does not hold the blocks"), "{said}");
    home.fail(2, &["verify", "--from", "9", "--to", "3"]);
}

#[test]
fn a_second_range_joins_the_first_and_a_repeated_one_changes_nothing() {
    let node = Node::start();
    let last = node.make_chain(3);
    let url = node.url();
    let home = Home::new();
    let ingest = |from: i64, to: i64| {
        home.run(&["ingest", "--rpc", &url, "--from", &from.to_string(), "--to", &to.to_string()]);
    };
    ingest(4, last);
    ingest(0, 5);
    ingest(0, last);
    let expected = expected::expected(&node, 0, last);
    assert_eq!(home.csv(expected::BLOCKS), expected.blocks);
    assert_eq!(home.csv(expected::TRANSACTIONS), expected.transactions);
    assert_eq!(home.csv(expected::LOGS), expected.logs);
}

#[test]
fn blocks_are_brought_anew_with_traces_and_after_a_file_was_damaged() {
    let node = Node::start();
    let last = node.make_chain(3).to_string();
    let home = Home::new();
    home.run(&["ingest", "--rpc", &node.url(), "--from", "0", "--to", &last]);
    let file = home.lake_files("logs").remove(0);
    std::fs::write(&file, "cut off").expect("writes");
    let said = home.fail(1, &["verify"]);
    assert!(said.contains("1 file is damaged"), "{said}");
    let name = std::path::Path::new(&file).file_name().and_then(|name| name.to_str()).expect("a name").to_string();
    let status = home.run(&["lake", "status"]);
    assert!(status.contains(&name) && status.contains("repair with: quarry ingest --overwrite --from"), "{status}");
    home.fail(2, &["ingest", "--rpc", &node.url(), "--follow", "--overwrite"]);
    home.run(&["ingest", "--rpc", &node.url(), "--from", "3", "--to", "3", "--overwrite", "--traces"]);
    assert_eq!(home.run(&["verify", "--rpc", &node.url()]), "");
    assert!(!home.run(&["lake", "status"]).contains("repair with"));
    let untraced = "select count(*) from transactions where hash not in (select transaction_hash from traces)";
    assert_eq!(home.value(untraced), "0");
}

#[test]
fn the_status_tells_how_far_the_lake_is_behind() {
    let node = Node::start();
    node.mine(9);
    let home = Home::new();
    home.run(&["ingest", "--rpc", &node.url(), "--from", "0", "--to", "6"]);
    let status = home.run(&["lake", "status", "--rpc", &node.url()]);
    assert!(status.contains("node      9, 3 ahead of the lake\n"), "{status}");
    assert!(status.contains("blocks    0 to 6\n"), "{status}");
    home.run(&["ingest", "--rpc", &node.url(), "--from", "0"]);
    let status = home.run(&["lake", "status", "--rpc", &node.url()]);
    assert!(status.contains("node      9, as the lake\n"), "{status}");
    assert!(!home.run(&["lake", "status"]).contains("node  "), "nobody was asked");
    let other = Node::start_as(4343);
    let status = home.run(&["lake", "status", "--rpc", &other.url()]);
    assert!(status.contains("node      0 of chain 4343, which is another one\n"), "{status}");
    let said = home.fail(2, &["lake", "files", "--table", "uncles"]);
    assert!(said.contains("address_days, days"), "{said}");
}
