//! Limits on what a call or a log decodes to. Offsets in an ABI encoding may point to the same bytes again and again, so some
//! kilobytes can decode to gigabytes of values; offsets are followed and values counted before anything is decoded.

use alloy_dyn_abi::DynSolType;
use alloy_primitives::U256;

const WORD: usize = 32;
/// The most values that are decoded, items of lists counted one by one.
const MAX_VALUES: usize = 100_000;
/// The most bytes of `string` and `bytes` values.
const MAX_BYTES: usize = 4 << 20;

/// What may still be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimit {
    values: usize,
    bytes: usize,
}

impl Default for DecodeLimit {
    fn default() -> DecodeLimit {
        DecodeLimit { values: MAX_VALUES, bytes: MAX_BYTES }
    }
}

/// Why data is not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecodeError {
    /// It is not of these types, or of an unknown function or event.
    Mismatch,
    /// It would be too many values.
    TooLarge,
}

impl DecodeLimit {
    /// Subtracts values of these types, encoded one behind the other; nothing is subtracted on an error.
    pub fn take<'a>(
        &mut self,
        types: impl IntoIterator<Item = &'a DynSolType>,
        data: &[u8],
    ) -> Result<(), DecodeError> {
        let mut rest = *self;
        let mut at = 0;
        types.into_iter().try_for_each(|kind| rest.follow(kind, data, &mut at))?;
        *self = rest;
        Ok(())
    }

    /// Roughly the bytes in memory of what was subtracted since an earlier state.
    pub fn taken_since(self, before: DecodeLimit) -> usize {
        // A value of a list has the size of a word and its type.
        (before.values - self.values) * 2 * WORD + (before.bytes - self.bytes)
    }

    /// One value, whose head is at `at` of `frame`; its offset counts from the begin of `frame`.
    fn follow(&mut self, kind: &DynSolType, frame: &[u8], at: &mut usize) -> Result<(), DecodeError> {
        self.values = self.values.checked_sub(1).ok_or(DecodeError::TooLarge)?;
        match kind {
            DynSolType::Bytes | DynSolType::String => {
                let body = target(frame, at)?;
                let length = number(body, 0)?;
                if body.len() - WORD < length {
                    return Err(DecodeError::Mismatch);
                }
                self.bytes = self.bytes.checked_sub(length).ok_or(DecodeError::TooLarge)?;
            }
            DynSolType::Array(item) => {
                let body = target(frame, at)?;
                let count = number(body, 0)?;
                // Items without a size are none, whatever the count says.
                if item.minimum_words() > 0 {
                    self.items(item, count, &body[WORD..], &mut 0)?;
                }
            }
            DynSolType::FixedArray(item, count) if kind.is_dynamic() => {
                self.items(item, *count, target(frame, at)?, &mut 0)?;
            }
            DynSolType::FixedArray(item, count) => self.items(item, *count, frame, at)?,
            DynSolType::Tuple(items) if kind.is_dynamic() => {
                let body = target(frame, at)?;
                let mut inside = 0;
                items.iter().try_for_each(|item| self.follow(item, body, &mut inside))?;
            }
            DynSolType::Tuple(items) => items.iter().try_for_each(|item| self.follow(item, frame, at))?,
            _ => *at = at.saturating_add(WORD),
        }
        Ok(())
    }

    fn items(&mut self, item: &DynSolType, count: usize, frame: &[u8], at: &mut usize) -> Result<(), DecodeError> {
        (0..count).try_for_each(|_| self.follow(item, frame, at))
    }
}

/// The bytes that the offset in the word at `at` points to.
fn target<'a>(frame: &'a [u8], at: &mut usize) -> Result<&'a [u8], DecodeError> {
    let offset = number(frame, *at)?;
    *at = at.saturating_add(WORD);
    frame.get(offset..).filter(|body| body.len() >= WORD).ok_or(DecodeError::Mismatch)
}

fn number(bytes: &[u8], at: usize) -> Result<usize, DecodeError> {
    let word = bytes.get(at..at.saturating_add(WORD)).ok_or(DecodeError::Mismatch)?;
    usize::try_from(U256::from_be_slice(word)).map_err(|_| DecodeError::Mismatch)
}

#[cfg(test)]
mod tests {
    use alloy_dyn_abi::DynSolValue;
    use alloy_primitives::Address;

    use super::*;

    fn parse(text: &str) -> DynSolType {
        text.parse().unwrap()
    }

    fn words(numbers: &[usize]) -> Vec<u8> {
        numbers.iter().flat_map(|number| U256::from(*number).to_be_bytes::<WORD>()).collect()
    }

    /// A list of lists (or texts) whose offsets all point to the one behind them.
    fn overlapping(outer: usize, inner: &[u8]) -> Vec<u8> {
        let mut data = words(&[WORD, outer]);
        (0..outer).for_each(|_| data.extend(words(&[outer * WORD])));
        data.extend_from_slice(inner);
        data
    }

    #[test]
    fn values_without_overlap_are_counted_once() {
        let number = |number: u8| DynSolValue::Uint(U256::from(number), 256);
        let value = DynSolValue::Tuple(vec![
            DynSolValue::Array(vec![DynSolValue::Array(vec![number(1), number(2)]), DynSolValue::Array(Vec::new())]),
            DynSolValue::FixedArray(vec![DynSolValue::String("abc".into()), DynSolValue::String(String::new())]),
            DynSolValue::Tuple(vec![DynSolValue::Address(Address::ZERO), DynSolValue::FixedArray(vec![number(3); 2])]),
            DynSolValue::Bytes(vec![7; 40]),
        ]);
        let kinds = ["uint256[][]", "string[2]", "(address,uint256[2])", "bytes"].map(parse);
        let data = value.abi_encode_sequence().unwrap();
        let before = DecodeLimit::default();
        let mut limit = before;
        limit.take(&kinds, &data).unwrap();
        assert_eq!((before.values - limit.values, before.bytes - limit.bytes), (14, 43));
        assert_eq!(limit.take(&kinds, &data[..data.len() - 64]), Err(DecodeError::Mismatch), "it is cut off");
    }

    #[test]
    fn overlapping_offsets_reach_the_limit() {
        let mut inner = words(&[2_000]);
        inner.resize(inner.len() + 2_000 * WORD, 0);
        let lists = overlapping(2_000, &inner);
        assert!(lists.len() <= 128 * 1024 + 2 * WORD, "{}", lists.len());
        let mut limit = DecodeLimit::default();
        assert_eq!(limit.take(&[parse("uint256[][]")], &lists), Err(DecodeError::TooLarge));
        assert_eq!(limit, DecodeLimit::default(), "nothing is taken");
        let mut text = words(&[60_000]);
        text.resize(text.len() + 60_000, 1);
        assert_eq!(limit.take(&[parse("bytes[]")], &overlapping(2_000, &text)), Err(DecodeError::TooLarge));
        limit.take(&[parse("bytes[]")], &overlapping(50, &text)).unwrap();
    }

    #[test]
    fn lengths_beyond_the_data_are_refused_at_once() {
        for (kind, data) in [
            ("uint256[1000000000]", words(&[1])),
            ("()[1000000000]", words(&[1])),
            ("uint256[]", words(&[32, usize::MAX])),
            ("bytes", words(&[32, usize::MAX])),
            ("bytes[]", words(&[usize::MAX])),
            ("string", Vec::new()),
        ] {
            assert!(DecodeLimit::default().take(&[parse(kind)], &data).is_err(), "{kind}");
        }
    }
}
