//! Ways in which a request to a node fails, by what helps against it.

use std::time::Duration;

use quarry_types::Error;

/// What geth answers for blocks and receipts that it dropped (EIP-4444).
const PRUNED: i64 = 4444;

/// What nodes answer for a call that its contract reverts: most of them, and OpenEthereum with Nethermind.
const REFUSED_BY_CONTRACT: [i64; 2] = [3, -32015];

/// What nodes answer for a method that they do not have: most of them, and Besu for one that is switched off.
const NO_METHOD: [i64; 2] = [-32601, -32604];

/// What geth answers for a block that it does not know, and others for anything that they do not have.
const UNKNOWN_BLOCK: i64 = -39001;
const NOT_FOUND: i64 = -32001;

/// What is answered to too many requests: as HTTP does, as Infura and Nethermind do, and QuickNode.
const TOO_MANY: [i64; 3] = [429, -32005, -32007];

/// How nodes say that they dropped the requested blocks or state.
const PRUNED_WORDS: [&str; 5] =
    ["pruned", "missing trie node", "historical state", "no state available", "world state unavailable"];

/// How nodes and providers say that they were asked too often.
const TOO_MANY_WORDS: [&str; 7] = [
    "rate limit",
    "rate exceeded",
    "too many requests",
    "limit exceeded",
    "request limit",
    "compute units",
    "throttled",
];

/// The error object of a JSON-RPC answer.
#[derive(Debug, serde::Deserialize)]
pub(super) struct RpcError {
    #[serde(default)]
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
}

/// Why a request brought no answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) remedy: Remedy,
    /// To follow "the node at …": "does not answer within 30 s".
    pub(super) what: String,
}

/// What may help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing came back: a node that was there before may be again soon.
    Away,
    /// The node is there but wants a pause, perhaps of this length.
    Wait(Option<Duration>),
    /// It may have been an accident: a few more tries.
    TryAgain,
    /// The node does not have what was requested, at least not yet: another look or two, then another node.
    NotThere,
    /// The answers are larger than they may be together.
    TooLarge,
    /// Failover for less at once.
    AskLess,
    /// It does not answer in time: asking for less at once, or waiting.
    Slow,
    /// The node does not know the method.
    OtherMethod,
    /// The node had it and dropped it: another node.
    Dropped,
    /// Nothing.
    Nothing,
}

/// Why a node did not give what was requested, by what the caller may do.
#[derive(Debug)]
pub(crate) enum FetchError {
    /// The answers are larger than they may be together.
    TooLarge(Error),
    /// It does not have a block that it should have.
    NotThere(Error),
    /// What it gave does not fit together or does not prove itself.
    Unfit(Error),
    /// It does not answer at all.
    Away(Error),
    /// It wants a pause.
    Busy(Error),
    Other(Error),
}

impl FetchError {
    pub(super) fn error(&self) -> &Error {
        match self {
            FetchError::TooLarge(error) | FetchError::NotThere(error) | FetchError::Unfit(error) => error,
            FetchError::Away(error) | FetchError::Busy(error) | FetchError::Other(error) => error,
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
            FetchError::TooLarge(error) | FetchError::NotThere(error) | FetchError::Unfit(error) => error,
            FetchError::Away(error) | FetchError::Busy(error) | FetchError::Other(error) => error,
        }
    }
}

impl Failure {
    pub(super) fn new(remedy: Remedy, what: impl Into<String>) -> Failure {
        Failure { remedy, what: what.into() }
    }

    /// Whether the node did not answer, or put the answer off, rather than refused to.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self.remedy, Remedy::Away | Remedy::Wait(_) | Remedy::Slow)
    }

    /// From the status of an HTTP answer that is not a success.
    pub(super) fn status(status: u16, retry_after: Option<Duration>, body: &[u8]) -> Failure {
        let (remedy, what) = match (status, carried(body)) {
            (429, _) => (Remedy::Wait(retry_after), "says there are too many requests (HTTP 429)".to_string()),
            (413, _) => (Remedy::AskLess, "says the request is too large (HTTP 413)".to_string()),
            // A proxy in front of the node gave up on it.
            (408 | 504 | 524, _) => (Remedy::Slow, format!("does not answer in time (HTTP {status})")),
            (502 | 503 | 520..=523, _) => (Remedy::Wait(retry_after), format!("is not available (HTTP {status})")),
            // What is meant for the call, some send with a status of their own.
            (_, Some(failure)) if !matches!((status, &failure.remedy), (401 | 403, Remedy::TryAgain)) => {
                return failure;
            }
            (401 | 403, _) if body.trim_ascii().is_empty() => {
                (Remedy::Nothing, format!("refuses access (HTTP {status})"))
            }
            (401 | 403, _) => (Remedy::Nothing, format!("refuses access (HTTP {status}: {})", excerpt(body))),
            (500.., _) => (Remedy::TryAgain, format!("failed (HTTP {status}: {})", excerpt(body))),
            _ => (Remedy::Nothing, format!("does not serve JSON-RPC there (HTTP {status}: {})", excerpt(body))),
        };
        Failure::new(remedy, what)
    }

    /// From the error object of a JSON-RPC answer.
    pub(super) fn rpc(code: i64, message: &str) -> Failure {
        let lower = message.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        // A contract that refuses a call says so in words of its own, which mean nothing of the node.
        if REFUSED_BY_CONTRACT.contains(&code) || says(&["revert", "vm exception"]) {
            let said = excerpt(message.as_bytes());
            return Failure::new(Remedy::Nothing, format!("answers that a contract refuses (error {code}: {said})"));
        }
        if code == PRUNED || says(&PRUNED_WORDS) {
            let said = excerpt(message.as_bytes());
            let what =
                format!("no longer has that part of the chain (error {code}: {said}); one that keeps it is needed");
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
        } else if TOO_MANY.contains(&code) || says(&TOO_MANY_WORDS) {
            Remedy::Wait(None)
        } else if code == UNKNOWN_BLOCK
            || says(&["unknown block", "block not found", "header not found"])
            || (code == NOT_FOUND && says(&["not found"]))
        {
            Remedy::NotThere
        } else if says(&["timeout", "timed out", "deadline exceeded"]) && !says(&["execution"]) {
            // What runs for too long by itself does so in a smaller request too.
            Remedy::Slow
        } else if code == -32602 || code == -32600 {
            Remedy::Nothing
        } else {
            Remedy::TryAgain
        };
        Failure::new(remedy, format!("answers with error {code}: {}", excerpt(message.as_bytes())))
    }

    /// An answer that is not JSON-RPC at all.
    pub(super) fn nonsense(body: &[u8]) -> Failure {
        Failure::new(Remedy::Nothing, format!("answers with something that is not JSON-RPC: {}", excerpt(body)))
    }
}

/// What a JSON-RPC answer in the body of an HTTP error says, the first of several.
fn carried(body: &[u8]) -> Option<Failure> {
    #[derive(serde::Deserialize)]
    struct Answer {
        error: RpcError,
    }
    // In this order: a list would be read as the fields of one.
    let several = serde_json::from_slice::<Vec<Answer>>(body).ok().and_then(|several| several.into_iter().next());
    let Answer { error } = several.or_else(|| serde_json::from_slice(body).ok())?;
    Some(Failure::rpc(error.code, &error.message))
}

/// The beginning of a text in one line, for an error message.
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
    fn what_nodes_and_providers_say() {
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
    fn what_the_status_of_http_says() {
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
        assert!(refused.what.starts_with("refuses access (HTTP 403: ") && refused.what.contains("invalid project id"));
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt(b" <html>\n <body>"), "<html> <body>");
        assert_eq!(excerpt(b""), "(nothing)");
        assert_eq!(excerpt("é".repeat(1000).as_bytes()).chars().count(), 122);
    }
}
