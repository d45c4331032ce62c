//! The name that a user probably meant, for error messages.

use strsim::osa_distance;

/// The candidate with the fewest edits from a name, if there are few enough for a typo.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let allowed = 1 + name.chars().count() / 4;
    let scored = candidates.into_iter().map(|candidate| {
        let lower = candidate.to_lowercase();
        // A name contained in the candidate is nearer than its edits say: `address` → `to_address`.
        let contained = name.len() >= 4 && (lower.contains(&name) || name.contains(&lower) && lower.len() >= 4);
        let distance = osa_distance(&name, &lower);
        (if contained { distance.min(allowed) } else { distance }, distance, candidate)
    });
    scored.filter(|(score, ..)| *score <= allowed).min().map(|(.., candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_found_and_other_names_are_not() {
        let tables = ["blocks", "transactions", "logs", "token_transfers"];
        assert_eq!(nearest("transaction", tables), Some("transactions"));
        assert_eq!(nearest("tranasctions", tables), Some("transactions"));
        assert_eq!(nearest("Blok", tables), Some("blocks"));
        assert_eq!(nearest("users", tables), None);
        assert_eq!(nearest("olgs", tables), Some("logs"));
    }
}
