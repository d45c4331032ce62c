//! The name a person probably meant.

/// The candidate nearest to a name by edits, if one is near enough to be a slip of the pen.
pub(in crate::kinds) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let allowed = 1 + name.chars().count() / 4;
    let scored = candidates.into_iter().map(|candidate| {
        let lower = candidate.to_lowercase();
        // A part of the name that is a whole word of the candidate is nearer than its edits tell: `address` → `to_address`.
        let contained = name.len() >= 4 && (lower.contains(&name) || name.contains(&lower) && lower.len() >= 4);
        let distance = edits(&name, &lower);
        (if contained { distance.min(allowed) } else { distance }, distance, candidate)
    });
    scored.filter(|(score, ..)| *score <= allowed).min().map(|(.., candidate)| candidate)
}

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
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
        assert_eq!(edits("ab", "ba"), 1);
        assert_eq!(edits("", "abc"), 3);
    }
}
