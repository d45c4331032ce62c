//! A node: how to talk to it, and what is known of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use alloy::transports::http::reqwest::Url;
use alloy_primitives::B256;
use quarry_types::{Error, ErrorCode, Result};
use tokio::time::Instant;

use super::call::Call;
use super::failure::{Failure, FetchError, Remedy};
use super::json_types;
use super::limiter::Limiter;
use super::response::Answer;
use super::tracing_method::TracingMethod;
use super::transport::{self, Transport};

/// The configuration of a node.
#[derive(Debug, Clone)]
pub struct NodeConfig {
    pub url: Url,
    /// Initial number of calls of a request: more while the node is fast, fewer if it rejects so many.
    pub batch: usize,
    /// Maximum concurrent requests; fewer if more would not speed up the node.
    pub requests: usize,
    /// Timeout of a request.
    pub timeout: Duration,
    /// How long a node that was reached before may be unreachable or busy before the operation fails.
    pub patience: Duration,
    /// Whether blocks are verified; links and receipts are always checked.
    pub verify: bool,
    /// Whether traces are fetched.
    pub traces: bool,
}

impl NodeConfig {
    /// The default configuration for an address: http, https, ws, wss, or the path of a Unix socket.
    pub fn new(address: &str) -> Result<NodeConfig> {
        let wrong = |why: &dyn std::fmt::Display| {
            Error::new(ErrorCode::InvalidInput, format!("`{address}` is not a valid node address: {why}."))
        };
        let is_path = !address.contains("://") && (address.contains('/') || address.ends_with(".ipc"));
        let url = if is_path {
            let path = std::path::absolute(address).map_err(|error| wrong(&error))?;
            let file = Url::from_file_path(path).map_err(|()| wrong(&"it is not a path"))?;
            Url::parse(&file.as_str().replacen("file:", "ipc:", 1))
        } else {
            Url::parse(address)
        };
        let url = url.map_err(|error| wrong(&error))?;
        let (timeout, patience) = (Duration::from_secs(60), Duration::from_secs(120));
        Ok(NodeConfig { url, batch: 20, requests: 32, timeout, patience, verify: true, traces: false })
    }

    /// Scheme, host and port, without path and password, where providers keep their keys.
    pub fn name(&self) -> String {
        public_name(&self.url)
    }
}

/// A node that was reached at least once.
pub struct Node {
    pub(super) transport: Transport,
    pub(super) config: NodeConfig,
    /// For messages, without path and password, where providers keep their keys.
    pub(super) name: String,
    pub(super) chain_id: u64,
    /// Whether it ever answered; before that requests do not wait for it.
    pub(super) reached: bool,
    pub(super) limiter: Limiter,
    pub(super) block_receipts: AtomicBool,
    /// The tracing method; `None` if traces are not fetched.
    pub(super) tracing: Option<TracingMethod>,
    /// Its last reported head.
    pub(super) newest: AtomicU64,
    /// The lowest height whose block was missing although the reported head was higher; `u64::MAX` without such a
    /// failure.
    pub(super) doubted: AtomicU64,
    /// No requests until then, as the node reported too many.
    pub(super) quiet_until: Mutex<Option<Instant>>,
}

impl Node {
    /// Connects and reads the chain id. Does not wait for an unreachable node.
    pub async fn connect(config: NodeConfig) -> Result<Node> {
        let name = config.name();
        let transport = Transport::new(config.url.clone(), config.timeout).map_err(|wrong| {
            Error::new(ErrorCode::InvalidInput, format!("The node's address can't be used: {wrong}."))
        })?;
        let limiter = Limiter::new(config.requests, config.batch);
        let mut node = Node {
            transport,
            config,
            name,
            chain_id: 0,
            reached: false,
            limiter,
            block_receipts: AtomicBool::new(true),
            tracing: None,
            newest: AtomicU64::new(0),
            doubted: AtomicU64::new(u64::MAX),
            quiet_until: Mutex::default(),
        };
        let call = Call::new("eth_chainId", "");
        let answers = node.answers(std::slice::from_ref(&call)).await?;
        node.reached = true;
        node.chain_id = node.number(&call, &answers)?;
        if node.config.traces {
            node.tracing = Some(node.tracing_method().await?);
        }
        Ok(node)
    }

    pub fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// Scheme, host and port.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hashes of the blocks at these heights; `None` where there is none.
    pub(crate) async fn hashes_at(&self, numbers: &[u64]) -> Result<Vec<Option<B256>>> {
        #[derive(serde::Deserialize)]
        struct Hashed {
            hash: B256,
        }
        let call = |number| Call::new("eth_getBlockByNumber", format!("\"{number:#x}\",false")).or_dropped();
        let calls: Vec<Call> = numbers.iter().map(call).collect();
        let answers = self.answers(&calls).await?;
        let hash = |call, answer: &Answer| match serde_json::from_str::<Option<Hashed>>(answer.get()) {
            Ok(block) => Ok(block.map(|block| block.hash)),
            Err(_) => Err(self.nonsense(call, "it is not a block")),
        };
        calls.iter().zip(&answers).map(|(call, answer)| hash(call, answer)).collect()
    }

    /// Detects the tracing method with the newest block.
    async fn tracing_method(&self) -> Result<TracingMethod> {
        for method in [TracingMethod::Flat, TracingMethod::Trees] {
            let call = method.call("latest");
            match self.try_answers(std::slice::from_ref(&call), None).await {
                Ok(_) => return Ok(method),
                Err((_, failure)) if failure.remedy == Remedy::OtherMethod => {}
                Err((calls, failure)) => return Err(self.error(calls, &failure)),
            }
        }
        let message = format!(
            "The node at {} does not support tracing: it has neither trace_block nor debug_traceBlockByNumber. Use \
             another node, or leave out the traces.",
            self.name()
        );
        Err(Error::new(ErrorCode::Source, message))
    }

    pub(super) fn number(&self, call: &Call, answers: &[Answer]) -> Result<u64> {
        let parsed = answers.first().map(|answer| serde_json::from_str::<json_types::Quantity<u64>>(answer.get()));
        match parsed {
            Some(Ok(number)) => Ok(number.0),
            _ => Err(self.nonsense(call, "it is not a number")),
        }
    }

    /// The error of an invalid response.
    pub(super) fn nonsense(&self, call: &Call, wrong: &str) -> Error {
        Error::new(
            ErrorCode::Source,
            format!("The node at {} returned an invalid response to {call}: {wrong}.", self.name),
        )
    }

    pub(super) fn error(&self, calls: &[Call], failure: &Failure) -> Error {
        let during = match calls {
            [] => String::new(),
            [call] => format!(" (call {call})"),
            [first, .., last] => format!(" (calls {first} to {last})"),
        };
        Error::new(ErrorCode::Source, format!("The node at {} {}{during}.", self.name, failure.what))
    }

    pub(super) fn fetch_error(&self, calls: &[Call], failure: &Failure) -> FetchError {
        let error = self.error(calls, failure);
        match failure.remedy {
            Remedy::TooLarge => FetchError::TooLarge(error),
            Remedy::NotThere => FetchError::NotThere(error),
            Remedy::Unreachable | Remedy::Slow => FetchError::Unreachable(error),
            Remedy::Wait(_) => FetchError::Busy(error),
            _ => FetchError::Other(error),
        }
    }
}

fn public_name(url: &Url) -> String {
    if let Some(path) = transport::socket_path(url) {
        return path.display().to_string();
    }
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{}://{host}:{port}", url.scheme()),
        (Some(host), None) => format!("{}://{host}", url.scheme()),
        (None, _) => format!("{}:", url.scheme()),
    }
}
