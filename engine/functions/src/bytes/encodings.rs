//! Bytes as text and back: UTF-8, base32, base58, and base64, also in the alphabet of links (RFC 4648).

use data_encoding::{BASE32, BASE64, BASE64URL, Encoding};

use crate::prelude::*;

/// The longest value in base58: the work grows by the square of its length, and keys have 64 bytes at most.
const MAX_BASE58_BYTES: usize = 512;

macro_rules! encoding {
    ($to:literal, $from:literal, $encoding:expr, $words:literal, $example:literal) => {
        [
            doc(
                concat!($to, "(bytes)"),
                concat!("Bytes encoded as a ", $words, " string."),
                concat!("select ", $to, "(0x6574686572)"),
            )
            .udf(1..=1, takes_bytes(), |args, _| encode(&args[0], &$encoding)),
            doc(
                concat!($from, "(text)"),
                concat!("Bytes decoded from a ", $words, " string. Fails if the string is not valid ", $words, "."),
                concat!("select ", $from, "('", $example, "')"),
            )
            .fallible()
            .udf(1..=1, takes_text(), |args, _| {
                decode(&args[0], &$encoding, concat!("The string is not valid ", $words, "."))
            }),
        ]
    };
}

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![
        doc("to_utf8(text)", "The UTF-8 bytes of a string.", "select to_utf8('ether')").udf(
            1..=1,
            takes_text(),
            |args, _| Ok(Arc::new(text_of(&args[0])?.into_iter().collect::<BinaryArray>())),
        ),
        doc(
            "from_utf8(bytes, replacement)",
            "The string decoded from UTF-8 bytes. Invalid sequences become the replacement character U+FFFD, or the given replacement, which is a single character or empty.",
            "select from_utf8(0x6574686572)",
        )
        .udf(1..=2, takes_bytes(), |args, _| from_utf8(args)),
        doc("to_base64(bytes)", "Bytes encoded as a base64 string.", "select to_base64(0x6574686572)")
            .udf(1..=1, takes_bytes(), |args, _| encode(&args[0], &BASE64)),
        doc(
            "from_base64(text)",
            "Bytes decoded from a base64 string. Fails if the string is not valid base64.",
            "select from_base64('ZXRoZXI=')",
        )
        .fallible().udf(1..=1, takes_text(), |args, _| {
            map_rows::<BinaryArray, _, _>(text_of(&args[0])?, |text| {
                // As in Trino, the signs that fill up the last group may be left out, all of them.
                let signs = text.bytes().filter(|sign| !sign.is_ascii_whitespace()).count() % 4;
                let is_whole = signs == 0 || signs > 1 && !text.contains('=');
                from_base64(text).filter(|_| is_whole).ok_or_else(|| invalid("The string is not valid base64."))
            })
        }),
        doc(
            "to_base58(bytes)",
            "Bytes encoded as a base58 string, as Solana writes addresses.",
            "select to_base58(0x6574686572)",
        )
        .udf(1..=1, takes_bytes(), |args, _| map_rows::<StringArray, _, _>(bytes_of(&args[0])?, to_base58)),
        doc(
            "from_base58(text)",
            "Bytes decoded from a base58 string. Fails if the string is not valid base58.",
            "select from_base58('CvLkuGe')",
        )
        .fallible()
        .udf(1..=1, takes_text(), |args, _| map_rows::<BinaryArray, _, _>(text_of(&args[0])?, from_base58)),
    ];
    all.extend(encoding!("to_base32", "from_base32", BASE32, "base32", "MV2GQZLS"));
    all.extend(encoding!("to_base64url", "from_base64url", BASE64URL, "URL-safe base64", "ZXRoZXI="));
    all
}

fn takes_bytes() -> impl Returns {
    takes([is_bytes, is_text], "Expected bytes here, such as 0x6574686572.", DataType::Utf8)
}

fn takes_text() -> impl Returns {
    takes([is_text], "Expected a string here.", DataType::Binary)
}

fn encode(array: &ArrayRef, encoding: &Encoding) -> Result<ArrayRef> {
    map_rows::<StringArray, _, _>(bytes_of(array)?, |bytes| Ok(encoding.encode(bytes)))
}

fn decode(array: &ArrayRef, encoding: &Encoding, otherwise: &'static str) -> Result<ArrayRef> {
    // As in Trino, the signs that fill up the last group may be left out.
    map_rows::<BinaryArray, _, _>(text_of(array)?, |text| {
        let group = text.len().next_multiple_of(encoding.encode_len(1));
        encoding.decode(format!("{text:=<group$}").as_bytes()).map_err(|_| invalid(otherwise))
    })
}

fn from_utf8(args: &[ArrayRef]) -> Result<ArrayRef> {
    let rows = bytes_of(&args[0])?;
    let replacements = match args.get(1) {
        Some(replacements) => text_of(replacements)?,
        None => vec![Some("\u{fffd}"); rows.len()],
    };
    zip_rows::<StringArray, _, _, _>(rows, replacements, |bytes, replacement| {
        if replacement.chars().count() > 1 {
            return Err(invalid("The replacement for invalid UTF-8 must be a single character or empty."));
        }
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                text.push_str(replacement);
            }
        }
        Ok(text)
    })
}

/// The bytes of base64. A single sign at the end, which makes no byte, is passed over; `data-encoding` refuses it.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let signs = text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=');
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for sign in signs {
        bits = bits << 6 | SIGNS.iter().position(|known| *known == sign)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

fn to_base58(bytes: &[u8]) -> Result<String> {
    check_base58_length(bytes)?;
    Ok(bs58::encode(bytes).into_string())
}

fn from_base58(text: &str) -> Result<Vec<u8>> {
    check_base58_length(text.as_bytes())?;
    bs58::decode(text).into_vec().map_err(|_| invalid("The string is not valid base58."))
}

fn check_base58_length(bytes: &[u8]) -> Result<()> {
    match bytes.len() <= MAX_BASE58_BYTES {
        true => Ok(()),
        false => Err(invalid(format!(
            "Base58 is for keys and hashes: a value can have at most {MAX_BASE58_BYTES} bytes here."
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_goes_there_and_back() {
        for text in ["", "a", "ab", "abc", "any carnal pleas"] {
            assert_eq!(from_base64(&BASE64.encode(text.as_bytes())).unwrap(), text.as_bytes());
        }
        assert_eq!(BASE64.encode(b"ab"), "YWI=");
        assert_eq!(from_base64("YW J\nj=Z").unwrap(), b"abc", "the last sign makes no byte");
    }

    #[test]
    fn base58_goes_there_and_back() {
        // The examples of the draft of base58.
        let known: [(&[u8], &str); 3] = [
            (b"Hello World!", "2NEpo7TZRRrLZSi2U"),
            (
                b"The quick brown fox jumps over the lazy dog.",
                "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z",
            ),
            (&[0, 0, 0x28, 0x7f, 0xb4, 0xcd], "11233QC4"),
        ];
        for (bytes, text) in known {
            assert_eq!(to_base58(bytes).unwrap(), text);
            assert_eq!(from_base58(text).unwrap(), bytes);
        }
        assert_eq!((to_base58(&[]).unwrap(), from_base58("").unwrap()), (String::new(), Vec::new()));
        assert!(from_base58("0OIl").is_err() && to_base58(&[1; MAX_BASE58_BYTES + 1]).is_err());
    }
}
