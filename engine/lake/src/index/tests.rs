//! The index finds every row with a value, and few others.
#![allow(clippy::single_range_in_vec_init, reason = "an index returns lists of ranges")]

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryArray, RecordBatch};
use arrow::datatypes::{DataType, Schema};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Expr, col, lit};
use parquet::arrow::ArrowWriter;
use parquet::file::metadata::{KeyValue, ParquetMetaDataReader};

use super::super::snapshot::FileEntry;
use super::super::tables::Table;
use super::read::intersection;
use super::*;

const ROWS: usize = 50_000;
const SLOT: usize = 100;

fn value(number: usize) -> Vec<u8> {
    let mut bytes = vec![0; 20];
    bytes[12..].copy_from_slice(&(number as u64).wrapping_mul(0x5851_f42d_4c95_7f2d).to_be_bytes());
    bytes
}

/// The file as a catalogue would name it.
fn entry(bytes: u64) -> FileEntry {
    FileEntry {
        path: "file".to_string(),
        rows: ROWS as u64,
        bytes,
        min_block: 0,
        max_block: 0,
        min_time: 0,
        max_time: 0,
        columns: Arc::default(),
        checksums: None,
        statistics: Arc::default(),
    }
}

/// Withdrawals whose receivers are `who(row)`, with an index in slots of 100 rows.
fn indexed(dir: &Path, who: impl Fn(usize) -> usize) -> FileIndex {
    indexed_by(dir, SLOT, ROWS, who)
}

/// The same in slots of so many rows, at most `slots`.
fn indexed_by(dir: &Path, slot_rows: usize, slots: usize, who: impl Fn(usize) -> usize) -> FileIndex {
    let schema = Table::Withdrawals.schema();
    let at = schema.index_of("address").unwrap();
    let addresses = FixedSizeBinaryArray::try_from_iter((0..ROWS).map(|row| value(who(row)))).unwrap();
    let zero = |field: &arrow::datatypes::FieldRef| -> ArrayRef {
        ScalarValue::new_default(field.data_type())
            .or_else(|_| Ok::<_, ()>(ScalarValue::FixedSizeBinary(32, Some(vec![0; 32]))))
            .unwrap()
            .to_array_of_size(ROWS)
            .unwrap()
    };
    let columns = schema.fields().iter().enumerate();
    let columns = columns.map(|(i, field)| if i == at { Arc::new(addresses.clone()) as ArrayRef } else { zero(field) });
    let fields: Vec<_> = schema.fields().iter().cloned().collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns.collect()).unwrap();
    let mut builder = Builder::new(Table::Withdrawals, slot_rows);
    builder.max_slots = slots;
    builder.add(&batch.slice(0, 1234));
    builder.add(&batch.slice(1234, ROWS - 1234));
    let path = dir.join("file");
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), schema, None).unwrap();
    let (bytes, place) = builder.finish(writer.bytes_written() as u64).unwrap();
    writer.write_all(&bytes).unwrap();
    let text = serde_json::to_string(&place).unwrap();
    writer.append_key_value_metadata(KeyValue::new(METADATA_KEY.to_string(), text));
    writer.close().unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    let footer = ParquetMetaDataReader::new().parse_and_finish(&std::fs::File::open(&path).unwrap()).unwrap();
    FileIndex::open(dir, &entry(length), &footer, None).unwrap().unwrap()
}

/// Rows in which the values of some numbers can be.
fn find(index: &FileIndex, numbers: &[usize]) -> Vec<std::ops::Range<usize>> {
    let values = numbers.iter().map(|number| value(*number)).collect();
    index.find(&entry(0), &IndexPredicate::Values { column: "address".to_string(), values }).unwrap().unwrap().ranges
}

#[test]
fn index_finds_every_value() {
    let dir = tempfile::tempdir().unwrap();
    // A value every 7 rows has its own slots; value 1 is everywhere.
    let index = indexed(dir.path(), |row| if row % 7 == 0 { row } else { 1 });
    for row in (0..ROWS).step_by(7 * 13) {
        let slot = row / SLOT * SLOT;
        assert_eq!(find(&index, &[row]), [slot..slot + SLOT], "row {row}");
    }
    assert!(find(&index, &[3]).is_empty(), "one that is nowhere");
    assert_eq!(find(&index, &[0, 7 * 100]), [0..100, 700..800]);
}

#[test]
fn frequent_keys_are_not_indexed() {
    let dir = tempfile::tempdir().unwrap();
    // Value 1 has nearly two rows of three, value 2 less than one of four.
    let who = |row: usize| match row % 9 {
        0 => row,
        1 | 2 => 2,
        _ => 1,
    };
    let index = indexed_by(dir.path(), 1, ROWS, who);
    let of = |numbers: &[usize]| IndexPredicate::Values {
        column: "address".to_string(),
        values: numbers.iter().map(|number| value(*number)).collect(),
    };
    let rows = |predicate: &IndexPredicate| index.find(&entry(0), predicate).unwrap();
    assert_eq!(rows(&of(&[1])), None);
    assert_eq!(rows(&of(&[9, 1])), None, "one of them may be anywhere");
    assert_eq!(rows(&of(&[9])), Some(IndexMatches { ranges: vec![9..10], slots: 1 }));
    assert_eq!(rows(&of(&[2])).unwrap().slots, (0..ROWS).filter(|row| who(*row) == 2).count());
    // A common key does not change the matches of others.
    assert_eq!(
        rows(&IndexPredicate::All(vec![of(&[1]), of(&[9])])),
        Some(IndexMatches { ranges: vec![9..10], slots: 1 })
    );
}

#[test]
fn large_files_have_larger_slots() {
    let dir = tempfile::tempdir().unwrap();
    // 50,000 rows in at most 10,000 slots: eight rows make one.
    let index = indexed_by(dir.path(), 1, 10_000, |row| row / 3);
    for number in [0, 5, 777, (ROWS - 1) / 3] {
        let (first, last) = (number * 3, (number * 3 + 2).min(ROWS - 1));
        let expected = first / 8 * 8..((last / 8 + 1) * 8).min(ROWS);
        assert_eq!(find(&index, &[number]), [expected], "value {number}");
    }
}

#[test]
fn intersections_of_slots() {
    assert_eq!(intersection(vec![1, 3, 5, 9], &[0, 3, 4, 5, 6]), [3, 5]);
    assert_eq!(intersection(vec![7], &[]), [] as [u32; 0]);
    assert_eq!(intersection(vec![], &[7]), [] as [u32; 0]);
}

#[test]
fn conditions_combine() {
    let dir = tempfile::tempdir().unwrap();
    let index = indexed(dir.path(), |row| row / 250);
    let of = |number| IndexPredicate::Values { column: "address".to_string(), values: vec![value(number)] };
    let unknown = IndexPredicate::Values { column: "amount".to_string(), values: vec![] };
    let rows = |predicate: &IndexPredicate| index.find(&entry(0), predicate).unwrap().map(|found| found.ranges);
    assert_eq!(rows(&of(1)), Some(vec![200..500]));
    assert_eq!(rows(&IndexPredicate::All(vec![of(1), of(2)])), Some(vec![]));
    assert_eq!(rows(&IndexPredicate::All(vec![of(0), of(1), unknown.clone()])), Some(vec![200..300]));
    assert_eq!(rows(&IndexPredicate::Any(vec![of(0), of(199)])), Some(vec![0..300, 49_700..50_000]));
    assert_eq!(rows(&IndexPredicate::Any(vec![of(0), unknown])), None, "the other side may be anywhere");
}

#[test]
fn filters_on_indexed_columns_are_predicates() {
    let address = |byte: u8| lit(ScalarValue::FixedSizeBinary(20, Some(vec![byte; 20])));
    let values = |column: &str, bytes: &[u8]| IndexPredicate::Values {
        column: column.to_string(),
        values: bytes.iter().map(|byte| vec![*byte; 20]).collect(),
    };
    let of = |filter: Expr| predicate(Table::Transactions, &[filter]);
    let (from, to) = (col("from_address"), col("to_address"));
    assert_eq!(of(from.clone().eq(address(1))), Some(IndexPredicate::All(vec![values("from_address", &[1])])));
    assert_eq!(of(address(1).eq(from.clone())), Some(IndexPredicate::All(vec![values("from_address", &[1])])));
    let either = from.clone().eq(address(1)).or(to.clone().in_list(vec![address(2), address(3)], false));
    let expected = IndexPredicate::Any(vec![values("from_address", &[1]), values("to_address", &[2, 3])]);
    assert_eq!(of(either), Some(IndexPredicate::All(vec![expected])));
    for other in [
        from.clone().not_eq(address(1)),
        to.clone().in_list(vec![address(2)], true),
        from.clone().eq(address(1)).or(col("gas").eq(lit(7i64))),
        col("gas").eq(lit(7i64)),
        from.eq(to),
    ] {
        assert_eq!(of(other.clone()), None, "{other}");
    }
}

#[test]
fn address_in_topic_uses_the_topic_index() {
    // The index knows the functions by their names.
    let [address, bytes] = ["abi_address", "bytearray_substring"].map(|name| {
        let volatility = datafusion::logical_expr::Volatility::Immutable;
        datafusion::logical_expr::create_udf(
            name,
            vec![],
            DataType::FixedSizeBinary(20),
            volatility,
            Arc::new(|_| unreachable!()),
        )
    });
    let topic = || col("topic2");
    let literal = || lit(ScalarValue::FixedSizeBinary(20, Some(vec![7; 20])));
    let part = |start: i64, length: i64| bytes.call(vec![topic(), lit(start), lit(length)]).eq(literal());
    let expected = Some(IndexPredicate::All(vec![IndexPredicate::Values {
        column: "topic2".to_string(),
        values: vec![vec![7; 20]],
    }]));
    assert_eq!(predicate(Table::Logs, &[address.call(vec![topic()]).eq(literal())]), expected);
    assert_eq!(predicate(Table::Logs, &[part(13, 20)]), expected);
    for other in [part(1, 20), part(13, 19), address.call(vec![col("data")]).eq(literal())] {
        assert_eq!(predicate(Table::Logs, std::slice::from_ref(&other)), None, "{other}");
    }
    // The key of the word is that of the address.
    let mut word = vec![0; 12];
    word.extend_from_slice(&[7; 20]);
    assert_eq!(key(&word), key(&[7; 20]));
}
