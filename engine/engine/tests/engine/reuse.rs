//! Common subplans, which run once, and queries that share the result of an equal one.

use quarry_runtime::job::JobRequest;

use crate::fixture::Home;

const EDGES: &str = "with edges as (
    select from_address as giver, to_address as taker from transactions where to_address is not null)";

/// The number of common subplans of a query.
async fn common_subplans(home: &Home, query: &str) -> usize {
    let plan = home.rows(&format!("explain {query}")).await;
    let text = plan.iter().flatten().filter_map(|cell| cell.as_str()).collect::<Vec<_>>().join(" ");
    (1..9).filter(|place| text.contains(&format!("repeated_{place}"))).count()
}

#[tokio::test]
async fn narrow_inputs_of_two_joins_are_read_once() {
    let home = Home::chain().await;
    let hops = format!("{EDGES} select count(*) from edges a join edges b on a.taker = b.giver");
    assert_eq!(common_subplans(&home, &hops).await, 1);
    assert_eq!(home.rows(&hops).await, [["0"]]);
    let same = format!("{EDGES} select count(*) from edges a join edges b on a.giver = b.giver and a.taker = b.taker");
    assert_eq!(common_subplans(&home, &same).await, 1);
    assert_eq!(home.rows(&same).await, [["11"]]);
}

/// Each hop along transfers is joined with the result of the hop before as the build side, not with all transactions.
#[tokio::test]
async fn the_result_of_a_common_subplan_is_the_build_side() {
    let home = Home::chain().await;
    let hops = "with edges as (
            select from_address as giver, to_address as taker from transactions where value > 0),
        first as (select distinct to_address as taker from transactions where block_number = 101),
        second as (select distinct edges.taker from edges join first on edges.giver = first.taker),
        third as (select distinct edges.taker from edges join second on edges.giver = second.taker)
        select count(*) from first union all select count(*) from second union all select count(*) from third";
    let request = JobRequest { text: hops.to_string(), ..JobRequest::default() };
    let changes = home.engine.plan_changes(&request).await.unwrap();
    let plan = &changes.last().unwrap().plan;
    assert!(plan.contains("RightSemi") && !plan.contains("LeftSemi"), "{plan}");
    let steps: Vec<&str> = changes.iter().map(|change| change.step.as_str()).collect();
    assert!(steps.contains(&"initial"), "{steps:?}");
    let reuse = changes.iter().find(|change| change.step == "analyzer share_common_subplans").unwrap();
    assert!(reuse.does.contains("runs once") && reuse.plan.contains("repeated_1"));
    assert!(steps.contains(&"physical join_selection"), "{steps:?}");
}

#[tokio::test]
async fn inputs_that_may_be_small_are_not_shared() {
    let home = Home::chain().await;
    for rest in [
        "select count(*) from edges a join edges b on a.taker = b.giver where a.giver = 0x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
        "select count(*) from edges a join edges b on a.taker = b.giver and a.giver = 0x0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
        "select * from edges limit 1",
        "(select * from edges limit 1) union all (select * from edges limit 2)",
        "select count(*) from edges",
    ] {
        assert_eq!(common_subplans(&home, &format!("{EDGES} {rest}")).await, 0, "{rest}");
    }
    let wide = "with sent as (select hash, input from transactions)
        select count(*) from sent a join sent b on a.hash = b.hash";
    assert_eq!(common_subplans(&home, wide).await, 0);
    assert_eq!(home.rows(wide).await, [["12"]]);
}

/// Whether the second run of a query reuses the result of the first.
async fn reuses_result(home: &Home, query: &str) -> bool {
    let first = home.submit(query);
    assert_eq!(first.wait().await.error, None, "{query}");
    let second = home.submit(query);
    assert_eq!(second.wait().await.error, None, "{query}");
    second.logs().iter().any(|line| line.text.contains("taken from an equal query"))
}

#[tokio::test]
async fn volatile_queries_do_not_share_results() {
    let home = Home::chain().await;
    for query in [
        "select count(*) from transactions tablesample bernoulli (50)",
        "select uuid() as name",
        "select generate_uuid()",
        "select shuffle(array[1, 2])",
        "select count(*) from transactions where rand() < 0.5",
        "select table_name from information_schema.tables",
        "show tables",
    ] {
        assert!(!reuses_result(&home, query).await, "{query}");
    }
    for query in [
        "select number as brand, 'a random uuid of current_time' as shuffled from blocks",
        "select current_time, now() from blocks",
        "select count(*) as n from transactions",
    ] {
        assert!(reuses_result(&home, query).await, "{query}");
    }
}

#[tokio::test]
async fn times_of_an_empty_lake_do_not_share_results() {
    let home = Home::empty();
    assert!(reuses_result(&home, "select 1 as n").await);
    for query in ["select now()", "select current_timestamp", "select current_date as today", "select current_time"] {
        assert!(!reuses_result(&home, query).await, "{query}");
    }
}
