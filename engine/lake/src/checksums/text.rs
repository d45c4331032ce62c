//! Small descriptions that are read whole: their checksum stands in a last line of its own.

use std::io::{Error, Result};

use super::of_bytes;

/// A line break and 16 hexadecimal digits.
const SEAL: usize = 17;

/// The text with its checksum behind it.
pub fn sealed(mut text: Vec<u8>) -> Vec<u8> {
    let sum = of_bytes(&text);
    text.extend(format!("\n{sum:016x}").into_bytes());
    text
}

/// The text that was sealed. One that an older version wrote has no seal, and is returned as it is: JSON on one line.
///
/// # Errors
/// It differs from its checksum.
pub fn unsealed(bytes: &[u8]) -> Result<&[u8]> {
    let Some(end) = bytes.len().checked_sub(SEAL).filter(|end| bytes[*end] == b'\n') else { return Ok(bytes) };
    let (text, seal) = bytes.split_at(end);
    if seal[1..] != *format!("{:016x}", of_bytes(text)).as_bytes() {
        return Err(Error::other("it differs from its checksum"));
    }
    Ok(text)
}
