//! Decodes calls and logs by the signatures of functions and events. Those of widely used contracts ship with the product in
//! `data/signatures/known.txt`.

mod limit;
mod value;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use alloy_dyn_abi::{DynSolEvent, DynSolType, JsonAbiExt, Specifier};
use alloy_json_abi::{Event, EventParam, Function, Param};
use alloy_primitives::B256;

use quarry_types::{Error, ErrorCode};

pub use limit::{DecodeError, DecodeLimit};
pub use value::{Argument, Decoded};

const KNOWN: &str = include_str!("../../../../data/signatures/known.txt");

/// The signatures in that file.
static SHIPPED: LazyLock<Arc<Signatures>> = LazyLock::new(|| {
    let mut known = Signatures::default();
    // A test reads every line of the file, so none is skipped here.
    KNOWN.lines().filter_map(|line| Signature::parse(line).ok()).for_each(|signature| known.add(signature));
    Arc::new(known)
});

/// One function or event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    Function(Box<Function>),
    Event(Box<Event>),
}

impl Signature {
    /// Reads `function transfer(address to, uint256 amount)` or `event Transfer(address indexed from, …)`.
    pub fn parse(text: &str) -> quarry_types::Result<Signature> {
        let text = text.trim().trim_end_matches(';');
        let wrong = || {
            let message = "A signature must be written as `function transfer(address to, uint256 amount)` or `event \
                           Transfer(address indexed from, address indexed to, uint256 value)`.";
            Error::new(ErrorCode::InvalidInput, message)
        };
        let text = &without_names_in_tuples(text);
        let parsed = match text.split_once(' ') {
            Some(("function", _)) => Function::parse(text).ok().map(|function| Signature::Function(Box::new(function))),
            Some(("event", _)) => Event::parse(text).ok().map(|event| Signature::Event(Box::new(event))),
            _ => None,
        };
        parsed.filter(Signature::resolves).ok_or_else(wrong)
    }

    /// Whether all of its types exist.
    fn resolves(&self) -> bool {
        match self {
            Signature::Function(function) => function.inputs.iter().all(|input| input.resolve().is_ok()),
            Signature::Event(event) => event.inputs.iter().all(|input| input.resolve().is_ok()),
        }
    }

    /// The selector of a function (4 bytes) or the topic of an event (32 bytes), as `0x…`.
    pub fn hash(&self) -> String {
        match self {
            Signature::Function(function) => format!("{:#x}", function.selector()),
            Signature::Event(event) => format!("{:#x}", event.selector()),
        }
    }

    /// `function` or `event`.
    pub fn kind(&self) -> &'static str {
        match self {
            Signature::Function(_) => "function",
            Signature::Event(_) => "event",
        }
    }

    /// Written out with the names of its arguments.
    pub fn text(&self) -> String {
        let list = |inputs: Vec<String>| inputs.join(", ");
        let named = |kind: String, name: &str| if name.is_empty() { kind } else { format!("{kind} {name}") };
        match self {
            Signature::Function(function) => {
                let inputs = function.inputs.iter().map(|input| named(selector_type(input), &input.name));
                format!("function {}({})", function.name, list(inputs.collect()))
            }
            Signature::Event(event) => {
                let inputs = event.inputs.iter().map(|input| {
                    let indexed = if input.indexed { " indexed" } else { "" };
                    named(format!("{}{indexed}", input.selector_type()), &input.name)
                });
                format!("event {}({})", event.name, list(inputs.collect()))
            }
        }
    }
}

fn selector_type(input: &Param) -> String {
    input.selector_type().into_owned()
}

/// The text without the names inside tuples, which the parser does not read: `((address who, uint8 dice) row)` becomes
/// `((address,uint8) row)`.
fn without_names_in_tuples(text: &str) -> String {
    let (mut out, mut depth, mut typed, mut skipping) = (String::with_capacity(text.len()), 0_usize, false, false);
    for c in text.chars() {
        match c {
            '(' => (depth, typed) = (depth + 1, false),
            ')' => (depth, typed, skipping) = (depth.saturating_sub(1), true, false),
            ',' => (typed, skipping) = (false, false),
            _ if depth < 2 => {}
            ' ' => {
                skipping |= typed;
                continue;
            }
            _ if skipping => continue,
            _ => typed = true,
        }
        out.push(c);
    }
    out
}

/// Signatures by their hashes.
#[derive(Debug, Clone, Default)]
pub struct Signatures {
    functions: HashMap<[u8; 4], Vec<Function>>,
    events: HashMap<B256, Vec<Event>>,
}

impl Signatures {
    pub fn add(&mut self, signature: Signature) {
        match signature {
            Signature::Function(function) => {
                self.functions.entry(function.selector().0).or_default().push(*function);
            }
            Signature::Event(event) => self.events.entry(event.selector()).or_default().push(*event),
        }
    }

    /// The ones that ship with the product.
    pub fn shipped() -> Arc<Signatures> {
        SHIPPED.clone()
    }

    /// The name of the function that a call's input selects.
    pub fn function_name(&self, input: &[u8]) -> Option<&str> {
        let functions = self.functions.get(input.first_chunk::<4>()?)?;
        functions.first().map(|function| function.name.as_str())
    }

    /// The name of the event whose hash this is.
    pub fn event_name(&self, topic: &[u8]) -> Option<&str> {
        let events = self.events.get(&B256::try_from(topic).ok()?)?;
        events.first().map(|event| event.name.as_str())
    }

    /// Decodes a call within a limit.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Mismatch`] where no known function has this selector and these arguments, [`DecodeError::TooLarge`] where the
    /// values exceed the limit.
    pub fn call(&self, input: &[u8], limit: &mut DecodeLimit) -> Result<Decoded, DecodeError> {
        let (selector, body) = input.split_first_chunk::<4>().ok_or(DecodeError::Mismatch)?;
        first_that_fits(self.functions.get(selector).into_iter().flatten(), |function| {
            let types = function.inputs.iter().map(Specifier::resolve).collect::<Result<Vec<DynSolType>, _>>();
            limit.take(&types.map_err(|_| DecodeError::Mismatch)?, body)?;
            let values = function.abi_decode_input(body).map_err(|_| DecodeError::Mismatch)?;
            let arguments = function.inputs.iter().zip(values);
            let arguments = arguments.map(|(input, value)| value::argument(&input.name, selector_type(input), value));
            let signature = Signature::Function(Box::new(function.clone())).text();
            Ok(Decoded { name: function.name.clone(), signature, arguments: arguments.collect() })
        })
    }

    /// Decodes a log within a limit.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Mismatch`] where no known event has this first topic and fits the other topics and the data,
    /// [`DecodeError::TooLarge`] where the values exceed the limit.
    pub fn log(&self, topics: &[B256], data: &[u8], limit: &mut DecodeLimit) -> Result<Decoded, DecodeError> {
        let named = topics.first().and_then(|topic| self.events.get(topic));
        first_that_fits(named.into_iter().flatten(), |event| {
            let known: DynSolEvent = event.resolve().map_err(|_| DecodeError::Mismatch)?;
            limit.take(known.body(), data)?;
            let decoded = known.decode_log_parts(topics.iter().copied(), data).map_err(|_| DecodeError::Mismatch)?;
            let (mut indexed, mut body) = (decoded.indexed.into_iter(), decoded.body.into_iter());
            let argument = |input: &EventParam| {
                let value = if input.indexed { indexed.next() } else { body.next() };
                value.map(|value| value::argument(&input.name, input.selector_type().into_owned(), value))
            };
            let arguments = event.inputs.iter().map(argument).collect::<Option<_>>().ok_or(DecodeError::Mismatch)?;
            let signature = Signature::Event(Box::new(event.clone())).text();
            Ok(Decoded { name: event.name.clone(), signature, arguments })
        })
    }
}

/// The result of the first candidate that fits; [`DecodeError::TooLarge`] where none fits and one of them is too large.
pub fn first_that_fits<T>(
    candidates: impl IntoIterator<Item = T>,
    mut decode: impl FnMut(T) -> Result<Decoded, DecodeError>,
) -> Result<Decoded, DecodeError> {
    let mut error = DecodeError::Mismatch;
    for candidate in candidates {
        match decode(candidate) {
            Err(DecodeError::Mismatch) => {}
            Err(DecodeError::TooLarge) => error = DecodeError::TooLarge,
            decoded => return decoded,
        }
    }
    Err(error)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{Address, U256, hex};

    use super::*;

    fn call(input: &[u8]) -> Result<Decoded, DecodeError> {
        Signatures::shipped().call(input, &mut DecodeLimit::default())
    }

    fn log(topics: &[B256], data: &[u8]) -> Result<Decoded, DecodeError> {
        Signatures::shipped().log(topics, data, &mut DecodeLimit::default())
    }

    #[test]
    fn every_line_that_ships_is_a_signature() {
        let mut seen = std::collections::HashSet::new();
        for line in KNOWN.lines() {
            let signature = Signature::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(seen.insert(signature.text()), "{line} is there twice");
            assert_eq!(Signature::parse(&signature.text()).unwrap().hash(), signature.hash(), "{line}");
        }
        assert!(seen.len() > 100, "{}", seen.len());
    }

    #[test]
    fn a_call_is_decoded_with_exact_values() {
        let input = hex!(
            "a9059cbb000000000000000000000000d8da6bf26964af9d7eed9e03e53415d37aa96045"
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        );
        let decoded = call(&input).unwrap();
        assert_eq!(decoded.name, "transfer");
        assert_eq!(decoded.arguments[0].value, "0xd8da6bf26964af9d7eed9e03e53415d37aa96045");
        assert_eq!(decoded.arguments[1].value, U256::MAX.to_string());
        assert_eq!(call(&input[..40]), Err(DecodeError::Mismatch), "it is cut off");
        assert_eq!(call(&hex!("00000000")), Err(DecodeError::Mismatch));
        assert_eq!(call(&[]), Err(DecodeError::Mismatch));
    }

    #[test]
    fn events_of_one_name_differ_by_their_indexed_arguments() {
        let transfer = alloy_primitives::keccak256("Transfer(address,address,uint256)");
        let word = |byte: u8| Address::with_last_byte(byte).into_word();
        let amount = U256::from(7).to_be_bytes::<32>();
        let fungible = log(&[transfer, word(1), word(2)], &amount).unwrap();
        assert!(fungible.signature.ends_with("uint256 value)"), "{}", fungible.signature);
        let unique = log(&[transfer, word(1), word(2), amount.into()], &[]).unwrap();
        assert!(unique.signature.ends_with("uint256 indexed tokenId)"), "{}", unique.signature);
        assert_eq!(unique.arguments[2].value, "7");
        assert_eq!(log(&[], &[]), Err(DecodeError::Mismatch));
    }

    #[test]
    fn malformed_signatures_are_refused() {
        for bad in ["", "transfer(address)", "function", "function f(addres a)", "event E(uint257 x)", "function f(a"] {
            assert!(Signature::parse(bad).is_err(), "{bad}");
        }
        let own = Signature::parse("function play(uint256 round, (address who, uint8[] dice)[] rows);").unwrap();
        assert_eq!(own.kind(), "function");
        assert_eq!(own.hash().len(), 10);
    }
}
