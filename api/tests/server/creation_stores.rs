//! The stores of creations on both databases: rights in the `where`, search terms, versions, favourites, due queries.

use quarry::auth::{CurrentUser, rights};
use quarry::creations::access::Reader;
use quarry::creations::dashboards::records::{self, Operation, RecordFilter};
use quarry::creations::favorites::{self, Marked};
use quarry::creations::model::{CreationKind, EntityKind, Visibility};
use quarry::creations::paging::Window;
use quarry::creations::queries::{self, QueryRow, QueryText, Strategy};
use quarry::creations::store::{self, Change, New};
use quarry::creations::{card, index, indexing, lists, tags, versions};
use quarry::credits;
use quarry::db::Db;
use quarry::db::search::{self, Dialect, Term, Terms};
use quarry::http::ApiError;
use quarry::jobs::model::Kind;
use quarry::jobs::model::State;
use quarry::jobs::of_query::{self, RunOf, RunOrigin};
use quarry::jobs::store::{self as jobs, Beginning, Ended};
use quarry::schedule::store as schedule;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::stores::{self, account, on_both, postgres, sqlite};

on_both!(
    rights_are_in_the_where,
    words_are_found,
    an_index_with_holes_is_completed,
    what_went_meanwhile_is_not_found,
    versions_are_kept,
    favourites_count,
    what_goes_meanwhile_leaves_nothing,
    due_queries_are_claimed_once
);

const ALL: Window = Window { limit: 10, offset: 0 };

async fn user(db: &Db, name: &str) -> CurrentUser {
    let id = account(db, name).await;
    CurrentUser::of_account(db, id).await.unwrap()
}

async fn query(db: &Db, owner: &CurrentUser, title: &str, text: &str, visibility: Visibility) -> String {
    let what = QueryText { kind: Kind::Sql, text: text.to_string(), spec: None, parameters: Vec::new() };
    let row = QueryRow {
        id: store::new_id(),
        what,
        database: "ethereum".to_string(),
        strategy: Strategy::Hourly,
        cron: String::new(),
        paused: false,
        next_run_at: Some(1_000),
    };
    let tags = ["Gas"];
    let new = New { kind: CreationKind::Query, title, notes: "", tags: &tags, visibility, forked_from: None };
    let number = db.next_id("creations").await.unwrap();
    let mut at = db.pool().begin().await.unwrap();
    store::insert(&mut at, owner.id, &row.id, number, &new).await.unwrap();
    queries::insert(&mut at, &row).await.unwrap();
    index::refresh(db, &mut at, &row.id).await.unwrap();
    at.commit().await.unwrap();
    row.id
}

async fn rights_are_in_the_where(db: Db) {
    let (ada, eve) = (user(&db, "ada").await, user(&db, "eve").await);
    let id = query(&db, &ada, "mine", "select 1", Visibility::Private).await;
    let visitor = Reader::default();
    let reads = async |reader: &Reader| store::readable(&db, reader, CreationKind::Query, &id).await.is_ok();
    assert!(reads(&Reader::of(&ada)).await);
    assert!(!reads(&Reader::of(&eve)).await && !reads(&visitor).await);
    let token = store::set_visibility(&db, &ada, &id, Visibility::Link).await.unwrap();
    assert!(reads(&visitor.clone().with(token.clone())).await);
    assert!(!reads(&visitor.clone().with(Some("x".to_string()))).await && !reads(&visitor).await);
    assert!(store::set_visibility(&db, &eve, &id, Visibility::Public).await.is_err());
    assert_eq!(store::share_token(&db, &ada, &id).await.unwrap(), token);
    store::set_visibility(&db, &ada, &id, Visibility::Public).await.unwrap();
    assert!(reads(&visitor).await && reads(&visitor.clone().with(token)).await);
    let mut at = db.pool().begin().await.unwrap();
    let change = Change { title: Some("stolen"), ..Change::default() };
    assert!(!store::update(&mut at, &eve, CreationKind::Query, &id, &change).await.unwrap());
    let old = Change { revision: Some(7), ..Change::default() };
    assert!(!store::update(&mut at, &ada, CreationKind::Query, &id, &old).await.unwrap());
    let good = Change { revision: Some(1), title: Some("renamed"), tags: Some(&["fees"]), ..Change::default() };
    assert!(store::update(&mut at, &ada, CreationKind::Query, &id, &good).await.unwrap());
    at.commit().await.unwrap();
    let cards =
        card::list(&db, None, &lists::public_of(ada.id, &[CreationKind::Query], Some("NAM")), ALL).await.unwrap();
    assert_eq!((cards.total, cards.items[0].title.as_str(), cards.items[0].tags[0].as_str()), (1, "renamed", "fees"));
    store::remove(&db, &ada, CreationKind::Query, &id).await.unwrap();
    assert!(store::any(&db, &id).await.unwrap().is_none());
    assert!(tags::of(&db, CreationKind::Query, &id).await.unwrap().is_empty());
}

async fn words_are_found(db: Db) {
    let ada = user(&db, "ada").await;
    let id = query(&db, &ada, "Gas 费用分析 l'été", "select \"a\\b\" from t", Visibility::Public).await;
    let number = store::any(&db, &id).await.unwrap().unwrap().number;
    let found = async |terms: Terms| {
        let expression = db.search().expression(&terms);
        let statement = db.search().matching("$1", &[]);
        let numbers: Vec<i64> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).bind(expression).fetch_all(db.pool()).await.unwrap();
        numbers == [number]
    };
    // Every word says that it is of a query.
    let of_query = |text: &str| if text.contains(':') { format!("q{text}") } else { format!("q:{text}") };
    let word = |text: &str| Term::Word(of_query(text));
    let prefix = |text: &str| Term::Prefix(of_query(text));
    let raw = |text: &str| Term::Word(text.to_string());
    for term in [
        word("gas"),
        prefix("ga"),
        word("费用"),
        word("分析"),
        prefix("析"),
        word("été"),
        word("t:gas"),
        word("a:ada"),
        word(""),
    ] {
        assert!(found(Terms { wanted: vec![term.clone()], unwanted: Vec::new() }).await, "{term:?}");
    }
    for term in [word("ga"), word("用"), word("费析"), raw("'"), raw("\\"), word("t:ga")] {
        assert!(!found(Terms { wanted: vec![term.clone()], unwanted: Vec::new() }).await, "{term:?}");
    }
    let without = |group: &[&str]| Terms {
        wanted: vec![word("gas")],
        unwanted: vec![group.iter().map(|text| word(text)).collect()],
    };
    assert!(!found(without(&["t"])).await);
    assert!(found(without(&["t", "delete"])).await);
    store::set_visibility(&db, &ada, &id, Visibility::Private).await.unwrap();
    assert!(!found(Terms { wanted: vec![word("")], unwanted: Vec::new() }).await);
    store::remove(&db, &ada, CreationKind::Query, &id).await.unwrap();
    assert!(!found(Terms { wanted: vec![word("gas")], unwanted: Vec::new() }).await);
}

/// As a start leaves it that was killed while it indexed what an older version had.
async fn an_index_with_holes_is_completed(db: Db) {
    const QUERIES: i64 = 230;
    let ada = user(&db, "ada").await;
    for place in 0..QUERIES {
        let id = query(&db, &ada, "gas", "select 1", Visibility::Public).await;
        let number = store::any(&db, &id).await.unwrap().unwrap().number;
        if place > 10 && place != QUERIES - 1 {
            let mut at = db.pool().acquire().await.unwrap();
            db.search().forget(&mut at, number).await.unwrap();
        }
    }
    let expression = db.search().expression(&Terms { wanted: vec![Term::Word("q:gas".to_string())], unwanted: vec![] });
    let statement = format!("select count(*) from ({}) found", db.search().matching("$1", &[]));
    let found = async || -> i64 {
        let statement = sqlx::query_scalar(sqlx::AssertSqlSafe(statement.clone()));
        statement.bind(&expression).fetch_one(db.pool()).await.unwrap()
    };
    assert_eq!(found().await, 12);
    let (tasks, ready) = (TaskTracker::new(), CancellationToken::new());
    indexing::complete(&db, &tasks, ready.clone(), CancellationToken::new()).await.unwrap();
    assert_eq!(found().await, 12, "much waits until the server answers");
    ready.cancel();
    tasks.close();
    tasks.wait().await;
    assert_eq!(found().await, QUERIES);
    search::tidy(&db).await.unwrap();
    assert_eq!(found().await, QUERIES);
    db.search().forget(&mut db.pool().acquire().await.unwrap(), QUERIES).await.unwrap();
    assert_eq!(found().await, QUERIES - 1);
    indexing::complete(&db, &TaskTracker::new(), CancellationToken::new(), CancellationToken::new()).await.unwrap();
    assert_eq!(found().await, QUERIES, "little does not wait");
    if db.search() == Dialect::Postgres {
        // What is visited to count matches is small: the terms lie beside it, and what pushed them out takes no room.
        let size = "select pg_relation_size('search_words')";
        let bytes: i64 = sqlx::query_scalar(size).fetch_one(db.pool()).await.unwrap();
        assert!(bytes < QUERIES * 500, "{bytes}");
    }
}

async fn what_went_meanwhile_is_not_found(db: Db) {
    let gone = sqlx::query("insert into project_items (project_id, item_id, position) values ('gone', 'too', 1)")
        .execute(db.pool())
        .await;
    assert_eq!(ApiError::from(gone.unwrap_err()).status.as_u16(), 404);
}

async fn versions_are_kept(db: Db) {
    let (ada, eve) = (user(&db, "ada").await, user(&db, "eve").await);
    let id = query(&db, &ada, "v", "select 1", Visibility::Private).await;
    let keep = async |author: &CurrentUser, content: &str, autosave: bool| {
        let mut at = db.pool().acquire().await.unwrap();
        versions::keep(&mut at, &id, author.id, "v", content, autosave).await.unwrap();
    };
    keep(&ada, "a", false).await;
    keep(&ada, "b", true).await;
    keep(&ada, "c", true).await;
    keep(&eve, "d", true).await;
    keep(&ada, "e", true).await;
    let (of, reader) = (store::any(&db, &id).await.unwrap().unwrap(), Reader::of(&ada));
    let list = versions::list(&db, &reader, &of, ALL).await.unwrap();
    assert_eq!(list.total, 4);
    let mut contents = Vec::new();
    for version in 1..=4 {
        contents.push(versions::find(&db, &reader, &of, version).await.unwrap().1);
    }
    assert_eq!(contents, ["a", "c", "d", "e"]);
    assert_eq!(list.items[1].user_name.as_deref(), Some("eve"));

    let mut at = db.pool().acquire().await.unwrap();
    for (number, operation) in (1..).zip([Operation::Create, Operation::Edit, Operation::Edit, Operation::Delete]) {
        records::write(&mut at, number, operation, ("d", "board"), &ada).await.unwrap();
    }
    drop(at);
    let count =
        async |operation, filter: RecordFilter| records::list(&db, operation, &filter, ALL).await.unwrap().total;
    assert_eq!(count(Operation::Edit, RecordFilter::default()).await, 1);
    assert_eq!(count(Operation::Create, RecordFilter { user: Some(eve.id), ..RecordFilter::default() }).await, 0);
    let of = |name: &str| RecordFilter { user_name: Some(name.to_string()), from: Some(1), ..RecordFilter::default() };
    assert_eq!((count(Operation::Delete, of("ada")).await, count(Operation::Delete, of("eve")).await), (1, 0));
}

async fn favourites_count(db: Db) {
    let (ada, eve) = (user(&db, "ada").await, user(&db, "eve").await);
    let id = query(&db, &ada, "v", "select 1", Visibility::Public).await;
    let of = Marked { kind: EntityKind::Query, id: id.clone(), receiver: Some(ada.id) };
    assert!(favorites::set(&db, eve.id, &of, true).await.unwrap());
    assert!(!favorites::set(&db, eve.id, &of, true).await.unwrap());
    let address = Marked { kind: EntityKind::Address, id: format!("0x{}", "a".repeat(40)), receiver: None };
    assert!(favorites::set(&db, eve.id, &address, true).await.unwrap());
    let stars = async || -> (i64, i64) {
        let row: i64 = sqlx::query_scalar("select stars from creator_figures where user_id = $1")
            .bind(ada.id)
            .fetch_one(db.pool())
            .await
            .unwrap();
        (row, store::any(&db, &id).await.unwrap().map_or(0, |found| found.favorites))
    };
    assert_eq!(stars().await, (1, 1));
    assert_eq!(credits::balance(&db, ada.id).await.unwrap(), 1);
    let list = card::list(&db, Some(eve.id), &lists::favorites(eve.id, CreationKind::Query), ALL).await.unwrap();
    assert!(list.items[0].favorited);
    store::remove(&db, &ada, CreationKind::Query, &id).await.unwrap();
    assert_eq!(stars().await, (0, 0));
    assert_eq!(credits::balance(&db, ada.id).await.unwrap(), 0, "marked and deleted again and again gains nothing");
    assert!(favorites::set(&db, eve.id, &address, false).await.unwrap());
}

/// Who deletes twice, or marks what is being deleted, leaves no stars, credits or marks behind.
async fn what_goes_meanwhile_leaves_nothing(db: Db) {
    rights::prepare(&db).await.unwrap();
    let (ada, eve) = (user(&db, "ada").await, user(&db, "eve").await);
    for round in 0..5 {
        let id = query(&db, &ada, "v", "select 1", Visibility::Public).await;
        let of = Marked { kind: EntityKind::Query, id: id.clone(), receiver: Some(ada.id) };
        let credits = credits::balance(&db, ada.id).await.unwrap();
        // Four tabs at once.
        let (one, two) = (favorites::set(&db, eve.id, &of, true), favorites::set(&db, eve.id, &of, true));
        let (three, four) = (favorites::set(&db, eve.id, &of, false), favorites::set(&db, eve.id, &of, true));
        let done = tokio::join!(one, two, three, four);
        assert!(done.0.is_ok() && done.1.is_ok() && done.2.is_ok() && done.3.is_ok(), "{done:?}");
        let marked = favorites::is_marked(&db, Some(eve.id), "query", &id).await.unwrap();
        assert_eq!(credits::balance(&db, ada.id).await.unwrap() - credits, i64::from(marked), "round {round}");
        favorites::set(&db, eve.id, &of, true).await.unwrap();

        let remove = || store::remove(&db, &ada, CreationKind::Query, &id);
        let (first, second) = tokio::join!(remove(), remove());
        assert!(first.is_ok() != second.is_ok(), "one of two removes it: {first:?} {second:?}");
        assert_eq!(first.err().or(second.err()).unwrap().status.as_u16(), 404);
        // It was found before it went.
        assert_eq!(favorites::set(&db, eve.id, &of, true).await.unwrap_err().status.as_u16(), 404);
        assert!(!favorites::is_marked(&db, Some(eve.id), "query", &id).await.unwrap());
        let stars: i64 = sqlx::query_scalar("select stars from creator_figures where user_id = $1")
            .bind(ada.id)
            .fetch_one(db.pool())
            .await
            .unwrap();
        assert_eq!(stars, 0, "round {round}");
    }
}

async fn due_queries_are_claimed_once(db: Db) {
    let ada = user(&db, "ada").await;
    let id = query(&db, &ada, "v", "select 1", Visibility::Private).await;
    assert_eq!(schedule::due(&db, 999, 10).await.unwrap(), []);
    assert_eq!(schedule::earliest(&db).await.unwrap(), Some(1_000));
    let due = schedule::due(&db, 1_000, 10).await.unwrap();
    assert_eq!((due.len(), due[0].query_id.as_str()), (1, id.as_str()));
    let claims = futures::future::join_all((0..4).map(|_| schedule::claim(&db, &due[0], Some(2_000)))).await;
    assert_eq!(claims.into_iter().filter(|claim| *claim.as_ref().unwrap()).count(), 1);
    schedule::pause(&db, &id, true, Some(2_000)).await.unwrap();
    assert_eq!(schedule::due(&db, 9_000, 10).await.unwrap(), []);
    let (list, total) = schedule::list(&db, Some(ada.id), 10, 0).await.unwrap();
    assert_eq!((total, list[0].paused, list[0].last_state.as_deref()), (1, true, None));

    for (job, shared) in [("j1", true), ("j2", true), ("j3", false)] {
        let parameters = String::new();
        let of = RunOf { query_id: id.clone(), revision: 1, origin: RunOrigin::Schedule, shared, parameters };
        let begins = Beginning { of: Some(&of), ..Beginning::default() };
        jobs::insert(&db, &stores::job(job, ada.id, Kind::Sql, "select 1", 5), &begins).await.unwrap();
    }
    assert!(of_query::unfinished(&db, &id).await.unwrap().is_some());
    assert_eq!(of_query::shown(&db, &id, "").await.unwrap(), None);
    let ended = Ended { finished_at: Some(9), rows: Some(1), ..Ended::default() };
    for job in ["j1", "j2", "j3"] {
        jobs::update(&db, job, State::Succeeded, &ended).await.unwrap();
    }
    assert_eq!(of_query::shown(&db, &id, "").await.unwrap().unwrap().job_id, "j2");
    assert!(of_query::is_shown(&db, "j2").await.unwrap() && !of_query::is_shown(&db, "j1").await.unwrap());
    assert!(!of_query::is_shown(&db, "j3").await.unwrap());
    let (runs, total) = of_query::runs(&db, &id, (Some(ada.id), false), (2, 0)).await.unwrap();
    assert_eq!((runs.len(), total, runs[0].job_id.as_str()), (2, 3, "j3"));
    assert_eq!(of_query::text(&db, &id, "j1", Some(ada.id)).await.unwrap().as_deref(), Some("select 1"));
}
