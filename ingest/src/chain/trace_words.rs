//! The words of traces of all sources: nodes say `delegatecall`, cryo's files `delegate_call`.

const CALLS: [&str; 4] = ["call", "delegatecall", "staticcall", "callcode"];
const CREATIONS: [&str; 2] = ["create", "create2"];

/// How something was called, as the lake names it.
pub(crate) fn call(word: &str) -> Option<&'static str> {
    known(&CALLS, word)
}

/// How a contract was created.
pub(crate) fn creation(word: &str) -> Option<&'static str> {
    known(&CREATIONS, word)
}

/// What a reward was for.
pub(crate) fn reward(word: &str) -> Option<&'static str> {
    match plain(word).as_str() {
        // cryo calls the block's own "reward"; an empty step is a block's in proof of authority.
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
