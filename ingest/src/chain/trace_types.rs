//! Trace types in the spelling of all sources: nodes write `delegatecall`, cryo `delegate_call`.

const CALLS: [&str; 4] = ["call", "delegatecall", "staticcall", "callcode"];
const CREATIONS: [&str; 2] = ["create", "create2"];

/// Parses a call type.
pub(crate) fn call(word: &str) -> Option<&'static str> {
    known(&CALLS, word)
}

/// Parses a creation type.
pub(crate) fn creation(word: &str) -> Option<&'static str> {
    known(&CREATIONS, word)
}

/// Parses a reward type.
pub(crate) fn reward(word: &str) -> Option<&'static str> {
    match plain(word).as_str() {
        // cryo writes "reward" for a block reward; an empty step is a block reward in proof of authority.
        "block" | "reward" | "emptystep" => Some("block"),
        "uncle" => Some("uncle"),
        _ => None,
    }
}

fn known(words: &[&'static str], word: &str) -> Option<&'static str> {
    let plain = plain(word);
    words.iter().find(|ours| **ours == plain).copied()
}

fn plain(word: &str) -> String {
    word.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}
