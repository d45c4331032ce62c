//! Sources that can't be used: the message says what is wrong, the exit status is 1, and the lake stays as it was.

use std::io::{Read, Write};
use std::net::TcpListener;

use quarry_tests::node::Node;
use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};

#[test]
fn a_node_that_is_not_there() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}");
    let said = Home::new().fail(1, &["ingest", "--rpc", &url, "--from", "0", "--to", "9"]);
    assert!(said.lines().next().unwrap().contains(&free.to_string()), "the first line names the node: {said}");
}

#[test]
fn a_node_of_another_chain() {
    let home = Home::new();
    let (first, second) = (Node::start_as(1111), Node::start_as(2222));
    home.run(&["ingest", "--rpc", &first.url(), "--from", "0", "--to", "0"]);
    second.mine(3);
    let said = home.fail(1, &["ingest", "--rpc", &second.url(), "--from", "1", "--to", "3"]);
    assert!(said.contains("1111") && said.contains("2222"), "both chain ids are named: {said}");
    assert_eq!(home.value("select count(*) from blocks"), "1");
}

#[test]
fn a_range_past_the_head() {
    let node = Node::start();
    node.mine(5);
    let home = Home::new();
    let said = home.fail(1, &["ingest", "--rpc", &node.url(), "--from", "0", "--to", "1000"]);
    assert!(said.contains('5') && said.contains("1000"), "the head and the wish are named: {said}");
}

#[test]
fn a_range_that_ends_before_it_begins_is_a_wrong_word() {
    Home::new().fail(2, &["ingest", "--rpc", "http://127.0.0.1:1", "--from", "9", "--to", "3"]);
}

#[test]
fn a_node_that_answers_nonsense() {
    for answer in ["<html>It works!</html>", r#"{"jsonrpc":"2.0","id":1,"result":"many"}"#, ""] {
        let port = answer_always(answer.to_string());
        let url = format!("http://127.0.0.1:{port}");
        let said = Home::new().fail(1, &["ingest", "--rpc", &url, "--from", "0", "--to", "9"]);
        assert!(!said.trim().is_empty() && !said.contains("panicked"), "a clear message: {said}");
    }
}

#[test]
fn a_sample_home_takes_no_blocks_of_a_node() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 7);
    let before = home.value("select count(*) from blocks");
    let node = Node::start();
    node.mine(3);
    home.fail(1, &["ingest", "--rpc", &node.url(), "--from", "0", "--to", "3"]);
    assert_eq!(home.value("select count(*) from blocks"), before);
}

/// An HTTP server that gives the same answer to everything.
fn answer_always(body: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let body = body.clone();
            std::thread::spawn(move || {
                // One read is enough: what was asked does not matter.
                let _ = stream.read(&mut [0; 16 * 1024]);
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
                let _ = stream.write_all((head + &body).as_bytes());
            });
        }
    });
    port
}
