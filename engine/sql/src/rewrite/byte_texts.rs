//! The bytes of BigQuery's `b'…'`: those of its letters, and those that stand behind a backslash.

use std::ops::ControlFlow;

use quarry_types::{Error, ErrorCode};

const WRONG: &str = "A backslash in b'…' stands before x and two hex digits, three octal digits up to 377, one of a, b, f, n, r, t and v, a quote or another backslash.";

/// The bytes that a text stands for.
pub(super) fn bytes(text: &str) -> ControlFlow<Box<Error>, Vec<u8>> {
    let mut all = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let read = match byte {
            b'\\' => escaped(after),
            byte => Some((*byte, after)),
        };
        let Some((byte, after)) = read else {
            return ControlFlow::Break(Box::new(Error::new(ErrorCode::InvalidQuery, WRONG)));
        };
        all.push(byte);
        rest = after;
    }
    ControlFlow::Continue(all)
}

/// The byte that an escape stands for, and what follows it.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (kind, after) = text.split_first()?;
    let number = |digits: &[u8], base| u8::from_str_radix(std::str::from_utf8(digits).ok()?, base).ok();
    Some(match kind {
        b'x' | b'X' => {
            let (digits, after) =
                after.split_at_checked(2).filter(|(digits, _)| digits.iter().all(u8::is_ascii_hexdigit))?;
            (number(digits, 16)?, after)
        }
        b'0'..=b'7' => {
            let (digits, after) =
                text.split_at_checked(3).filter(|(digits, _)| digits.iter().all(u8::is_ascii_digit))?;
            (number(digits, 8)?, after)
        }
        b'a' => (0x07, after),
        b'b' => (0x08, after),
        b'f' => (0x0c, after),
        b'n' => (b'\n', after),
        b'r' => (b'\r', after),
        b't' => (b'\t', after),
        b'v' => (0x0b, after),
        b'\\' | b'?' | b'\'' | b'"' | b'`' => (*kind, after),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_bytes() {
        let all = vec![0, 255, 65, b'\\', 0xc3, 0xa9, b'\n'];
        assert_eq!(bytes(r"\x00\xFF\101\\é\n").continue_value(), Some(all));
        for wrong in [r"\", r"\x0", r"\xzz", r"\x+1", r"\400", r"\08", r"\q"] {
            assert!(bytes(wrong).is_break(), "{wrong}");
        }
    }
}
