//! PostgreSQL's binary form of `numeric`: digits of base 10,000, of any number and exact.

use bytes::{Buf, BufMut, BytesMut};

const NEGATIVE: u16 = 0x4000;
const NAN: u16 = 0xC000;
/// Digits of a decimal in one of its own.
const GROUP: usize = 4;

/// Writes a decimal number; `None` when the text is none.
pub fn write(text: &str, out: &mut BytesMut) -> Option<()> {
    if text == "NaN" {
        [0, 0, NAN, 0].into_iter().for_each(|part| out.put_u16(part));
        return Some(());
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Groups begin at the point, so zeros fill the first and the last one.
    let before = "0".repeat(whole.len().next_multiple_of(GROUP) - whole.len());
    let after = "0".repeat(fraction.len().next_multiple_of(GROUP) - fraction.len());
    let filled = format!("{before}{whole}{fraction}{after}");
    let mut groups = filled
        .as_bytes()
        .chunks(GROUP)
        .map(|group| group.iter().fold(0_i16, |sum, digit| sum * 10 + i16::from(digit - b'0')))
        .collect::<Vec<_>>();
    let mut weight = i16::try_from((before.len() + whole.len()) / GROUP).ok()? - 1;
    let leading = groups.iter().take_while(|group| **group == 0).count();
    groups.drain(..leading);
    weight -= i16::try_from(leading).ok()?;
    while groups.last() == Some(&0) {
        groups.pop();
    }
    let zero = groups.is_empty();
    out.put_i16(i16::try_from(groups.len()).ok()?);
    out.put_i16(if zero { 0 } else { weight });
    out.put_u16(if negative && !zero { NEGATIVE } else { 0 });
    out.put_u16(u16::try_from(fraction.len()).ok()?);
    groups.into_iter().for_each(|group| out.put_i16(group));
    Some(())
}

/// Reads a number as a decimal; `None` when the bytes are none.
pub fn read(mut bytes: &[u8]) -> Option<String> {
    if bytes.len() < 8 {
        return None;
    }
    let (count, weight) = (usize::from(bytes.get_u16()), i32::from(bytes.get_i16()));
    let (sign, scale) = (bytes.get_u16(), usize::from(bytes.get_u16()));
    // Longer ones than any number of ours would only cost memory.
    let sane = (sign == 0 || sign == NEGATIVE) && (-100..100).contains(&weight) && scale < 400 && count < 200;
    if !sane || bytes.len() != count * 2 {
        return None;
    }
    let groups: Vec<u16> = (0..count).map(|_| bytes.get_u16()).collect();
    if groups.iter().any(|group| *group > 9_999) {
        return None;
    }
    let group = |place: i32| usize::try_from(weight - place).ok().and_then(|at| groups.get(at)).copied().unwrap_or(0);
    let whole: String = (0..=weight.max(0)).rev().map(|place| format!("{:04}", group(place))).collect();
    let places = i32::try_from(scale.div_ceil(GROUP)).ok()?;
    let fraction: String = (1..=places).map(|place| format!("{:04}", group(-place))).collect();
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let sign = if sign == NEGATIVE { "-" } else { "" };
    Some(if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{}", &fraction[..scale]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        let mut out = BytesMut::new();
        write(text, &mut out).unwrap();
        out.to_vec()
    }

    #[test]
    fn numbers_are_written_as_postgresql_writes_them() {
        // As `select numeric_send(…)` answers.
        for (text, expected) in [
            ("0", "0000000000000000"),
            ("1", "00010000000000000001"),
            ("-12345.678", "0003000140000003000109291a7c"),
            ("0.0001", "0001ffff000000040001"),
            ("100000000", "00010002000000000001"),
        ] {
            assert_eq!(hex::encode(bytes(text)), expected, "{text}");
        }
    }

    #[test]
    fn every_digit_comes_back() {
        let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        for text in [most, "0", "-1", "0.000000000000000001", "1234.5000", "-99999999.99999999", "10000.0001"] {
            assert_eq!(read(&bytes(text)).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", "1e5", "0x1", ".5", "Infinity"] {
            assert!(write(text, &mut BytesMut::new()).is_none(), "{text}");
        }
        for bytes in [&b""[..], b"\0\x01\0\0\0\0\0\0", b"\0\x01\0\0\0\0\0\0\x27\x10", b"\0\0\x7f\xff\0\0\0\0"] {
            assert!(read(bytes).is_none(), "{bytes:?}");
        }
    }
}
