//! Finds the results of calls in a response without parsing them. The caller deserializes each into its type, which
//! also rejects invalid JSON.

use std::ops::Range;
use std::sync::Arc;

use memchr::memchr2;

/// The result of a call: a slice of the response.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    text: Arc<String>,
    /// `None` without a result.
    place: Option<Range<usize>>,
}

impl Answer {
    pub(super) fn new(text: Arc<String>, place: Option<Range<usize>>) -> Answer {
        Answer { text, place }
    }

    /// The JSON; `null` without a result.
    pub(crate) fn get(&self) -> &str {
        self.place.clone().and_then(|place| self.text.get(place)).unwrap_or("null")
    }
}

/// The positions of the fields of a response.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    pub(super) id: Option<Range<usize>>,
    pub(super) result: Option<Range<usize>>,
    pub(super) error: Option<Range<usize>>,
}

/// The responses of a batch, or of a single call, and whether it is a batch. `None` for anything else, and for more
/// responses than calls, whose parsed form would take far more memory than the text.
pub(super) fn envelopes(text: &str, calls: usize) -> Option<(bool, Vec<Envelope>)> {
    let mut scan = Scan::of(text);
    let many = scan.passed(b'[');
    let mut found = Vec::new();
    if !many {
        found.push(scan.envelope()?);
    } else if !scan.passed(b']') {
        scan.items(b']', |scan| {
            found.push(scan.envelope()?);
            (found.len() <= calls).then_some(())
        })?;
    }
    scan.is_at_end().then_some((many, found))
}

/// Scans JSON without parsing its values.
pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    /// Starts at the beginning of a text.
    pub(super) fn of(text: &'a str) -> Scan<'a> {
        Scan { bytes: text.as_bytes(), at: 0 }
    }

    /// The position.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Skips this byte if it is next and returns its position.
    pub(super) fn begins(&mut self, byte: u8) -> Option<usize> {
        self.passed(byte).then(|| self.at - 1)
    }

    /// The next byte that is not white space.
    fn next(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn is_at_end(&mut self) -> bool {
        self.next().is_none()
    }

    /// Skips this byte if it is next and returns whether it was.
    pub(super) fn passed(&mut self, byte: u8) -> bool {
        let comes = self.next() == Some(byte);
        self.at += usize::from(comes);
        comes
    }

    /// Scans comma-separated items up to and including `end`; at least one.
    fn items(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        loop {
            item(self)?;
            if self.passed(end) {
                return Some(());
            }
            if !self.passed(b',') {
                return None;
            }
        }
    }

    fn envelope(&mut self) -> Option<Envelope> {
        let mut envelope = Envelope::default();
        if !self.passed(b'{') {
            return None;
        }
        if self.passed(b'}') {
            return Some(envelope);
        }
        self.items(b'}', |scan| {
            let name = scan.string()?;
            if !scan.passed(b':') {
                return None;
            }
            let value = scan.value()?;
            let place = match &scan.bytes[name] {
                b"\"id\"" => &mut envelope.id,
                b"\"result\"" => &mut envelope.result,
                b"\"error\"" => &mut envelope.error,
                _ => return Some(()),
            };
            // A duplicate field makes the response invalid.
            place.replace(value).is_none().then_some(())
        })?;
        Some(envelope)
    }

    /// A string with quotes.
    pub(super) fn string(&mut self) -> Option<Range<usize>> {
        if self.next() != Some(b'"') {
            return None;
        }
        let start = self.at;
        self.at += 1;
        loop {
            self.at = ending(self.bytes, self.at)?;
            if self.bytes[self.at] == b'"' {
                self.at += 1;
                return Some(start..self.at);
            }
            // A backslash escapes the next byte.
            self.at += 2;
            if self.at > self.bytes.len() {
                return None;
            }
        }
    }

    /// Any value, delimited by brackets and quotes.
    pub(super) fn value(&mut self) -> Option<Range<usize>> {
        let mut depth = 0_usize;
        let first = self.next()?;
        let start = self.at;
        if !matches!(first, b'"' | b'[' | b'{') {
            let length =
                self.bytes[start..].iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte));
            self.at += length.unwrap_or(self.bytes.len() - start);
            return (self.at > start).then_some(start..self.at);
        }
        loop {
            match self.bytes.get(self.at)? {
                b'"' => {
                    self.string()?;
                }
                byte => {
                    match byte {
                        b'[' | b'{' => depth += 1,
                        b']' | b'}' => depth = depth.checked_sub(1)?,
                        _ => {}
                    }
                    self.at += 1;
                }
            }
            if depth == 0 {
                return Some(start..self.at);
            }
        }
    }
}

/// Position of the first quote or backslash at or after `at`.
///
/// Most strings are short; for them the runtime detection of CPU features in each call of `memchr` takes longer than
/// the search. All CPUs of this architecture have SSE2.
fn ending(bytes: &[u8], at: usize) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "there is no machine of this architecture without SSE2")]
    unsafe {
        ending_by_sixteen(bytes, at)
    }
    #[cfg(not(target_arch = "x86_64"))]
    Some(at + memchr2(b'"', b'\\', bytes.get(at..)?)?)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn ending_by_sixteen(bytes: &[u8], mut at: usize) -> Option<usize> {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8};

    let (quotes, backslashes) = (_mm_set1_epi8(b'"'.cast_signed()), _mm_set1_epi8(b'\\'.cast_signed()));
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let chunk = i128::from_le_bytes(*chunk);
        let chunk = _mm_set_epi64x((chunk >> 64) as i64, chunk as i64);
        let found = _mm_or_si128(_mm_cmpeq_epi8(chunk, quotes), _mm_cmpeq_epi8(chunk, backslashes));
        let found = _mm_movemask_epi8(found);
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += 16;
    }
    Some(at + memchr2(b'"', b'\\', bytes.get(at..)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Yields the result of each response.
    fn results(text: &str) -> Option<Vec<&str>> {
        let (_, found) = envelopes(text, 2)?;
        Some(found.into_iter().map(|envelope| envelope.result.map_or("", |place| &text[place])).collect())
    }

    #[test]
    fn results_may_have_any_content() {
        for result in [
            "1",
            "-1.5e3",
            "null",
            "\"\"",
            r#""a \" ] } \\""#,
            "{}",
            "[]",
            r#"{"a":[{"b":"]"},{"c":"\\\"}"}],"é":"\u00e9"}"#,
            "[[[[]]],\"[\"]",
        ] {
            let single = format!(r#" {{"jsonrpc":"2.0","id":0,"result":{result}}} "#);
            assert_eq!(results(&single), Some(vec![result]));
            let batch = format!(r#"[{{ "result" : {result} , "id" : 1 }},{{"id":0,"error":{{"code":1}}}}]"#);
            assert_eq!(results(&batch), Some(vec![result, ""]));
        }
        assert_eq!(results("[]"), Some(vec![]));
        assert_eq!(results("{}"), Some(vec![""]));
    }

    #[test]
    fn truncated_or_other_text_is_none() {
        let whole = r#"[{"id":0,"result":{"a":["b\"",1]}},{"id":1,"error":{"code":-1}}]"#;
        assert!(envelopes(whole, 2).is_some());
        assert!(envelopes(whole, 1).is_none() && envelopes(whole, 0).is_none(), "there were not so many calls");
        for end in 0..whole.len() {
            assert!(envelopes(&whole[..end], 2).is_none(), "{}", &whole[..end]);
        }
        for other in [
            "<html>",
            "\"0x1\"",
            "1",
            "[1]",
            "[{}",
            "[{},]",
            "{\"id\"}",
            "{\"id\":}",
            "{id:0}",
            "{\"id\":0}{\"id\":1}",
            "{\"id\":0,\"id\":1}",
            "{\"result\":]}",
            "{\"result\":\"\\",
        ] {
            assert!(envelopes(other, 2).is_none(), "{other}");
        }
    }

    #[test]
    fn end_of_string_at_any_distance() {
        for length in 0..70 {
            let (plain, escaped) = ("é".repeat(length / 2) + &"x".repeat(length % 2), "\\\"".repeat(length));
            for text in [format!("\"{plain}\""), format!("\"{plain}{escaped}\""), format!("\"{escaped}{plain}\"")] {
                let answer = format!(r#"{{"id":0,"result":{text},"x":1}}"#);
                assert_eq!(results(&answer), Some(vec![text.as_str()]));
            }
        }
        assert_eq!(ending(&[b'x'; 40], 3), None);
    }

    #[test]
    fn response_without_result_is_null() {
        let text = Arc::new("[7]".to_string());
        assert_eq!(Answer::new(Arc::clone(&text), Some(1..2)).get(), "7");
        assert_eq!(Answer::new(text, None).get(), "null");
    }
}
