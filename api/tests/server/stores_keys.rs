//! The store of API keys, on both databases like those of `stores`.

use quarry::db::Db;
use quarry::keys::{self, Keys, MOST, NewKey, Restrictions, Shown};
use quarry::time::now_ms;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::stores::{account, on_both, postgres, sqlite};

on_both!(keys_are_kept_and_counted, keys_asked_for_at_once_are_as_many_as_there_may_be);

async fn keys_asked_for_at_once_are_as_many_as_there_may_be(db: Db) {
    let ada = account(&db, "ada").await;
    let restrictions = Restrictions::default();
    let new = NewKey { name: "notebook", expires_at: None, restrictions: &restrictions };
    let asked = (0..MOST + 5).map(|_| keys::create(&db, ada, &new));
    let made = futures::future::try_join_all(asked).await.unwrap();
    assert_eq!(made.iter().flatten().count(), usize::try_from(MOST).unwrap());
    let (id, _) = made.into_iter().flatten().next().unwrap();
    assert!(keys::end(&db, ada, id).await.unwrap());
    assert!(keys::create(&db, ada, &new).await.unwrap().is_some(), "one that was ended makes room");
}

async fn keys_are_kept_and_counted(db: Db) {
    let (ada, eve) = (account(&db, "ada").await, account(&db, "eve").await);
    let restrictions = Restrictions { metrics: vec!["fees".to_string()], ..Restrictions::default() };
    let new = NewKey { name: "notebook", expires_at: Some(now_ms() + 60_000), restrictions: &restrictions };
    let (id, key) = keys::create(&db, ada, &new).await.unwrap().unwrap();
    assert!(!keys::edit(&db, eve, id, "stolen", &Restrictions::default()).await.unwrap());
    assert!(keys::edit(&db, ada, id, "desk", &restrictions).await.unwrap());
    let listed = keys::list(&db, ada).await.unwrap();
    assert_eq!((listed[0].name.as_str(), &listed[0].restrictions), ("desk", &restrictions));

    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let counting = Keys::start(db.clone(), 100, &tasks, stop.clone());
    let here = Shown { address: [192, 0, 2, 1].into(), referrer: None };
    for metric in ["fees/gas-used-total", "fees/gas-used-mean", "address/new"] {
        let admitted = counting.admit(&key, here, &[metric.to_string()]).await;
        assert_eq!(admitted.is_ok(), metric.starts_with("fees"), "{metric}");
    }
    counting.flush().await;
    counting.admit(&key, here, &[]).await.unwrap();
    // What is left is written when the server stops.
    stop.cancel();
    tasks.close();
    tasks.wait().await;
    let days = keys::usage(&db, ada, id, 0).await.unwrap().unwrap();
    let sum = |of: fn(&keys::DayUsage) -> i64| days.iter().map(of).sum::<i64>();
    assert_eq!((sum(|day| day.requests), sum(|day| day.refused)), (4, 1));
    let listed = keys::list(&db, ada).await.unwrap();
    assert!(listed[0].uses == 4 && listed[0].last_used_at.is_some());
    assert!(keys::usage(&db, eve, id, 0).await.unwrap().is_none());

    counting.forget(id);
    assert!(keys::end(&db, ada, id).await.unwrap() && !keys::end(&db, ada, id).await.unwrap());
    assert_eq!(counting.admit(&key, here, &[]).await.unwrap_err().code, "api_key_invalid");
}
