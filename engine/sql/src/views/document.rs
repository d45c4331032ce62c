//! Writes `docs/tables.md` from the definitions; a test keeps the two the same.

use std::fmt::Write;
use std::path::Path;

use quarry_lake::tables::{Column, ColumnType, Table};

/// What a column type is, for a reader of the document: name in queries, what it means.
const TYPES: [(ColumnType, &str, &str); 19] = [
    (ColumnType::Bool, "boolean", "true or false"),
    (ColumnType::Int32, "int", "32-bit number"),
    (ColumnType::Int64, "bigint", "64-bit number: heights, counts, gas"),
    (ColumnType::Text, "varchar", "UTF-8 text"),
    (ColumnType::Time, "timestamp", "microseconds, UTC"),
    (ColumnType::Address, "address", "20 bytes"),
    (ColumnType::Hash, "hash", "32 bytes"),
    (ColumnType::Bytes, "bytes", "any number of bytes"),
    (ColumnType::Wei, "decimal(38,0)", "amount of wei, or another number of up to 38 digits; exact"),
    (
        ColumnType::Uint256,
        "uint256",
        "number up to 2^256 - 1: 32 bytes big-endian in the files, so byte order is number order",
    ),
    (ColumnType::Date, "date", "day, UTC; in views only"),
    (ColumnType::Decimal, "decimal(76,18)", "number with a fraction, exact or rounded at 18 digits; in views only"),
    (ColumnType::Json, "json", "text that is JSON; in views only"),
    (ColumnType::ListUint256, "array(uint256)", "list of uint256; in views only"),
    (ColumnType::ListInt32, "array(int)", "list of 32-bit numbers"),
    (ColumnType::ListHash, "array(hash)", "list of 32-byte values"),
    (ColumnType::ListBytes, "array(bytes)", "list of byte strings"),
    (ColumnType::AccessList, "array(struct)", "EIP-2930: list of `address` and `storage_keys`"),
    (
        ColumnType::AuthorizationList,
        "array(struct)",
        "EIP-7702: list of `chain_id`, `address`, `nonce`, `y_parity`, `r`, `s`",
    ),
];

/// The whole document.
fn tables_md() -> String {
    let mut text = String::from(
        "# Tables of the lake\n\n\
         Written from `engine/lake/src/tables/`; `UPDATE_EXPECT=1 make test` writes it again.\n\n\
         Every table of the chain is in the schema `ethereum`; `crypto_ethereum` and `ethereum_blockchain` mean the same. The files are Parquet, sorted as \
         said at each table; `quarry lake files --table NAME` lists them for other tools. Addresses and hashes are bytes \
         in the files, shown as `0x…` and compared with `0x…` or `'0x…'` in any letter case. A `?` after a type means \
         that the column may be null. Names are BigQuery's; the other names that each table accepts, mostly Dune's, stand \
         below it, and `select *` does not show them.\n\n",
    );
    text.push_str("| type | Arrow type | is |\n|---|---|---|\n");
    for (kind, name, doc) in TYPES {
        let stored = kind.data_type().to_string();
        let stored = stored.split('(').next().unwrap_or_default();
        writeln!(text, "| {name} | {stored} | {doc} |").unwrap();
    }
    for table in Table::ALL {
        table_md(&mut text, table);
    }
    text.push_str(
        "\n# Roll-ups\n\nIn the schema `rollups`: sums that are written with the transactions they follow from, and replaced with \
         them.\n",
    );
    for table in Table::DERIVED {
        table_md(&mut text, table);
    }
    text.push_str(
        "\n# Views\n\nTables under the names that Dune, BigQuery and Flipside give them. They hold no data of their own: a query that \
         names one reads the tables above.\n",
    );
    for view in super::ALL {
        write!(text, "\n## {}.{}\n\n{}\n\n", view.schema, view.name, view.doc).unwrap();
        columns_md(&mut text, view.columns);
    }
    text
}

fn table_md(text: &mut String, table: Table) {
    let def = table.def();
    write!(text, "\n## {}\n\n{}\nSorted by `{}`.\n\n", def.name, def.doc, def.sort.join("`, `")).unwrap();
    columns_md(text, def.columns);
    let names: Vec<String> =
        def.synonyms.iter().map(|synonym| format!("`{}` = `{}`", synonym.name, synonym.means)).collect();
    if !names.is_empty() {
        writeln!(text, "\nOther names: {}.", names.join(", ")).unwrap();
    }
}

fn columns_md(text: &mut String, columns: &[Column]) {
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
    let name = width(&mut columns.iter().map(|column| column.name.len() + 2));
    let kind = width(&mut columns.iter().map(|column| shown_type(column).len()));
    writeln!(text, "| {:name$} | {:kind$} | meaning |", "column", "type").unwrap();
    writeln!(text, "|{}|{}|---|", "-".repeat(name + 2), "-".repeat(kind + 2)).unwrap();
    for column in columns {
        let quoted = format!("`{}`", column.name);
        writeln!(text, "| {quoted:name$} | {:kind$} | {} |", shown_type(column), shown_doc(column)).unwrap();
    }
}

fn shown_type(column: &Column) -> String {
    let (_, name, _) = TYPES.iter().find(|(kind, ..)| *kind == column.kind).unwrap();
    format!("{name}{}", if column.nullable { "?" } else { "" })
}

fn shown_doc(column: &Column) -> String {
    let indexed = match (column.bloom, column.indexed) {
        (true, _) => " Looked up by bloom filter.",
        (false, true) => " Looked up by the index of Quarry.",
        (false, false) => "",
    };
    format!("{}{indexed}", column.doc)
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
fn docs_tables_md_says_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tables.md");
    let expected = tables_md();
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| !value.is_empty()) {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "docs/tables.md is old: run this test with UPDATE_EXPECT=1");
}
