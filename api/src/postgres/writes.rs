//! Refuses statements that write. The engine can't even parse some of them.

use super::wire::Fault;

/// Follows a refusal: how to create tables instead.
pub const INSTEAD: &str = "Tables of your own are made on the web, of an uploaded file or by a HIVE job.";
/// SQLSTATE `read_only_sql_transaction`.
pub const READ_ONLY: &str = "25006";

const WRITES: [&str; 24] = [
    "alter", "analyze", "call", "cluster", "comment", "create", "delete", "do", "drop", "grant", "import", "insert",
    "load", "lock", "merge", "reassign", "refresh", "reindex", "replace", "revoke", "security", "truncate", "update",
    "vacuum",
];
/// Statements for which the protocol or the web has another way.
const NOT_SERVED: [(&str, &str); 5] = [
    ("listen", "Nothing is announced here; a job's progress is told on the web."),
    ("notify", "Nothing is announced here; a job's progress is told on the web."),
    ("prepare", "Let the driver prepare statements, by the protocol's own messages."),
    ("execute", "Let the driver prepare statements, by the protocol's own messages."),
    ("checkpoint", "The server looks after its files by itself."),
];

/// Keywords after the verb that name the kind of object.
const KINDS: [&str; 13] = [
    "external",
    "from",
    "function",
    "index",
    "into",
    "local",
    "materialized",
    "schema",
    "table",
    "temp",
    "temporary",
    "type",
    "view",
];

/// Why a statement that begins with these words is refused; `None` if it is allowed.
pub fn refused(words: &[&str]) -> Option<Fault> {
    let (verb, rest) = words.split_first()?;
    if let Some((_, instead)) = NOT_SERVED.iter().find(|(known, _)| known == verb) {
        return Some(Fault::new("0A000", format!("{} is not served. {instead}", verb.to_uppercase())));
    }
    if !WRITES.contains(verb) {
        return None;
    }
    let kinds = rest.iter().take_while(|word| KINDS.contains(word));
    let what = std::iter::once(verb).chain(kinds).map(|word| word.to_uppercase()).collect::<Vec<_>>().join(" ");
    Some(Fault::new(READ_ONLY, format!("{what} is not allowed: queries are read-only. {INSTEAD}")))
}

#[cfg(test)]
mod tests {
    use crate::postgres::statement::{What, split};

    #[test]
    fn refused_writes_name_the_alternative() {
        for (text, begins, state) in [
            ("insert into blocks values (1)", "INSERT INTO is not allowed: queries are read-only.", "25006"),
            ("DELETE FROM blocks", "DELETE FROM is not allowed", "25006"),
            ("create temp table x (n int)", "CREATE TEMP TABLE is not allowed", "25006"),
            ("refresh materialized view v", "REFRESH MATERIALIZED VIEW is not allowed", "25006"),
            ("vacuum", "VACUUM is not allowed", "25006"),
            ("do $$ begin end $$", "DO is not allowed", "25006"),
            ("listen x", "LISTEN is not served.", "0A000"),
        ] {
            let What::Refused(fault) = split(text).unwrap().remove(0).what else { panic!("{text}") };
            assert!(fault.message.starts_with(begins) && fault.state == state, "{text}: {fault:?}");
        }
        for text in ["select 1", "with a as (select 1) select * from a", "values (1)", "explain select 1", "(select 1)"]
        {
            assert!(matches!(split(text).unwrap()[0].what, What::Query(_)), "{text}");
        }
    }
}
