//! `quarry ingest --follow` beside a real node: new blocks come, and replaced ones go.

use std::time::Duration;

use quarry_tests::kills::Run;
use quarry_tests::node::Node;
use quarry_tests::quarry::Home;
use quarry_tests::wait::wait_for;
use serde_json::json;

use crate::expected;

const LIMIT: Duration = Duration::from_secs(60);

/// `quarry ingest --follow` until it is dropped.
pub fn follower(home: &Home, url: &str) -> Run {
    Run::start(home.command(&["ingest", "--rpc", url, "--from", "0", "--follow"]))
}

/// Waits until the newest block of the lake is the node's.
pub fn wait_for_head(home: &Home, node: &Node) {
    let block = node.call("eth_getBlockByNumber", json!(["latest", false]));
    let hash = block["hash"].as_str().expect("a hash");
    wait_for("the node's newest block in the lake", LIMIT, || {
        let found = home.csv("select hash from blocks order by number desc limit 1");
        (found == [hash]).then_some(())
    });
}

/// That the lake is what the node has now, in every table, and proves it.
pub fn assert_same(home: &Home, node: &Node) {
    let expected = expected::expected(node, 0, node.head());
    assert_eq!(home.csv(expected::BLOCKS), expected.blocks);
    assert_eq!(home.csv(expected::TRANSACTIONS), expected.transactions);
    assert_eq!(home.csv(expected::LOGS), expected.logs);
    assert_eq!(home.csv(expected::TOKEN_TRANSFERS), expected.token_transfers);
    home.run(&["verify", "--rpc", &node.url()]);
}

#[test]
fn new_blocks_come_and_replaced_ones_go() {
    let node = Node::start();
    node.make_chain(2);
    for url in [node.websocket(), node.url()] {
        let home = Home::new();
        let _follower = follower(&home, &url);
        wait_for_head(&home, &node);
        node.mine(2);
        wait_for_head(&home, &node);
        node.call("anvil_reorg", json!([3, []]));
        node.mine(1);
        wait_for_head(&home, &node);
        let before = node.call("evm_snapshot", json!([]));
        node.mine(6);
        wait_for_head(&home, &node);
        // The chain becomes shorter than the lake.
        node.call("evm_revert", json!([before]));
        node.call("anvil_mine", json!(["0x2", "0x7"]));
        wait_for_head(&home, &node);
        assert_same(&home, &node);
    }
}

#[test]
fn small_files_are_merged_while_the_head_is_followed() {
    let node = Node::start();
    node.mine(120);
    let home = Home::new();
    let (url, small) = (node.url(), 16);
    for block in 0..small {
        let block = block.to_string();
        home.run(&["ingest", "--rpc", &url, "--from", &block, "--to", &block]);
    }
    let before = home.lake_files("blocks");
    assert_eq!(before.len(), small);
    let _follower = follower(&home, &url);
    wait_for("one file in the place of the small ones", LIMIT, || {
        let now = home.lake_files("blocks");
        (!before.iter().any(|file| now.contains(file))).then_some(())
    });
    wait_for_head(&home, &node);
    assert_eq!(home.value("select count(*) from blocks"), "121");
}

#[test]
fn traces_fill_their_tables() {
    let node = Node::start();
    let last = node.make_chain(2).to_string();
    let home = Home::new();
    home.run(&["ingest", "--rpc", &node.url(), "--from", "0", "--to", &last, "--traces"]);
    let created = "select count(*) from transactions where to_address is null and receipt_status = 1";
    let deployed = "select count(*) from contracts where factory_address is null";
    assert_ne!(home.value(created), "0");
    assert_eq!(home.value(deployed), home.value(created));
    let outermost = "select count(*) from traces where transaction_hash is not null and cardinality(trace_address) = 0";
    assert_eq!(home.value(outermost), home.value("select count(*) from transactions"));
    // The tokens were asked what they are called.
    let told = "select distinct symbol || '; ' || name || '; ' || decimals from tokens.erc20";
    assert_eq!(home.value(told), "COIN; Coin of the tests; 6");
    home.run(&["verify"]);
}
