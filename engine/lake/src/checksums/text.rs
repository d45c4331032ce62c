//! Checksums of small JSON files, in a last line of their own.

use std::io::{Error, Result};

use super::xxh64;

/// A line break and 16 hexadecimal digits.
const CHECKSUM_LINE: usize = 17;

/// Appends a line with the checksum of a text.
pub fn append_checksum(mut text: Vec<u8>) -> Vec<u8> {
    let sum = xxh64(&text);
    text.extend(format!("\n{sum:016x}").into_bytes());
    text
}

/// Verifies and removes the line of [`append_checksum`]. Text of older versions, JSON on one line, has none and is returned as it
/// is.
///
/// # Errors
/// The text differs from its checksum.
pub fn strip_checksum(bytes: &[u8]) -> Result<&[u8]> {
    let Some(end) = bytes.len().checked_sub(CHECKSUM_LINE).filter(|end| bytes[*end] == b'\n') else { return Ok(bytes) };
    let (text, checksum) = bytes.split_at(end);
    if checksum[1..] != *format!("{:016x}", xxh64(text)).as_bytes() {
        return Err(Error::other("it differs from its checksum"));
    }
    Ok(text)
}
