//! Lists by pages: filters that may be absent, one order, the rows of a page and how many there are on all pages.

use serde::{Deserialize, Serialize};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::{Query, QueryScalar};
use sqlx::{Any, Row};
use utoipa::{IntoParams, ToSchema};

use super::Db;

/// Rows of a page when the caller does not say.
const PAGE: i64 = 20;
const LARGEST_PAGE: i64 = 100;
/// Beyond this the offset would not fit the database's numbers, and no list is that long.
const LAST_PAGE: i64 = 1_000_000_000;

/// Which page of a list.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// Counted from 1; 1 when left out or below.
    pub page: Option<i64>,
    /// 1 to 100 rows; 20 when left out, usually one of 10, 20, 30, 50.
    pub size: Option<i64>,
}

impl Page {
    /// All rows that one file may have.
    pub const EXPORT: i64 = 10_000;

    /// Rows of the page.
    pub fn limit(self) -> i64 {
        self.size.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)
    }

    /// Rows before the page.
    pub fn offset(self) -> i64 {
        (self.page.unwrap_or(1).clamp(1, LAST_PAGE) - 1) * self.limit()
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Paged<T> {
    pub items: Vec<T>,
    /// Rows on all pages.
    pub total: i64,
}

impl<T> Paged<T> {
    /// The same page of other things.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Paged<U> {
        Paged { items: self.items.into_iter().map(change).collect(), total: self.total }
    }
}

/// A value of a filter.
#[derive(Debug, Clone)]
enum Bind {
    Number(i64),
    Text(String),
}

/// A list: what is read from where in which order, all of them texts of the program, and the filters of one request.
#[derive(Debug)]
pub struct List {
    columns: &'static str,
    from: &'static str,
    /// What the columns need beside it.
    joined: &'static str,
    order: &'static str,
    conditions: Vec<Condition>,
    binds: Vec<Bind>,
    /// Whether a condition has to look at the text of every row, of this table or of one that is asked for it.
    looked_through: bool,
}

/// A condition of SQL.
#[derive(Debug)]
struct Condition {
    text: String,
    /// The same in words that lead no database to begin with what fulfils it: for lists of which much does.
    loose: Option<String>,
}

/// Rows of a list: so many, with so many before and behind them.
#[derive(Debug, Clone, Copy)]
struct Part {
    limit: i64,
    offset: i64,
    behind: i64,
}

/// Rows that are found and then sorted; of more, a page is read along the order of the list.
const SORTED: i64 = 1_500;
/// The same of rows that a text is looked for in: reading along the order would look for it again.
const FOUND: i64 = 5_000;
/// Rows before a page from which on they are passed over by their keys, without what is read and joined for each.
const FAR: i64 = 200;

impl List {
    /// `order` has to name columns that make the order of two rows certain, the last of them the key of the rows.
    pub fn new(columns: &'static str, from: &'static str, order: &'static str) -> List {
        List { columns, from, joined: "", order, conditions: Vec::new(), binds: Vec::new(), looked_through: false }
    }

    /// Tables that the columns need, with one row for each row of the list: the total is counted without them.
    #[must_use]
    pub fn joined(self, joined: &'static str) -> List {
        List { joined, ..self }
    }

    #[must_use]
    pub fn number(self, column: &str, value: Option<i64>) -> List {
        self.with(column, "=", value.map(Bind::Number))
    }

    #[must_use]
    pub fn text(self, column: &str, value: Option<&str>) -> List {
        self.with(column, "=", value.filter(|text| !text.is_empty()).map(|text| Bind::Text(text.to_string())))
    }

    /// Moments from `from` up to, but without, `to`.
    #[must_use]
    pub fn between(self, column: &str, from: Option<i64>, to: Option<i64>) -> List {
        self.with(column, ">=", from.map(Bind::Number)).with(column, "<", to.map(Bind::Number))
    }

    /// Rows whose column contains the text, in either case of letters.
    #[must_use]
    pub fn contains(mut self, column: &str, value: Option<&str>) -> List {
        if let Some(text) = value.map(str::trim).filter(|text| !text.is_empty()) {
            self.binds.push(Bind::Text(pattern(text)));
            self.fulfil(format!("lower({column}) like ${} escape '\\'", self.binds.len()), None);
            self.looked_through = true;
        }
        self
    }

    /// Rows whose column, in which no large letters are, contains the text.
    #[must_use]
    pub fn contains_small(mut self, column: &str, value: Option<&str>) -> List {
        if let Some(text) = value.map(str::trim).filter(|text| !text.is_empty()) {
            self.binds.push(Bind::Text(pattern(text)));
            self.fulfil(format!("{column} like ${} escape '\\'", self.binds.len()), None);
            self.looked_through = true;
        }
        self
    }

    /// Rows of users whose name contains the text; the column holds their id.
    #[must_use]
    pub fn of_user(self, column: &str, value: Option<&str>) -> List {
        self.among(column, "select id from users where user_name", value)
    }

    /// Rows whose column is what a query finds; it ends with a text in small letters, which contains the text.
    #[must_use]
    pub fn among(mut self, column: &str, query: &'static str, value: Option<&str>) -> List {
        if let Some(text) = value.map(str::trim).filter(|text| !text.is_empty()) {
            self.binds.push(Bind::Text(pattern(text)));
            let found = format!("{column} in ({query} like ${} escape '\\')", self.binds.len());
            self.fulfil(found.clone(), Some(format!("({found}) is true")));
            self.looked_through = true;
        }
        self
    }

    /// Rows whose column is what a query finds; it ends with a text, which is the text.
    #[must_use]
    pub fn found(mut self, column: &str, query: &'static str, value: Option<&str>) -> List {
        if let Some(text) = value {
            self.binds.push(Bind::Text(text.to_string()));
            let found = format!("{column} in ({query} = ${})", self.binds.len());
            self.fulfil(found.clone(), Some(format!("({found}) is true")));
        }
        self
    }

    /// A condition of the program without a value.
    #[must_use]
    pub fn only(mut self, condition: &'static str) -> List {
        self.fulfil(condition.to_string(), None);
        self
    }

    fn fulfil(&mut self, text: String, loose: Option<String>) {
        self.conditions.push(Condition { text, loose });
    }

    fn with(mut self, column: &str, operator: &str, value: Option<Bind>) -> List {
        if let Some(value) = value {
            self.binds.push(value);
            self.fulfil(format!("{column} {operator} ${}", self.binds.len()), None);
        }
        self
    }

    /// The rows of one page.
    pub async fn page<T>(&self, db: &Db, page: Page) -> Result<Paged<T>, sqlx::Error>
    where
        T: for<'r> sqlx::FromRow<'r, AnyRow>,
    {
        if self.looked_through
            && let Some(found) = self.few(db, page).await?
        {
            return Ok(found);
        }
        let statement = format!("select count(*) from {} {}", self.from, self.filter(false));
        let count: QueryScalar<'_, Any, i64, AnyArguments> = sqlx::query_scalar(sqlx::AssertSqlSafe(statement));
        let count = self.binds.iter().fold(count, |count, bind| match bind {
            Bind::Number(number) => count.bind(*number),
            Bind::Text(text) => count.bind(text.clone()),
        });
        let total = count.fetch_one(db.pool()).await?;
        self.page_of(db, page, total).await
    }

    /// The same of a list of which it is known otherwise how many rows there are.
    pub async fn page_of<T>(&self, db: &Db, page: Page, total: i64) -> Result<Paged<T>, sqlx::Error>
    where
        T: for<'r> sqlx::FromRow<'r, AnyRow>,
    {
        // Nobody looks for a row that is not there.
        let limit = page.limit().min(total - page.offset());
        if limit <= 0 {
            return Ok(Paged { items: Vec::new(), total });
        }
        let part = Part { limit, offset: page.offset(), behind: total - page.offset() - limit };
        Ok(Paged { items: self.rows(db, part, total > SORTED).await?, total })
    }

    /// The page and the total from one look through all rows, where few are found; nothing where more are.
    async fn few<T>(&self, db: &Db, page: Page) -> Result<Option<Paged<T>>, sqlx::Error>
    where
        T: for<'r> sqlx::FromRow<'r, AnyRow>,
    {
        // The columns of the order, the last of them the key, and the order in their new names.
        let (mut columns, mut order) = (Vec::new(), Vec::new());
        for (place, column) in self.order.split(',').map(str::trim).enumerate() {
            let (column, direction) = column.strip_suffix(" desc").map_or((column, ""), |column| (column, " desc"));
            columns.push(format!("{column} as found_{place}"));
            order.push(format!("found_{place}{direction}"));
        }
        let key = columns.len() - 1;
        // Of a page behind the last one any row is read, which brings the total.
        let statement = format!(
            "with found as materialized (select {} from {} {} limit {}),
             placed as materialized (select found_{key} as place from found order by {} limit {} offset {})
             select {}, (select count(*) from found) as found_total, (select count(*) from placed) as found_here
             from {} {} where {} in (select place from placed
               union all select found_{key} from (select found_{key} from found limit 1) one
                 where not exists (select 1 from placed)) order by {}",
            columns.join(", "),
            self.from,
            self.filter(false),
            FOUND + 1,
            order.join(", "),
            page.limit(),
            page.offset(),
            self.columns,
            self.from,
            self.joined,
            self.key(),
            self.order,
        );
        let rows = self.bound(sqlx::query(sqlx::AssertSqlSafe(statement))).fetch_all(db.pool()).await?;
        let Some(first) = rows.first() else { return Ok(Some(Paged { items: Vec::new(), total: 0 })) };
        let (total, here): (i64, i64) = (first.try_get("found_total")?, first.try_get("found_here")?);
        if total > FOUND {
            return Ok(None);
        }
        let shown: &[AnyRow] = if here == 0 { &[] } else { &rows };
        Ok(Some(Paged { items: shown.iter().map(T::from_row).collect::<Result<_, _>>()?, total }))
    }

    /// The column that tells every row from all others.
    fn key(&self) -> &'static str {
        let last = self.order.rsplit(',').next().unwrap_or(self.order).trim();
        last.strip_suffix(" desc").unwrap_or(last)
    }

    /// Every row up to [`Page::EXPORT`], for a file.
    pub async fn all<T>(&self, db: &Db) -> Result<Vec<T>, sqlx::Error>
    where
        T: for<'r> sqlx::FromRow<'r, AnyRow>,
    {
        self.rows(db, Part { limit: Page::EXPORT, offset: 0, behind: 0 }, false).await
    }

    async fn rows<T>(&self, db: &Db, part: Part, loose: bool) -> Result<Vec<T>, sqlx::Error>
    where
        T: for<'r> sqlx::FromRow<'r, AnyRow>,
    {
        let List { columns, from, joined, order, .. } = self;
        let (key, filter) = (self.key(), self.filter(loose));
        let Part { limit, offset, behind } = part;
        let statement = if offset < FAR {
            format!("select {columns} from {from} {joined} {filter} order by {order} limit {limit} offset {offset}")
        } else {
            // From the nearer end.
            let backwards = if behind < offset { Some(reversed(order)) } else { None };
            let (way, passed) = backwards.as_deref().map_or((*order, offset), |way| (way, behind));
            format!(
                "select {columns} from {from} {joined} where {key} in
                 (select {key} from {from} {filter} order by {way} limit {limit} offset {passed}) order by {order}"
            )
        };
        let rows = self.bound(sqlx::query(sqlx::AssertSqlSafe(statement))).fetch_all(db.pool()).await?;
        rows.iter().map(T::from_row).collect()
    }

    fn bound<'q>(&self, query: Query<'q, Any, AnyArguments>) -> Query<'q, Any, AnyArguments> {
        self.binds.iter().fold(query, |query, bind| match bind {
            Bind::Number(number) => query.bind(*number),
            Bind::Text(text) => query.bind(text.clone()),
        })
    }

    fn filter(&self, loose: bool) -> String {
        let text = |condition: &Condition| match &condition.loose {
            Some(text) if loose => text.clone(),
            _ => condition.text.clone(),
        };
        let conditions: Vec<String> = self.conditions.iter().map(text).collect();
        if conditions.is_empty() { String::new() } else { format!("where {}", conditions.join(" and ")) }
    }
}

/// An order from its other end.
fn reversed(order: &str) -> String {
    let turned = |column: &str| {
        let column = column.trim();
        column.strip_suffix(" desc").map_or_else(|| format!("{column} desc"), str::to_string)
    };
    order.split(',').map(turned).collect::<Vec<_>>().join(", ")
}

/// Letters of a text that is looked for; SQLite refuses patterns of 50,000 bytes.
const LONGEST_PATTERN: usize = 200;

/// A pattern of `like` that finds the text itself anywhere.
pub fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    // A zero byte, which is in no text, would end the pattern in SQLite.
    for letter in text.replace('\0', "\u{fffd}").to_lowercase().chars().take(LONGEST_PATTERN) {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_its_letters() {
        assert_eq!(pattern("50%_A\\"), "%50\\%\\_a\\\\%");
        assert_eq!(pattern("\0"), "%\u{fffd}%");
    }

    #[test]
    fn an_order_has_two_ends() {
        assert_eq!(reversed("q.paused, acted_at desc, id desc"), "q.paused desc, acted_at, id");
    }

    #[test]
    fn pages_are_bounded() {
        let page = |page, size| Page { page, size };
        assert_eq!((page(None, None).limit(), page(None, None).offset()), (20, 0));
        assert_eq!((page(Some(3), Some(50)).limit(), page(Some(3), Some(50)).offset()), (50, 100));
        assert_eq!((page(Some(-1), Some(0)).limit(), page(Some(i64::MAX), Some(i64::MAX)).limit()), (1, 100));
        assert!(page(Some(i64::MAX), Some(100)).offset() > 0);
    }

    #[test]
    fn absent_filters_leave_no_trace() {
        let list = List::new("a", "t", "a").text("b", Some("")).number("c", None).contains("d", Some("  "));
        assert_eq!(list.filter(false), "");
        let list = list.text("b", Some("x")).between("e", Some(1), None).only("f is null").contains("d", Some("y"));
        assert_eq!(list.filter(true), "where b = $1 and e >= $2 and f is null and lower(d) like $3 escape '\\'");
    }
}
