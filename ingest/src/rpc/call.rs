//! JSON-RPC calls: builds a request and assigns the results of its response.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::failure::{Failure, Remedy, RpcError};
use super::response::{Answer, envelopes};

/// A method and its parameters as JSON, without brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    method: &'static str,
    parameters: String,
    may_be_null: bool,
    may_be_refused: bool,
    may_be_dropped: bool,
}

impl Call {
    pub(crate) fn new(method: &'static str, parameters: impl Into<String>) -> Call {
        let parameters = parameters.into();
        Call { method, parameters, may_be_null: false, may_be_refused: false, may_be_dropped: false }
    }

    /// Accepts `null` and a missing block; otherwise they are failures.
    pub(crate) fn or_null(mut self) -> Call {
        self.may_be_null = true;
        self
    }

    /// Accepts an error of the call itself, such as a revert, as `null`.
    pub(crate) fn or_refused(mut self) -> Call {
        self.may_be_refused = true;
        self.or_null()
    }

    /// Accepts a pruned block as `null`, too.
    pub(super) fn or_dropped(mut self) -> Call {
        self.may_be_dropped = true;
        self.or_null()
    }

    /// What is accepted instead of a result.
    pub(super) fn allowed(&self) -> Allowed {
        Allowed { null: self.may_be_null, refused: self.may_be_refused, dropped: self.may_be_dropped }
    }
}

/// What is accepted instead of a result.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Allowed {
    null: bool,
    refused: bool,
    dropped: bool,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.method, self.parameters)
    }
}

/// The JSON of a request; the id of a call is its index. A single call is not sent as a batch, which some nodes do not
/// support.
pub(super) fn request(calls: &[Call]) -> String {
    let one = |(id, call): (usize, &Call)| {
        let Call { method, parameters, .. } = call;
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":[{parameters}]}}"#)
    };
    let all: Vec<String> = calls.iter().enumerate().map(one).collect();
    match all.len() {
        1 => all.concat(),
        _ => format!("[{}]", all.join(",")),
    }
}

/// The results in the order of the calls, whatever the order of the response; `allowed` has an entry for each call.
pub(super) fn answers(body: Vec<u8>, allowed: &[Allowed]) -> Result<Vec<Answer>, Failure> {
    let text = Arc::new(String::from_utf8(body).map_err(|wrong| Failure::nonsense(wrong.as_bytes()))?);
    let nonsense = || Failure::nonsense(text.as_bytes());
    let expected = allowed.len();
    let (many, found) = envelopes(&text, expected).ok_or_else(nonsense)?;
    let mut results: Vec<Option<Answer>> = vec![None; expected];
    for answer in found {
        // The id is missing or null if the node could not read the request.
        let id: Option<usize> = part(&text, answer.id).ok_or_else(nonsense)?;
        if let Some(RpcError { code, message }) = part(&text, answer.error).ok_or_else(nonsense)? {
            let failure = Failure::rpc(code, &message);
            let is_allowed = |call: &Allowed| match failure.remedy {
                Remedy::TryAgain | Remedy::Nothing => call.refused,
                Remedy::NotThere => call.null,
                Remedy::Dropped => call.refused || call.dropped,
                _ => false,
            };
            if let Some(id) = id.filter(|id| allowed.get(*id).is_some_and(is_allowed)) {
                results[id] = Some(Answer::new(Arc::clone(&text), None));
                continue;
            }
            // One error for the whole batch: batches are unsupported or too large.
            return Err(match many || expected == 1 {
                true => failure,
                false => Failure { remedy: Remedy::AskLess, ..failure },
            });
        }
        let slot = id.and_then(|id| results.get_mut(id)).filter(|slot| slot.is_none());
        let Some(slot) = slot else { return Err(nonsense()) };
        *slot = Some(Answer::new(Arc::clone(&text), answer.result));
    }
    let mut whole = Vec::with_capacity(expected);
    for (result, allowed) in results.into_iter().zip(allowed) {
        match result {
            None => return Err(Failure::new(Remedy::AskLess, "left calls of a batch unanswered")),
            Some(result) if result.get() == "null" && !allowed.null => {
                return Err(Failure::new(Remedy::NotThere, "answers null, as if it did not have this"));
            }
            Some(result) => whole.push(result),
        }
    }
    Ok(whole)
}

/// A field that may be missing or `null`; `None` if it has another type.
fn part<T: DeserializeOwned>(text: &str, place: Option<Range<usize>>) -> Option<Option<T>> {
    match place {
        Some(place) => serde_json::from_str(text.get(place)?).ok(),
        None => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(body: &str, calls: usize) -> Result<Vec<String>, Remedy> {
        let results =
            answers(body.as_bytes().to_vec(), &vec![Allowed::default(); calls]).map_err(|failure| failure.remedy)?;
        Ok(results.iter().map(|result| result.get().to_string()).collect())
    }

    #[test]
    fn single_call_is_not_a_batch() {
        let call = Call::new("eth_getBlockByNumber", "\"0x1\",true");
        let one = r#"{"jsonrpc":"2.0","id":0,"method":"eth_getBlockByNumber","params":["0x1",true]}"#;
        assert_eq!(request(std::slice::from_ref(&call)), one);
        assert!(request(&[call.clone(), call]).starts_with('['));
    }

    #[test]
    fn answers_in_any_order() {
        let body = r#" [{"id":1,"result":"b"}, {"jsonrpc":"2.0","id":0,"result":{"a":1},"error":null}]"#;
        assert_eq!(texts(body, 2), Ok(vec![r#"{"a":1}"#.to_string(), "\"b\"".to_string()]));
    }

    #[test]
    fn reverted_calls_are_null_if_allowed() {
        let body = r#"[{"id":0,"error":{"code":3,"message":"execution reverted"}},{"id":1,"result":"0x"}]"#;
        let calls = [Call::new("eth_call", "").or_refused(), Call::new("eth_call", "")];
        let read =
            |calls: &[Call]| answers(body.as_bytes().to_vec(), &calls.iter().map(Call::allowed).collect::<Vec<_>>());
        let results: Vec<String> = read(&calls).unwrap().iter().map(|result| result.get().to_string()).collect();
        assert_eq!(results, ["null", "\"0x\""]);
        let [refused, other] = calls;
        assert!(read(&[other, refused]).is_err());
    }

    #[test]
    fn unknown_blocks_are_null_if_allowed() {
        let body = r#"{"id":0,"error":{"code":-39001,"message":"Unknown block"}}"#;
        let call = Call::new("eth_getBlockByNumber", "");
        assert_eq!(texts(body, 1), Err(Remedy::NotThere));
        let results = answers(body.as_bytes().to_vec(), &[call.or_null().allowed()]).unwrap();
        assert_eq!(results[0].get(), "null");
    }

    #[test]
    fn errors_have_remedies() {
        for (body, calls, remedy) in [
            ("<html>502</html>", 1, Remedy::Nothing),
            ("", 1, Remedy::Nothing),
            ("[]", 2, Remedy::AskLess),
            (r#"{"id":0,"result":null}"#, 1, Remedy::NotThere),
            (r#"{"id":0}"#, 1, Remedy::NotThere),
            (r#"{"id":7,"result":1}"#, 1, Remedy::Nothing),
            (r#"[{"id":0,"result":1},{"id":0,"result":1}]"#, 2, Remedy::Nothing),
            (r#"[{"id":0,"result":1}]"#, 2, Remedy::AskLess),
            (r#"{"id":null,"error":{"code":-32600,"message":"batch not supported"}}"#, 2, Remedy::AskLess),
            (r#"[{"id":0,"result":1},{"id":1,"error":{"code":-32601,"message":"no"}}]"#, 2, Remedy::OtherMethod),
            (r#"{"id":0,"error":{"code":429,"message":"slow down"}}"#, 1, Remedy::Wait(None)),
        ] {
            assert_eq!(texts(body, calls), Err(remedy), "{body}");
        }
    }
}
