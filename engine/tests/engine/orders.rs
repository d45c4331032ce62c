//! The first rows of an order are the first ones, whichever row groups of the files match a condition as a whole or in part.

use serde_json::json;

use crate::fixture::Home;

#[tokio::test]
async fn the_first_rows_come_from_row_groups_that_match_in_part_too() {
    // Three rows of the twelve each: blocks 100 to 102 have four.
    let home = Home::chain_in_row_groups(3).await;
    for (query, first) in [
        ("where block_number >= 101 order by block_number, transaction_index limit 1", json!([["101", "0"]])),
        (
            "where block_number > 101 order by block_number, transaction_index limit 2",
            json!([["102", "0"], ["102", "1"]]),
        ),
        ("where transaction_index > 1 order by block_number, transaction_index limit 1", json!([["100", "2"]])),
        ("where block_number <= 101 order by block_number desc, transaction_index desc limit 1", json!([["101", "3"]])),
        ("where block_number >= 101 order by 1, 2 limit 1 offset 1", json!([["101", "1"]])),
    ] {
        let rows = home.rows(&format!("select block_number, transaction_index from transactions {query}")).await;
        assert_eq!(json!(rows), first, "{query}");
    }
    let inside = "select count(*), min(block_number) from (select block_number from transactions
        where block_timestamp > timestamp '2024-01-01 00:00:10' order by block_number limit 3)";
    assert_eq!(home.rows(inside).await, [["3", "101"]]);
    let ranked = "select block_number, row_number() over (order by block_number, transaction_index) from transactions
        where block_number >= 101 limit 1";
    assert_eq!(home.rows(ranked).await, [["101", "1"]]);
    let counted =
        "select block_number, count(*) over (), sum(transaction_index) over (partition by 1) from transactions";
    for (query, first) in [
        (format!("{counted} order by block_number, transaction_index limit 1"), json!([["100", "12", "18"]])),
        (format!("{counted} where block_number > 100 order by 1 limit 1"), json!([["101", "8", "12"]])),
        (format!("{counted} order by block_number limit 1 offset 5"), json!([["101", "12", "18"]])),
        (
            "select block_number, count(*) over () from (select distinct block_number from transactions) order by 1 limit 1"
                .to_string(),
            json!([["100", "3"]]),
        ),
    ] {
        assert_eq!(json!(home.rows(&query).await), first, "{query}");
    }
}
