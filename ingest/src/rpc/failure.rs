//! Failures of requests, by remedy.

use std::time::Duration;

use quarry_types::Error;

/// geth's code for pruned blocks and receipts (EIP-4444).
const PRUNED: i64 = 4444;

/// Codes for a reverted call: of most clients, and of OpenEthereum and Nethermind.
const REFUSED_BY_CONTRACT: [i64; 2] = [3, -32015];

/// Codes for an unknown method: of most clients, and of Besu for a disabled one.
const NO_METHOD: [i64; 2] = [-32601, -32604];

/// geth's code for an unknown block; others use it for anything missing.
const UNKNOWN_BLOCK: i64 = -39001;
const NOT_FOUND: i64 = -32001;

/// Codes for too many requests: of HTTP, Infura and Nethermind, and QuickNode.
const TOO_MANY: [i64; 3] = [429, -32005, -32007];

/// Messages about pruned blocks or state.
const PRUNED_MESSAGES: [&str; 5] =
    ["pruned", "missing trie node", "historical state", "no state available", "world state unavailable"];

/// Messages of nodes and providers about too many requests.
const RATE_LIMIT_MESSAGES: [&str; 7] = [
    "rate limit",
    "rate exceeded",
    "too many requests",
    "limit exceeded",
    "request limit",
    "compute units",
    "throttled",
];

/// The error object of a JSON-RPC response.
#[derive(Debug, serde::Deserialize)]
pub(super) struct RpcError {
    #[serde(default)]
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
}

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) remedy: Remedy,
    /// Follows "the node at …": "did not respond within 30 s".
    pub(super) what: String,
}

/// What may help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Wait: there was no response, and a node that worked before may come back.
    Unreachable,
    /// The node asks for a pause, optionally of this duration.
    Wait(Option<Duration>),
    /// A few retries, as it may be a temporary fault.
    TryAgain,
    /// One or two retries, then another node: the node does not have the data, at least not yet.
    NotThere,
    /// A larger byte limit.
    TooLarge,
    /// Smaller requests.
    AskLess,
    /// Smaller requests, or waiting: the node did not respond in time.
    Slow,
    /// Another method: the node does not know this one.
    OtherMethod,
    /// Another node: this one pruned the data.
    Dropped,
    /// Nothing.
    Nothing,
}

/// Why a node did not return data, by how the caller reacts.
#[derive(Debug)]
pub(crate) enum FetchError {
    /// The responses exceed the byte limit.
    TooLarge(Error),
    /// A block that it should have is missing.
    NotThere(Error),
    /// The data is inconsistent or fails verification.
    Inconsistent(Error),
    /// It does not answer.
    Unreachable(Error),
    /// It asks for a pause.
    Busy(Error),
    Other(Error),
}

impl FetchError {
    pub(super) fn error(&self) -> &Error {
        match self {
            FetchError::TooLarge(error) | FetchError::NotThere(error) | FetchError::Inconsistent(error) => error,
            FetchError::Unreachable(error) | FetchError::Busy(error) | FetchError::Other(error) => error,
        }
    }
}

impl From<Error> for FetchError {
    fn from(error: Error) -> FetchError {
        FetchError::Other(error)
    }
}

impl From<FetchError> for Error {
    fn from(error: FetchError) -> Error {
        match error {
            FetchError::TooLarge(error) | FetchError::NotThere(error) | FetchError::Inconsistent(error) => error,
            FetchError::Unreachable(error) | FetchError::Busy(error) | FetchError::Other(error) => error,
        }
    }
}

impl Failure {
    pub(super) fn new(remedy: Remedy, what: impl Into<String>) -> Failure {
        Failure { remedy, what: what.into() }
    }

    /// Whether the node was unavailable or busy, rather than rejecting the request.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self.remedy, Remedy::Unreachable | Remedy::Wait(_) | Remedy::Slow)
    }

    /// From the status of an HTTP error.
    pub(super) fn status(status: u16, retry_after: Option<Duration>, body: &[u8]) -> Failure {
        let (remedy, what) = match (status, carried(body)) {
            (429, _) => (Remedy::Wait(retry_after), "reports too many requests (HTTP 429)".to_string()),
            (413, _) => (Remedy::AskLess, "reports that the request is too large (HTTP 413)".to_string()),
            // A timeout of a proxy.
            (408 | 504 | 524, _) => (Remedy::Slow, format!("did not respond in time (HTTP {status})")),
            (502 | 503 | 520..=523, _) => (Remedy::Wait(retry_after), format!("is not available (HTTP {status})")),
            // Some nodes send errors of a call with an HTTP error status.
            (_, Some(failure)) if !matches!((status, &failure.remedy), (401 | 403, Remedy::TryAgain)) => {
                return failure;
            }
            (401 | 403, _) if body.trim_ascii().is_empty() => {
                (Remedy::Nothing, format!("denied access (HTTP {status})"))
            }
            (401 | 403, _) => (Remedy::Nothing, format!("denied access (HTTP {status}: {})", excerpt(body))),
            (500.., _) => (Remedy::TryAgain, format!("failed (HTTP {status}: {})", excerpt(body))),
            _ => {
                (Remedy::Nothing, format!("does not serve JSON-RPC at this address (HTTP {status}: {})", excerpt(body)))
            }
        };
        Failure::new(remedy, what)
    }

    /// From the error object of a JSON-RPC response.
    pub(super) fn rpc(code: i64, message: &str) -> Failure {
        let lower = message.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        // A reverted call has a message of the contract, which says nothing about the node.
        if REFUSED_BY_CONTRACT.contains(&code) || says(&["revert", "vm exception"]) {
            let said = excerpt(message.as_bytes());
            return Failure::new(Remedy::Nothing, format!("answers that a contract refuses (error {code}: {said})"));
        }
        if code == PRUNED || says(&PRUNED_MESSAGES) {
            let said = excerpt(message.as_bytes());
            let what = format!("no longer has that part of the chain (error {code}: {said}); use a node that keeps it");
            return Failure::new(Remedy::Dropped, what);
        }
        let refuses = says(&["unsupported", "unknown", "not found", "not available", "not allowed", "not enabled"])
            || says(&["disabled", "not implemented", "upgrade"]);
        let remedy = if says(&["too large", "too big", "response size", "batch"]) {
            Remedy::AskLess
        } else if NO_METHOD.contains(&code)
            || says(&["not supported", "does not exist/is not available"])
            || (refuses && says(&["method", "namespace", " tier", " plan"]))
        {
            Remedy::OtherMethod
        } else if TOO_MANY.contains(&code) || says(&RATE_LIMIT_MESSAGES) {
            Remedy::Wait(None)
        } else if code == UNKNOWN_BLOCK
            || says(&["unknown block", "block not found", "header not found"])
            || (code == NOT_FOUND && says(&["not found"]))
        {
            Remedy::NotThere
        } else if says(&["timeout", "timed out", "deadline exceeded"]) && !says(&["execution"]) {
            // A single call that runs too long does so in a smaller request too.
            Remedy::Slow
        } else if code == -32602 || code == -32600 {
            Remedy::Nothing
        } else {
            Remedy::TryAgain
        };
        Failure::new(remedy, format!("returned error {code}: {}", excerpt(message.as_bytes())))
    }

    /// A response that is not JSON-RPC.
    pub(super) fn nonsense(body: &[u8]) -> Failure {
        Failure::new(Remedy::Nothing, format!("returned something that is not JSON-RPC: {}", excerpt(body)))
    }
}

/// The first JSON-RPC error in the body of an HTTP error.
fn carried(body: &[u8]) -> Option<Failure> {
    #[derive(serde::Deserialize)]
    struct Answer {
        error: RpcError,
    }
    // In this order, as an array would deserialize as the fields of an object.
    let several = serde_json::from_slice::<Vec<Answer>>(body).ok().and_then(|several| several.into_iter().next());
    let Answer { error } = several.or_else(|| serde_json::from_slice(body).ok())?;
    Some(Failure::rpc(error.code, &error.message))
}

/// The beginning of a text on one line, for an error message.
fn excerpt(body: &[u8]) -> String {
    const LENGTH: usize = 120;
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * LENGTH)]);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None if line.is_empty() => "(nothing)".to_string(),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_nodes_and_providers() {
        use Remedy::{AskLess, NotThere, Nothing, OtherMethod, Slow, TryAgain, Wait};
        for (code, message, remedy) in [
            (-32601, "the method trace_block does not exist/is not available", OtherMethod),
            (-32601, "Method not found", OtherMethod),
            (-32604, "Method not enabled", OtherMethod),
            (-32600, "Unsupported method: eth_getBlockReceipts. See available methods", OtherMethod),
            (-32600, "The method 'trace_block' is found but the namespace 'Trace' is disabled", OtherMethod),
            (-32600, "trace_block is not available on the Free tier - upgrade to Pay As You Go", OtherMethod),
            (-32000, "method trace_block not found", OtherMethod),
            (-32005, "daily request count exceeded, request rate limited", Wait(None)),
            (-32007, "50/second request limit reached - reduce calls per second", Wait(None)),
            (429, "Your app has exceeded its compute units per second capacity", Wait(None)),
            (-32003, "response too large", AskLess),
            (-32600, "batch too large", AskLess),
            (-32005, "Number of requests in batch exceeds", AskLess),
            (
                -32000,
                "batch limit 100 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 200",
                AskLess,
            ),
            (-39001, "Unknown block", NotThere),
            (-32000, "finalized block not found", NotThere),
            (-32000, "header not found", NotThere),
            (-32001, "block not found: 0x1312d00", NotThere),
            (-32002, "request timed out", Slow),
            (-32000, "context deadline exceeded", Slow),
            (-32000, "execution timeout", TryAgain),
            (-32000, "execution aborted (timeout = 5s)", TryAgain),
            (-32602, "invalid params", Nothing),
            (-32603, "Internal error", TryAgain),
        ] {
            assert_eq!(Failure::rpc(code, message).remedy, remedy, "{message}");
        }
        for (code, message) in [
            (4444, "unavailable"),
            (-32000, "missing trie node d0e4e19ae5b2a9c4 (path )"),
            (-32000, "history has been pruned for this block"),
            (-32002, "No state available for block 0x5d"),
            (-32000, "World state unavailable"),
        ] {
            let failure = Failure::rpc(code, message);
            assert_eq!(failure.remedy, Remedy::Dropped);
            assert!(failure.what.contains("no longer has that part of the chain") && failure.what.contains(message));
        }
        for (code, message) in [
            (3, "execution reverted: rate limit exceeded"),
            (-32000, "execution reverted: batch size too large"),
            (-32603, "Error: VM Exception while processing transaction: method not found"),
            (-32015, "VM execution error: not supported"),
        ] {
            assert_eq!(Failure::rpc(code, message).remedy, Nothing, "{message}: it is the contract that says so");
        }
    }

    #[test]
    fn http_status_errors() {
        use Remedy::{AskLess, Nothing, OtherMethod, Slow, TryAgain, Wait};
        let rpc = |code: i64, message: &str| format!(r#"{{"id":0,"error":{{"code":{code},"message":"{message}"}}}}"#);
        for (status, body, remedy) in [
            (503, String::new(), Wait(None)),
            (522, "<html>".to_string(), Wait(None)),
            (504, "<html>".to_string(), Slow),
            (524, "<html>".to_string(), Slow),
            (404, String::new(), Nothing),
            (400, rpc(-32600, "Unsupported method: trace_block"), OtherMethod),
            (400, format!("[{}]", rpc(-32600, "batch too large")), AskLess),
            (400, rpc(-32602, "invalid params"), Nothing),
            (403, rpc(-32002, "trace_block is not available on your current plan"), OtherMethod),
            (403, rpc(-32002, "invalid project id"), Nothing),
            (401, String::new(), Nothing),
            (500, rpc(-32603, "Internal error"), TryAgain),
            (500, rpc(-32005, "rate limited"), Wait(None)),
            (500, "out of memory".to_string(), TryAgain),
        ] {
            assert_eq!(Failure::status(status, None, body.as_bytes()).remedy, remedy, "{status} {body}");
        }
        let refused = Failure::status(403, None, rpc(-32002, "invalid project id").as_bytes());
        assert!(refused.what.starts_with("denied access (HTTP 403: ") && refused.what.contains("invalid project id"));
    }

    #[test]
    fn excerpt_is_one_short_line() {
        assert_eq!(excerpt(b" <html>\n <body>"), "<html> <body>");
        assert_eq!(excerpt(b""), "(nothing)");
        assert_eq!(excerpt("é".repeat(1000).as_bytes()).chars().count(), 122);
    }
}
