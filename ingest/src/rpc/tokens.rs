//! Reads the metadata of token contracts: `symbol()`, `name()` and `decimals()` by `eth_call`.

use std::collections::HashMap;

use alloy_primitives::{Address, U256};

use super::byte_budget::ByteBudget;
use super::failure::Remedy;
use super::response::Answer;
use super::{Call, FetchError, Node};
use crate::chain::TokenFacts;

const CALL: &str = "eth_call";
/// Selectors of `symbol()`, `name()` and `decimals()`.
const QUESTIONS: [&str; 3] = ["0x95d89b41", "0x06fdde03", "0x313ce567"];
/// Maximum bytes of a stored symbol or name; longer ones are ignored.
const LONGEST: usize = 256;

impl Node {
    /// The metadata of these contracts in the latest state. Empty for contracts that revert or return invalid data, and
    /// for all if the node has no `eth_call`.
    pub(super) async fn token_facts(
        &self,
        contracts: &[Address],
        budget: &ByteBudget,
    ) -> Result<HashMap<Address, TokenFacts>, FetchError> {
        let question = |contract: &Address, data: &str| {
            Call::new(CALL, format!(r#"{{"to":"{contract:#x}","data":"{data}"}},"latest""#)).or_refused()
        };
        let calls: Vec<Call> =
            contracts.iter().flat_map(|contract| QUESTIONS.map(|data| question(contract, data))).collect();
        let answers = match self.try_answers(&calls, Some(budget)).await {
            Ok(answers) => answers,
            Err((_, failure)) if failure.remedy == Remedy::OtherMethod => return Ok(HashMap::new()),
            Err((calls, failure)) => return Err(self.fetch_error(calls, &failure)),
        };
        let facts = |answers: &[Answer]| TokenFacts {
            symbol: answers.first().and_then(|answer| text(&bytes(answer)?)),
            name: answers.get(1).and_then(|answer| text(&bytes(answer)?)),
            decimals: answers.get(2).and_then(|answer| small(&bytes(answer)?)),
        };
        let answers = answers.chunks(QUESTIONS.len());
        Ok(contracts.iter().zip(answers).map(|(contract, answers)| (*contract, facts(answers))).collect())
    }
}

fn bytes(answer: &Answer) -> Option<Vec<u8>> {
    let text: Option<String> = serde_json::from_str(answer.get()).ok()?;
    alloy_primitives::hex::decode(text?).ok()
}

/// Decodes an ABI string, or the 32 bytes that the first tokens return.
fn text(answer: &[u8]) -> Option<String> {
    let number = |at: usize| U256::try_from_be_slice(answer.get(at..at + 32)?)?.try_into().ok();
    let content = match answer.len() {
        32 => answer.split(|byte| *byte == 0).next()?,
        _ => {
            let start: usize = number(0)?;
            let length: usize = number(Some(start).filter(|start| *start <= answer.len())?)?;
            let from = start + 32;
            answer.get(from..from.checked_add(length)?)?
        }
    };
    let shown = std::str::from_utf8(content).ok()?.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    (!shown.is_empty() && shown.len() <= LONGEST && !shown.contains(char::is_control)).then(|| shown.to_string())
}

fn small(answer: &[u8]) -> Option<u8> {
    if answer.len() != 32 {
        return None;
    }
    U256::try_from_be_slice(answer)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(number: usize) -> Vec<u8> {
        U256::from(number).to_be_bytes_vec()
    }

    #[test]
    fn strings_and_bytes32_are_decoded() {
        let abi = |length: usize, content: &[u8]| [word(32), word(length), content.to_vec(), vec![0; 32]].concat();
        assert_eq!(text(&abi(4, b"USDC")).as_deref(), Some("USDC"));
        assert_eq!(text(&abi(8, "\u{20ae} Tögö".as_bytes())).as_deref(), Some("\u{20ae} Tög"));
        assert_eq!(text(&[b"MKR".to_vec(), vec![0; 29]].concat()).as_deref(), Some("MKR"));
        for nonsense in [vec![], word(0), vec![1], abi(0, b""), abi(1 << 40, b"x"), abi(2, &[0xff, 0xfe])] {
            assert_eq!(text(&nonsense), None);
        }
        assert_eq!(text(&[U256::MAX.to_be_bytes_vec(), word(3), word(1)].concat()), None);
        assert_eq!(text(&abi(3, b"a\x07b")), None);
    }

    #[test]
    fn decimals_fit_a_byte() {
        assert_eq!(small(&word(18)), Some(18));
        assert_eq!(small(&word(256)), None);
        assert_eq!(small(b""), None);
    }
}
