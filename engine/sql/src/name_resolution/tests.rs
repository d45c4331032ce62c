//! Which names are replaced, and by what.

use arrow::datatypes::{DataType, Field, Schema};
use datafusion::datasource::empty::EmptyTable;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use std::sync::Arc;

use super::*;
use crate::session::tables::{QueryCatalog, TablesByName};
use quarry_lake::tables::Table;

/// The chain's tables, and `own` with a column `block_time`.
fn catalog() -> QueryCatalog {
    let chain = Table::ALL.map(|table| (table, Arc::new(EmptyTable::new(table.schema())) as _));
    let own = Schema::new(vec![Field::new("block_time", DataType::Int64, false)]);
    QueryCatalog::new(chain, TablesByName::from([("own".to_string(), Arc::new(EmptyTable::new(Arc::new(own))) as _)]))
}

fn resolved(sql: &str) -> Result<String> {
    let mut statement = Parser::parse_sql(&GenericDialect {}, sql).unwrap().swap_remove(0);
    resolve(&mut statement, &catalog(), None)?;
    Ok(statement.to_string())
}

#[track_caller]
fn check(sql: &str, expected: &str) {
    assert_eq!(resolved(sql).unwrap(), expected, "{sql}");
}

#[test]
fn a_column_asked_for_by_another_name_keeps_that_name() {
    check(
        "SELECT block_time, \"from\" FROM transactions",
        "SELECT block_timestamp AS block_time, from_address AS \"from\" FROM transactions",
    );
    check("SELECT t.index FROM ethereum.logs AS t", "SELECT t.log_index AS index FROM ethereum.logs AS t");
    check("SELECT max(Block_Time) FROM Blocks", "SELECT max(timestamp) FROM Blocks");
    check("SELECT * FROM logs WHERE tx_hash = 'x'", "SELECT * FROM logs WHERE transaction_hash = 'x'");
    check(
        "SELECT success FROM `bigquery-public-data`.crypto_ethereum.transactions AS t",
        "SELECT (receipt_status = 1) AS success FROM `bigquery-public-data`.crypto_ethereum.transactions AS t",
    );
}

#[test]
fn quotes_do_not_make_letter_case_matter() {
    check("SELECT t.\"Block_Time\" FROM logs AS t", "SELECT t.block_timestamp AS \"Block_Time\" FROM logs AS t");
    check("SELECT t.\"Data\" FROM logs AS t", "SELECT t.\"data\" AS \"Data\" FROM logs AS t");
}

#[test]
fn a_name_of_the_query_itself_wins() {
    for sql in [
        "SELECT block_time FROM own",
        "WITH t AS (SELECT 1 AS block_time) SELECT block_time FROM t",
        "SELECT block_time FROM (SELECT number AS block_time FROM blocks) AS x, logs",
        "SELECT gas_used, data FROM blocks, logs",
        "WITH transactions AS (SELECT 1 AS a) SELECT block_time FROM transactions",
        "SELECT date_trunc('day', block_timestamp) AS block_date FROM logs GROUP BY block_date ORDER BY block_date",
        "SELECT value FROM traces",
    ] {
        check(sql, sql);
    }
    // A relation that nothing is known of may have the column.
    check("SELECT block_time FROM logs, nobody", "SELECT block_time FROM logs, nobody");
}

#[test]
fn grouping_and_sorting_by_an_output_name_mean_the_output() {
    check(
        "SELECT block_time, count(*) FROM logs GROUP BY block_time HAVING max(tx_index) > 1 ORDER BY block_time, tx_index",
        "SELECT block_timestamp AS block_time, count(*) FROM logs GROUP BY block_time \
         HAVING max(transaction_index) > 1 ORDER BY block_time, transaction_index",
    );
}

#[test]
fn several_relations() {
    check(
        "SELECT tx_index FROM logs AS l JOIN blocks AS b ON l.block_number = b.number",
        "SELECT \"l\".transaction_index AS tx_index FROM logs AS l JOIN blocks AS b ON l.block_number = b.number",
    );
    check(
        "SELECT l.tx_hash FROM logs AS l JOIN traces USING(tx_hash)",
        "SELECT l.transaction_hash AS tx_hash FROM logs AS l JOIN traces ON \"l\".transaction_hash = \"traces\".transaction_hash",
    );
    let error = resolved("SELECT 1\nFROM logs, traces\nWHERE block_time > now()").unwrap_err();
    assert!(error.message.contains("table.block_time"), "{error}");
    assert_eq!(error.position.map(|at| (at.line, at.column)), Some((3, 7)));
}

#[test]
fn subqueries_see_what_is_around_them_and_show_what_they_select() {
    check(
        "SELECT 1 FROM blocks AS b WHERE EXISTS (SELECT 1 FROM transactions WHERE block_time = b.time AND b.date > now())",
        "SELECT 1 FROM blocks AS b WHERE EXISTS (SELECT 1 FROM transactions WHERE block_timestamp = b.timestamp \
         AND (CAST(b.timestamp AS DATE)) > now())",
    );
    check(
        "WITH t AS (SELECT * FROM transactions WHERE success) SELECT block_time FROM t",
        "WITH t AS (SELECT * FROM transactions WHERE (receipt_status = 1)) SELECT block_timestamp AS block_time FROM t",
    );
    check(
        "SELECT block_time FROM (SELECT block_time FROM logs) AS x",
        "SELECT block_time FROM (SELECT block_timestamp AS block_time FROM logs) AS x",
    );
    check(
        "SELECT block_time FROM logs UNION ALL SELECT block_time FROM traces ORDER BY block_time",
        "SELECT block_timestamp AS block_time FROM logs UNION ALL SELECT block_timestamp AS block_time FROM traces \
         ORDER BY block_time",
    );
}

#[test]
fn a_common_table_expression_is_not_in_its_own_scope() {
    check(
        "WITH blocks AS (SELECT time AS a FROM blocks), more AS (SELECT a FROM blocks) SELECT a FROM more",
        "WITH blocks AS (SELECT timestamp AS a FROM blocks), more AS (SELECT a FROM blocks) SELECT a FROM more",
    );
    check_aliases(
        "WITH own AS (SELECT block_time / 2 AS half, half + 1 AS more FROM own) SELECT more FROM own",
        "WITH own AS (SELECT block_time / 2 AS half, (block_time / 2) + 1 AS more FROM own) SELECT more FROM own",
    );
}

#[test]
fn nested_stars_take_no_exponential_time() {
    for stars in ["* FROM ({}) AS a JOIN own USING (block_time)", "*, * FROM ({}) AS a"] {
        let nested =
            (0..20).fold("SELECT * FROM own".to_string(), |sql, _| format!("SELECT {stars}").replace("{}", &sql));
        assert!(resolved(&nested).is_ok());
    }
}

#[test]
fn a_meaning_may_ask_other_rows_of_the_table() {
    let failed = "SELECT transaction_hash FROM ethereum.traces WHERE cardinality(trace_address) = 0 AND status = 0 \
                  AND transaction_hash IS NOT NULL";
    check(
        "SELECT t.tx_success, count(*) FROM traces AS t WHERE tx_success AND t.success GROUP BY 1",
        &format!(
            "SELECT (t.transaction_hash NOT IN ({failed})) AS tx_success, count(*) FROM traces AS t \
             WHERE (transaction_hash NOT IN ({failed})) AND (t.status = 1) GROUP BY 1"
        ),
    );
}

#[test]
fn a_meaning_may_ask_for_columns_of_the_row() {
    let sender = |row: &str| {
        format!(
            "(SELECT max(tx_value) AS \"{row}tx_from\" FROM (SELECT block_timestamp AS tx_time, block_number AS tx_block, \
             transaction_index AS tx_place, from_address AS tx_value FROM ethereum.transactions) AS tx \
             WHERE tx_time = {row}block_timestamp AND tx_block = {row}block_number AND tx_place = {row}transaction_index)"
        )
    };
    let (of_logs, alone) = (sender("l."), sender(""));
    check(
        "SELECT l.tx_from FROM logs AS l JOIN blocks AS b ON b.number = l.block_number",
        &format!("SELECT {of_logs} AS tx_from FROM logs AS l JOIN blocks AS b ON b.number = l.block_number"),
    );
    check("SELECT 1 FROM traces WHERE tx_from IS NULL", &format!("SELECT 1 FROM traces WHERE {alone} IS NULL"));
}

#[track_caller]
fn check_aliases(sql: &str, expected: &str) {
    let state = SessionStateBuilder::new().with_default_features().build();
    let mut statement = Parser::parse_sql(&GenericDialect {}, sql).unwrap().swap_remove(0);
    resolve(&mut statement, &catalog(), Some(&state)).unwrap();
    assert_eq!(statement.to_string(), expected, "{sql}");
}

#[test]
fn lateral_aliases_are_replaced_where_no_column_is_in_scope() {
    check_aliases(
        "SELECT value / 2 AS half, half + 1 AS more, more FROM traces WHERE half > 3",
        "SELECT value / 2 AS half, (value / 2) + 1 AS more, ((value / 2) + 1) AS \"more_1\" FROM traces WHERE (value / 2) > 3",
    );
    // The query around has a column of that name, which one in FROM does not see.
    check_aliases(
        "SELECT b FROM (SELECT value AS b, b + 1 AS c FROM traces) AS x",
        "SELECT b FROM (SELECT value AS b, (value) + 1 AS c FROM traces) AS x",
    );
    for from in [
        "(VALUES (1)) AS t",
        "UNNEST([1]) AS t",
        "generate_series(1, 3) AS t",
        "own PIVOT(sum(block_time) FOR x IN ('a')) AS t",
    ] {
        check_aliases(
            &format!("SELECT 1 AS b, b + 1 AS c FROM {from}"),
            &format!("SELECT 1 AS b, (1) + 1 AS c FROM {from}"),
        );
    }
    for sql in [
        "SELECT 1 AS value, value + 1 AS c FROM traces",
        "SELECT 1 AS a, 2 AS a, a + 1 AS c",
        "SELECT 1 AS b, (SELECT b) AS c",
        "SELECT 1 AS column1, column1 + 1 AS c FROM (VALUES (1)) AS t",
        "SELECT 1 AS a, a + 1 AS c FROM own PIVOT(sum(block_time) FOR x IN ('a')) AS t",
        "SELECT 1 AS b, b + 1 AS c FROM nobody",
        "SELECT (SELECT 1 AS value, value + 1 AS c) FROM traces",
        "WITH RECURSIVE t AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM t) SELECT 2 AS i, i + 1 AS c FROM t",
    ] {
        check_aliases(sql, sql);
    }
}

#[test]
fn columns_of_one_name_are_numbered() {
    check("SELECT number, * FROM blocks", "SELECT number AS \"number_1\", * FROM blocks");
    check("SELECT number, * EXCLUDE (number) FROM blocks", "SELECT number, * EXCLUDE (number) FROM blocks");
    check(
        "SELECT t.\"from\", l.\"from\" FROM transactions AS t, traces AS l",
        "SELECT t.from_address AS \"from\", l.from_address AS \"from_1\" FROM transactions AS t, traces AS l",
    );
    check("SELECT data, l.data FROM logs AS l", "SELECT data, l.data AS \"data_1\" FROM logs AS l");
}

#[test]
fn every_meaning_can_be_read() {
    for table in Table::ALL {
        for synonym in table.def().synonyms {
            expression(synonym, &[], Span::empty()).unwrap();
        }
    }
}
