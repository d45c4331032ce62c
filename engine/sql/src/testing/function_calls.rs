//! What every function is called with to see that it ends well: null, empty, extreme and wrong values, too few and too
//! many. Shared by the tests of the languages.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, FixedSizeBinaryArray, Float64Array, Int32Array,
    Int64Array, ListArray, MapBuilder, MapFieldNames, NullArray, RecordBatch, StringArray, StructArray,
    TimestampMicrosecondArray,
};
use arrow::array::{Int64Builder, StringBuilder};
use arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::catalog::TableProvider;
use datafusion::datasource::MemTable;
use futures::FutureExt;

use quarry_lake::tables::Table;
use quarry_runtime::EngineConfig;
use quarry_sql::session::Sessions;
use quarry_sql::session_states::open_sessions;
use quarry_types::uint256::{NUMBER, field};
use quarry_types::{ErrorCode, Result};

/// Longest that one call may take. Far above what any needs, so that only one that hangs is found.
const LONGEST: Duration = Duration::from_secs(60);

/// One column of each type: a usual value, an extreme one, null.
pub fn table() -> Arc<dyn TableProvider> {
    let address = [Some([7u8; 20]), Some([255; 20]), None];
    let number = [Some([1u8; 33]), Some([255; 33]), None];
    let fixed = |rows: Vec<Option<Vec<u8>>>, width| {
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows.into_iter(), width).unwrap();
        Arc::new(array) as ArrayRef
    };
    let owned = |rows: &[Option<[u8; 33]>]| rows.iter().map(|row| row.map(|bytes| bytes.to_vec())).collect::<Vec<_>>();
    let lists =
        ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(2), None, Some(1)]), Some(vec![]), None]);
    // As the functions that make maps call the parts.
    let names = MapFieldNames { entry: "entries".into(), key: "key".into(), value: "value".into() };
    let mut maps = MapBuilder::new(Some(names), StringBuilder::new(), Int64Builder::new());
    maps.keys().append_value("k");
    maps.values().append_value(1);
    maps.append(true).unwrap();
    maps.append(true).unwrap();
    maps.append(false).unwrap();
    let inner: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(i64::MIN), None]));
    let structs = StructArray::from(vec![(Arc::new(Field::new("x", DataType::Int64, true)), inner)]);
    let times = TimestampMicrosecondArray::from(vec![Some(1_700_000_000_000_000), Some(i64::MAX), None]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("n", Arc::new(NullArray::new(3))),
        ("b", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("i", Arc::new(Int32Array::from(vec![Some(7), Some(i32::MIN), None]))),
        ("l", Arc::new(Int64Array::from(vec![Some(7), Some(i64::MAX), None]))),
        ("d", Arc::new(Float64Array::from(vec![Some(1.5), Some(f64::NEG_INFINITY), None]))),
        (
            "m",
            Arc::new(
                Decimal128Array::from(vec![Some(10), Some(i128::MAX / 2), None])
                    .with_data_type(DataType::Decimal128(38, 0)),
            ),
        ),
        ("s", Arc::new(StringArray::from(vec![Some("2024-01-02"), Some(""), None]))),
        ("y", Arc::new(BinaryArray::from(vec![Some(&b"\xa9\x05"[..]), Some(b""), None]))),
        ("a", fixed(address.iter().map(|row| row.map(|bytes| bytes.to_vec())).collect(), 20)),
        ("u", fixed(owned(&number), 33)),
        ("day", Arc::new(Date32Array::from(vec![Some(19_000), Some(i32::MAX), None]))),
        ("ts", Arc::new(times.with_timezone("UTC"))),
        ("li", Arc::new(lists)),
        ("ma", Arc::new(maps.finish())),
        ("st", Arc::new(structs)),
    ];
    let of = |(name, array): &(&str, ArrayRef)| match array.data_type() {
        number if *number == NUMBER => field(name, false),
        other => Arc::new(Field::new(*name, other.clone(), true)),
    };
    let schema = Arc::new(Schema::new(columns.iter().map(of).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(schema.clone(), arrays).unwrap();
    Arc::new(MemTable::try_new(schema, vec![vec![batch]]).unwrap())
}

const COLUMNS: [&str; 15] = ["n", "b", "i", "l", "d", "m", "s", "y", "a", "u", "day", "ts", "li", "ma", "st"];

/// Values as both languages write them.
const VALUES: [&str; 16] = [
    "null",
    "''",
    "'x'",
    "'0x'",
    "'{\"a\": [1]}'",
    "0",
    "-1",
    "9223372036854775807",
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    "1.5",
    "cast('NaN' as double)",
    "true",
    "date '0001-01-01'",
    "timestamp '2024-02-29 12:00:00'",
    "interval '1' day",
    "'%Y-%m-%d'",
];

/// How many calls of so many arguments are made.
const CALLS: [usize; 6] = [1, 16, 14, 10, 3, 1];

/// Functions that read the lake before a query is planned; planning alone can't run them.
const OF_THE_LAKE: [&str; 2] = ["label", "labels"];

/// Calls of a function with all kinds of arguments. The same in every run.
pub fn calls(function: &str) -> Vec<String> {
    if OF_THE_LAKE.contains(&function) {
        return Vec::new();
    }
    let mut state =
        function.bytes().fold(0x9e37_79b9_u64, |state, byte| state.wrapping_mul(31).wrapping_add(byte.into()));
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut texts = Vec::new();
    for (arity, count) in CALLS.into_iter().enumerate() {
        for call in 0..count {
            let argument = |_| match next(3) {
                // A column of each type comes first in one call or another.
                0 => VALUES[next(VALUES.len())],
                _ => COLUMNS[(call + next(COLUMNS.len())) % COLUMNS.len()],
            };
            let arguments: Vec<&str> = (0..arity).map(argument).collect();
            texts.push(format!("{function}({})", arguments.join(", ")));
        }
    }
    texts
}

/// What went wrong with a call, if it did not end with rows or with an error that a person can act on.
pub async fn outcome(text: &str, run: impl Future<Output = Result<()>>) -> Option<String> {
    match tokio::time::timeout(LONGEST, AssertUnwindSafe(run).catch_unwind()).await {
        Err(_) => Some(format!("{text}: takes more than {} s", LONGEST.as_secs())),
        Ok(Err(_)) => Some(format!("{text}: panics")),
        Ok(Ok(Err(error))) if error.code == ErrorCode::Internal => Some(format!("{text}: {error:?}")),
        Ok(Ok(Err(error))) if error.message.is_empty() => Some(format!("{text}: an error without a sentence")),
        Ok(Ok(_)) => None,
    }
}

/// Runs a test on a thread with the stack that planning has.
pub fn block_on(test: impl Future<Output = ()> + Send + 'static) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(move || runtime.block_on(test)).unwrap();
    thread.join().unwrap();
}

/// Sessions with little memory, so that a function that would fill it is stopped.
pub fn sessions() -> (tempfile::TempDir, Sessions) {
    let dir = tempfile::tempdir().unwrap();
    let config =
        EngineConfig { memory_limit: 1 << 29, query_memory_limit: 1 << 28, threads: 2, ..EngineConfig::at(dir.path()) };
    let sessions = open_sessions(&config).unwrap();
    (dir, sessions)
}

/// Empty tables of the chain.
pub fn chain() -> [(Table, Arc<dyn TableProvider>); Table::ALL.len()] {
    Table::ALL.map(|table| (table, Arc::new(datafusion::datasource::empty::EmptyTable::new(table.schema())) as _))
}

/// Failures in a form that names each function once with all that went wrong.
pub fn report(failures: Vec<(String, String)>) {
    let mut by_function: HashMap<String, Vec<String>> = HashMap::new();
    for (function, failure) in failures {
        by_function.entry(function).or_default().push(failure);
    }
    let mut lines: Vec<String> = by_function.into_values().flatten().collect();
    lines.sort();
    assert!(lines.is_empty(), "{} calls ended badly:\n{}", lines.len(), lines.join("\n"));
}
