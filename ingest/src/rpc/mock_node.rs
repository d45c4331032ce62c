//! A mock node for tests: serves a small chain over HTTP, WebSocket and IPC in this process, with faults on demand.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::chain::{BlockData, TransactionData};
use crate::testing;

/// A received request: methods with parameters, and whether it was a batch.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) batch: bool,
}

impl Request {
    pub(crate) fn has(&self, method: &str) -> bool {
        self.calls.iter().any(|(called, _)| called == method)
    }

    /// Whether it requests this block.
    pub(crate) fn has_block(&self, number: u64) -> bool {
        self.calls.iter().any(|(_, params)| params[0] == json!(format!("{number:#x}")))
    }
}

/// How the node responds.
pub(crate) enum Reply {
    /// Correctly.
    Honest,
    /// With modified results.
    Changed(Change),
    /// Status, extra headers, body. Only the body over WebSocket.
    Raw(u16, &'static str, String),
    /// Never.
    Silence,
    /// Closes the connection, over HTTP in the middle of the response.
    HangUp,
}

/// Modifies the result of a method.
pub(crate) type Change = Arc<dyn Fn(&str, &mut Value) + Send + Sync>;

impl Reply {
    pub(crate) fn changed(change: fn(&str, &mut Value)) -> Reply {
        Reply::Changed(Arc::new(change))
    }
}

type Behavior = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;

/// A running mock node; it stops when dropped.
pub(crate) struct MockNode {
    address: String,
    chain: watch::Sender<Chain>,
    requests: Arc<Mutex<Vec<Request>>>,
    serving: JoinSet<()>,
}

impl MockNode {
    pub(crate) async fn start(chain: Chain, behavior: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> MockNode {
        MockNode::start_at("127.0.0.1:0", chain, behavior).await
    }

    pub(crate) async fn start_at(
        address: &str,
        chain: Chain,
        behavior: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> MockNode {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let chain = watch::Sender::new(chain);
        let server = Server { chain: chain.clone(), behavior: Arc::new(behavior), requests: requests.clone() };
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(server.clone().connection(stream));
            }
        });
        MockNode { address, chain, requests, serving }
    }

    pub(crate) async fn honest(chain: Chain) -> MockNode {
        MockNode::start(chain, |_| Reply::Honest).await
    }

    /// Serves a Unix socket.
    pub(crate) async fn start_ipc(path: &std::path::Path, chain: Chain) -> MockNode {
        let listener = UnixListener::bind(path).expect("a free path");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let behavior: Behavior = Arc::new(|_| Reply::Honest);
        let chain = watch::Sender::new(chain);
        let server = Server { chain: chain.clone(), behavior, requests: requests.clone() };
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(server.clone().ipc(stream));
            }
        });
        MockNode { address: path.display().to_string(), chain, requests, serving }
    }

    /// Adds a method whose result depends on the block number.
    pub(crate) async fn start_with(mut chain: Chain, method: &'static str, answer: fn(u64) -> Value) -> MockNode {
        chain.more = Some((method, answer));
        MockNode::honest(chain).await
    }

    /// Stops it with all connections and frees its port.
    pub(crate) async fn stop(mut self) {
        self.serving.shutdown().await;
    }

    /// Switches to another chain and notifies subscribers.
    pub(crate) fn switch(&self, chain: Chain) {
        self.chain.send_replace(chain);
    }

    /// Whether there are subscribers.
    pub(crate) async fn subscribed(&self) {
        while self.chain.receiver_count() == 0 {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// With a path as used by providers, which messages must not contain.
    pub(crate) fn http(&self) -> String {
        format!("http://{}/v3/secret", self.address)
    }

    pub(crate) fn ws(&self) -> String {
        format!("ws://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("requests").clone()
    }
}

#[derive(Clone)]
struct Server {
    chain: watch::Sender<Chain>,
    behavior: Behavior,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    async fn connection(self, stream: TcpStream) {
        let mut start = [0; 4];
        let peeked = stream.peek(&mut start).await;
        if peeked.is_ok() && start.starts_with(b"GET") {
            self.websocket(stream).await;
        } else {
            // The peer closed the connection.
            let _ = self.http(stream).await;
        }
    }

    async fn websocket(self, stream: TcpStream) {
        let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            // Subscribed before the response, so that no later change is missed.
            let changes = text.contains("eth_subscribe").then(|| self.chain.subscribe());
            let answer = match self.answer(text.as_bytes()) {
                Some((_, _, body)) => body,
                None => return std::future::pending().await,
            };
            if answer.is_empty() || socket.send(Message::text(answer)).await.is_err() {
                return;
            }
            if let Some(changes) = changes {
                return announce(changes, socket).await;
            }
        }
    }

    async fn ipc(self, mut stream: UnixStream) {
        let mut received = Vec::new();
        while stream.read_buf(&mut received).await.is_ok_and(|bytes| bytes > 0) {
            // A request may arrive in chunks; there is one at a time.
            if serde_json::from_slice::<Value>(&received).is_err() {
                continue;
            }
            let Some((_, _, answer)) = self.answer(&received) else { return };
            received.clear();
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    async fn http(self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut received = Vec::new();
        loop {
            let head_end = loop {
                if let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") {
                    break end + 4;
                }
                if stream.read_buf(&mut received).await? == 0 {
                    return Ok(());
                }
            };
            let head = String::from_utf8_lossy(&received[..head_end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
            while received.len() < head_end + length {
                stream.read_buf(&mut received).await?;
            }
            let body: Vec<u8> = received.drain(..head_end + length).skip(head_end).collect();
            let Some((status, headers, answer)) = self.answer(&body) else { return std::future::pending().await };
            let promised = if answer.is_empty() && status == 0 { 1000 } else { answer.len() };
            let head = format!("HTTP/1.1 {} x\r\ncontent-length: {promised}\r\n{headers}\r\n", status.max(200));
            stream.write_all((head + &answer).as_bytes()).await?;
            if status == 0 {
                return Ok(());
            }
        }
    }

    /// Status (0 closes the connection), headers and body; `None` for no response.
    fn answer(&self, body: &[u8]) -> Option<(u16, &'static str, String)> {
        let asked: Value = serde_json::from_slice(body).expect("requests are JSON");
        let calls = asked.as_array().cloned().unwrap_or_else(|| vec![asked.clone()]);
        let request = {
            let mut requests = self.requests.lock().expect("requests");
            let name = |call: &Value| (call["method"].as_str().expect("a method").to_string(), call["params"].clone());
            let calls = calls.iter().map(name).collect();
            let request = Request { calls, batch: asked.is_array() };
            requests.push(request.clone());
            request
        };
        let change = match (self.behavior)(&request) {
            Reply::Honest => None,
            Reply::Changed(change) => Some(change),
            Reply::Raw(status, headers, body) => return Some((status, headers, body)),
            Reply::Silence => return None,
            Reply::HangUp => return Some((0, "", String::new())),
        };
        let answer = |call: &Value| {
            let method = call["method"].as_str().unwrap_or_default();
            let mut result = self.chain.borrow().answer(method, &call["params"]);
            if let Some(change) = &change {
                change(method, &mut result);
            }
            match result.get("error") {
                Some(error) => json!({"jsonrpc": "2.0", "id": call["id"], "error": error}),
                None => json!({"jsonrpc": "2.0", "id": call["id"], "result": result}),
            }
        };
        // In reverse order, as allowed for nodes.
        let answers: Vec<Value> = calls.iter().rev().map(answer).collect();
        let body = if asked.is_array() { json!(answers) } else { answers[0].clone() };
        Some((200, "", body.to_string()))
    }
}

/// Notifies of each change of the chain until the peer disconnects.
async fn announce(mut changes: watch::Receiver<Chain>, mut socket: WebSocketStream<TcpStream>) {
    while changes.changed().await.is_ok() {
        let head = r#"{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{}}}"#;
        if socket.send(Message::text(head)).await.is_err() {
            return;
        }
    }
}

/// A method and its result by block number.
type More = (&'static str, fn(u64) -> Value);

/// A chain of `testing` as the JSON of a node.
pub(crate) struct Chain {
    id: u64,
    blocks: Vec<Value>,
    receipts: Vec<Value>,
    finalized: Option<u64>,
    more: Option<More>,
}

impl Chain {
    /// Each `fork` has other blocks.
    pub(crate) fn new(id: u64, blocks: u64, fork: u8) -> Chain {
        Chain::of(id, &testing::chain(id, blocks, fork, 0))
    }

    pub(crate) fn of(id: u64, blocks: &[BlockData]) -> Chain {
        Chain {
            id,
            blocks: blocks.iter().map(block).collect(),
            receipts: blocks.iter().map(receipts).collect(),
            finalized: None,
            more: None,
        }
    }

    /// Sets the finalized block.
    pub(crate) fn with_finalized(mut self, number: u64) -> Chain {
        self.finalized = Some(number);
        self
    }

    pub(crate) fn answer(&self, method: &str, params: &Value) -> Value {
        let hex = |text: &Value| u64::from_str_radix(text.as_str()?.strip_prefix("0x")?, 16).ok();
        let number = match params[0].as_str() {
            Some("finalized") => self.finalized,
            _ => hex(&params[0]),
        };
        let place = number.and_then(|number| usize::try_from(number).ok());
        let of = |list: &[Value]| place.and_then(|place| list.get(place)).cloned().unwrap_or(Value::Null);
        match method {
            "eth_chainId" => quantity(self.id),
            "eth_blockNumber" => quantity(self.blocks.len() as u64 - 1),
            "eth_getBlockByNumber" => of(&self.blocks),
            "eth_getBlockReceipts" => of(&self.receipts),
            "eth_getTransactionReceipt" => {
                let mut all = self.receipts.iter().filter_map(Value::as_array).flatten();
                all.find(|receipt| receipt["transactionHash"] == params[0]).cloned().unwrap_or(Value::Null)
            }
            "eth_subscribe" => quantity(1),
            more if self.more.is_some_and(|(known, _)| known == more) => {
                let number = place.unwrap_or(self.blocks.len() - 1) as u64;
                self.more.map_or(Value::Null, |(_, answer)| answer(number))
            }
            _ => json!({"error": {"code": -32601, "message": "Method not found"}}),
        }
    }
}

fn quantity(number: u64) -> Value {
    json!(format!("{number:#x}"))
}

fn block(block: &BlockData) -> Value {
    let mut json = serde_json::to_value(&block.header).expect("a header is JSON");
    json["hash"] = json!(block.hash);
    json["size"] = quantity(block.size);
    json["uncles"] = json!([]);
    json["withdrawals"] = json!(block.withdrawals);
    json["transactions"] = (0..).zip(&block.transactions).map(|(place, sent)| transaction(place, sent)).collect();
    json["somethingNew"] = json!({"of": ["the", "future"]});
    json
}

fn transaction(place: u64, sent: &TransactionData) -> Value {
    let mut json = serde_json::to_value(&sent.tx).expect("a transaction is JSON");
    json["hash"] = json!(sent.hash);
    json["from"] = json!(sent.from);
    json["transactionIndex"] = quantity(place);
    json
}

fn receipts(block: &BlockData) -> Value {
    let receipt = |(place, sent): (u64, &TransactionData)| {
        let receipt = &sent.receipt;
        json!({
            "transactionHash": sent.hash,
            "transactionIndex": quantity(place),
            "blockHash": block.hash,
            "blockNumber": quantity(block.header.number),
            "status": quantity(receipt.status.unwrap_or_default().into()),
            "gasUsed": quantity(receipt.gas_used),
            "cumulativeGasUsed": quantity(receipt.cumulative_gas_used),
            "effectiveGasPrice": format!("{:#x}", receipt.effective_gas_price),
            "contractAddress": receipt.contract_address,
            "logs": receipt.logs,
        })
    };
    (0..).zip(&block.transactions).map(receipt).collect()
}

/// True the first time the condition holds, false afterwards.
pub(crate) fn once(
    behave: impl Fn(&Request) -> Option<Reply> + Send + Sync,
) -> impl Fn(&Request) -> Reply + Send + Sync {
    let times = AtomicUsize::new(0);
    move |request| match behave(request) {
        Some(reply) if times.fetch_add(1, Ordering::SeqCst) == 0 => reply,
        _ => Reply::Honest,
    }
}
