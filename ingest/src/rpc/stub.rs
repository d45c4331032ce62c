//! A node for tests: serves a small hand-made chain over HTTP and websocket in this process, and misbehaves on demand.

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

/// What arrived: methods with parameters, and whether they came as a batch.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) batch: bool,
}

impl Request {
    pub(crate) fn has(&self, method: &str) -> bool {
        self.calls.iter().any(|(called, _)| called == method)
    }

    /// Whether it asks for this block.
    pub(crate) fn has_block(&self, number: u64) -> bool {
        self.calls.iter().any(|(_, params)| params[0] == json!(format!("{number:#x}")))
    }
}

/// What the stub does with a request.
pub(crate) enum Reply {
    /// As a good node does.
    Honest,
    /// Each result as a good node gives it, changed.
    Changed(Change),
    /// Status, further headers, body. Over a websocket only the body counts.
    Raw(u16, &'static str, String),
    /// Never.
    Silence,
    /// Ends the connection, over HTTP in the middle of the answer.
    HangUp,
}

/// Changes the result of a method.
pub(crate) type Change = Arc<dyn Fn(&str, &mut Value) + Send + Sync>;

impl Reply {
    pub(crate) fn changed(change: fn(&str, &mut Value)) -> Reply {
        Reply::Changed(Arc::new(change))
    }
}

type Behaviour = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;

/// A running stub; it ends when dropped.
pub(crate) struct Stub {
    address: String,
    chain: watch::Sender<Chain>,
    requests: Arc<Mutex<Vec<Request>>>,
    serving: JoinSet<()>,
}

impl Stub {
    pub(crate) async fn start(chain: Chain, behaviour: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Stub {
        Stub::start_at("127.0.0.1:0", chain, behaviour).await
    }

    pub(crate) async fn start_at(
        address: &str,
        chain: Chain,
        behaviour: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> Stub {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let chain = watch::Sender::new(chain);
        let server = Server { chain: chain.clone(), behaviour: Arc::new(behaviour), requests: requests.clone() };
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(server.clone().connection(stream));
            }
        });
        Stub { address, chain, requests, serving }
    }

    pub(crate) async fn honest(chain: Chain) -> Stub {
        Stub::start(chain, |_| Reply::Honest).await
    }

    /// Serves a socket of this machine.
    pub(crate) async fn start_ipc(path: &std::path::Path, chain: Chain) -> Stub {
        let listener = UnixListener::bind(path).expect("a free path");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let behaviour: Behaviour = Arc::new(|_| Reply::Honest);
        let chain = watch::Sender::new(chain);
        let server = Server { chain: chain.clone(), behaviour, requests: requests.clone() };
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(server.clone().ipc(stream));
            }
        });
        Stub { address: path.display().to_string(), chain, requests, serving }
    }

    /// Knows one more method, whose answer depends on the number of the block.
    pub(crate) async fn start_with(mut chain: Chain, method: &'static str, answer: fn(u64) -> Value) -> Stub {
        chain.more = Some((method, answer));
        Stub::honest(chain).await
    }

    /// Ends it with all its connections, and frees its port.
    pub(crate) async fn stop(mut self) {
        self.serving.shutdown().await;
    }

    /// Serves another chain from now on, and announces it to those who subscribed.
    pub(crate) fn switch(&self, chain: Chain) {
        self.chain.send_replace(chain);
    }

    /// Whether somebody waits for announcements.
    pub(crate) async fn subscribed(&self) {
        while self.chain.receiver_count() == 0 {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// With a path as providers have it, which no message may show.
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
    behaviour: Behaviour,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    async fn connection(self, stream: TcpStream) {
        let mut start = [0; 4];
        let peeked = stream.peek(&mut start).await;
        if peeked.is_ok() && start.starts_with(b"GET") {
            self.websocket(stream).await;
        } else {
            // The peer hung up, or was made to.
            let _ = self.http(stream).await;
        }
    }

    async fn websocket(self, stream: TcpStream) {
        let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
        while let Some(Ok(message)) = socket.next().await {
            let Message::Text(text) = message else { continue };
            // Before the answer, so that no change after it is missed.
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
            // A request may arrive in parts; one is under way at a time.
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

    /// Status (0 to hang up), headers and body; nothing when it stays silent.
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
        let change = match (self.behaviour)(&request) {
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
        // In reverse, as a node may.
        let answers: Vec<Value> = calls.iter().rev().map(answer).collect();
        let body = if asked.is_array() { json!(answers) } else { answers[0].clone() };
        Some((200, "", body.to_string()))
    }
}

/// Tells of every change of the chain until the other side has gone.
async fn announce(mut changes: watch::Receiver<Chain>, mut socket: WebSocketStream<TcpStream>) {
    while changes.changed().await.is_ok() {
        let head = r#"{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{}}}"#;
        if socket.send(Message::text(head)).await.is_err() {
            return;
        }
    }
}

/// A method and its answer for the block of a number.
type More = (&'static str, fn(u64) -> Value);

/// A chain of `testing`, as a node writes it.
pub(crate) struct Chain {
    id: u64,
    blocks: Vec<Value>,
    receipts: Vec<Value>,
    finalised: Option<u64>,
    more: Option<More>,
}

impl Chain {
    /// `fork` makes chains of other blocks.
    pub(crate) fn new(id: u64, blocks: u64, fork: u8) -> Chain {
        Chain::of(id, &testing::chain(id, blocks, fork, 0))
    }

    pub(crate) fn of(id: u64, blocks: &[BlockData]) -> Chain {
        Chain {
            id,
            blocks: blocks.iter().map(block).collect(),
            receipts: blocks.iter().map(receipts).collect(),
            finalised: None,
            more: None,
        }
    }

    /// Knows which block is final.
    pub(crate) fn with_finalised(mut self, number: u64) -> Chain {
        self.finalised = Some(number);
        self
    }

    pub(crate) fn answer(&self, method: &str, params: &Value) -> Value {
        let hex = |text: &Value| u64::from_str_radix(text.as_str()?.strip_prefix("0x")?, 16).ok();
        let number = match params[0].as_str() {
            Some("finalized") => self.finalised,
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

/// The first time the condition holds, and never again.
pub(crate) fn once(
    behave: impl Fn(&Request) -> Option<Reply> + Send + Sync,
) -> impl Fn(&Request) -> Reply + Send + Sync {
    let times = AtomicUsize::new(0);
    move |request| match behave(request) {
        Some(reply) if times.fetch_add(1, Ordering::SeqCst) == 0 => reply,
        _ => Reply::Honest,
    }
}
