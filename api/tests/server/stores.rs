//! The stores on SQLite, and on PostgreSQL where `QUARRY_TEST_POSTGRES_URL` names one: the same tests on both.

use quarry::auth::accounts::{self, CreateError, NewAccount};
use quarry::auth::sessions::{self, LoginKind, NewSession};
use quarry::auth::token::random_key;
use quarry::auth::{ROLE_ADMIN, ROLE_DEFAULT};
use quarry::db::list::Page;
use quarry::db::{Db, sqlite_url};
use quarry::http::Client;
use quarry::jobs::log::{self, LogLine};
use quarry::jobs::model::{Kind, State};
use quarry::jobs::store::{self, Beginning, Ended, Filter, JobRow};
use tempfile::TempDir;

/// One test on every database there is.
macro_rules! on_both {
    ($($name:ident),+) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $name() {
                let (db, _folder) = super::sqlite().await;
                super::$name(db).await;
            })+
        }

        mod postgres {
            $(#[tokio::test]
            async fn $name() {
                let Some(db) = super::postgres().await else { return };
                super::$name(db).await;
            })+
        }
    };
}
pub(crate) use on_both;

on_both!(
    accounts_are_unique,
    sessions_end,
    jobs_are_remembered,
    logs_are_remembered,
    jobs_are_listed,
    counters_count,
    writers_wait,
    writers_go_one_after_another
);

pub async fn sqlite() -> (Db, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::open(&sqlite_url(&folder.path().join("a ?#%.db"))).await.unwrap();
    (db, folder)
}

/// An empty database on the test run's server; the server goes with the test run.
pub async fn postgres() -> Option<Db> {
    let url = postgres_url().await?;
    Some(Db::open(&url).await.unwrap())
}

/// Where such a database is.
pub async fn postgres_url() -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
    let url = std::env::var("QUARRY_TEST_POSTGRES_URL").ok()?;
    sqlx::any::install_default_drivers();
    let name = format!("quarry_{}", &random_key()[..16]);
    let server = sqlx::AnyPool::connect(&url).await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(format!("create database {name}"))).execute(&server).await.unwrap();
    server.close().await;
    let (place, options) = url.split_once('?').unwrap_or((&url, ""));
    let (place, _) = place.rsplit_once('/').unwrap();
    Some(format!("{place}/{name}?{options}"))
}

pub fn client() -> Client {
    Client { address: std::net::IpAddr::from([192, 0, 2, 1]), agent: "a browser".to_string() }
}

pub async fn account(db: &Db, name: &str) -> i64 {
    let new = NewAccount { user_name: name, password_hash: "hash", role: ROLE_DEFAULT, email: None, phone: None };
    accounts::create(db, &new).await.unwrap()
}

async fn accounts_are_unique(db: Db) {
    let new = |name, email, phone| NewAccount { user_name: name, password_hash: "h", role: ROLE_DEFAULT, email, phone };
    let ada = new("ada", Some("a@b.io"), Some("123456"));
    assert_eq!(accounts::create(&db, &ada).await.unwrap(), 1);
    for (same, field) in [
        (new("ada", None, None), "userName"),
        (new("eve", Some("a@b.io"), None), "email"),
        (new("eve", None, Some("123456")), "phone"),
    ] {
        match accounts::create(&db, &same).await {
            Err(CreateError::Taken(taken)) => assert_eq!(taken, field),
            other => panic!("{other:?}"),
        }
    }
    // Two accounts without an address are no conflict.
    account(&db, "bob").await;
    account(&db, "eve").await;
    let found = accounts::find(&db, "ada").await.unwrap().unwrap();
    assert_eq!((found.id, found.role.as_str(), found.disabled), (1, ROLE_DEFAULT, false));
    assert!(accounts::find(&db, "nobody").await.unwrap().is_none());
}

async fn sessions_end(db: Db) {
    let id = account(&db, "ada").await;
    let client = client();
    let open = async |id: i64, session: &str, password_hash: &str| {
        let new = NewSession {
            id: session,
            user_id: id,
            kind: LoginKind::Password,
            password_hash,
            expires_at: 1_000,
            client: &client,
        };
        sessions::open(&db, &new).await.unwrap()
    };
    for session in ["one", "two", "three"] {
        assert!(open(id, session, "hash").await);
    }
    sessions::revoke(&db, "one").await.unwrap();
    assert!(sessions::find(&db, "one").await.unwrap().unwrap().revoked);
    let two = sessions::find(&db, "two").await.unwrap().unwrap();
    assert_eq!((two.revoked, two.expires_at, two.account.user_name.as_str()), (false, 1_000, "ada"));
    accounts::reset(&db, "ada", "new", ROLE_ADMIN).await.unwrap();
    assert!(sessions::find(&db, "two").await.unwrap().unwrap().revoked);
    let ada = accounts::find(&db, "ada").await.unwrap().unwrap();
    assert_eq!((ada.password_hash.as_str(), ada.role.as_str()), ("new", ROLE_ADMIN));
    // Whose password was checked before it was changed, and who was disabled meanwhile, comes too late.
    assert!(!open(id, "late", "hash").await && sessions::find(&db, "late").await.unwrap().is_none());
    let eve = account(&db, "eve").await;
    accounts::set_disabled(&db, eve, true).await.unwrap();
    assert!(!open(eve, "disabled", "hash").await);
    assert!(open(id, "after", "new").await);
    sessions::forget_expired(&db, 1_001).await.unwrap();
    assert!(sessions::find(&db, "three").await.unwrap().is_none());
}

/// A job that has just been asked for.
pub fn job(id: &str, owner_id: i64, kind: Kind, text: &str, created_at: i64) -> JobRow {
    JobRow {
        id: id.to_string(),
        owner_id,
        owner_name: String::new(),
        kind,
        state: State::Queued,
        title: format!("Job {id}"),
        text: text.to_string(),
        created_at,
        ended: Ended::default(),
    }
}

async fn jobs_are_remembered(db: Db) {
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    store::insert(&db, &job("j1", ada, Kind::Sql, "select 'ü'", 5), &Beginning::default()).await.unwrap();
    let ended = Ended {
        started_at: Some(6),
        finished_at: Some(9),
        progress: 12.5,
        rows: None,
        message: "There is no table x.".to_string(),
        code: Some("unknown_table".to_string()),
        position: Some((2, 7)),
        param: Some("mapper".to_string()),
    };
    store::update(&db, "j1", State::Running, &Ended { started_at: Some(6), ..Ended::default() }).await.unwrap();
    store::update(&db, "j1", State::Failed, &ended).await.unwrap();
    store::update(&db, "j1", State::Succeeded, &Ended::default()).await.unwrap();
    let row = store::find(&db, "j1", Some(ada)).await.unwrap().unwrap();
    assert_eq!((row.state, &row.ended, row.text.as_str()), (State::Failed, &ended, "select 'ü'"));
    assert_eq!((row.owner_name.as_str(), row.title.as_str(), row.created_at), ("ada", "Job j1", 5));
    store::insert(&db, &job("j0", ada, Kind::Sql, "select 0", 4), &Beginning::default()).await.unwrap();
    store::remove(&db, "j0").await.unwrap();
    assert_eq!(store::find(&db, "j0", None).await.unwrap(), None);
    assert_eq!(store::find(&db, "j1", Some(eve)).await.unwrap(), None);
    assert_eq!(store::find(&db, "j1", None).await.unwrap(), Some(row));

    for (id, home, given) in [("j2", "here", r#"{"n":1}"#), ("j3", "there", ""), ("j4", "", "")] {
        let begins = Beginning { home, given, of: None };
        store::insert(&db, &job(id, ada, Kind::Sql, "select 2", 7), &begins).await.unwrap();
        assert_eq!(store::given(&db, id).await.unwrap(), given);
    }
    // A server ends what its own home has left, and what is of before homes were written down.
    assert_eq!(store::fail_unfinished(&db, "here", ("server_stopped", "Stopped."), 20).await.unwrap(), 2);
    for id in ["j2", "j4"] {
        let row = store::find(&db, id, None).await.unwrap().unwrap();
        let ended = (row.state, row.ended.finished_at, row.ended.message.as_str());
        assert_eq!(ended, (State::Failed, Some(20), "Stopped."));
    }
    assert_eq!(store::find(&db, "j3", None).await.unwrap().unwrap().state, State::Queued);
}

async fn logs_are_remembered(db: Db) {
    let ada = account(&db, "ada").await;
    for id in ["j1", "j2"] {
        store::insert(&db, &job(id, ada, Kind::Hive, "select 1", 5), &Beginning::default()).await.unwrap();
    }
    let line = |time, text: &str| LogLine { time, text: text.to_string() };
    let said = vec![line(6, "read 5 rows of 'ü'"), line(7, "a zero byte: \0")];
    log::keep(&db, "j1", said.clone()).await.unwrap();
    log::keep(&db, "j1", vec![line(8, "once more")]).await.unwrap();
    log::keep(&db, "j2", Vec::new()).await.unwrap();
    assert_eq!(log::kept(&db, "j1").await.unwrap(), said);
    assert!(log::kept(&db, "j2").await.unwrap().is_empty());
    store::remove(&db, "j1").await.unwrap();
    assert!(log::kept(&db, "j1").await.unwrap().is_empty());
}

async fn jobs_are_listed(db: Db) {
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    for (id, owner, kind, at) in
        [("a", ada, Kind::Sql, 1), ("b", ada, Kind::Hive, 2), ("c", ada, Kind::Sql, 3), ("d", eve, Kind::Sql, 4)]
    {
        store::insert(&db, &job(id, owner, kind, "select 1", at), &Beginning::default()).await.unwrap();
    }
    store::update(&db, "a", State::Killed, &Ended::default()).await.unwrap();
    let list = async |filter: Filter, page: i64, size: i64| {
        let page = Page { page: Some(page), size: Some(size) };
        let found = store::list(&db, &filter, page).await.unwrap();
        (found.items.into_iter().map(|row| row.id).collect::<Vec<_>>().join(""), found.total)
    };
    let of_ada = || Filter { owner: Some(ada), ..Filter::default() };
    assert_eq!(list(Filter::default(), 1, 10).await, ("dcba".to_string(), 4));
    assert_eq!(list(of_ada(), 1, 2).await, ("cb".to_string(), 3));
    assert_eq!(list(of_ada(), 2, 2).await, ("a".to_string(), 3));
    assert_eq!(list(Filter { kind: Some(Kind::Hive), ..Filter::default() }, 1, 10).await, ("b".to_string(), 1));
    assert_eq!(list(Filter { state: Some(State::Killed), ..Filter::default() }, 1, 10).await, ("a".to_string(), 1));
    let named = |name: &str| Filter { owner_name: Some(name.to_string()), ..Filter::default() };
    assert_eq!(list(named("EV"), 1, 10).await, ("d".to_string(), 1));
    assert_eq!(
        list(Filter { kind: Some(Kind::Sql), state: Some(State::Queued), ..named("a") }, 1, 1).await,
        ("c".to_string(), 1)
    );
}

async fn counters_count(db: Db) {
    assert_eq!(
        [db.next_id("x").await.unwrap(), db.next_id("x").await.unwrap(), db.next_id("y").await.unwrap()],
        [1, 2, 1]
    );
    db.ping().await.unwrap();
}

async fn writers_wait(db: Db) {
    let ids = (0..8).map(|_| async {
        let mut ids = Vec::new();
        for _ in 0..25 {
            ids.push(db.next_id("x").await.unwrap());
        }
        ids
    });
    let mut ids = futures::future::join_all(ids).await.concat();
    ids.sort_unstable();
    assert_eq!(ids, (1..=200).collect::<Vec<i64>>());
}

/// What one reads is still true when it writes.
async fn writers_go_one_after_another(db: Db) {
    let step = async || -> Result<(), sqlx::Error> {
        let mut at = db.begin().await?;
        let value: i64 = sqlx::query_scalar("select coalesce(max(value), 0) from counters where name = 'steps'")
            .fetch_one(&mut *at)
            .await?;
        sqlx::query(
            "insert into counters (name, value) values ('steps', $1) on conflict (name) do update set value = $1",
        )
        .bind(value + 1)
        .execute(&mut *at)
        .await?;
        at.commit().await
    };
    let steps = futures::future::join_all((0..40).map(|_| step())).await;
    steps.into_iter().collect::<Result<Vec<()>, _>>().unwrap();
    assert_eq!(db.next_id("steps").await.unwrap(), 41);
}
