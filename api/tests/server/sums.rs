//! Sums that the back office reads, beside what one finds by adding up every row; on both databases, after many random
//! changes and after a restore.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;

use quarry::credits::{self, Rule};
use quarry::db::list::Page;
use quarry::db::{Db, dump};
use quarry::time::now_ms;
use quarry::tracking::{self, ClickEvent, Event, RouteEvent, Tracker, Visits};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::stores::{account, on_both, postgres, sqlite};

on_both!(visits_are_summed, credits_are_summed);

const DAY: i64 = 86_400_000;
const WHOLE: Page = Page { page: Some(1), size: Some(100) };
const URLS: [&str; 4] = ["/home", "/query/1", "/dashboard/Gas", "/Gas"];

/// A visit: moment, visitor, user, previous page, page and time on the previous page.
type Visit = (i64, String, String, &'static str, &'static str, i64);

async fn visits_are_summed(db: Db) {
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let tracker = Tracker::start(db.clone(), &tasks, stop.clone());
    let mut dice = StdRng::seed_from_u64(7);
    let (mut all, mut clicks): (Vec<Visit>, Vec<i64>) = Default::default();
    let now = now_ms();
    for _ in 0..12 {
        // Times in any order, as a clock leaves them that was set back.
        for _ in 0..30 {
            let at = now - dice.random_range(0..9 * DAY);
            let user = *["", "", "ada", "bob"].choose(&mut dice).unwrap();
            let visitor = format!("v{}", dice.random_range(0..7));
            let browsed = *[0, 0, 1_500, 2_001].choose(&mut dice).unwrap();
            let (from, to) = (*URLS.choose(&mut dice).unwrap(), *URLS.choose(&mut dice).unwrap());
            all.push((at, visitor.clone(), user.to_string(), from, to, browsed));
            let event = RouteEvent {
                at,
                visitor: visitor.clone(),
                user_name: user.to_string(),
                previous_url: from.to_string(),
                previous_title: String::new(),
                current_url: to.to_string(),
                current_title: String::new(),
                browsed_ms: browsed,
            };
            assert!(tracker.take(Event::Route(event)));
            clicks.push(at);
            let click = ClickEvent {
                at,
                visitor,
                user_name: String::new(),
                current_url: to.to_string(),
                trigger_type: String::new(),
                title: String::new(),
                behavior: String::new(),
            };
            assert!(tracker.take(Event::Click(click)));
        }
        tracker.flush().await;
        let ends: Vec<i64> = (0..2).map(|_| now - dice.random_range(0..10 * DAY)).collect();
        let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let spans =
            [(now - 20 * DAY, now + 1), (from, to), (from / DAY * DAY, to / DAY * DAY), (to, from), (0, i64::MAX)];
        for (from, to) in spans {
            // A span of centuries is cut by the caller.
            check_span(&db, &all, &clicks, from.max(now - 40 * DAY), to).await;
        }
        check_pages(&db, &all).await;
    }
    let restored = restore(&db).await;
    assert!(restored > all.len());
    check_span(&db, &all, &clicks, now - 9 * DAY, now).await;
    check_pages(&db, &all).await;
    stop.cancel();
    tasks.close();
    tasks.wait().await;
}

async fn check_span(db: &Db, all: &[Visit], clicks: &[i64], from: i64, to: i64) {
    let within = |at: i64| from <= at && at < to;
    let inside: Vec<&Visit> = all.iter().filter(|visit| within(visit.0)).collect();
    let timed: Vec<i64> = inside.iter().map(|visit| visit.5).filter(|browsed| *browsed > 0).collect();
    let visitors: BTreeSet<&str> = inside.iter().map(|visit| visit.1.as_str()).collect();
    let users: BTreeSet<&str> = inside.iter().map(|visit| visit.2.as_str()).filter(|user| !user.is_empty()).collect();
    let mut days: BTreeMap<i64, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for visit in &inside {
        let day = days.entry(visit.0 / DAY * DAY).or_default();
        day.0 += 1;
        day.1.insert(visit.1.as_str());
    }
    let (summary, told) = tracking::summary(db, from, to).await.unwrap();
    let number = |count: usize| i64::try_from(count).unwrap();
    assert_eq!(
        (summary.views, summary.visitors, summary.users, summary.clicks),
        (
            number(inside.len()),
            number(visitors.len()),
            number(users.len()),
            number(clicks.iter().filter(|at| within(**at)).count())
        ),
        "{from} to {to}"
    );
    assert_eq!(summary.mean_browse_ms, timed.iter().sum::<i64>().checked_div(number(timed.len())).unwrap_or(0));
    let told: Vec<(i64, i64, i64)> = told.iter().map(|day| (day.day, day.views, day.visitors)).collect();
    let expected: Vec<(i64, i64, i64)> =
        days.iter().map(|(day, (views, visitors))| (*day, number(*views), number(visitors.len()))).collect();
    assert_eq!(told, expected, "{from} to {to}");
}

async fn check_pages(db: &Db, all: &[Visit]) {
    for part in ["", "gas"] {
        let meant = |url: &str| url.to_lowercase().contains(part);
        let mut expected = Vec::new();
        for url in URLS.into_iter().filter(|url| meant(url)) {
            let seen: Vec<&Visit> = all.iter().filter(|visit| visit.4 == url).collect();
            let visitors: BTreeSet<&str> = seen.iter().map(|visit| visit.1.as_str()).collect();
            let left: Vec<i64> =
                all.iter().filter(|visit| visit.3 == url && visit.5 > 0).map(|visit| visit.5).collect();
            let count = |count: usize| i64::try_from(count).unwrap();
            let mean = left.iter().sum::<i64>().checked_div(count(left.len())).unwrap_or(0);
            expected.push((url.to_string(), count(seen.len()), count(visitors.len()), mean));
        }
        expected.sort_by_key(|page| std::cmp::Reverse(page.1));
        let told = tracking::pages(db, Some(part), WHOLE).await.unwrap();
        let mut views: Vec<i64> = told.items.iter().map(|page| page.views).collect();
        assert_eq!(views, expected.iter().map(|page| page.1).collect::<Vec<_>>());
        views.sort_unstable();
        let told: BTreeSet<(String, i64, i64, i64)> =
            told.items.into_iter().map(|page| (page.url, page.views, page.visitors, page.mean_browse_ms)).collect();
        assert_eq!(told, expected.into_iter().collect());
        let filter = Visits { url: Some(part), ..Visits::default() };
        let found = tracking::visits(db, &filter, WHOLE).await.unwrap();
        assert_eq!(found.total, i64::try_from(all.iter().filter(|visit| meant(visit.4)).count()).unwrap());
        let mut newest: Vec<i64> = all.iter().filter(|visit| meant(visit.4)).map(|visit| visit.0).collect();
        newest.sort_unstable_by_key(|at| std::cmp::Reverse(*at));
        newest.truncate(100);
        assert_eq!(found.items.iter().map(|row| row.at).collect::<Vec<_>>(), newest);
    }
}

async fn credits_are_summed(db: Db) {
    let mut dice = StdRng::seed_from_u64(9);
    let mut users = Vec::new();
    for name in ["ada", "bob", "eve", "zoe"] {
        users.push(account(&db, name).await);
    }
    for step in 0..80 {
        let user = *users.choose(&mut dice).unwrap();
        let rule = if dice.random_bool(0.5) { Rule::Favourite } else { Rule::Dashboard };
        let subject = format!("dashboard:{}", dice.random_range(0..12));
        match dice.random_range(0..5) {
            0 | 1 => credits::award(&db, user, rule, &subject).await.unwrap(),
            2 => {
                let mut connection = db.pool().acquire().await.unwrap();
                credits::withdraw(&mut connection, rule, &subject).await.unwrap();
            }
            3 => drop(credits::write(&db, user, dice.random_range(-5..9), "by hand").await.unwrap()),
            _ => {
                // Entries of other days.
                let at = now_ms() - dice.random_range(0..5) * DAY;
                sqlx::query("update credit_entries set created_at = $1 where user_id = $2 and rule_key = 'manual'")
                    .bind(at)
                    .bind(user)
                    .execute(db.pool())
                    .await
                    .unwrap();
            }
        }
        if step % 20 == 19 {
            check_credits(&db).await;
        }
    }
    sqlx::query("delete from users where id = $1").bind(users[0]).execute(db.pool()).await.unwrap();
    check_credits(&db).await;
    sqlx::query("delete from credit_sums").execute(db.pool()).await.unwrap();
    restore(&db).await;
    check_credits(&db).await;
    credits::write(&db, users[1], 3, "after the restore").await.unwrap();
    check_credits(&db).await;
}

async fn check_credits(db: &Db) {
    let entries: Vec<(i64, String, i64, i64)> =
        sqlx::query_as("select user_id, rule_key, points, created_at from credit_entries")
            .fetch_all(db.pool())
            .await
            .unwrap();
    let mut people: BTreeMap<i64, (i64, i64, i64)> = BTreeMap::new();
    let mut days: BTreeMap<(i64, String), i64> = BTreeMap::new();
    for (user, rule, points, at) in &entries {
        let person = people.entry(*user).or_default();
        *person = (person.0 + points, person.1 + 1, person.2.max(*at));
        *days.entry((at / DAY * DAY, rule.clone())).or_default() += points;
    }
    let told = credits::revenue(db, None, WHOLE).await.unwrap();
    assert_eq!(told.total, i64::try_from(people.len()).unwrap());
    let mut expected: Vec<(i64, i64, i64, i64)> =
        people.iter().map(|(user, (credits, entries, last))| (*user, *credits, *entries, *last)).collect();
    expected.sort_by_key(|person| (std::cmp::Reverse(person.1), person.0));
    let found: Vec<(i64, i64, i64, i64)> =
        told.items.iter().map(|row| (row.user_id, row.credits, row.entries, row.last_at)).collect();
    assert_eq!(found, expected);
    let sum = entries.iter().map(|entry| entry.2).sum::<i64>();
    assert_eq!(credits::totals(db).await.unwrap(), (sum, i64::try_from(people.len()).unwrap()));
    let told: Vec<((i64, String), i64)> =
        credits::days(db, 0).await.unwrap().into_iter().map(|row| ((row.day, row.rule_key), row.points)).collect();
    assert_eq!(told, days.into_iter().collect::<Vec<_>>());
}

/// Puts a backup in the place of what it was made of; answers its rows.
async fn restore(db: &Db) -> usize {
    let mut backup = Vec::new();
    dump::write(db, &mut backup).await.unwrap();
    let text = String::from_utf8(backup.clone()).unwrap();
    for derived in ["credit_sums", "credit_days", "page_sums", "page_visitors", "visit_days", "tallies", "search_"] {
        assert!(!text.contains(&format!("\"table\":\"{derived}")), "{derived} follows from other rows");
    }
    let rows = dump::read(db, BufReader::new(backup.as_slice()), |_| Ok(false)).await.unwrap();
    usize::try_from(rows).unwrap()
}
