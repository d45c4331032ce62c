//! Codes that people keep or pass on: too long to be guessed, so that a plain hash of them is enough.

use sha2::{Digest, Sha256};

use super::token::fill_random;

/// Letters and digits without those that look alike.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH: usize = 16;

/// 80 random bits, as four groups of four letters.
pub fn secret_code() -> String {
    let mut bytes = [0; LENGTH];
    fill_random(&mut bytes);
    // 256 is a multiple of 32, so every letter is as likely.
    let letters: Vec<u8> = bytes.iter().map(|byte| LETTERS[usize::from(byte % 32)]).collect();
    letters.chunks(4).map(|group| String::from_utf8_lossy(group).into_owned()).collect::<Vec<_>>().join("-")
}

/// What is kept of a code; hyphens, spaces and capitals make no difference.
pub fn hash(code: &str) -> String {
    hex::encode(Sha256::digest(normalized(code)))
}

/// Whether a text has the form of such a code.
pub fn looks_like_one(text: &str) -> bool {
    normalized(text).len() == LENGTH
}

fn normalized(code: &str) -> String {
    // Nobody types more than a few signs between the letters.
    code.chars().take(4 * LENGTH).filter(|letter| !matches!(letter, '-' | ' ')).collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_same_however_it_is_typed() {
        let code = secret_code();
        assert!(looks_like_one(&code) && code.len() == 19, "{code}");
        assert_eq!(hash(&code), hash(&code.replace('-', " ").to_uppercase()));
        assert_ne!(hash(&code), hash(&secret_code()));
        assert!(!looks_like_one("123456"));
    }
}
