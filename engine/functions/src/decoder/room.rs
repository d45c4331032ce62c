//! How much a call or a log may decode to. The offsets of an ABI encoding may point to the same bytes again and again, so some
//! kilobytes can stand for gigabytes of values; they are followed and counted before anything is decoded.

use alloy_dyn_abi::DynSolType;
use alloy_primitives::U256;

const WORD: usize = 32;
/// Most values that are decoded, each item of a list for itself.
const VALUES: usize = 100_000;
/// Most bytes of texts and bytes.
const BYTES: usize = 4 << 20;

/// What may still be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    values: usize,
    bytes: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { values: VALUES, bytes: BYTES }
    }
}

/// Why data is not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It is not of these types, or of an unknown function or event.
    Other,
    /// It would be too many values.
    TooMuch,
}

impl Room {
    /// Takes the room of values of these types, encoded one behind the other; nothing is taken where they don't fit.
    pub fn take<'a>(&mut self, types: impl IntoIterator<Item = &'a DynSolType>, data: &[u8]) -> Result<(), Unfit> {
        let mut left = *self;
        let mut at = 0;
        for kind in types {
            left.follow(kind, data, &mut at)?;
        }
        *self = left;
        Ok(())
    }

    /// Bytes in memory, roughly, of what was taken since there was so much room.
    pub fn taken_since(self, before: Room) -> usize {
        // A value of a list has the size of a word and its type.
        (before.values - self.values) * 2 * WORD + (before.bytes - self.bytes)
    }

    /// One value, whose head stands at `at` of `frame`, which its offset counts from.
    fn follow(&mut self, kind: &DynSolType, frame: &[u8], at: &mut usize) -> Result<(), Unfit> {
        self.values = self.values.checked_sub(1).ok_or(Unfit::TooMuch)?;
        match kind {
            DynSolType::Bytes | DynSolType::String => {
                let body = behind(frame, at)?;
                let length = number(body, 0)?;
                if body.len() - WORD < length {
                    return Err(Unfit::Other);
                }
                self.bytes = self.bytes.checked_sub(length).ok_or(Unfit::TooMuch)?;
            }
            DynSolType::Array(item) => {
                let body = behind(frame, at)?;
                let count = number(body, 0)?;
                // Items without a size are none, whatever the count says.
                if item.minimum_words() > 0 {
                    self.items(item, count, &body[WORD..], &mut 0)?;
                }
            }
            DynSolType::FixedArray(item, count) if kind.is_dynamic() => {
                self.items(item, *count, behind(frame, at)?, &mut 0)?;
            }
            DynSolType::FixedArray(item, count) => self.items(item, *count, frame, at)?,
            DynSolType::Tuple(items) if kind.is_dynamic() => {
                let body = behind(frame, at)?;
                let mut inside = 0;
                items.iter().try_for_each(|item| self.follow(item, body, &mut inside))?;
            }
            DynSolType::Tuple(items) => items.iter().try_for_each(|item| self.follow(item, frame, at))?,
            _ => *at = at.saturating_add(WORD),
        }
        Ok(())
    }

    fn items(&mut self, item: &DynSolType, count: usize, frame: &[u8], at: &mut usize) -> Result<(), Unfit> {
        (0..count).try_for_each(|_| self.follow(item, frame, at))
    }
}

/// What the offset in the word at `at` points to.
fn behind<'a>(frame: &'a [u8], at: &mut usize) -> Result<&'a [u8], Unfit> {
    let offset = number(frame, *at)?;
    *at = at.saturating_add(WORD);
    frame.get(offset..).filter(|body| body.len() >= WORD).ok_or(Unfit::Other)
}

fn number(bytes: &[u8], at: usize) -> Result<usize, Unfit> {
    let word = bytes.get(at..at.saturating_add(WORD)).ok_or(Unfit::Other)?;
    usize::try_from(U256::from_be_slice(word)).map_err(|_| Unfit::Other)
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
    fn what_is_encoded_plainly_has_room_and_takes_as_much_as_it_is() {
        let number = |number: u8| DynSolValue::Uint(U256::from(number), 256);
        let value = DynSolValue::Tuple(vec![
            DynSolValue::Array(vec![DynSolValue::Array(vec![number(1), number(2)]), DynSolValue::Array(Vec::new())]),
            DynSolValue::FixedArray(vec![DynSolValue::String("abc".into()), DynSolValue::String(String::new())]),
            DynSolValue::Tuple(vec![DynSolValue::Address(Address::ZERO), DynSolValue::FixedArray(vec![number(3); 2])]),
            DynSolValue::Bytes(vec![7; 40]),
        ]);
        let kinds = ["uint256[][]", "string[2]", "(address,uint256[2])", "bytes"].map(parse);
        let data = value.abi_encode_sequence().unwrap();
        let before = Room::default();
        let mut room = before;
        room.take(&kinds, &data).unwrap();
        assert_eq!((before.values - room.values, before.bytes - room.bytes), (14, 43));
        assert_eq!(room.take(&kinds, &data[..data.len() - 64]), Err(Unfit::Other), "it is cut off");
    }

    #[test]
    fn offsets_that_overlap_do_not_make_much_of_little() {
        let mut inner = words(&[2_000]);
        inner.resize(inner.len() + 2_000 * WORD, 0);
        let lists = overlapping(2_000, &inner);
        assert!(lists.len() <= 128 * 1024 + 2 * WORD, "{}", lists.len());
        let mut room = Room::default();
        assert_eq!(room.take(&[parse("uint256[][]")], &lists), Err(Unfit::TooMuch));
        assert_eq!(room, Room::default(), "nothing is taken");
        let mut text = words(&[60_000]);
        text.resize(text.len() + 60_000, 1);
        assert_eq!(room.take(&[parse("bytes[]")], &overlapping(2_000, &text)), Err(Unfit::TooMuch));
        room.take(&[parse("bytes[]")], &overlapping(50, &text)).unwrap();
    }

    #[test]
    fn lengths_that_nothing_stands_behind_are_no_work() {
        for (kind, data) in [
            ("uint256[1000000000]", words(&[1])),
            ("()[1000000000]", words(&[1])),
            ("uint256[]", words(&[32, usize::MAX])),
            ("bytes", words(&[32, usize::MAX])),
            ("bytes[]", words(&[usize::MAX])),
            ("string", Vec::new()),
        ] {
            assert!(Room::default().take(&[parse(kind)], &data).is_err(), "{kind}");
        }
    }
}
