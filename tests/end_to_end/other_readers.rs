//! The lake's files are plain Parquet: other readers find the same values in every column of every table.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::readers;
use serde_json::Value;

/// Readers of Parquet files; `readers/read.py` knows how each is asked.
const READERS: [&str; 5] = ["pyarrow", "pandas", "polars", "duckdb", "clickhouse"];

/// List columns, by the path of their items.
const LISTS: [(&str, &str); 7] = [
    ("transactions", "access_list[].address"),
    ("transactions", "access_list[].storage_keys[]"),
    ("transactions", "authorization_list[].address"),
    ("transactions", "authorization_list[].nonce"),
    ("transactions", "blob_versioned_hashes[]"),
    ("traces", "trace_address[]"),
    ("contracts", "function_sighashes[]"),
];

/// The tables of the lake: it has a folder for each.
fn tables(home: &Home) -> Vec<String> {
    let entries = home.path().join("lake").read_dir().expect("a home has a lake").map(|entry| entry.unwrap().path());
    let mut tables: Vec<String> = entries
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    tables.sort();
    tables
}

/// An Arrow file with all rows of a table as Quarry returns them.
fn written_out(home: &Home, table: &str) -> PathBuf {
    let schemas = "select table_schema from information_schema.tables where table_schema in ('ethereum', 'rollups')";
    let schema = home.value(&format!("{schemas} and table_name = '{table}'"));
    let out = home.output(&["sql", "--format", "arrow", &format!("select * from {schema}.{table}")]);
    assert!(out.status.success(), "{table}: {}", String::from_utf8_lossy(&out.stderr));
    let file = home.path().join(format!("{table}.arrow"));
    std::fs::write(&file, out.stdout).unwrap();
    file
}

#[test]
fn other_readers_find_what_quarry_finds_in_every_column() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 3);
    let tables = tables(&home);
    assert!(tables.len() >= 9, "{tables:?}");
    let of_each = |files: &dyn Fn(&str) -> Vec<PathBuf>| -> BTreeMap<String, Vec<PathBuf>> {
        tables.iter().map(|table| (table.clone(), files(table))).collect()
    };
    let ours = readers::facts("quarry", &of_each(&|table| vec![written_out(&home, table)]));
    for (table, list) in LISTS {
        let items = ours[table][list][1].as_str();
        assert!(items.is_some_and(|items| items != "0"), "{table}.{list} has no items in the sample");
    }
    let files = of_each(&|table| home.lake_files(table));
    for reader in READERS {
        let theirs = readers::facts(reader, &files);
        for (table, ours) in &ours {
            for (column, facts) in ours.as_object().unwrap() {
                assert_eq!(&theirs[table][column], facts, "{reader} on {table}.{column}");
            }
            let columns = |facts: &Value| facts.as_object().map(serde_json::Map::len);
            assert_eq!(columns(&theirs[table]), columns(ours), "{reader} on {table}");
        }
    }
}

/// The reason why list items in files have no fixed width (`engine/lake/src/tables/file_schema.rs`). If this fails, pandas can read
/// such lists, and files no longer need types of their own.
#[test]
fn pandas_reads_no_lists_of_fixed_size_bytes() {
    let out = readers::python("import pyarrow; pyarrow.array([[b'ab']], pyarrow.list_(pyarrow.binary(2))).to_pandas()");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(errors.contains("Not implemented type for Arrow list to pandas: fixed_size_binary[2]"), "{errors}");
}
