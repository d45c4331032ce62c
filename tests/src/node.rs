//! A real Ethereum node (anvil, from npm) on a free port, with a small chain made by `chain/make.mjs`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::http;
use crate::repository;
use crate::wait::wait_for;

/// The chain id of the test chain.
pub const CHAIN_ID: u64 = 4242;

/// A running node; it is killed when this is dropped.
pub struct Node {
    process: Child,
    pub port: u16,
}

impl Node {
    /// Starts a node with an empty chain.
    pub fn start() -> Node {
        Node::start_as(CHAIN_ID)
    }

    /// Starts a node with an empty chain of that id.
    pub fn start_as(chain_id: u64) -> Node {
        let mut process = Command::new(binary())
            .args(["--host", "127.0.0.1", "--port", "0", "--chain-id", &chain_id.to_string()])
            .args(["--hardfork", "prague", "--order", "fifo", "--no-mining", "--timestamp", "1700000000"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("anvil starts: `make setup` installs it");
        let lines = BufReader::new(process.stdout.take().expect("stdout is piped"));
        let port = port_of(lines);
        let node = Node { process, port };
        wait_for("the node to answer", Duration::from_secs(60), || {
            http::rpc(&node.url(), "eth_chainId", &json!([])).ok()
        });
        node
    }

    /// Makes the chain of `chain/make.mjs` and returns the number of its last block.
    pub fn make_chain(&self, rounds: u32) -> i64 {
        self.make(rounds, "no-blobs")
    }

    /// The same with blobs. anvil puts the blobs themselves into the transactions root, which Ethereum does not, so
    /// blocks with blobs do not prove themselves.
    pub fn make_chain_with_blobs(&self, rounds: u32) -> i64 {
        self.make(rounds, "blobs")
    }

    fn make(&self, rounds: u32, blobs: &str) -> i64 {
        let out = Command::new("node")
            .arg(repository::root().join("tests/chain/make.mjs"))
            .args([self.url(), rounds.to_string(), blobs.to_string()])
            .output()
            .expect("Node.js is installed");
        assert!(out.status.success(), "make.mjs: {}", String::from_utf8_lossy(&out.stderr));
        let made: Value = serde_json::from_slice(&out.stdout).expect("make.mjs prints JSON");
        made["lastBlock"].as_i64().expect("the number of the last block")
    }

    /// Adds empty blocks, one second apart.
    pub fn mine(&self, blocks: u32) {
        self.call("anvil_mine", json!([format!("{blocks:#x}"), "0x1"]));
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn websocket(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// Asks the node and expects an answer.
    pub fn call(&self, method: &str, params: Value) -> Value {
        http::rpc(&self.url(), method, &params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The number of the newest block.
    pub fn head(&self) -> i64 {
        quantity(&self.call("eth_blockNumber", json!([]))) as i64
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A JSON-RPC quantity that fits 128 bits.
pub fn quantity(value: &Value) -> u128 {
    let text = value.as_str().unwrap_or_else(|| panic!("a quantity: {value}"));
    u128::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Reads the port from `Listening on 127.0.0.1:PORT`, then keeps emptying the pipe so that the node never blocks on it.
fn port_of(lines: impl BufRead + Send + 'static) -> u16 {
    let mut lines = lines.lines();
    let port = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("Listening on ")?.rsplit(':').next()?.trim().parse().ok())
        .expect("anvil says where it listens");
    std::thread::spawn(move || lines.for_each(drop));
    port
}

/// anvil from npm, or on machines it has no package for, the one on the PATH.
fn binary() -> std::path::PathBuf {
    let packages = repository::root().join("tests/node_modules/@foundry-rs");
    let found = std::fs::read_dir(&packages).ok().and_then(|entries| {
        entries.flatten().map(|entry| entry.path().join("bin/anvil")).find(|binary| binary.is_file())
    });
    found.unwrap_or_else(|| "anvil".into())
}
