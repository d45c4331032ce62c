//! Sums that the back office reads and that would cost a look at every row: credits by user and day, kept by triggers like
//! the tallies, and what `tracking/` keeps of visits. They are no part of a backup: they follow from the rows.

use sqlx::{AnyConnection, Executor};

use super::search::Dialect;
use super::tallies::LOCK;

/// Their tables; a backup leaves them out.
pub(super) const TABLES: [&str; 5] = ["credit_sums", "credit_days", "page_sums", "page_visitors", "visit_days"];

/// One more entry of credits, `new`.
const CREDITED: &str = "
    insert into credit_sums (user_id, credits, entries, last_at) values (new.user_id, new.points, 1, new.created_at)
    on conflict (user_id) do update set credits = credit_sums.credits + excluded.credits,
      entries = credit_sums.entries + 1,
      last_at = case when excluded.last_at > credit_sums.last_at then excluded.last_at else credit_sums.last_at end;
    insert into credit_days (day, rule_key, points, entries)
    values (new.created_at / 86400000 * 86400000, new.rule_key, new.points, 1)
    on conflict (day, rule_key) do update set points = credit_days.points + excluded.points,
      entries = credit_days.entries + 1;";
/// One less, `old`.
const WITHDRAWN: &str = "
    update credit_sums set credits = credits - old.points, entries = entries - 1,
      last_at = coalesce((select max(e.created_at) from credit_entries e where e.user_id = old.user_id), 0)
    where user_id = old.user_id;
    delete from credit_sums where user_id = old.user_id and entries = 0;
    update credit_days set points = points - old.points, entries = entries - 1
    where day = old.created_at / 86400000 * 86400000 and rule_key = old.rule_key;
    delete from credit_days where day = old.created_at / 86400000 * 86400000 and rule_key = old.rule_key and entries = 0;";

/// Counts everything that there is.
const COUNTED: [&str; 5] = [
    "insert into credit_sums (user_id, credits, entries, last_at)
     select user_id, cast(sum(points) as bigint), count(*), max(created_at) from credit_entries group by user_id",
    "insert into credit_days (day, rule_key, points, entries)
     select created_at / 86400000 * 86400000, rule_key, cast(sum(points) as bigint), count(*) from credit_entries
     group by created_at / 86400000, rule_key",
    "update route_events set visitor_before = earlier.visitor, user_before = earlier.named from (
       select id, coalesce(lag(at) over (partition by visitor order by at, id), -1) as visitor,
         case when user_name <> '' then coalesce(lag(at) over (partition by user_name order by at, id), -1) end as named
       from route_events) earlier
     where earlier.id = route_events.id",
    "insert into page_visitors (url, visitor) select distinct current_url, visitor from route_events",
    "insert into page_sums (url, views, visitors, browsed_ms, timed)
     select url, cast(sum(views) as bigint), cast(sum(visitors) as bigint), cast(sum(browsed_ms) as bigint),
       cast(sum(timed) as bigint)
     from (select current_url as url, count(*) as views, 0 as visitors, 0 as browsed_ms, 0 as timed from route_events
           group by current_url
       union all select url, 0, count(*), 0, 0 from page_visitors group by url
       union all select previous_url, 0, 0, sum(browsed_ms), count(*) from route_events where browsed_ms > 0
           group by previous_url) parts
     group by url",
];

/// Counts everything and keeps counting.
pub(super) async fn begin(at: &mut AnyConnection, dialect: Dialect) -> Result<(), sqlx::Error> {
    for table in TABLES {
        at.execute(sqlx::AssertSqlSafe(format!("delete from {table}"))).await?;
    }
    for statement in COUNTED {
        at.execute(statement).await?;
    }
    for statement in triggers(dialect) {
        at.execute(sqlx::AssertSqlSafe(statement)).await?;
    }
    Ok(())
}

/// The triggers, and the table they are on.
pub(super) fn names(dialect: Dialect) -> (&'static str, &'static [&'static str]) {
    let names: &[&str] = match dialect {
        Dialect::Sqlite => &["tally_credits_come", "tally_credits_go", "tally_credits_change"],
        Dialect::Postgres => &["tally_credits"],
    };
    ("credit_entries", names)
}

fn triggers(dialect: Dialect) -> Vec<String> {
    match dialect {
        Dialect::Sqlite => vec![
            format!("create trigger tally_credits_come after insert on credit_entries begin {CREDITED} end"),
            format!("create trigger tally_credits_go after delete on credit_entries begin {WITHDRAWN} end"),
            format!(
                "create trigger tally_credits_change after update on credit_entries begin {WITHDRAWN} {CREDITED} end"
            ),
        ],
        Dialect::Postgres => vec![
            format!(
                "create or replace function tally_credits() returns trigger language plpgsql as $$ begin
                 {LOCK}
                 if tg_op <> 'INSERT' then {WITHDRAWN} end if;
                 if tg_op <> 'DELETE' then {CREDITED} end if;
                 return null; end $$"
            ),
            "create trigger tally_credits after insert or delete or update on credit_entries
             for each row execute function tally_credits()"
                .to_string(),
        ],
    }
}
