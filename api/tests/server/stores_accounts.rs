//! The stores of accounts and the back office, on both databases like those of `stores`.

use quarry::auth::accounts::{self, ChangeError};
use quarry::auth::codes::{self, Purpose};
use quarry::auth::sessions::{self, Action, LoginKind, LoginRecord, NewSession};
use quarry::auth::{ROLE_ADMIN, rights};
use quarry::credits::{self, Rule};
use quarry::db::list::{List, Page};
use quarry::db::{Db, dump};
use quarry::features::feedback::model::{FeedbackForm, FeedbackParams, FeedbackView};
use quarry::features::feedback::store as feedback;
use quarry::letters::{self, Kept, NewLetter};
use quarry::time::now_ms;
use quarry::uploads::{self, Filter, Incoming, Scene, Uploads};
use quarry::{tracking, upkeep};
use tokio::task::yield_now;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::harness::{SOON, png};
use crate::stores::{account, client, on_both, postgres, postgres_url, sqlite};

on_both!(
    codes_work_once,
    codes_asked_for_at_once_are_one,
    what_is_over_is_forgotten,
    the_last_administrator_stays,
    two_administrators_do_not_remove_each_other,
    lists_are_filtered,
    letters_are_kept_once,
    credits_are_given_once,
    statistics_count,
    texts_with_a_zero_byte_do_no_harm,
    a_picture_that_was_removed_is_named_no_more,
    a_dump_is_of_one_moment_and_fits_either_database
);

async fn codes_work_once(db: Db) {
    let code = codes::make(&db, "a@b.io", Purpose::Register).await.unwrap().unwrap();
    assert_eq!(codes::make(&db, "a@b.io", Purpose::Register).await.unwrap(), None, "not two in a minute");
    let redeem = async |target: &str, purpose, code: &str| codes::redeem(&db, target, purpose, code).await.unwrap();
    assert!(!redeem("a@b.io", Purpose::Reset, &code).await);
    assert!(!redeem("b@b.io", Purpose::Register, &code).await);
    assert!(redeem("a@b.io", Purpose::Register, &code).await);
    assert!(!redeem("a@b.io", Purpose::Register, &code).await);
    // One that is older than ten minutes.
    let old = codes::make(&db, "c@b.io", Purpose::Reset).await.unwrap().unwrap();
    let earlier = now_ms() - 10 * 60_000 - 1;
    sqlx::query("update codes set created_at = $1").bind(earlier).execute(db.pool()).await.unwrap();
    assert!(!redeem("c@b.io", Purpose::Reset, &old).await);
    codes::forget(&db, now_ms()).await.unwrap();
}

async fn codes_asked_for_at_once_are_one(db: Db) {
    let asked = (0..8).map(|_| codes::make(&db, "a@b.io", Purpose::Register));
    let made = futures::future::try_join_all(asked).await.unwrap();
    assert_eq!(made.iter().flatten().count(), 1, "{made:?}");
}

async fn what_is_over_is_forgotten(db: Db) {
    let ada = account(&db, "ada").await;
    let client = client();
    for (id, expires_at) in [("over", 1), ("good", i64::MAX)] {
        let new = NewSession {
            id,
            user_id: ada,
            kind: LoginKind::Password,
            password_hash: "hash",
            expires_at,
            client: &client,
        };
        assert!(sessions::open(&db, &new).await.unwrap());
    }
    codes::make(&db, "a@b.io", Purpose::Reset).await.unwrap().unwrap();
    sqlx::query("update codes set created_at = 1").execute(db.pool()).await.unwrap();
    codes::make(&db, "b@b.io", Purpose::Reset).await.unwrap().unwrap();
    let left = async || {
        let left = "select (select count(*) from sessions) + (select count(*) from codes)";
        sqlx::query_scalar::<_, i64>(left).fetch_one(db.pool()).await.unwrap()
    };
    let stop = CancellationToken::new();
    let forgotten = async {
        while left().await > 2 {
            yield_now().await;
        }
        stop.cancel();
    };
    let (_, forgotten) = tokio::join!(upkeep::forget_over(db.clone(), stop.clone()), timeout(SOON, forgotten));
    forgotten.expect("they are forgotten");
    assert!(sessions::find(&db, "good").await.unwrap().is_some());
    assert_eq!(left().await, 2);
}

async fn the_last_administrator_stays(db: Db) {
    rights::prepare(&db).await.unwrap();
    rights::prepare(&db).await.unwrap();
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    accounts::set_role(&db, ada, ROLE_ADMIN).await.unwrap();
    accounts::set_role(&db, eve, ROLE_ADMIN).await.unwrap();
    accounts::set_disabled(&db, eve, true).await.unwrap();
    assert!(matches!(accounts::set_disabled(&db, ada, true).await, Err(ChangeError::LastAdmin)));
    assert!(matches!(accounts::set_role(&db, ada, "ROLE_DEFAULT").await, Err(ChangeError::LastAdmin)));
    assert!(matches!(accounts::set_role(&db, 99, "ROLE_DEFAULT").await, Err(ChangeError::Unknown)));
    assert_eq!(accounts::role_of(&db, ada).await.unwrap().as_deref(), Some(ROLE_ADMIN), "a refused change is undone");
}

async fn two_administrators_do_not_remove_each_other(db: Db) {
    rights::prepare(&db).await.unwrap();
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    accounts::set_role(&db, ada, ROLE_ADMIN).await.unwrap();
    accounts::set_role(&db, eve, ROLE_ADMIN).await.unwrap();
    let (first, second) = tokio::join!(accounts::set_disabled(&db, ada, true), accounts::set_disabled(&db, eve, true));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
}

async fn lists_are_filtered(db: Db) {
    let ada = account(&db, "ada").await;
    for (name, action) in [("Ada_1", Action::Login), ("adaX1", Action::Logout), ("ÄDA%", Action::Login)] {
        sessions::record(&db, ada, name, action, &client()).await.unwrap();
    }
    let list = async |list: List, page: Page| {
        let page = list.page::<LoginRecord>(&db, page).await.unwrap();
        (page.items.into_iter().map(|item| item.user_name).collect::<Vec<_>>().join(" "), page.total)
    };
    let all = || List::new("id, user_id, user_name, action, address, agent, acted_at", "login_records", "id");
    assert_eq!(list(all(), Page::default()).await, ("Ada_1 adaX1 ÄDA%".to_string(), 3));
    assert_eq!(list(all().contains("user_name", Some("a_1")), Page::default()).await.0, "Ada_1");
    assert_eq!(list(all().contains("user_name", Some("%")), Page::default()).await.0, "ÄDA%");
    assert_eq!(list(all().text("action", Some("login")).number("id", Some(3)), Page::default()).await.0, "ÄDA%");
    assert_eq!(list(all(), Page { page: Some(2), size: Some(2) }).await, ("ÄDA%".to_string(), 3));
    assert_eq!(list(all().between("acted_at", Some(0), Some(1)), Page::default()).await.1, 0);
}

async fn letters_are_kept_once(db: Db) {
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    let letter = |time| NewLetter { from: ada, to: eve, content: "你好 ü", client_time: time };
    assert!(matches!(letters::keep(&db, &letter("1@@@1")).await.unwrap(), Kept::New(_)));
    assert_eq!(letters::keep(&db, &letter("1@@@1")).await.unwrap(), Kept::Again);
    letters::keep(&db, &letter("2@@@1")).await.unwrap();
    let contacts = letters::contacts(&db, eve).await.unwrap();
    assert_eq!((contacts.len(), contacts[0].unread, contacts[0].content.as_str()), (1, 2, "你好 ü"));
    assert_eq!(letters::contacts(&db, ada).await.unwrap()[0].unread, 0);
    assert!(letters::has_unread(&db, eve).await.unwrap());
    assert_eq!(letters::set_read(&db, eve, ada).await.unwrap(), 2);
    assert!(!letters::has_unread(&db, eve).await.unwrap());
    let thread = letters::thread(&db, ada, eve, None, 10).await.unwrap();
    assert_eq!((thread.len(), thread[0].id < thread[1].id, thread[0].read_at.is_some()), (2, true, true));
}

async fn credits_are_given_once(db: Db) {
    let ada = account(&db, "ada").await;
    for _ in 0..2 {
        credits::award(&db, ada, Rule::Favourite, "dashboard:1:by:2").await.unwrap();
    }
    credits::award(&db, ada, Rule::Dashboard, "dashboard:1").await.unwrap();
    assert_eq!(credits::balance(&db, ada).await.unwrap(), 6);
    let mut connection = db.pool().acquire().await.unwrap();
    credits::withdraw(&mut connection, Rule::Favourite, "dashboard:1:by:2").await.unwrap();
    drop(connection);
    credits::change_rule(&db, "fork", 2, false, "").await.unwrap();
    credits::award(&db, ada, Rule::Fork, "query:1:by:2").await.unwrap();
    assert_eq!(credits::balance(&db, ada).await.unwrap(), 5);
    credits::write(&db, ada, -7, "correction").await.unwrap();
    let revenue = credits::revenue(&db, Some("ad"), Page::default()).await.unwrap();
    assert_eq!((revenue.items[0].credits, revenue.items[0].entries), (-2, 2));
    assert_eq!(credits::totals(&db).await.unwrap(), (-2, 1));
}

async fn statistics_count(db: Db) {
    let (summary, days) = tracking::summary(&db, 0, i64::MAX).await.unwrap();
    assert!(days.is_empty());
    assert_eq!((summary.views, summary.visitors, summary.mean_browse_ms), (0, 0, 0));
    let day = 86_400_000;
    let tasks = tokio_util::task::TaskTracker::new();
    let tracker = tracking::Tracker::start(db.clone(), &tasks, tokio_util::sync::CancellationToken::new());
    for (at, visitor) in [(day, "a"), (2 * day - 1, "a"), (2 * day, "b")] {
        tracker.take(tracking::Event::Route(tracking::RouteEvent {
            at,
            visitor: visitor.to_string(),
            user_name: String::new(),
            previous_url: String::new(),
            previous_title: String::new(),
            current_url: "/home".to_string(),
            current_title: String::new(),
            browsed_ms: 10,
        }));
    }
    tracker.flush().await;
    let (_, days) = tracking::summary(&db, 0, i64::MAX).await.unwrap();
    let seen: Vec<_> = days.iter().map(|entry| (entry.day, entry.views, entry.visitors)).collect();
    assert_eq!(seen, [(day, 2, 1), (2 * day, 1, 1)]);
    assert_eq!(tracking::summary(&db, 0, 2 * day).await.unwrap().0.views, 2);
}

async fn texts_with_a_zero_byte_do_no_harm(db: Db) {
    assert!(uploads::find(&db, "a\0b").await.unwrap().is_none());
    let filter = Filter { name: Some("a\0b"), ..Filter::default() };
    match uploads::list(&db, &filter, Page::default()).await {
        Ok(page) => assert_eq!(page.total, 0),
        Err(error) => assert_eq!(quarry::http::ApiError::from(error).status.as_u16(), 400),
    }
}

async fn a_picture_that_was_removed_is_named_no_more(db: Db) {
    let home = tempfile::tempdir().unwrap();
    let uploads = Uploads::open(home.path(), TaskTracker::new()).unwrap();
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    let keep = async || {
        let file = Incoming { scene: Scene::Feedback, owner: ada, name: "a.png".to_string(), bytes: png(2, 2) };
        uploads.keep(&db, file).await.unwrap()
    };
    let (first, second, third) = (keep().await, keep().await, keep().await);
    let named = [first.as_str(), second.as_str(), third.as_str()].join("@");
    for (by, photo) in [(ada, &named), (ada, &second), (eve, &named)] {
        let form = FeedbackForm {
            feedback_title: "Colours".to_string(),
            feedback_content: "More of them.".to_string(),
            feedback_url: String::new(),
            feedback_photo: photo.clone(),
        };
        feedback::insert(&db, by, &form).await.unwrap();
    }
    uploads.remove(&db, &uploads::find(&db, &second).await.unwrap().unwrap()).await.unwrap();
    let every =
        FeedbackParams { page: None, size: None, user_name: None, title: None, state: None, from: None, to: None };
    let mut views: Vec<FeedbackView> = feedback::list(&every).all(&db).await.unwrap();
    views.sort_by_key(|view| view.id);
    let left: Vec<_> = views.iter().map(|view| view.feedback_photo.as_str()).collect();
    assert_eq!(left, [&[first.as_str(), &third].join("@"), "", &named], "of whose picture it was");
}

async fn a_dump_is_of_one_moment_and_fits_either_database(db: Db) {
    rights::prepare(&db).await.unwrap();
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    let letter = NewLetter { from: ada, to: eve, content: "zero\u{1}, \"quotes\", 你好", client_time: "1@@@1" };
    letters::keep(&db, &letter).await.unwrap();
    let mut lines = Vec::new();
    let rows = dump::write(&db, &mut lines).await.unwrap();
    account(&db, "bob").await;
    let (other, _folder) = sqlite().await;
    for target in [&other, &db] {
        assert_eq!(dump::read(target, lines.as_slice(), |_| Ok(false)).await.unwrap(), rows);
        let thread = letters::thread(target, ada, eve, None, 10).await.unwrap();
        assert_eq!((thread.len(), thread[0].content.as_str()), (1, letter.content));
        assert!(accounts::find(target, "bob").await.unwrap().is_none());
        let mut again = Vec::new();
        dump::write(target, &mut again).await.unwrap();
        let sorted = |lines: &[u8]| {
            let mut lines: Vec<String> =
                String::from_utf8(lines.to_vec()).unwrap().lines().map(str::to_string).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&again), sorted(&lines));
    }
}

/// The home's lock keeps servers of another home from none: they meet in the database.
#[tokio::test]
async fn nothing_is_restored_under_a_server_of_another_home() {
    let Some(url) = postgres_url().await else { return };
    let (server, desk) = (Db::open_to_serve(&url).await.unwrap(), Db::open(&url).await.unwrap());
    account(&server, "ada").await;
    let mut lines = Vec::new();
    let rows = dump::write(&desk, &mut lines).await.unwrap();
    account(&server, "eve").await;
    let refused = dump::read(&desk, lines.as_slice(), |_| Ok(false)).await.unwrap_err();
    assert_eq!(refused.to_string(), "a server uses the platform database; stop it first");
    assert!(accounts::find(&desk, "eve").await.unwrap().is_some());
    let second = Db::open_to_serve(&url).await.unwrap();
    server.close().await;
    assert!(dump::read(&desk, lines.as_slice(), |_| Ok(false)).await.is_err(), "the second server runs");
    second.close().await;
    // What closes a connection does not wait until the database has noticed.
    let restored = timeout(SOON, async {
        loop {
            match dump::read(&desk, lines.as_slice(), |_| Ok(false)).await {
                Ok(rows) => return rows,
                Err(_) => yield_now().await,
            }
        }
    });
    assert_eq!(restored.await.unwrap(), rows);
    assert!(accounts::find(&desk, "eve").await.unwrap().is_none());
}
