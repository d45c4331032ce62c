//! Talks to an Ethereum node by JSON-RPC: batches of calls with retries, and whole blocks checked on arrival.

mod call;
mod convert;
mod failure;
mod fetch;
mod transport;
mod wire;

#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alloy::transports::http::reqwest::Url;
use quarry_engine::{Error, ErrorCode, Result};
use rand::Rng;
use serde_json::value::RawValue;
use tokio::time::Instant;

pub(crate) use call::Call;
use failure::{Failure, Remedy};
use transport::Transport;

/// Tries when a failure may have been an accident.
const TRIES: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// How to talk to a node.
#[derive(Debug, Clone)]
pub struct NodeConfig {
    pub url: Url,
    /// Most calls in one request; halved when the node refuses so many.
    pub batch: usize,
    /// How long one request may take.
    pub timeout: Duration,
    /// How long a node that was reached before may be away or too busy, before the work is given up.
    pub patience: Duration,
}

impl NodeConfig {
    /// The defaults for a node at this address (http, https, ws or wss).
    pub fn new(url: &str) -> Result<NodeConfig> {
        let url = Url::parse(url).map_err(|error| {
            Error::new(ErrorCode::InvalidInput, format!("`{url}` is not the address of a node: {error}"))
        })?;
        Ok(NodeConfig { url, batch: 20, timeout: Duration::from_secs(60), patience: Duration::from_secs(120) })
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
    batch: AtomicUsize,
    block_receipts: AtomicBool,
    /// Until when nobody asks, because the node said there are too many requests.
    quiet_until: Mutex<Option<Instant>>,
}

impl Node {
    /// Asks for the chain's id. A node that can't be reached now is not waited for.
    pub async fn connect(config: NodeConfig) -> Result<Node> {
        let name = public_name(&config.url);
        let transport = Transport::new(config.url.clone(), config.timeout).map_err(|wrong| {
            Error::new(ErrorCode::InvalidInput, format!("The node's address can't be used: {wrong}."))
        })?;
        let batch = AtomicUsize::new(config.batch.max(1));
        let quiet_until = Mutex::default();
        let block_receipts = AtomicBool::new(true);
        let mut node =
            Node { transport, config, name, chain_id: 0, reached: false, batch, block_receipts, quiet_until };
        let call = Call::new("eth_chainId", "");
        let answers = node.answers(std::slice::from_ref(&call)).await?;
        node.reached = true;
        node.chain_id = node.number(&call, &answers)?;
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
        self.number(&call, &answers)
    }

    /// Height of the newest finalised block, `None` when the node doesn't know of such.
    pub async fn finalised(&self) -> Result<Option<u64>> {
        let call = Call::new("eth_getBlockByNumber", "\"finalized\",false").or_null();
        #[derive(serde::Deserialize)]
        struct Numbered {
            number: wire::Quantity<u64>,
        }
        match self.answers(std::slice::from_ref(&call)).await {
            Ok(answers) => {
                let block = answers.first().map(|answer| serde_json::from_str::<Option<Numbered>>(answer.get()));
                Ok(block.and_then(|block| block.ok().flatten()).map(|block| block.number.0))
            }
            // Nodes from before the Merge take the name for a malformed number.
            Err(refused) if refused.code == ErrorCode::Source => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The answers to these calls in their order, in as many requests as the node wants, retried as it needs.
    pub(crate) async fn answers(&self, calls: &[Call]) -> Result<Vec<Box<RawValue>>> {
        self.try_answers(calls).await.map_err(|(calls, failure)| self.error(calls, &failure))
    }

    /// As `answers`; the failure comes with the calls of the request that failed.
    async fn try_answers<'a>(&self, calls: &'a [Call]) -> Result<Vec<Box<RawValue>>, (&'a [Call], Failure)> {
        let mut answers = Vec::with_capacity(calls.len());
        let mut rest = calls;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.batch.load(Ordering::Relaxed)));
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
    async fn persist(&self, calls: &[Call]) -> Result<Vec<Box<RawValue>>, Failure> {
        let started = Instant::now();
        for attempt in 1.. {
            self.quiet().await;
            let failure = match self.exchange(calls).await {
                Ok(answers) => return Ok(answers),
                Err(failure) => failure,
            };
            let asked = match failure.remedy {
                Remedy::AskLess | Remedy::Slow if calls.len() > 1 => {
                    self.batch.fetch_min((calls.len() / 2).max(1), Ordering::Relaxed);
                    return Err(Failure { remedy: Remedy::AskLess, ..failure });
                }
                Remedy::Wait(asked) if started.elapsed() < self.config.patience => asked,
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

    /// One request, one try.
    async fn exchange(&self, calls: &[Call]) -> Result<Vec<Box<RawValue>>, Failure> {
        let body = self.transport.send(call::request(calls)).await?;
        let may_be_null: Vec<bool> = calls.iter().map(Call::may_be_null).collect();
        let parse = move || call::answers(&body, &may_be_null);
        match tokio::task::spawn_blocking(parse).await {
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

    fn number(&self, call: &Call, answers: &[Box<RawValue>]) -> Result<u64> {
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
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{}://{host}:{port}", url.scheme()),
        (Some(host), None) => format!("{}://{host}", url.scheme()),
        (None, _) => format!("{}:", url.scheme()),
    }
}
