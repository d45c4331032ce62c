//! Ways in which a request to a node fails, by what helps against it.

use std::time::Duration;

use quarry_engine::Error;

use super::allowance::LARGEST_ANSWER;

/// What geth answers for blocks and receipts that it dropped (EIP-4444).
const PRUNED: i64 = 4444;

/// What nodes answer for a call that its contract reverts: most of them, and OpenEthereum with Nethermind.
const REFUSED_BY_CONTRACT: [i64; 2] = [3, -32015];

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
    /// The node does not have what was asked for, at least not yet: another look or two, then another node.
    NotThere,
    /// The answers are larger than they may be together.
    TooLarge,
    /// Asking for less at once.
    AskLess,
    /// Asking for less at once, or waiting.
    Slow,
    /// The node does not know the method.
    OtherMethod,
    /// Nothing.
    Nothing,
}

/// Why a node did not bring what was asked for, by what whoever asked may do.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The answers are larger than they may be together.
    TooLarge(Error),
    /// It does not have a block that it should have.
    NotThere(Error),
    Other(Error),
}

impl Trouble {
    /// Whether whoever asked had room for less than the largest answer: with more they may ask again, whoever they ask.
    pub(super) fn is_relative(&self, most: usize) -> bool {
        matches!(self, Trouble::TooLarge(_)) && most < LARGEST_ANSWER
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Other(error)
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Error {
        match trouble {
            Trouble::TooLarge(error) | Trouble::NotThere(error) | Trouble::Other(error) => error,
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
        let (remedy, what) = match status {
            429 => (Remedy::Wait(retry_after), "says there are too many requests (HTTP 429)".to_string()),
            413 => (Remedy::AskLess, "says the request is too large (HTTP 413)".to_string()),
            401 | 403 => (Remedy::Nothing, format!("refuses access (HTTP {status})")),
            408 | 502..=504 => (Remedy::Wait(retry_after), format!("is not available (HTTP {status})")),
            500.. => (Remedy::TryAgain, format!("failed (HTTP {status}: {})", excerpt(body))),
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
        if code == PRUNED || says(&["pruned", "missing trie node", "historical state"]) {
            let said = excerpt(message.as_bytes());
            let what =
                format!("no longer has that part of the chain (error {code}: {said}); one that keeps it is needed");
            return Failure::new(Remedy::Nothing, what);
        }
        let remedy =
            if code == -32601 || says(&["method not found", "not supported", "does not exist/is not available"]) {
                Remedy::OtherMethod
            } else if says(&["too large", "response size", "batch limit", "batch size", "batch is"]) {
                Remedy::AskLess
            } else if code == 429 || code == -32005 || says(&["rate limit", "too many requests", "limit exceeded"]) {
                Remedy::Wait(None)
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
        assert_eq!(Failure::rpc(-32601, "the method x does not exist/is not available").remedy, Remedy::OtherMethod);
        assert_eq!(
            Failure::rpc(-32005, "daily request count exceeded, request rate limited").remedy,
            Remedy::Wait(None)
        );
        assert_eq!(Failure::rpc(-32003, "response too large").remedy, Remedy::AskLess);
        for (code, message) in [
            (4444, "unavailable"),
            (-32000, "missing trie node d0e4e19ae5b2a9c4 (path )"),
            (-32000, "history has been pruned for this block"),
        ] {
            let failure = Failure::rpc(code, message);
            assert_eq!(failure.remedy, Remedy::Nothing);
            assert!(failure.what.contains("no longer has that part of the chain") && failure.what.contains(message));
        }
        assert_eq!(Failure::rpc(-32602, "invalid params").remedy, Remedy::Nothing);
        assert_eq!(Failure::rpc(-32603, "Internal error").remedy, Remedy::TryAgain);
        for (code, message) in [
            (3, "execution reverted: rate limit exceeded"),
            (-32000, "execution reverted: batch size too large"),
            (-32603, "Error: VM Exception while processing transaction: method not found"),
            (-32015, "VM execution error: not supported"),
        ] {
            assert_eq!(
                Failure::rpc(code, message).remedy,
                Remedy::Nothing,
                "{message}: it is the contract that says so"
            );
        }
        assert_eq!(Failure::status(503, None, b"").remedy, Remedy::Wait(None));
        assert_eq!(Failure::status(404, None, b"").remedy, Remedy::Nothing);
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        assert_eq!(excerpt(b" <html>\n <body>"), "<html> <body>");
        assert_eq!(excerpt(b""), "(nothing)");
        assert_eq!(excerpt("é".repeat(1000).as_bytes()).chars().count(), 122);
    }
}
