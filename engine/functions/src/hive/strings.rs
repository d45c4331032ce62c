//! Functions that change or compare texts letter by letter.

use super::rows::Kind::{Bytes, Int, Text};
use super::rows::{Def, Value, def};

pub(super) const FUNCTIONS: &[Def] = &[
    def("levenshtein", &[Text, Text], Int, |row| Some(levenshtein(row.text(0)?, row.text(1)?).into())),
    def("soundex", &[Text], Text, |row| Some(soundex(row.text(0)?).into())),
    def("base64", &[Bytes], Text, |row| Some(to_base64(row.bytes(0)?).into())),
    def("unbase64", &[Text], Bytes, |row| Some(Value::Bytes(from_base64(row.text(0)?)?))),
];

fn levenshtein(a: &str, b: &str) -> i64 {
    let b: Vec<char> = b.chars().collect();
    let mut costs: Vec<i64> = (0..=b.len() as i64).collect();
    for (row, letter) in a.chars().enumerate() {
        let mut diagonal = costs[0];
        costs[0] = row as i64 + 1;
        for (column, other) in b.iter().enumerate() {
            let replaced = diagonal + i64::from(letter != *other);
            diagonal = costs[column + 1];
            costs[column + 1] = replaced.min(diagonal + 1).min(costs[column] + 1);
        }
    }
    costs[b.len()]
}

fn soundex(text: &str) -> String {
    let code = |letter: char| match letter {
        'B' | 'F' | 'P' | 'V' => '1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => '2',
        'D' | 'T' => '3',
        'L' => '4',
        'M' | 'N' => '5',
        'R' => '6',
        'H' | 'W' => '-',
        _ => '0',
    };
    let letters: Vec<char> = text.to_uppercase().chars().filter(char::is_ascii_alphabetic).collect();
    let Some(first) = letters.first() else { return String::new() };
    let (mut out, mut last) = (first.to_string(), code(*first));
    for letter in &letters[1..] {
        let now = code(*letter);
        if now == '-' {
            continue;
        }
        if now != '0' && now != last {
            out.push(now);
        }
        last = now;
    }
    format!("{:0<4}", out.chars().take(4).collect::<String>())
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base64.
pub(crate) fn to_base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let sign = char::from(BASE64[(bits >> (18 - 6 * place)) as usize & 63]);
            out.push(if place <= group.len() { sign } else { '=' });
        }
    }
    out
}

/// The bytes of base64; signs at the end that make no byte are passed over.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let signs = text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=');
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for sign in signs {
        bits = bits << 6 | BASE64.iter().position(|known| *known == sign)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_goes_there_and_back() {
        for text in ["", "a", "ab", "abc", "any carnal pleas"] {
            assert_eq!(from_base64(&to_base64(text.as_bytes())).unwrap(), text.as_bytes());
        }
        assert_eq!(to_base64(b"ab"), "YWI=");
    }

    #[test]
    fn texts_are_compared() {
        assert_eq!(soundex("Miller"), "M460");
        assert_eq!(levenshtein("kitten", "sitting"), 3);
    }
}
