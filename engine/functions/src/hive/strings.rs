//! Functions that change or compare texts letter by letter.

use data_encoding::BASE64;
use strsim::levenshtein;

use super::rows::Kind::{Bytes, Int, Text};
use super::rows::{Def, Value, def};
use crate::bytes::texts_as_bytes::from_base64;

pub(super) const FUNCTIONS: &[Def] = &[
    def("levenshtein", &[Text, Text], Int, |row| Some((levenshtein(row.text(0)?, row.text(1)?) as i64).into())),
    def("soundex", &[Text], Text, |row| Some(soundex(row.text(0)?).into())),
    def("base64", &[Bytes], Text, |row| Some(BASE64.encode(row.bytes(0)?).into())),
    def("unbase64", &[Text], Bytes, |row| Some(Value::Bytes(from_base64(row.text(0)?)?))),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared() {
        assert_eq!(soundex("Miller"), "M460");
        assert_eq!(levenshtein("kitten", "sitting"), 3);
    }
}
