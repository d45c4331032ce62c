//! The index of words behind the search: FTS5 in SQLite, a tsvector in PostgreSQL. Both take and find the same terms,
//! which are cut from texts by the caller; here they are only words between spaces.

use sqlx::{AnyConnection, AnyPool, Executor};

/// The table of the index; a backup leaves it and what belongs to it out.
pub(super) const TABLE: &str = "search_terms";

/// Which database answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// A term of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// The word itself.
    Word(String),
    /// Every word that starts so.
    Prefix(String),
}

/// What a search asks for: all of `wanted`, and no group of `unwanted` as a whole. Something must be wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    pub wanted: Vec<Term>,
    pub unwanted: Vec<Vec<Term>>,
}

/// Makes the index where it is missing; a migration can't, since the two databases have no common text for it.
pub(super) async fn prepare(pool: &AnyPool, dialect: Dialect) -> Result<(), sqlx::Error> {
    let statements: &[&'static str] = match dialect {
        // Every character beyond ASCII is a letter, so FTS5 cuts nothing that the caller did not cut.
        Dialect::Sqlite => &["create virtual table if not exists search_terms using fts5(terms, content = '', \
             contentless_delete = 1, detail = none, prefix = '1 2 3', tokenize = \"ascii tokenchars ':_'\")"],
        Dialect::Postgres => &[
            "create table if not exists search_terms (number bigint primary key, terms tsvector not null)",
            "create index if not exists search_terms_by_term on search_terms using gin (terms)",
        ],
    };
    // What earlier versions called it; theirs knew no pairs of words.
    pool.execute("drop table if exists search_index").await?;
    for statement in statements {
        pool.execute(*statement).await?;
    }
    Ok(())
}

impl Dialect {
    /// Remembers the terms (words between spaces, each once) of an entry, in place of those it had.
    pub async fn index(self, at: &mut AnyConnection, number: i64, terms: &str) -> Result<(), sqlx::Error> {
        self.forget(at, number).await?;
        let statement = match self {
            Dialect::Sqlite => "insert into search_terms (rowid, terms) values ($1, $2)",
            Dialect::Postgres => {
                "insert into search_terms (number, terms) values ($1, array_to_tsvector(string_to_array($2, ' ')))"
            }
        };
        sqlx::query(statement).bind(number).bind(terms).execute(at).await?;
        Ok(())
    }

    pub async fn forget(self, at: &mut AnyConnection, number: i64) -> Result<(), sqlx::Error> {
        let statement = match self {
            Dialect::Sqlite => "delete from search_terms where rowid = $1",
            Dialect::Postgres => "delete from search_terms where number = $1",
        };
        sqlx::query(statement).bind(number).execute(at).await?;
        Ok(())
    }

    /// Forgets everything.
    pub async fn clear(self, at: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let statement = match self {
            Dialect::Sqlite => "insert into search_terms (search_terms) values ('delete-all')",
            Dialect::Postgres => "delete from search_terms",
        };
        sqlx::query(statement).execute(at).await?;
        Ok(())
    }

    /// A condition: the number, an expression of SQL, is not indexed.
    pub fn lacks(self, number: &str) -> String {
        let indexed = match self {
            Dialect::Sqlite => "rowid",
            Dialect::Postgres => "number",
        };
        format!("not exists (select 1 from search_terms t where t.{indexed} = {number})")
    }

    /// A query for the numbers of the entries that match the parameter `mark` and whose texts are like the parameters
    /// `texts`.
    pub fn matching(self, mark: &str, texts: &[String]) -> String {
        let (number, matches) = match self {
            Dialect::Sqlite => ("search_terms.rowid", format!("search_terms match {mark}")),
            Dialect::Postgres => ("search_terms.number", format!("search_terms.terms @@ cast({mark} as tsquery)")),
        };
        // Not joined: the text is looked at where the index matches, and nowhere else.
        let like = |text: &String| {
            format!(" and (select t.content from search_texts t where t.number = {number}) like {text} escape '\\'")
        };
        format!(
            "select {number} as number from search_terms where {matches}{}",
            texts.iter().map(like).collect::<String>()
        )
    }

    /// The parameter of [`Dialect::matching`] for these terms.
    pub fn expression(self, terms: &Terms) -> String {
        let (and, or, not) = match self {
            Dialect::Sqlite => (" AND ", " OR ", " NOT "),
            Dialect::Postgres => (" & ", " | ", " & !"),
        };
        let all = |list: &[Term]| list.iter().map(|term| self.term(term)).collect::<Vec<_>>().join(and);
        let wanted = all(&terms.wanted);
        if terms.unwanted.is_empty() {
            return wanted;
        }
        let unwanted: Vec<String> = terms.unwanted.iter().map(|group| format!("({})", all(group))).collect();
        format!("({wanted}){not}({})", unwanted.join(or))
    }

    fn term(self, term: &Term) -> String {
        match (self, term) {
            (Dialect::Sqlite, Term::Word(word)) => format!("\"{}\"", word.replace('"', "\"\"")),
            (Dialect::Sqlite, Term::Prefix(word)) => format!("\"{}\" *", word.replace('"', "\"\"")),
            (Dialect::Postgres, Term::Word(word)) => format!("'{}'", escaped(word)),
            (Dialect::Postgres, Term::Prefix(word)) => format!("'{}':*", escaped(word)),
        }
    }
}

fn escaped(word: &str) -> String {
    word.replace('\\', "\\\\").replace('\'', "''")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_terms_in_both_languages() {
        let terms = Terms {
            wanted: vec![Term::Word("k:query".to_string()), Term::Prefix("gas".to_string())],
            unwanted: vec![vec![Term::Word("a'b\"".to_string())], vec![Term::Word("c".to_string())]],
        };
        assert_eq!(Dialect::Sqlite.expression(&terms), "(\"k:query\" AND \"gas\" *) NOT ((\"a'b\"\"\") OR (\"c\"))");
        assert_eq!(Dialect::Postgres.expression(&terms), "('k:query' & 'gas':*) & !(('a''b\"') | ('c'))");
    }
}
