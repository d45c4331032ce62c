//! Which tables of others jobs read, on both databases.

use std::sync::Arc;

use quarry::db::Db;
use quarry::jobs::model::{Kind, State};
use quarry::jobs::of_query::{RunOf, RunOrigin};
use quarry::jobs::shares::{self, EVERYBODY};
use quarry::jobs::sources::{self, Dependents, SourceTable};
use quarry::jobs::store::{self, Beginning, Ended};
use quarry_engine::Engine;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::ReadTable;
use quarry_runtime::user_tables::{UploadFormat, WriteMode};
use tempfile::TempDir;

use crate::stores::{account, job, on_both, postgres, sqlite};
use crate::tables::CSV;

on_both!(results_follow_the_tables_of_others, jobs_from_before_are_known_by_their_texts);

/// Two accounts, and a table of the first that is shared with the second.
struct Shared {
    engine: Arc<Engine>,
    _home: TempDir,
    ada: i64,
    eve: i64,
    created: u64,
}

async fn shared(db: &Db) -> Shared {
    let (ada, eve) = (account(db, "ada").await, account(db, "eve").await);
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("gifts.csv");
    std::fs::write(&file, CSV).unwrap();
    let config = EngineConfig::at(home.path());
    let (engine, created) = tokio::task::spawn_blocking(move || {
        let engine = Engine::open(config).unwrap();
        let tables = engine.user_tables();
        let made = tables.upload("user_ada", "gifts", &file, UploadFormat::Csv, WriteMode::Create).unwrap();
        (engine, made.created)
    })
    .await
    .unwrap();
    shares::share(db, ada, "gifts", created, eve).await.unwrap();
    Shared { engine, _home: home, ada, eve, created }
}

/// A public query and the job that left its result.
async fn published(db: &Db, owner: i64, id: &str, text: &str, created: u64) {
    sqlx::query(
        "insert into creations (id, number, kind, owner_id, visibility, title, created_at, updated_at)
         values ($1, $2, 'query', $3, 'public', 'q', 1, 1)",
    )
    .bind(id)
    .bind(db.next_id("test").await.unwrap())
    .bind(owner)
    .execute(db.pool())
    .await
    .unwrap();
    let of = RunOf {
        query_id: id.to_string(),
        revision: 1,
        origin: RunOrigin::Manual,
        shared: true,
        parameters: String::new(),
    };
    let row = job(id, owner, Kind::Sql, text, i64::try_from(created).unwrap() + 1);
    store::insert(db, &row, &Beginning { of: Some(&of), ..Beginning::default() }).await.unwrap();
    store::update(db, id, State::Succeeded, &Ended::default()).await.unwrap();
}

async fn refused(db: &Db, at: &Shared, reader: Option<i64>, job: &str) -> Option<String> {
    sources::check(db, &at.engine, reader, job).await.err().map(|error| error.code.into_owned())
}

async fn results_follow_the_tables_of_others(db: Db) {
    let at = shared(&db).await;
    let read = |schema: &str| ReadTable { schema: schema.into(), table: "gifts".into(), created: at.created };
    published(&db, at.eve, "job", "select 1", at.created).await;
    for _ in 0..2 {
        sources::keep(&db, "job", &[read("user_ada"), read("user_eve")]).await.unwrap();
        sources::keep(&db, "gone", &[read("user_ada")]).await.unwrap();
    }
    let source = SourceTable { schema: "user_ada".to_string(), table: "gifts".to_string() };
    assert_eq!(sources::of_queries(&db, &["job".to_string()]).await.unwrap(), [source], "her own table is no other's");
    let dependents = async |reader: Option<i64>| {
        let Dependents { results, publishers } =
            sources::dependents(&db, "ada", ("gifts", at.created), reader).await.unwrap();
        (results, publishers)
    };
    assert_eq!((dependents(None).await, dependents(Some(at.eve)).await), ((1, 1), (1, 1)));
    assert_eq!((dependents(Some(EVERYBODY)).await, dependents(Some(at.ada)).await), ((0, 0), (0, 0)));
    for reader in [None, Some(at.ada), Some(at.eve), Some(99)] {
        assert_eq!(refused(&db, &at, reader, "job").await, None, "{reader:?}");
    }
    shares::unshare(&db, at.ada, "gifts", at.eve).await.unwrap();
    assert_eq!(dependents(None).await, (0, 0), "it is unreadable already");
    assert_eq!(refused(&db, &at, Some(at.ada), "job").await, None);
    assert_eq!(refused(&db, &at, Some(at.eve), "job").await.unwrap(), "own_source_not_shared");
    for reader in [None, Some(99)] {
        assert_eq!(refused(&db, &at, reader, "job").await.unwrap(), "source_not_shared");
    }
    shares::share(&db, at.ada, "gifts", at.created + 1, at.eve).await.unwrap();
    assert_eq!(refused(&db, &at, None, "job").await.unwrap(), "source_not_shared", "that is another table");
    // The owner of the table takes it along.
    sqlx::query("delete from users where id = $1").bind(at.ada).execute(db.pool()).await.unwrap();
    assert_eq!(refused(&db, &at, None, "job").await.unwrap(), "source_not_shared");
}

async fn jobs_from_before_are_known_by_their_texts(db: Db) {
    let at = shared(&db).await;
    for (id, owner, text) in [
        ("plain", at.eve, "select * from user_ada.gifts"),
        ("quoted", at.eve, "SELECT * FROM \"user_ada\".`GIFTS` g"),
        ("other", at.eve, "select * from user_ada.other"),
        ("own", at.ada, "select * from user_ada.gifts"),
    ] {
        published(&db, owner, id, text, at.created).await;
    }
    let (_, fill) = include_str!("../../migrations/0077_job_tables.sql").split_once("\ninsert").unwrap();
    sqlx::query(sqlx::AssertSqlSafe(format!("insert{fill}"))).execute(db.pool()).await.unwrap();
    let known: Vec<String> =
        sqlx::query_scalar("select job_id from job_tables order by job_id").fetch_all(db.pool()).await.unwrap();
    assert_eq!(known, ["plain", "quoted"]);
    shares::unshare(&db, at.ada, "gifts", at.eve).await.unwrap();
    assert_eq!(refused(&db, &at, None, "quoted").await.unwrap(), "source_not_shared");
    assert_eq!(refused(&db, &at, None, "other").await, None);
}
