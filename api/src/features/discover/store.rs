//! The search over public creations.
//!
//! A page is read along the index of its order, and each row is asked whether it is meant, until the page is full; unless so
//! few are meant that they are sorted sooner, or so many are to be asked that what comes first in the order is joined with all
//! that is meant. So the plus before a column: it keeps the databases from beginning with that condition and sorting all that
//! it finds.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::Sort;
use crate::creations::card::{self, Bind, Card, bind};
use crate::creations::index::Wish;
use crate::creations::model::CreationKind;
use crate::creations::paging::{Listing, Window};
use crate::db::list::pattern;
use crate::db::search::{self, Terms};
use crate::db::{Db, tallies};

/// So many matches are looked up and sorted.
const FEW: i64 = 1_500;
/// Rows of an order that are walked in the time that it takes to look one match up.
const LOOKED_UP: i64 = 15;

/// What is searched among the public creations of one kind.
#[derive(Debug)]
pub struct Search<'a> {
    pub kind: CreationKind,
    pub wish: &'a Wish,
    /// Milliseconds since 1970.
    pub since: i64,
}

/// One page of what is searched.
pub async fn page(
    db: &Db,
    viewer: Option<i64>,
    search: &Search<'_>,
    sort: Sort,
    window: Window,
) -> Result<Listing<Card>, sqlx::Error> {
    let words = Words::of(db, search).await?;
    let matches = words.matches(db, search.since > 0).await?;
    let total = total(db, search, &words, matches).await?;
    if window.is_behind(total) {
        return Ok(Listing { items: Vec::new(), total });
    }
    let askable = db.search().askable(matches.max(total));
    let part = Part::of(sort, window, total);
    let way = if words.is_empty() {
        Way::All
    } else if matches <= FEW {
        Way::Words
    } else {
        let deep = in_range(db, search).await?;
        let asks = |rows: i64| words.single && rows * deep / total <= askable;
        let place = format!("{} {} {} {part}", search.kind.name(), minute(search), words.named(db));
        let near = db.counted().place(&place, part.offset).filter(|(at, _)| asks(part.offset - at + part.limit));
        let way = match near {
            Some((at, row)) => Way::From { row, skip: part.offset - at },
            None if asks(part.offset + part.limit) => Way::Asked,
            None if !db.search().joins() => Way::Set,
            // Of a range of time only the matches inside are counted, and all would be looked up.
            None if search.since == 0 && matches * LOOKED_UP <= part.reach(deep, total) => Way::Words,
            None => Way::Joined,
        };
        let rows = rows(db, search, &words, &way, &part, total).await?;
        db.counted().keep_places(place, part.offset, &rows);
        return Ok(Listing { items: card::numbered(db, viewer, &part.numbers(&rows)).await?, total });
    };
    let numbers = part.numbers(&rows(db, search, &words, &way, &part, total).await?);
    Ok(Listing { items: card::numbered(db, viewer, &numbers).await?, total })
}

/// The rows of a part in its direction, found in one way: the columns of the order, the number last.
pub async fn rows(
    db: &Db,
    search: &Search<'_>,
    words: &Words<'_>,
    way: &Way,
    part: &Part,
    total: i64,
) -> Result<Vec<Vec<i64>>, sqlx::Error> {
    if *way == Way::Joined
        && let Some(rows) = joined(db, search, words, part, total).await?
    {
        return Ok(rows);
    }
    let way = if *way == Way::Joined { &Way::Set } else { way };
    let (mut condition, mut values) = condition(db, search, words, way, part.time);
    let mut offset = part.offset;
    if let Way::From { row, skip } = way {
        offset = *skip;
        let marks = (1..=row.len()).map(|place| format!("${}", values.len() + place)).collect::<Vec<_>>().join(", ");
        let side = if part.direction == "asc" { ">=" } else { "<=" };
        condition.push_str(&format!(" and ({}) {side} ({marks})", part.columns.join(", ")));
        values.extend(row.iter().copied().map(Bind::Number));
    }
    let (columns, order, limit) = (part.columns.join(", "), part.order(), part.limit);
    let statement =
        format!("select {columns} from creations c where {condition} order by {order} limit {limit} offset {offset}");
    let rows = search::rows(db, bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values)).await?;
    rows.iter().map(|row| part.read(row)).collect()
}

/// A part of what is searched, in an order, read from the nearer end.
#[derive(Debug)]
pub struct Part {
    columns: &'static [&'static str],
    /// The time of the last change as a condition names it.
    time: &'static str,
    direction: &'static str,
    limit: i64,
    offset: i64,
}

impl Part {
    /// The part that a window shows of so many.
    pub fn of(sort: Sort, window: Window, total: i64) -> Part {
        let limit = window.limit.min(total - window.offset);
        let behind = total - window.offset - limit;
        let (offset, direction) = if behind < window.offset { (behind, "asc") } else { (window.offset, "desc") };
        let (columns, time) = match sort {
            Sort::Favorites => (&["c.favorites", "c.updated_at", "c.number"][..], "+c.updated_at"),
            Sort::Time => (&["c.updated_at", "c.number"][..], "c.updated_at"),
        };
        Part { columns, time, direction, limit, offset }
    }

    /// How many of all rows in the order are likely to hold those that are meant, up to the end of the part.
    fn reach(&self, all: i64, total: i64) -> i64 {
        let share = (self.offset + self.limit) * all / total.max(1);
        share + share / 4 + FEW
    }

    fn order(&self) -> String {
        self.columns.iter().map(|column| format!("{column} {}", self.direction)).collect::<Vec<_>>().join(", ")
    }

    fn read(&self, row: &AnyRow) -> Result<Vec<i64>, sqlx::Error> {
        (0..self.columns.len()).map(|column| row.try_get(column)).collect()
    }

    /// The numbers of its rows as they are shown.
    pub fn numbers(&self, rows: &[Vec<i64>]) -> Vec<i64> {
        let numbers = rows.iter().filter_map(|row| row.last().copied());
        if self.direction == "asc" { numbers.rev().collect() } else { numbers.collect() }
    }
}

/// Its order, as one word of what is remembered of it.
impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.columns.len(), self.direction)
    }
}

/// The rows of a part, from what comes first in the order; nothing where less of that than of all is meant.
async fn joined(
    db: &Db,
    search: &Search<'_>,
    words: &Words<'_>,
    part: &Part,
    total: i64,
) -> Result<Option<Vec<Vec<i64>>>, sqlx::Error> {
    let (Part { columns, limit, offset, .. }, order) = (part, part.order());
    let mut values = vec![Bind::Text(search.kind.name().to_string())];
    let mut condition = "c.kind = $1 and c.visibility = 'public'".to_string();
    if search.since > 0 {
        values.push(Bind::Number(search.since));
        condition.push_str(&format!(" and c.updated_at >= ${}", values.len()));
    }
    let first = part.reach(in_range(db, search).await?, total);
    let matching = words.matching(db, &mut values);
    let statement = format!(
        "select {columns} from (select {columns} from creations c where {condition} order by {order} limit {first}) c
         join ({matching}) m on m.number = c.number order by {order} limit {limit} offset {offset}",
        columns = columns.join(", ")
    );
    let rows = search::joined_rows(db, bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values)).await?;
    let rows = rows.iter().map(|row| part.read(row)).collect::<Result<Vec<_>, _>>()?;
    Ok(i64::try_from(rows.len()).is_ok_and(|found| found == *limit).then_some(rows))
}

/// How much there is of what is searched.
pub async fn count(db: &Db, search: &Search<'_>) -> Result<i64, sqlx::Error> {
    let words = Words::of(db, search).await?;
    let matches = words.matches(db, search.since > 0).await?;
    total(db, search, &words, matches).await
}

async fn total(db: &Db, search: &Search<'_>, words: &Words<'_>, matches: i64) -> Result<i64, sqlx::Error> {
    match (words.is_empty(), search.since == 0) {
        (true, _) => in_range(db, search).await,
        (false, true) => Ok(matches),
        (false, false) => {
            let way = if matches <= FEW {
                Way::Words
            } else if words.single && in_range(db, search).await? <= db.search().askable(matches) {
                Way::Asked
            } else if db.search().joins() {
                Way::Joined
            } else {
                Way::Set
            };
            let what = format!("{} {} {}", search.kind.name(), minute(search), words.named(db));
            db.counted().of(what, FEW, counted(db, search, words, &way)).await
        }
    }
}

/// How much the words mean in the range of time, found in one way.
pub async fn counted(db: &Db, search: &Search<'_>, words: &Words<'_>, way: &Way) -> Result<i64, sqlx::Error> {
    if *way == Way::Joined {
        let (statement, values) = words.joined(db, search);
        let rows = search::joined_rows(db, bind(sqlx::query(sqlx::AssertSqlSafe(statement)), &values)).await?;
        return rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get("total");
    }
    if *way == Way::Set {
        let (statement, values) = words.recent(db, search);
        return one(db, &statement, &values).await;
    }
    let (condition, values) = condition(db, search, words, way, "c.updated_at");
    one(db, &format!("select count(*) as total from creations c where {condition}"), &values).await
}

/// The number `total` that a query tells.
async fn one(db: &Db, statement: &str, values: &[Bind]) -> Result<i64, sqlx::Error> {
    let rows = search::rows(db, bind(sqlx::query(sqlx::AssertSqlSafe(statement.to_string())), values)).await?;
    rows.first().ok_or(sqlx::Error::RowNotFound)?.try_get("total")
}

/// How much there is in the range of time, whatever the words.
async fn in_range(db: &Db, search: &Search<'_>) -> Result<i64, sqlx::Error> {
    if search.since == 0 {
        return db.tally(tallies::CREATIONS, search.kind.name()).await;
    }
    let count = sqlx::query_scalar(
        "select count(*) from creations c where c.kind = $1 and c.visibility = 'public' and c.updated_at >= $2",
    );
    let count = count.bind(search.kind.name()).bind(search.since).fetch_one(db.pool());
    db.counted().of(format!("{} {}", search.kind.name(), minute(search)), FEW, count).await
}

/// The moment at which the range begins, in minutes: what is counted in it is kept for less.
fn minute(search: &Search<'_>) -> i64 {
    search.since / 60_000
}

/// How rows are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// There are no words.
    All,
    /// Beginning with those that the words mean.
    Words,
    /// In their order, each asked whether the words mean it.
    Asked,
    /// In their order, those in the set of what the words mean.
    Set,
    /// What comes first in their order, joined with what the words mean.
    Joined,
    /// In their order, each asked, from a row of a page on that was read before: so many rows behind it.
    From { row: Vec<i64>, skip: i64 },
}

/// The words of a search as the index has them.
#[derive(Debug)]
pub struct Words<'a> {
    terms: Option<Terms>,
    texts: &'a [String],
    /// Whether a single entry can be asked quickly.
    single: bool,
}

impl Words<'_> {
    pub async fn of<'a>(db: &Db, search: &Search<'a>) -> Result<Words<'a>, sqlx::Error> {
        let texts = search.wish.texts.as_slice();
        if search.wish.is_empty() {
            return Ok(Words { terms: None, texts, single: false });
        }
        let mut terms = search.wish.public_terms(search.kind);
        let single = search::known_words(db, &mut terms).await? && texts.is_empty();
        Ok(Words { terms: Some(terms), texts, single })
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_none()
    }

    /// How many public creations of the kind they mean, of any time; 0 without words. `bounded` counts no further than it
    /// takes to see that they are not few.
    pub async fn matches(&self, db: &Db, bounded: bool) -> Result<i64, sqlx::Error> {
        if self.is_empty() {
            return Ok(0);
        }
        let mut values = Vec::new();
        let matching = self.matching(db, &mut values);
        if bounded {
            let some = format!("select count(*) as total from ({matching} limit {}) m", FEW + 1);
            // Finding the first of many costs PostgreSQL as much as finding all.
            return db.counted().of(format!("some {}", self.named(db)), FEW, one(db, &some, &values)).await;
        }
        let all = format!("select count(*) as total from ({matching}) m");
        db.counted().of(self.named(db), FEW, one(db, &all, &values)).await
    }

    /// What they look for, as one text.
    fn named(&self, db: &Db) -> String {
        let expression = self.terms.as_ref().map(|terms| db.search().expression(terms)).unwrap_or_default();
        format!("{expression} {:?}", self.texts)
    }

    /// A query for the number, as `total`, of recent ones, with what is recent hashed and each match looked up in it.
    fn joined(&self, db: &Db, search: &Search<'_>) -> (String, Vec<Bind>) {
        let mut values = vec![Bind::Text(search.kind.name().to_string()), Bind::Number(search.since)];
        let matching = self.matching(db, &mut values);
        let statement = format!(
            "select count(*) as total from ({matching}) m join creations c on c.number = m.number
             where c.kind = $1 and c.visibility = 'public' and c.updated_at >= $2"
        );
        (statement, values)
    }

    /// A query for the number, as `total`, of recent ones among the many that they mean. Those in the range are the smaller
    /// set: each match is asked whether it is in it.
    fn recent(&self, db: &Db, search: &Search<'_>) -> (String, Vec<Bind>) {
        let mut values = vec![Bind::Text(search.kind.name().to_string()), Bind::Number(search.since)];
        let matching = self.matching(db, &mut values);
        let statement = format!(
            "select count(*) as total from ({matching}) m where (m.number in (select c.number from creations c
             where c.kind = $1 and c.visibility = 'public' and c.updated_at >= $2)) is true"
        );
        (statement, values)
    }

    /// A query for the numbers of what they mean; its values follow those that are there.
    fn matching(&self, db: &Db, values: &mut Vec<Bind>) -> String {
        let mark = self.mark(db, values);
        let mut texts = Vec::new();
        for text in self.texts {
            values.push(Bind::Text(pattern(text)));
            texts.push(format!("${}", values.len()));
        }
        db.search().matching(&mark, &texts)
    }

    fn mark(&self, db: &Db, values: &mut Vec<Bind>) -> String {
        let expression = self.terms.as_ref().map(|terms| db.search().expression(terms));
        values.push(Bind::Text(expression.unwrap_or_default()));
        format!("${}", values.len())
    }
}

/// What rows of `creations c` have to fulfil; `time` is their time of the last change.
fn condition(db: &Db, search: &Search<'_>, words: &Words<'_>, way: &Way, time: &str) -> (String, Vec<Bind>) {
    let mut values = vec![Bind::Text(search.kind.name().to_string())];
    // What begins with the words uses no index of an order.
    let (of_kind, time) = match way {
        Way::Words => ("c.kind || '' = $1 and c.visibility || '' = 'public'", "+c.updated_at"),
        _ => ("c.kind = $1 and c.visibility = 'public'", time),
    };
    let mut condition = of_kind.to_string();
    if search.since > 0 {
        values.push(Bind::Number(search.since));
        condition.push_str(&format!(" and {time} >= ${}", values.len()));
    }
    match way {
        Way::All => {}
        Way::Words => {
            let matching = words.matching(db, &mut values);
            condition.push_str(&format!(" and c.number in ({matching})"));
        }
        Way::Asked | Way::From { .. } => {
            let mark = words.mark(db, &mut values);
            condition.push_str(&format!(" and {}", db.search().tells("c.number", &mark)));
        }
        Way::Set | Way::Joined => {
            let matching = words.matching(db, &mut values);
            condition.push_str(&format!(" and (c.number in ({matching})) is true"));
        }
    }
    (condition, values)
}
