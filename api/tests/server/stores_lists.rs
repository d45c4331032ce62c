//! Lists that are long, on both databases like those of `stores`: every page of every filter tells what the rows tell.

use quarry::db::Db;
use quarry::db::list::{Page, Paged};
use quarry::db::search;
use quarry::features::feedback::model::{FeedbackParams, FeedbackState, FeedbackView};
use quarry::features::feedback::store as feedback;
use quarry::letters;
use quarry::schedule::desk::{self, Filter as Schedules};
use quarry::sending::Channel;
use quarry::sending::records::{self, Filter};
use sqlx::Row;

use crate::stores::{account, on_both, postgres, sqlite};

on_both!(
    long_lists_are_right_on_every_page,
    rows_of_users_are_found_by_parts_of_names,
    schedules_are_found_by_title_and_owner,
    contacts_are_everybody
);

/// More than are sorted at once.
const MANY: i64 = 3_000;

async fn run(db: &Db, statement: &'static str) {
    sqlx::query(statement).execute(db.pool()).await.unwrap();
}

/// `MANY` mails; the time goes backwards, and three of each have one moment.
async fn mails(db: &Db) {
    run(
        db,
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
         insert into sent_messages (id, channel, target, subject, content, state, reason, sent_at)
         select i, 'mail', 'user' || i || '@b.io', '', '', 'sent', '', (3000 - i) / 3 from n",
    )
    .await;
}

async fn long_lists_are_right_on_every_page(db: Db) {
    mails(&db).await;
    for (target, state) in [(None, None), (Some("b.io"), None), (Some("user12"), Some("sent")), (Some("x_"), None)] {
        let mut expected: Vec<i64> =
            (1..=MANY).filter(|i| target.is_none_or(|target| format!("user{i}@b.io").contains(target))).collect();
        expected.sort_by_key(|i| std::cmp::Reverse(((MANY - i) / 3, *i)));
        let filter = Filter { channel: Channel::Mail, target, state, from: None, to: None };
        let pages = expected.len() as i64 / 50 + 2;
        for page in [1, 2, 5, 6, 30, 40, pages - 2, pages - 1, pages, pages + 1].into_iter().filter(|page| *page > 0) {
            let found = records::list(&db, &filter, Page { page: Some(page), size: Some(50) }).await.unwrap();
            let ids: Vec<i64> = found.items.iter().map(|one| one.id).collect();
            let wanted: Vec<i64> = expected.iter().skip((page as usize - 1) * 50).take(50).copied().collect();
            assert_eq!((found.total, ids), (expected.len() as i64, wanted), "{target:?} page {page}");
        }
    }
}

/// However many users have such a name.
async fn rows_of_users_are_found_by_parts_of_names(db: Db) {
    run(
        &db,
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
         insert into users (id, user_name, password_hash, role, created_at) select i, 'u' || i || 'x', '', 'r', 0 from n",
    )
    .await;
    run(
        &db,
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
         insert into feedback (id, user_id, title, content, url, photo, state, created_at)
         select i, i, 't', '', '', '', case when i % 2 = 0 then 'open' else 'handled' end, i / 3 from n",
    )
    .await;
    for (name, state) in [("u", None), ("U12", None), ("1x", Some(FeedbackState::Handled)), ("%", None), ("u_", None)] {
        let state_name = state.map_or("", FeedbackState::name);
        let expected: Vec<i64> = (1..=MANY)
            .rev()
            .filter(|i| format!("u{i}x").contains(&name.to_lowercase()))
            .filter(|i| state_name.is_empty() || (i % 2 == 0) == (state_name == "open"))
            .collect();
        for page in [1, 6, 40, 60] {
            let params = FeedbackParams {
                page: Some(page),
                size: Some(50),
                user_name: Some(name.to_string()),
                title: None,
                state,
                from: None,
                to: None,
            };
            let found: Paged<FeedbackView> =
                feedback::list(&params).page(&db, Page { page: Some(page), size: Some(50) }).await.unwrap();
            let ids: Vec<i64> = found.items.iter().map(|one| one.id).collect();
            let wanted: Vec<i64> = expected.iter().skip((page as usize - 1) * 50).take(50).copied().collect();
            assert_eq!((found.total, ids), (expected.len() as i64, wanted), "{name} page {page}");
        }
    }
}

async fn schedules_are_found_by_title_and_owner(db: Db) {
    account(&db, "ada").await;
    account(&db, "eve").await;
    run(
        &db,
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < 40)
         insert into creations (id, number, kind, owner_id, visibility, title, notes, created_at, updated_at)
         select 'q' || i, i, 'query', 1 + i % 2, 'private', case when i % 4 = 0 then 'Gas ' else 'Fees ' end || i, '', 0, 0
         from n",
    )
    .await;
    run(
        &db,
        "insert into queries (id, kind, text, strategy, next_run_at)
         select id, 'SQL', '', case when number % 5 = 0 then 'manual' else 'daily' end, number from creations",
    )
    .await;
    let count = async |user_name, title| {
        let filter = Schedules { user_name, title, ..Schedules::default() };
        let found = desk::page(&db, &filter, Page::default()).await.unwrap();
        assert!(found.items.iter().all(|row| !row.user_name.is_empty() && !row.title.is_empty()));
        found.total
    };
    assert_eq!(count(None, None).await, 32);
    assert_eq!(count(None, Some("gAs")).await, 8);
    assert_eq!(count(Some("eve"), None).await, 16);
    assert_eq!(count(Some("ada"), Some("gas")).await, 8);
    assert_eq!(count(Some("eve"), Some("gas")).await, 0);
}

/// A plan for any values takes a range of time for next to nothing and sorts all that is in it.
#[tokio::test]
async fn postgres_plans_each_search_for_its_values() {
    let Some(db) = postgres().await else { return };
    let mode = "select current_setting('plan_cache_mode') as mode";
    for rows in [search::rows(&db, sqlx::query(mode)).await, search::joined_rows(&db, sqlx::query(mode)).await] {
        assert_eq!(rows.unwrap()[0].get::<String, _>("mode"), "force_custom_plan");
    }
    let after: String = sqlx::query_scalar(mode).fetch_one(db.pool()).await.unwrap();
    assert_eq!(after, "auto", "only within the search");
}

async fn contacts_are_everybody(db: Db) {
    for name in ["ada", "eve", "bob", "zoe"] {
        account(&db, name).await;
    }
    run(
        &db,
        "insert into letters (id, from_id, to_id, content, client_time, sent_at, read_at)
         values (1, 1, 2, 'a', '1', 10, 10), (2, 2, 1, 'b', '2', 20, null), (3, 3, 1, 'c', '3', 30, 30),
           (4, 1, 4, 'd', '4', 25, null), (5, 2, 3, 'e', '5', 40, null)",
    )
    .await;
    let found = letters::contacts(&db, 1).await.unwrap();
    let found: Vec<(&str, &str, i64)> =
        found.iter().map(|one| (one.user_name.as_str(), one.content.as_str(), one.unread)).collect();
    assert_eq!(found, [("eve", "b", 1), ("bob", "c", 0), ("zoe", "d", 0)]);
}
