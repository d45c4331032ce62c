//! Talks to an Ethereum node by JSON-RPC: batches of calls with retries, and whole blocks checked on arrival.

mod announce;
mod answer;
mod call;
mod convert;
mod failure;
mod fetch;
mod joining;
mod members;
mod nodes;
mod pace;
mod tokens;
mod traces;
mod tracing_method;
mod transport;
mod wire;

#[cfg(test)]
mod source_tests;
#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alloy::transports::http::reqwest::Url;
use alloy_primitives::B256;
use quarry_engine::{Error, ErrorCode, Result};
use rand::Rng;
use tokio::time::Instant;

pub(crate) use announce::Announcements;
use answer::Answer;
pub(crate) use call::Call;
use failure::{Failure, Remedy};
pub use nodes::Nodes;
pub(crate) use nodes::Standing;
use pace::Pace;
use tracing_method::TracingMethod;
use transport::Transport;

use crate::threads;

/// Tries when a failure may have been an accident.
const TRIES: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How to talk to a node.
#[derive(Debug, Clone)]
pub struct NodeConfig {
    pub url: Url,
    /// Calls in one request to begin with: more while the node is quick, fewer when it refuses so many.
    pub batch: usize,
    /// Most requests under way at once; as many of them are used as make the node faster.
    pub requests: usize,
    /// How long one request may take.
    pub timeout: Duration,
    /// How long a node that was reached before may be away or too busy, before the work is given up.
    pub patience: Duration,
    /// Whether every block must prove itself; links and receipts are matched in any case.
    pub verify: bool,
    /// Whether the traces of blocks are asked for as well.
    pub traces: bool,
}

impl NodeConfig {
    /// The defaults for a node at this address: http, https, ws, wss, or the path of a socket of this machine.
    pub fn new(address: &str) -> Result<NodeConfig> {
        let wrong = |why: &dyn std::fmt::Display| {
            Error::new(ErrorCode::InvalidInput, format!("`{address}` is not the address of a node: {why}."))
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

    /// Scheme, host and port: without path and password, where providers keep their keys.
    pub fn name(&self) -> String {
        public_name(&self.url)
    }
}

/// A node that was reached at least once.
pub struct Node {
    transport: Transport,
    config: NodeConfig,
    /// For messages: without path and password, where providers keep their keys.
    name: String,
    chain_id: u64,
    /// Whether it ever answered; before that it is not waited for.
    reached: bool,
    pace: Pace,
    block_receipts: AtomicBool,
    /// How it traces; `None` when it is not asked to.
    tracing: Option<TracingMethod>,
    /// Height of its newest block when it was asked last.
    newest: AtomicU64,
    /// Until when nobody asks, because the node said there are too many requests.
    quiet_until: Mutex<Option<Instant>>,
}

impl Node {
    /// Asks for the chain's id. A node that can't be reached now is not waited for.
    pub async fn connect(config: NodeConfig) -> Result<Node> {
        let name = config.name();
        let transport = Transport::new(config.url.clone(), config.timeout).map_err(|wrong| {
            Error::new(ErrorCode::InvalidInput, format!("The node's address can't be used: {wrong}."))
        })?;
        let pace = Pace::new(config.requests, config.batch);
        let mut node = Node {
            transport,
            config,
            name,
            chain_id: 0,
            reached: false,
            pace,
            block_receipts: AtomicBool::new(true),
            tracing: None,
            newest: AtomicU64::new(0),
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

    /// Height of the newest block.
    pub async fn head(&self) -> Result<u64> {
        let call = Call::new("eth_blockNumber", "");
        let answers = self.answers(std::slice::from_ref(&call)).await?;
        let head = self.number(&call, &answers)?;
        self.newest.store(head, Ordering::Relaxed);
        Ok(head)
    }

    /// Hashes of the blocks at these heights, `None` where there is none.
    pub(crate) async fn hashes_at(&self, numbers: &[u64]) -> Result<Vec<Option<B256>>> {
        #[derive(serde::Deserialize)]
        struct Hashed {
            hash: B256,
        }
        let call = |number| Call::new("eth_getBlockByNumber", format!("\"{number:#x}\",false")).or_null();
        let calls: Vec<Call> = numbers.iter().map(call).collect();
        let answers = self.answers(&calls).await?;
        let hash = |call, answer: &Answer| match serde_json::from_str::<Option<Hashed>>(answer.get()) {
            Ok(block) => Ok(block.map(|block| block.hash)),
            Err(_) => Err(self.nonsense(call, "it is not a block")),
        };
        calls.iter().zip(&answers).map(|(call, answer)| hash(call, answer)).collect()
    }

    /// Height of the newest finalised block, `None` when the node doesn't know of such.
    pub async fn finalised(&self) -> Result<Option<u64>> {
        let call = Call::new("eth_getBlockByNumber", "\"finalized\",false").or_null();
        #[derive(serde::Deserialize)]
        struct Numbered {
            number: wire::Quantity<u64>,
        }
        match self.try_answers(std::slice::from_ref(&call)).await {
            Ok(answers) => {
                let block = answers.first().map(|answer| serde_json::from_str::<Option<Numbered>>(answer.get()));
                Ok(block.and_then(|block| block.ok().flatten()).map(|block| block.number.0))
            }
            Err((calls, failure)) if failure.is_absence() => Err(self.error(calls, &failure)),
            // Nodes from before the Merge take the name for a malformed number.
            Err(_) => Ok(None),
        }
    }

    /// The answers to these calls in their order, in as many requests as the node wants, retried as it needs.
    pub(crate) async fn answers(&self, calls: &[Call]) -> Result<Vec<Answer>> {
        self.try_answers(calls).await.map_err(|(calls, failure)| self.error(calls, &failure))
    }

    /// As `answers`; the failure comes with the calls of the request that failed.
    async fn try_answers<'a>(&self, calls: &'a [Call]) -> Result<Vec<Answer>, (&'a [Call], Failure)> {
        let mut answers = Vec::with_capacity(calls.len());
        let mut rest = calls;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.pace.calls()));
            match self.persist(now).await {
                Ok(more) => {
                    answers.extend(more);
                    rest = later;
                }
                // The node took fewer at once; the batch was cut meanwhile.
                Err(failure) if failure.remedy == Remedy::AskLess && now.len() > 1 => {}
                Err(failure) => return Err((now, failure)),
            }
        }
        Ok(answers)
    }

    /// One request, tried as long as that may help. With `AskLess` the batch size is smaller now.
    async fn persist(&self, calls: &[Call]) -> Result<Vec<Answer>, Failure> {
        let started = Instant::now();
        for attempt in 1.. {
            let failure = match self.attempt(calls).await {
                Ok(answers) => return Ok(answers),
                Err(failure) => failure,
            };
            let asked = match failure.remedy {
                Remedy::AskLess | Remedy::Slow if calls.len() > 1 => {
                    return Err(Failure { remedy: Remedy::AskLess, ..failure });
                }
                Remedy::Wait(asked) if self.has_time_for(asked, started) => asked,
                Remedy::Away | Remedy::Slow if self.reached && started.elapsed() < self.config.patience => None,
                Remedy::TryAgain if attempt < TRIES => None,
                _ => return Err(failure),
            };
            tracing::debug!(
                node = self.name,
                attempt,
                reason = failure.what,
                "request to the node failed, trying again"
            );
            let pause = pause(attempt).max(asked.unwrap_or_default());
            if asked.is_some() {
                self.keep_quiet(pause);
            }
            tokio::time::sleep(pause).await;
        }
        Err(Failure::new(Remedy::Nothing, "was asked too often"))
    }

    /// Whether a pause that the node asks for, of any length, ends before its time is over.
    fn has_time_for(&self, asked: Option<Duration>, started: Instant) -> bool {
        started.elapsed().saturating_add(asked.unwrap_or_default()) < self.config.patience
    }

    /// One request, one try, when it is its turn; the pace learns from it.
    async fn attempt(&self, calls: &[Call]) -> Result<Vec<Answer>, Failure> {
        self.quiet().await;
        let turn = self.pace.turn().await;
        let asked_at = Instant::now();
        let answers = match self.transport.send(call::request(calls)).await {
            Ok(body) => {
                let bytes = body.len();
                let answers = self.read(calls, body).await;
                if answers.is_ok() {
                    turn.answered(bytes, calls.len(), asked_at.elapsed());
                }
                answers
            }
            Err(failure) => Err(failure),
        };
        match &answers {
            Err(Failure { remedy: Remedy::Wait(_), .. }) => turn.overloaded(),
            Err(Failure { remedy: Remedy::AskLess, .. }) => turn.too_many_calls(calls.len()),
            Err(Failure { remedy: Remedy::Slow, .. }) => {
                turn.overloaded();
                turn.too_many_calls(calls.len());
            }
            _ => {}
        }
        answers
    }

    async fn read(&self, calls: &[Call], body: Vec<u8>) -> Result<Vec<Answer>, Failure> {
        let allowed: Vec<call::Allowed> = calls.iter().map(Call::allowed).collect();
        let parse = move || call::answers(body, &allowed);
        match threads::run(parse).await {
            Ok(answers) => answers,
            Err(_) => Err(Failure::new(Remedy::Nothing, "gave answers that could not be read")),
        }
    }

    fn keep_quiet(&self, pause: Duration) {
        let until = Instant::now() + pause;
        let mut quiet_until = self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner);
        if quiet_until.is_none_or(|already| already < until) {
            *quiet_until = Some(until);
        }
    }

    async fn quiet(&self) {
        let until = *self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }

    fn number(&self, call: &Call, answers: &[Answer]) -> Result<u64> {
        let parsed = answers.first().map(|answer| serde_json::from_str::<wire::Quantity<u64>>(answer.get()));
        match parsed {
            Some(Ok(number)) => Ok(number.0),
            _ => Err(self.nonsense(call, "it is not a number")),
        }
    }

    /// The error of an answer that came but can't be right.
    fn nonsense(&self, call: &Call, wrong: &str) -> Error {
        Error::new(ErrorCode::Source, format!("The node at {} gave a wrong answer to {call}: {wrong}.", self.name))
    }

    fn error(&self, calls: &[Call], failure: &Failure) -> Error {
        let during = match calls {
            [] => String::new(),
            [call] => format!(" (call {call})"),
            [first, .., last] => format!(" (calls {first} to {last})"),
        };
        Error::new(ErrorCode::Source, format!("The node at {} {}{during}.", self.name, failure.what))
    }
}

/// Grows twofold with every attempt, up to a bound; a random half keeps many workers from coming back at once.
fn pause(attempt: u32) -> Duration {
    let full = FIRST_PAUSE.saturating_mul(1 << attempt.min(16)).min(LONGEST_PAUSE);
    full.mul_f64(rand::rng().random_range(0.5..1.0))
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
