//! How texts become words: Latin words and names in lower case, Chinese in pairs of characters, as it has no blanks.

/// Words that say how something is asked and not what.
const COMMON: [&str; 46] = [
    "a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "get", "give", "how",
    "i", "in", "is", "it", "me", "my", "of", "on", "or", "please", "show", "tell", "that", "the", "there", "this",
    "to", "want", "was", "what", "when", "where", "which", "who", "why", "with", "you", "怎么", "如何",
];

pub fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// The words of a text, in order. `block_timestamp` counts as itself and as its parts.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut latin = String::new();
    let mut han = Vec::new();
    for character in text.chars().flat_map(char::to_lowercase).chain([' ']) {
        let is_word = !is_han(character) && (character.is_alphanumeric() || character == '_');
        if !is_word {
            end_latin(&mut latin, &mut found);
        }
        if is_han(character) {
            han.push(character);
        } else {
            end_han(&mut han, &mut found);
        }
        if is_word {
            latin.push(character);
        }
    }
    found.retain(|word| !COMMON.contains(&word.as_str()));
    found
}

fn end_latin(word: &mut String, found: &mut Vec<String>) {
    let word = std::mem::take(word);
    if word.contains('_') {
        found.extend(word.split('_').filter(|part| part.len() > 1).map(stem));
    }
    if !word.is_empty() {
        found.push(stem(&word));
    }
}

/// Plural and singular are the same word.
fn stem(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(one) if one.len() >= 3 && !one.ends_with('s') => one.to_string(),
        _ => word.to_string(),
    }
}

fn end_han(characters: &mut Vec<char>, found: &mut Vec<String>) {
    let characters = std::mem::take(characters);
    match characters.as_slice() {
        [one] => found.push(one.to_string()),
        many => found.extend(many.windows(2).map(|pair| pair.iter().collect::<String>())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_both_languages() {
        assert_eq!(words("How do I count the Transactions?"), ["count", "transaction"]);
        assert_eq!(words("block_timestamp"), ["block", "timestamp", "block_timestamp"]);
        assert_eq!(words("如何查询代币"), ["何查", "查询", "询代", "代币"]);
        assert_eq!(words("ERC-20 代币"), ["erc", "20", "代币"]);
        assert!(words("…!").is_empty());
    }
}
