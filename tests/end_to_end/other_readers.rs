//! The lake's files are plain Parquet: DuckDB and Polars find the counts and sums that Quarry finds.

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::readers;

/// Per table: expressions that mean the same in DuckDB, Polars and Quarry.
const QUESTIONS: [(&str, &[&str]); 6] = [
    ("blocks", &["count(*)", "sum(gas_used)", "min(number)", "max(number)", "sum(transaction_count)"]),
    ("transactions", &["count(*)", "sum(value)", "sum(receipt_gas_used)", "sum(nonce)", "max(block_number)"]),
    ("logs", &["count(*)", "sum(log_index)", "count(topic3)"]),
    ("token_transfers", &["count(*)", "sum(batch_index)", "count(token_id)"]),
    ("traces", &["count(*)", "count(error)"]),
    ("withdrawals", &["count(*)"]),
];

#[test]
fn duckdb_and_polars_read_the_same_chain() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    for (table, expressions) in QUESTIONS {
        let ours = home.value(&format!("select {} from {table}", expressions.join(", ")));
        let ours: Vec<&str> = ours.split(',').collect();
        for reader in ["duckdb", "polars"] {
            assert_eq!(readers::read(&home, reader, table, expressions), ours, "{reader} on {table}");
        }
    }
}
