//! The index of words behind the search: FTS5 in SQLite, a tsvector in PostgreSQL. Both take and find the same terms,
//! which are cut from texts by the caller; here they are only words between spaces.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, Executor};

use super::Db;

/// The table of the index; a backup leaves it and what belongs to it out.
pub(super) const TABLE: &str = "search_words";
/// What a search reads.
pub const TABLES: [&str; 2] = [TABLE, "search_texts"];

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
    /// One of these words.
    Any(Vec<String>),
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
        // Every character beyond ASCII is a letter, so FTS5 cuts nothing that the caller did not cut. Prefixes are those of
        // one to three letters behind the two that say what a word belongs to.
        Dialect::Sqlite => &[
            "create virtual table if not exists search_words using fts5(terms, content = '', \
             contentless_delete = 1, detail = none, prefix = '3 4 5', tokenize = \"ascii tokenchars ':_'\")",
            "create virtual table if not exists search_words_known using fts5vocab(search_words, row)",
        ],
        Dialect::Postgres => &[
            // What earlier versions made kept the terms in the rows.
            "do $$ begin
               if exists (select 1 from pg_attribute where attrelid = to_regclass('search_words') and attname = 'terms')
                 and not exists (select 1 from pg_attribute
                   where attrelid = to_regclass('search_words') and attname = 'room') then
                 drop table search_words;
               end if;
               -- PostgreSQL visits the row of every match to count it, so rows are small: the terms lie beside the table. It
               -- puts something beside it only when a row would have more than 2,000 bytes; blanks are compressed to nothing.
               if to_regclass('search_words') is null then
                 create table search_words (number bigint primary key, terms tsvector not null,
                   room text not null default repeat(' ', 2100)) with (toast_tuple_target = 128);
                 alter table search_words alter column terms set storage external;
               end if;
             end $$",
            // What waits to be indexed is looked through by every search.
            "create index if not exists search_words_by_term on search_words using gin (terms)
             with (gin_pending_list_limit = 256)",
        ],
    };
    // What earlier versions called it; theirs knew no pairs of words, or one list of words for all kinds.
    pool.execute("drop table if exists search_index").await?;
    pool.execute("drop table if exists search_terms").await?;
    for statement in statements {
        pool.execute(*statement).await?;
    }
    Ok(())
}

/// Beginnings of this many letters are an index of their own in SQLite.
const INDEXED_PREFIX: usize = 5;
/// Words that a longer beginning may have to be asked for one by one.
const FEW_WORDS: i64 = 12;

/// Puts the words that there are in the place of a beginning where SQLite would otherwise look for them, merge all that they
/// are in and sort that, again for every entry that is asked. Answers whether the terms can be asked of single entries now.
pub async fn known_words(db: &Db, terms: &mut Terms) -> Result<bool, sqlx::Error> {
    if db.dialect == Dialect::Postgres {
        return Ok(true);
    }
    for term in &mut terms.wanted {
        let Term::Prefix(start) = term else { continue };
        if start.chars().count() <= INDEXED_PREFIX {
            continue;
        }
        // Nothing that a word is made of comes after this letter.
        let end = format!("{start}{}", char::MAX);
        let words: Vec<String> =
            sqlx::query_scalar("select term from search_words_known where term >= $1 and term < $2 limit $3")
                .bind(start.as_str())
                .bind(end)
                .bind(FEW_WORDS + 1)
                .fetch_all(db.pool())
                .await?;
        match i64::try_from(words.len()) {
            Ok(1..=FEW_WORDS) => *term = Term::Any(words),
            // FTS5 soon knows that there are none.
            Ok(0) => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The rows of a query about what matches. PostgreSQL would read all texts for a word that most of them have; and after five
/// times it would plan for any values, as if a range of time held next to nothing, and leave the order's own index. Starting
/// processes that help takes longer than all of it.
pub async fn rows(db: &Db, query: Query<'_, Any, AnyArguments>) -> Result<Vec<AnyRow>, sqlx::Error> {
    let settings = "do $$ begin set local plan_cache_mode = force_custom_plan; set local enable_seqscan = off;
                    set local max_parallel_workers_per_gather = 0; end $$";
    rows_with(db, query, settings).await
}

/// The same for a query that joins what matches, of which there is much: it is hashed, whatever PostgreSQL takes several
/// words together for.
pub async fn joined_rows(db: &Db, query: Query<'_, Any, AnyArguments>) -> Result<Vec<AnyRow>, sqlx::Error> {
    let settings = "do $$ begin set local plan_cache_mode = force_custom_plan; set local enable_seqscan = off;
                    set local max_parallel_workers_per_gather = 0; set local enable_nestloop = off; end $$";
    rows_with(db, query, settings).await
}

async fn rows_with(
    db: &Db,
    query: Query<'_, Any, AnyArguments>,
    settings: &'static str,
) -> Result<Vec<AnyRow>, sqlx::Error> {
    if db.dialect == Dialect::Sqlite {
        return query.fetch_all(db.pool()).await;
    }
    let mut transaction = db.pool().begin().await?;
    transaction.execute(settings).await?;
    let rows = query.fetch_all(&mut *transaction).await?;
    transaction.rollback().await?;
    Ok(rows)
}

/// Pages of the index that one step merges, so that other writers wait for some hundredths of a second.
const STEP: i64 = 100;

/// Keeps the index quick after many writes. SQLite collects them in pieces: in one piece a long list of entries is entered
/// anywhere, in several most are read from their start, for each entry that is asked.
pub async fn tidy(db: &Db) -> Result<(), sqlx::Error> {
    if db.dialect == Dialect::Postgres {
        return db.look_through(&TABLES).await;
    }
    let mut connection = db.pool().acquire().await?;
    // Less than nothing begins to merge all pieces; then a step that changes nothing but itself says that it is done.
    let mut pages = -STEP;
    let mut changed = changes(&mut connection).await?;
    loop {
        let merge = sqlx::query("insert into search_words (search_words, rank) values ('merge', $1)").bind(pages);
        merge.execute(&mut *connection).await?;
        let before = std::mem::replace(&mut changed, changes(&mut connection).await?);
        if changed - before < 2 {
            return Ok(());
        }
        pages = STEP;
    }
}

/// Rows that a connection to SQLite has changed.
async fn changes(at: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select total_changes()").fetch_one(at).await
}

impl Dialect {
    /// Remembers the terms (words between spaces, each once) of an entry, in place of those it had.
    pub async fn index(self, at: &mut AnyConnection, number: i64, terms: &str) -> Result<(), sqlx::Error> {
        self.forget(at, number).await?;
        let statement = match self {
            Dialect::Sqlite => "insert into search_words (rowid, terms) values ($1, $2)",
            Dialect::Postgres => {
                "insert into search_words (number, terms) values ($1, array_to_tsvector(string_to_array($2, ' ')))"
            }
        };
        sqlx::query(statement).bind(number).bind(terms).execute(at).await?;
        Ok(())
    }

    pub async fn forget(self, at: &mut AnyConnection, number: i64) -> Result<(), sqlx::Error> {
        let statement = match self {
            Dialect::Sqlite => "delete from search_words where rowid = $1",
            Dialect::Postgres => "delete from search_words where number = $1",
        };
        sqlx::query(statement).bind(number).execute(at).await?;
        Ok(())
    }

    /// Forgets everything.
    pub async fn clear(self, at: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let statement = match self {
            Dialect::Sqlite => "insert into search_words (search_words) values ('delete-all')",
            Dialect::Postgres => "delete from search_words",
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
        format!("not exists (select 1 from search_words t where t.{indexed} = {number})")
    }

    /// A query for the numbers of the entries that match the parameter `mark` and whose texts are like the parameters
    /// `texts`.
    pub fn matching(self, mark: &str, texts: &[String]) -> String {
        let (number, matches) = self.matches(mark);
        // Not joined: the text is looked at where the index matches, and nowhere else.
        let like = |text: &String| {
            format!(" and (select t.content from search_texts t where t.number = {number}) like {text} escape '\\'")
        };
        format!(
            "select {number} as number from search_words where {matches}{}",
            texts.iter().map(like).collect::<String>()
        )
    }

    /// A condition: the entry of the number, an expression of SQL, matches the parameter `mark`. It is asked of one entry
    /// after another, whatever the database thinks of that.
    pub fn tells(self, number: &str, mark: &str) -> String {
        let (indexed, matches) = self.matches(mark);
        format!("(select count(*) from search_words where {indexed} = {number} and {matches}) = 1")
    }

    /// How many entries can be asked one by one sooner than so many matches are found.
    pub fn askable(self, matches: i64) -> i64 {
        match self {
            Dialect::Sqlite => (matches / 200).clamp(50, 500),
            Dialect::Postgres => (matches / 40).clamp(300, 2_000),
        }
    }

    /// Whether it is soonest to join what comes first in an order with what matches, where that is much.
    pub fn joins(self) -> bool {
        self == Dialect::Postgres
    }

    fn matches(self, mark: &str) -> (&'static str, String) {
        match self {
            Dialect::Sqlite => ("search_words.rowid", format!("search_words match {mark}")),
            Dialect::Postgres => ("search_words.number", format!("search_words.terms @@ cast({mark} as tsquery)")),
        }
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
            (_, Term::Any(words)) => {
                let words: Vec<String> = words.iter().map(|word| self.term(&Term::Word(word.clone()))).collect();
                format!("({})", words.join(if self == Dialect::Sqlite { " OR " } else { " | " }))
            }
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
