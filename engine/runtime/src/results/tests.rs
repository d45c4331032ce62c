//! A changed bit anywhere in a stored result gives the same rows or an error.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;

use super::*;

const ROWS: i64 = 20_000;

fn write(store: &ResultStore, id: &str) {
    let columns: [(&str, ArrayRef); 2] = [
        ("number", Arc::new(Int64Array::from_iter_values(0..ROWS))),
        ("text", Arc::new(StringArray::from_iter_values((0..ROWS).map(|row| format!("text {row}"))))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let limits = ResultLimits { rows: u64::MAX, bytes: u64::MAX };
    let mut writer = store.writer(id, &batch.schema(), limits).unwrap();
    writer.write(batch).unwrap();
    writer.draw(ResultGraph { nodes: vec![Value::from("a node")], ..ResultGraph::default() });
    writer.finish().unwrap();
}

/// Everything that a result returns.
fn read(store: &ResultStore, id: &str) -> Result<String> {
    let stored = store.get(id)?;
    let pages = [stored.page(0, 3)?, stored.page(9_000, 2)?, stored.page(ROWS as u64 - 2, 10)?];
    let rows: usize = stored.batches()?.map(|batch| Ok(batch?.num_rows())).sum::<Result<usize>>()?;
    Ok(format!("{} {rows} {pages:?} {:?} {:?}", stored.total(), stored.columns(), stored.graph()?))
}

#[test]
fn bit_flips_never_change_result_rows() {
    let dir = tempfile::tempdir().unwrap();
    let store = ResultStore::open(dir.path()).unwrap();
    write(&store, "job");
    let right = read(&store, "job").unwrap();
    let mut random = StdRng::seed_from_u64(31);
    for (extension, places) in [(DATA, 300), (META, 200), (GRAPH, 100)] {
        let path = store.file("job", extension);
        let whole = std::fs::read(&path).unwrap();
        let mut found = 0;
        for _ in 0..places {
            let (place, bit) = (random.random_range(0..whole.len()), random.random_range(0..8));
            let mut changed = whole.clone();
            changed[place] ^= 1 << bit;
            std::fs::write(&path, changed).unwrap();
            match read(&store, "job") {
                Ok(rows) => assert_eq!(rows, right, "bit {bit} of byte {place} of {extension}"),
                Err(error) => {
                    found += 1;
                    assert_eq!(error.code, ErrorCode::DamagedFile, "bit {bit} of byte {place} of {extension}: {error}");
                }
            }
        }
        assert_eq!(found, places, "{extension}: all of it is read");
        std::fs::write(&path, whole).unwrap();
    }
}

#[test]
fn old_results_are_readable() {
    let dir = tempfile::tempdir().unwrap();
    let store = ResultStore::open(dir.path()).unwrap();
    write(&store, "job");
    let right = read(&store, "job").unwrap();
    let path = store.file("job", META);
    let text = std::fs::read(&path).unwrap();
    let mut meta: Meta = serde_json::from_slice(strip_checksum(&text).unwrap()).unwrap();
    let tail = meta.checksums.take().unwrap().tail.unwrap();
    std::fs::write(&path, serde_json::to_vec(&meta).unwrap()).unwrap();
    std::fs::File::options().write(true).open(store.file("job", DATA)).unwrap().set_len(tail.from).unwrap();
    assert_eq!(read(&store, "job").unwrap(), right);
}
