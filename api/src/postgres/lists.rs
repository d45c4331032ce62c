//! Parses arrays that clients bind: `{1,NULL,2}` and PostgreSQL's binary format.

use bytes::Buf;

use super::types::{CHAR, NAME, TEXT, VARCHAR};
use super::wire::Fault;

/// Maximum items of an array.
const MOST_ITEMS: usize = 10_000;
/// Text types, which are interchangeable.
const TEXTS: [u32; 4] = [CHAR, NAME, TEXT, VARCHAR];

/// The bytes of each item of an array with items of type `item`; `None` for a null.
pub fn items(bytes: &[u8], item: u32, format: i16) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let items = if format == 0 { of_text(bytes)? } else { of_binary(bytes, item)? };
    if items.len() > MOST_ITEMS {
        return Err(too_many());
    }
    Ok(items)
}

fn wrong() -> Fault {
    Fault::new("22P02", "A bound value is not a valid array.")
}

fn too_many() -> Fault {
    Fault::new("54000", format!("A bound array can have at most {MOST_ITEMS} items."))
}

fn nested() -> Fault {
    Fault::new("0A000", "A list of lists can't be bound. Bind an array of one dimension.")
}

/// The items of `{a,"b c",NULL}`.
fn of_text(bytes: &[u8]) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let bytes = bytes.trim_ascii();
    // `[1:3]={a,b,c}` gives explicit bounds, which do not matter here.
    let bytes = match bytes.first() {
        Some(b'[') => bytes.iter().position(|byte| *byte == b'=').map_or(bytes, |at| bytes[at + 1..].trim_ascii()),
        _ => bytes,
    };
    let inside = bytes.strip_prefix(b"{").and_then(|bytes| bytes.strip_suffix(b"}")).ok_or_else(wrong)?;
    if inside.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let (mut items, mut item) = (Vec::new(), Vec::new());
    let (mut quoted, mut escaped, mut was_quoted) = (false, false, false);
    for byte in inside.iter().chain(b",") {
        match byte {
            _ if escaped => {
                item.push(*byte);
                escaped = false;
            }
            b'\\' => escaped = true,
            b'"' => (quoted, was_quoted) = (!quoted, true),
            b',' if !quoted => {
                let text = std::mem::take(&mut item);
                let text = if was_quoted { text } else { text.trim_ascii().to_vec() };
                if text.is_empty() && !was_quoted {
                    return Err(wrong());
                }
                items.push((was_quoted || !text.eq_ignore_ascii_case(b"null")).then_some(text));
                was_quoted = false;
            }
            b'{' if !quoted => return Err(nested()),
            b'}' if !quoted => return Err(wrong()),
            // Whitespace around quotes.
            b' ' | b'\t' | b'\n' if !quoted && (was_quoted || item.is_empty()) => {}
            other => item.push(*other),
        }
        if items.len() > MOST_ITEMS {
            return Err(too_many());
        }
    }
    // A trailing backslash escapes the comma that was added to end the last item.
    if quoted || escaped || !item.is_empty() { Err(wrong()) } else { Ok(items) }
}

/// The items of the binary format: dimensions, a flag for nulls, the item type, the item count, the lower bound, and the items
/// with their lengths.
fn of_binary(mut bytes: &[u8], item: u32) -> Result<Vec<Option<Vec<u8>>>, Fault> {
    let number = |bytes: &mut &[u8]| bytes.try_get_i32().map_err(|_| wrong());
    let dimensions = number(&mut bytes)?;
    number(&mut bytes)?;
    let told = number(&mut bytes)?.cast_unsigned();
    if told != item && !(TEXTS.contains(&told) && TEXTS.contains(&item)) {
        let message = format!("A bound array has items of type {told}, but {item} is expected.");
        return Err(Fault::new("42804", message));
    }
    match dimensions {
        0 => return Ok(Vec::new()),
        1 => {}
        2.. => return Err(nested()),
        _ => return Err(wrong()),
    }
    let count = usize::try_from(number(&mut bytes)?).map_err(|_| wrong())?;
    if count > MOST_ITEMS {
        return Err(too_many());
    }
    number(&mut bytes)?;
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        items.push(match number(&mut bytes)? {
            -1 => None,
            length => {
                let length = usize::try_from(length).map_err(|_| wrong())?;
                let item = bytes.get(..length).ok_or_else(wrong)?.to_vec();
                bytes.advance(length);
                Some(item)
            }
        });
    }
    if bytes.is_empty() { Ok(items) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::types::{INT4, INT8};

    fn state(bytes: &[u8], format: i16) -> &'static str {
        items(bytes, INT4, format).unwrap_err().state
    }

    #[test]
    fn array_literals_are_parsed() {
        let parsed = |text: &str| {
            let items = items(text.as_bytes(), TEXT, 0).unwrap().into_iter();
            items.map(|item| item.map(|item| String::from_utf8(item).unwrap())).collect::<Vec<_>>()
        };
        let some = |text: &str| Some(text.to_string());
        assert_eq!(
            parsed("{a, NULL ,\"null\", \"b, \\\"c\" , d e,\"\"}"),
            [some("a"), None, some("null"), some("b, \"c"), some("d e"), some("")]
        );
        assert_eq!(parsed("[0:1]={x,y}"), [some("x"), some("y")]);
        assert_eq!(parsed(" { } "), []);
    }

    #[test]
    fn malformed_and_nested_arrays_are_refused() {
        for text in ["", "1,2", "{1", "1}", "{1,}", "{,}", "{\"a}", "{a\\}", "{a}b}", "[0:1]x"] {
            assert_eq!(state(text.as_bytes(), 0), "22P02", "{text}");
        }
        assert_eq!(state(b"{{1},{2}}", 0), "0A000");
        assert_eq!(state(format!("{{1{}}}", ",1".repeat(MOST_ITEMS)).as_bytes(), 0), "54000");
        let binary = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<u8>>();
        let int4 = INT4.cast_signed();
        assert_eq!(items(&binary(&[1, 0, int4, 1, 1, 4, 7]), INT4, 1).unwrap(), [Some(vec![0, 0, 0, 7])]);
        assert_eq!(items(&binary(&[0, 0, int4]), INT4, 1).unwrap(), []);
        for (numbers, expected) in [
            (&[1, 0, int4][..], "22P02"),
            (&[-1, 0, int4], "22P02"),
            (&[1, 0, int4, -1, 1], "22P02"),
            (&[1, 0, int4, 1, 1], "22P02"),
            (&[1, 0, int4, 1, 1, 9, 7], "22P02"),
            (&[1, 0, int4, 1, 1, -7], "22P02"),
            (&[1, 0, int4, 0, 1, 4], "22P02"),
            (&[1, 0, int4, i32::MAX, 1], "54000"),
            (&[2, 0, int4, 1, 1, 1, 1, 4, 7], "0A000"),
            (&[1, 0, INT8.cast_signed(), 0, 1], "42804"),
        ] {
            assert_eq!(state(&binary(numbers), 1), expected, "{numbers:?}");
        }
    }
}
