//! Functions that change or compare texts letter by letter.

use super::rows::Kind::{self, Bytes, Int, Long, Text};
use super::rows::{Def, Row, Value, def, opt};

pub(super) const FUNCTIONS: &[Def] = &[
    def("levenshtein", &[Text, Text], Int, |row| Some(levenshtein(row.text(0)?, row.text(1)?).into())),
    def("soundex", &[Text], Text, |row| Some(soundex(row.text(0)?).into())),
    def("base64", &[Bytes], Text, |row| Some(to_base64(row.bytes(0)?).into())),
    def("unbase64", &[Text], Bytes, |row| Some(Value::Bytes(from_base64(row.text(0)?)?))),
    opt("mask", 1, &[Text; 5], Text, |row| mask(row, 1, |_| (0, usize::MAX))),
    opt("mask_first_n", 1, &PART, Text, |row| mask(row, 2, |letters| (0, letters.first))),
    opt("mask_last_n", 1, &PART, Text, |row| mask(row, 2, |letters| (letters.last, usize::MAX))),
    opt("mask_show_first_n", 1, &PART, Text, |row| mask(row, 2, |letters| (letters.first, usize::MAX))),
    opt("mask_show_last_n", 1, &PART, Text, |row| mask(row, 2, |letters| (0, letters.last))),
];

/// A text, how many letters of it are meant, and what stands for capitals, small letters, digits and the rest.
const PART: [Kind; 6] = [Text, Long, Text, Text, Text, Text];
/// How many letters are meant when the call says nothing.
const LETTERS: i64 = 4;

/// Places in a text behind its first and before its last letters.
struct Letters {
    first: usize,
    last: usize,
}

/// Capitals become X, small letters x and digits n, or what the arguments from `signs` on say; `-1` leaves them alone.
fn mask(row: &Row<'_>, signs: usize, range: fn(&Letters) -> (usize, usize)) -> Option<Value> {
    let text = row.text(0)?;
    let count = if signs == 2 && row.len() > 1 { row.long(1)? } else { LETTERS };
    let first = usize::try_from(count).unwrap_or(0);
    let letters = Letters { first, last: text.chars().count().saturating_sub(first) };
    let (from, to) = range(&letters);
    let sign = |at: usize, usual: Option<char>| match row.len() > signs + at {
        true => row.text(signs + at).map_or(usual, |sign| if sign == "-1" { None } else { sign.chars().next() }),
        false => usual,
    };
    let (capital, small, digit, other) = (sign(0, Some('X')), sign(1, Some('x')), sign(2, Some('n')), sign(3, None));
    let one = |(at, letter): (usize, char)| match letter {
        _ if at < from || at >= to => letter,
        'A'..='Z' => capital.unwrap_or(letter),
        'a'..='z' => small.unwrap_or(letter),
        '0'..='9' => digit.unwrap_or(letter),
        _ => other.unwrap_or(letter),
    };
    Some(text.chars().enumerate().map(one).collect::<String>().into())
}

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
pub(in crate::functions) fn to_base64(bytes: &[u8]) -> String {
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
pub(in crate::functions) fn from_base64(text: &str) -> Option<Vec<u8>> {
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
