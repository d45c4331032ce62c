//! The name a person probably meant.

use strsim::osa_distance;

/// The candidate nearest to a name by edits, if one is near enough to be a slip of the pen.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let allowed = 1 + name.chars().count() / 4;
    let scored = candidates.into_iter().map(|candidate| {
        let lower = candidate.to_lowercase();
        // A part of the name that is a whole word of the candidate is nearer than its edits tell: `address` → `to_address`.
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
    fn slips_are_found_and_strangers_are_not() {
        let tables = ["blocks", "transactions", "logs", "token_transfers"];
        assert_eq!(nearest("transaction", tables), Some("transactions"));
        assert_eq!(nearest("tranasctions", tables), Some("transactions"));
        assert_eq!(nearest("Blok", tables), Some("blocks"));
        assert_eq!(nearest("users", tables), None);
        assert_eq!(nearest("olgs", tables), Some("logs"));
    }
}
