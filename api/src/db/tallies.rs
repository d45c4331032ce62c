//! Sums that lists need and that would cost a scan: how many public creations of a kind there are, how many things have a
//! tag, how many creators are shown. Triggers keep them in the transaction that changes the rows, so no statement can forget
//! to. They are no part of a backup: they follow from the rows.

use sqlx::{AnyConnection, AnyPool, Connection, Executor};

use super::search::Dialect;
use super::{Db, sums};

/// The table of the sums; a backup leaves it out.
pub(super) const TABLE: &str = "tallies";

/// In PostgreSQL two transactions that change the same sums in another order would wait for each other for ever, so one goes
/// after the other.
pub(super) const LOCK: &str = "perform pg_advisory_xact_lock(hashtext('tallies'));";

/// Public creations, by kind.
pub const CREATIONS: &str = "creations";
/// Accounts that lists of creators show; the name is empty.
pub const CREATORS: &str = "creators";
/// Tags of public things, by kind of the thing.
pub const TAGS: &str = "tags";
/// Public things that have a tag, by the tag in small letters.
pub const TAG: &str = "tag";

/// What is counted: rows of a table for which a column has a value, each under some topics and names.
struct Tally {
    table: &'static str,
    column: &'static str,
    value: &'static str,
    /// Expressions of SQL for topic and name; `row.` stands for the row.
    under: &'static [(&'static str, &'static str)],
}

const KEPT: [Tally; 3] = [
    Tally { table: "creations", column: "visibility", value: "'public'", under: &[("'creations'", "row.kind")] },
    Tally { table: "creator_figures", column: "shown", value: "1", under: &[("'creators'", "''")] },
    Tally {
        table: "tags",
        column: "public",
        value: "1",
        under: &[("'tags'", "row.entity_kind"), ("'tag'", "row.tag_key"), ("'tag:' || row.entity_kind", "row.tag_key")],
    },
];

/// Column, table and value of what the counted columns hold, which follows from other tables: a backup of an older version
/// lacks it.
const FACTS: [(&str, &str, &str); 2] = [
    (
        "public",
        "tags",
        "case when entity_kind in ('user', 'address') or exists (select 1 from creations c
         where c.id = tags.entity_id and c.visibility = 'public') then 1 else 0 end",
    ),
    (
        "shown",
        "creator_figures",
        "case when (dashboards > 0 or queries > 0) and exists (select 1 from users u
         where u.id = creator_figures.user_id and u.disabled = 0) then 1 else 0 end",
    ),
];

/// Makes the triggers where some are missing, as the first start of a version finds it that keeps more, and counts what
/// there is then.
pub(super) async fn prepare(pool: &AnyPool, dialect: Dialect) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let there = match dialect {
        Dialect::Sqlite => "select name from sqlite_master where type = 'trigger' and name like 'tally_%'",
        Dialect::Postgres => {
            "select cast(t.tgname as text) as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
             where t.tgname like 'tally_%'
             and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())"
        }
    };
    let there: Vec<String> = sqlx::query_scalar(there).fetch_all(&mut *connection).await?;
    let needed = triggers(dialect);
    if needed.iter().all(|(_, name)| there.contains(name)) {
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    drop_triggers(&mut transaction, dialect, needed.iter().filter(|(_, name)| there.contains(name))).await?;
    begin(&mut transaction, dialect).await?;
    transaction.commit().await
}

/// Every trigger with the table it is on.
fn triggers(dialect: Dialect) -> Vec<(&'static str, String)> {
    let of_tallies = KEPT.iter().flat_map(|tally| tally.names(dialect).into_iter().map(|name| (tally.table, name)));
    let (table, names) = sums::names(dialect);
    of_tallies.chain(names.iter().map(|name| (table, name.to_string()))).collect()
}

async fn drop_triggers(
    at: &mut AnyConnection,
    dialect: Dialect,
    triggers: impl Iterator<Item = &(&'static str, String)>,
) -> Result<(), sqlx::Error> {
    for (table, name) in triggers {
        let on = if dialect == Dialect::Postgres { format!(" on {table}") } else { String::new() };
        at.execute(sqlx::AssertSqlSafe(format!("drop trigger {name}{on}"))).await?;
    }
    Ok(())
}

/// Counts everything and keeps counting.
pub(super) async fn begin(at: &mut AnyConnection, dialect: Dialect) -> Result<(), sqlx::Error> {
    for (column, table, value) in FACTS {
        let statement = format!("update {table} set {column} = {value} where {column} <> {value}");
        at.execute(sqlx::AssertSqlSafe(statement)).await?;
    }
    at.execute("delete from tallies").await?;
    for tally in &KEPT {
        for (topic, name) in tally.under {
            let (table, column, value) = (tally.table, tally.column, tally.value);
            let statement = format!(
                "insert into tallies (topic, name, value) select topic, name, count(*)
                 from (select {topic} as topic, {name} as name from {table} counted where {column} = {value}) kept
                 group by topic, name"
            );
            at.execute(sqlx::AssertSqlSafe(statement.replace("row.", "counted."))).await?;
        }
        for statement in tally.triggers(dialect) {
            at.execute(sqlx::AssertSqlSafe(statement)).await?;
        }
    }
    sums::begin(at, dialect).await
}

/// Stops counting: for a restore, after which everything is counted at once.
pub(super) async fn end(at: &mut AnyConnection, dialect: Dialect) -> Result<(), sqlx::Error> {
    drop_triggers(at, dialect, triggers(dialect).iter()).await
}

impl Tally {
    fn names(&self, dialect: Dialect) -> Vec<String> {
        match dialect {
            Dialect::Sqlite => {
                ["come", "go", "show", "hide"].map(|what| format!("tally_{}_{what}", self.table)).to_vec()
            }
            Dialect::Postgres => vec![format!("tally_{}", self.table)],
        }
    }

    fn more(&self, row: &str) -> String {
        let one = |(topic, name): &(&str, &str)| {
            format!(
                "insert into tallies (topic, name, value) values ({topic}, {name}, 1)
                 on conflict (topic, name) do update set value = tallies.value + 1; "
            )
            .replace("row.", row)
        };
        self.under.iter().map(one).collect()
    }

    fn less(&self, row: &str) -> String {
        let one = |(topic, name): &(&str, &str)| {
            format!("update tallies set value = value - 1 where topic = {topic} and name = {name}; ")
                .replace("row.", row)
        };
        self.under.iter().map(one).collect()
    }

    fn triggers(&self, dialect: Dialect) -> Vec<String> {
        let Tally { table, column, value, .. } = self;
        let (new, old) = (format!("new.{column} = {value}"), format!("old.{column} = {value}"));
        let (more, less) = (self.more("new."), self.less("old."));
        let names = self.names(dialect);
        if dialect == Dialect::Postgres {
            let name = &names[0];
            return vec![
                format!(
                    "create or replace function {name}() returns trigger language plpgsql as $$ begin
                     if tg_op = 'INSERT' then
                       if {new} then {LOCK} {more} end if;
                     elsif tg_op = 'DELETE' then
                       if {old} then {LOCK} {less} end if;
                     elsif {new} and not {old} then {LOCK} {more}
                     elsif {old} and not {new} then {LOCK} {less}
                     end if;
                     return null; end $$"
                ),
                format!(
                    "create trigger {name} after insert or delete or update of {column} on {table}
                     for each row execute function {name}()"
                ),
            ];
        }
        let events =
            ["insert".to_string(), "delete".to_string(), format!("update of {column}"), format!("update of {column}")];
        let when = [new.clone(), old.clone(), format!("{new} and not {old}"), format!("{old} and not {new}")];
        let does = [&more, &less, &more, &less];
        let trigger = |at: usize| {
            format!(
                "create trigger {} after {} on {table} when {} begin {} end",
                names[at], events[at], when[at], does[at]
            )
        };
        (0..names.len()).map(trigger).collect()
    }
}

impl Db {
    /// What is counted under a topic and a name.
    pub async fn tally(&self, topic: &str, name: &str) -> Result<i64, sqlx::Error> {
        let found: Option<i64> = sqlx::query_scalar("select value from tallies where topic = $1 and name = $2")
            .bind(topic)
            .bind(name)
            .fetch_optional(self.pool())
            .await?;
        Ok(found.unwrap_or(0))
    }
}
