//! A node for tests: serves a small hand-made chain over HTTP and websocket in this process, and misbehaves on demand.

use std::sync::{Arc, Mutex};

use alloy::consensus::{Header, SignableTransaction, Transaction, TxEip1559, TxEnvelope, TxLegacy};
use alloy_primitives::{Address, B256, Signature, TxKind, U256};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

/// `Transfer(address,address,uint256)`.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

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
        let server = Server { chain: Arc::new(chain), behaviour: Arc::new(behaviour), requests: requests.clone() };
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(server.clone().connection(stream));
            }
        });
        Stub { address, requests, serving }
    }

    pub(crate) async fn honest(chain: Chain) -> Stub {
        Stub::start(chain, |_| Reply::Honest).await
    }

    /// Ends it with all its connections, and frees its port.
    pub(crate) async fn stop(mut self) {
        self.serving.shutdown().await;
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
    chain: Arc<Chain>,
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
            let answer = match self.answer(text.as_bytes()) {
                Some((_, _, body)) => body,
                None => return std::future::pending().await,
            };
            if answer.is_empty() || socket.send(Message::text(answer)).await.is_err() {
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
            let mut result = self.chain.answer(method, &call["params"]);
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

/// Linked blocks with a legacy and a dynamic-fee transaction each, the second of which moves a token.
pub(crate) struct Chain {
    id: u64,
    blocks: Vec<Value>,
    receipts: Vec<Value>,
}

impl Chain {
    pub(crate) const TRANSACTIONS: u64 = 2;

    /// `fork` makes chains of other blocks.
    pub(crate) fn new(id: u64, blocks: u64, fork: u8) -> Chain {
        let mut chain = Chain { id, blocks: Vec::new(), receipts: Vec::new() };
        let mut parent_hash = B256::ZERO;
        for number in 0..blocks {
            let timestamp = 1_700_000_000 + 12 * number;
            let extra_data = vec![fork].into();
            let base_fee_per_gas = Some(7);
            let gas_used = 42_000;
            let header =
                Header { number, parent_hash, timestamp, extra_data, base_fee_per_gas, gas_used, ..Header::default() };
            let hash = header.hash_slow();
            let transactions: Vec<TxEnvelope> = vec![legacy(id, number), dynamic_fee(id, number)];
            chain.receipts.push((0..).zip(&transactions).map(|(index, tx)| receipt(index, tx, hash)).collect());
            let transactions = (0..).zip(&transactions).map(|(index, tx)| transaction(index, tx)).collect();
            chain.blocks.push(block(&header, hash, transactions));
            parent_hash = hash;
        }
        chain
    }

    pub(crate) fn answer(&self, method: &str, params: &Value) -> Value {
        let hex = |text: &Value| u64::from_str_radix(text.as_str()?.strip_prefix("0x")?, 16).ok();
        let place = hex(&params[0]).and_then(|number| usize::try_from(number).ok());
        let of = |list: &[Value]| place.and_then(|place| list.get(place)).cloned().unwrap_or(Value::Null);
        match method {
            "eth_chainId" => json!(format!("{:#x}", self.id)),
            "eth_blockNumber" => json!(format!("{:#x}", self.blocks.len() - 1)),
            "eth_getBlockByNumber" => of(&self.blocks),
            "eth_getBlockReceipts" => of(&self.receipts),
            "eth_getTransactionReceipt" => {
                let mut all = self.receipts.iter().filter_map(Value::as_array).flatten();
                all.find(|receipt| receipt["transactionHash"] == params[0]).cloned().unwrap_or(Value::Null)
            }
            _ => json!({"error": {"code": -32601, "message": "Method not found"}}),
        }
    }
}

fn block(header: &Header, hash: B256, transactions: Vec<Value>) -> Value {
    let mut block = serde_json::to_value(header).expect("a header is JSON");
    block["hash"] = json!(hash);
    block["size"] = json!("0x220");
    block["uncles"] = json!([]);
    block["transactions"] = json!(transactions);
    block["somethingNew"] = json!({"of": ["the", "future"]});
    block
}

fn signature() -> Signature {
    Signature::new(U256::from(3), U256::from(4), true)
}

fn legacy(chain_id: u64, nonce: u64) -> TxEnvelope {
    let to = TxKind::Call(Address::with_last_byte(9));
    let tx = TxLegacy { chain_id: Some(chain_id), nonce, gas_price: 10, gas_limit: 21_000, to, ..TxLegacy::default() };
    tx.into_signed(signature()).into()
}

fn dynamic_fee(chain_id: u64, nonce: u64) -> TxEnvelope {
    let tx = TxEip1559 { chain_id, nonce, gas_limit: 90_000, max_fee_per_gas: 20, ..TxEip1559::default() };
    tx.into_signed(signature()).into()
}

fn transaction(index: u64, tx: &TxEnvelope) -> Value {
    let mut json = serde_json::to_value(tx).expect("a transaction is JSON");
    json["hash"] = json!(tx.tx_hash());
    json["from"] = json!(Address::with_last_byte(1));
    json["transactionIndex"] = json!(format!("{index:#x}"));
    json
}

fn receipt(index: u64, tx: &TxEnvelope, block_hash: B256) -> Value {
    let word = |number: u8| B256::with_last_byte(number);
    let log = json!({
        "address": Address::with_last_byte(8),
        "topics": [TRANSFER, word(1), word(2)],
        "data": word(5),
        "logIndex": "0x0",
    });
    json!({
        "transactionHash": tx.tx_hash(),
        "transactionIndex": format!("{index:#x}"),
        "blockHash": block_hash,
        "blockNumber": format!("{:#x}", tx.nonce()),
        "status": "0x1",
        "gasUsed": "0x5208",
        "cumulativeGasUsed": format!("{:#x}", 21_000 * (index + 1)),
        "effectiveGasPrice": "0x7",
        "contractAddress": null,
        "logs": if index == 1 { vec![log] } else { Vec::new() },
    })
}
