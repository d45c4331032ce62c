//! Positions of errors about a driver: of the word in its text that an error is about.

use quarry_types::{Error, ErrorCode, Position};

/// An error about the driver, at the first occurrence of a word in its text.
pub(super) fn driver_error(message: impl Into<String>, word: &str, text: &str) -> Error {
    locate(Error::new(ErrorCode::InvalidInput, format!("driver: {}", message.into())).about("driver"), word, text)
}

/// The error at the first place of a word.
pub(super) fn locate(error: Error, word: &str, text: &str) -> Error {
    match position(word, text) {
        Some(position) => error.at(position),
        None => error,
    }
}

/// The first word of a message that occurs in one of several parts of a driver.
pub(super) fn word_in_message<'a>(message: &'a str, parts: &[&str]) -> Option<&'a str> {
    let mut words = message.split(|letter| !is_letter(letter)).filter(|word| word.len() > 1);
    words.find(|word| parts.iter().any(|part| position(word, part).is_some()))
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The first place of a word that is not a part of a longer one.
fn position(word: &str, text: &str) -> Option<Position> {
    let alone =
        |start: usize| !text[..start].ends_with(is_letter) && !text[start + word.len()..].starts_with(is_letter);
    let (start, _) = text.match_indices(word).find(|(start, _)| !word.is_empty() && alone(*start))?;
    let line = text[..start].matches('\n').count() as u64 + 1;
    let column = text[..start].chars().rev().take_while(|letter| *letter != '\n').count() as u64 + 1;
    Some(Position { line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        let text = "{\n  inputs: 'ä', input: 'blocks'}";
        assert_eq!(position("input", text), Some(Position { line: 2, column: 16 }));
        assert_eq!(position("blocks", text), Some(Position { line: 2, column: 24 }));
        assert_eq!((position("put", text), position("", text)), (None, None));
        assert_eq!(word_in_message("There is no column hsh.", &["value > 1", "hsh"]), Some("hsh"));
        assert_eq!(word_in_message("Nothing.", &["value"]), None);
    }
}
