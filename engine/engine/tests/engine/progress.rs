//! Progress rises with the rows and bytes that are read, and has their totals.

use quarry_runtime::job::{JobSnapshot, JobState};

use crate::fixture::Home;

/// All states of a job.
async fn history(home: &Home, text: &str) -> Vec<JobSnapshot> {
    let job = home.submit(text);
    let mut watch = job.watch();
    let mut seen = vec![watch.borrow_and_update().clone()];
    while !seen.last().unwrap().state.is_final() {
        watch.changed().await.unwrap();
        seen.push(watch.borrow_and_update().clone());
    }
    seen
}

#[tokio::test]
async fn sort_and_aggregate_report_what_they_read() {
    let home = Home::with(|config| {
        config.memory_limit = 4 << 30;
        config.query_memory_limit = 2 << 30;
    });
    home.attach_numbers(8_000_000);
    // Hashing every row slows down reading, so that progress is reported many times.
    let hashed = "where length(md5(cast(spread as varchar))) = 32";
    for text in [
        format!("select * from numbers {hashed} order by spread"),
        format!("select spread % 1000003 as k, count(*), sum(id) from numbers {hashed} group by 1"),
    ] {
        let seen = history(&home, &text).await;
        let last = seen.last().unwrap();
        assert_eq!(last.state, JobState::Succeeded, "{:?}", last.error);
        let running: Vec<_> =
            seen.iter().filter(|job| job.state == JobState::Running).map(|job| &job.progress).collect();
        let mut rises = Vec::new();
        for progress in &running {
            let percent = progress.percent.unwrap_or(0.0);
            assert!(rises.last().is_none_or(|last| percent >= *last), "{rises:?} then {percent}");
            if progress.rows_read > 0 && percent > rises.last().copied().unwrap_or(0.0) {
                rises.push(percent);
            }
        }
        println!("{text}: {rises:?}");
        assert!(rises.len() >= 3, "{text}: {rises:?}");
        let end = running.last().unwrap();
        assert_eq!(end.rows_total, Some(8_000_000));
        assert_eq!(end.rows_read, 8_000_000);
        assert!(end.bytes_read > 0 && end.bytes_total.is_some_and(|total| total >= end.bytes_read), "{end:?}");
        assert!(seen.windows(2).all(|pair| pair[0].version < pair[1].version));
    }
}

#[tokio::test]
async fn totals_of_the_lake_are_known() {
    let home = Home::chain().await;
    let seen = history(&home, "select from_address, sum(value) from transactions group by 1").await;
    let end = &seen.last().unwrap().progress;
    assert_eq!((end.rows_total, end.rows_read), (Some(12), 12), "{end:?}");
}

#[tokio::test]
async fn an_unknown_total_has_no_percentage() {
    let home = Home::with(|config| config.time_limit = std::time::Duration::from_millis(400));
    let seen = history(&home, "select count(*) from generate_series(1, 100000000000)").await;
    assert_eq!(seen.last().unwrap().error.as_ref().unwrap().code, "time_limit");
    assert!(seen.iter().all(|job| job.progress.percent.is_none()));
}

#[tokio::test]
async fn a_common_subplan_is_read_once() {
    let home = Home::chain().await;
    let seen = history(
        &home,
        "with senders as (select distinct from_address as who from transactions)
         select count(*) from senders a join senders b on a.who = b.who",
    )
    .await;
    let last = seen.last().unwrap();
    assert_eq!(last.state, JobState::Succeeded, "{:?}", last.error);
    assert_eq!(last.progress.rows_read, 12);
    assert_eq!(last.progress.rows_total, Some(12));
}
