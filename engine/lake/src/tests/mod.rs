//! Tests of the lake as a whole, on real folders, with rows made from the schemas alone.

mod bit_flips;
mod compaction;
mod crash;
mod foreign_files;
mod old_versions;
mod publication;
mod queries;
mod remote_scan;
mod scan_planning;
mod scrub;

use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, FixedSizeBinaryArray, Int32Array, Int64Array, ListArray,
    RecordBatch, StringViewArray, StructArray, TimestampMicrosecondArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field};
use datafusion::prelude::{SessionConfig, SessionContext};

use super::tables::Table;
use super::{BlockRange, Lake, LakeOptions, LakeWriter, Publish, Snapshot, Staged};
use quarry_types::Result;

/// Microseconds of a block's time.
fn block_time(block: i64) -> i64 {
    block * 12_000_000
}

/// Some bytes that differ for every `at`.
fn bytes(at: u64, length: usize) -> Vec<u8> {
    let mut state = at;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    })
    .take(length)
    .collect()
}

/// `count` values of a field, each different, every fifth null where that is allowed.
fn values(field: &Field, count: usize, start: u64) -> ArrayRef {
    let at = |index: usize| start + index as u64;
    let present = |index: usize| !field.is_nullable() || index % 5 != 4;
    let nulls = field.is_nullable().then(|| (0..count).map(present).collect::<NullBuffer>());
    match field.data_type() {
        DataType::Boolean => Arc::new((0..count).map(|i| present(i).then_some(i % 2 == 0)).collect::<BooleanArray>()),
        DataType::Int32 => Arc::new((0..count).map(|i| present(i).then_some(at(i) as i32)).collect::<Int32Array>()),
        DataType::Int64 => Arc::new((0..count).map(|i| present(i).then_some(at(i) as i64)).collect::<Int64Array>()),
        DataType::Utf8View => {
            Arc::new((0..count).map(|i| present(i).then(|| format!("text {}", at(i)))).collect::<StringViewArray>())
        }
        DataType::Timestamp(..) => {
            let times = (0..count).map(|i| present(i).then_some(at(i) as i64));
            Arc::new(times.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
        }
        DataType::FixedSizeBinary(size) => {
            let items = (0..count).map(|i| present(i).then(|| bytes(at(i), *size as usize)));
            Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(items, *size).unwrap())
        }
        DataType::Binary => {
            let items: Vec<Option<Vec<u8>>> = (0..count).map(|i| present(i).then(|| bytes(at(i), i % 40))).collect();
            Arc::new(items.iter().map(Option::as_deref).collect::<BinaryArray>())
        }
        DataType::Decimal128(precision, scale) => {
            let numbers = (0..count).map(|i| present(i).then(|| i128::from(at(i)) * 1_000_000_000_000_000_000));
            let numbers = numbers.collect::<Decimal128Array>();
            Arc::new(numbers.with_precision_and_scale(*precision, *scale).unwrap())
        }
        DataType::List(item) => {
            let lengths: Vec<usize> = (0..count).map(|i| if present(i) { i % 3 } else { 0 }).collect();
            let items = values(item, lengths.iter().sum(), start);
            Arc::new(ListArray::new(Arc::clone(item), OffsetBuffer::from_lengths(lengths), items, nulls))
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().map(|field| values(field, count, start)).collect();
            Arc::new(StructArray::new(fields.clone(), columns, nulls))
        }
        other => panic!("no values for {other}"),
    }
}

/// Rows of a table: `per_block` for every block of the range, in sort order.
fn rows(table: Table, range: BlockRange, per_block: usize) -> RecordBatch {
    let blocks: Vec<i64> = (range.from..=range.to).flat_map(|block| std::iter::repeat_n(block, per_block)).collect();
    let within = |i: usize| (i % per_block) as i64;
    let schema = table.schema();
    let def = table.def();
    let columns = schema
        .fields()
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let start = (range.from as u64) * 1_000_000 + (index as u64) * 1_000_000_000_000;
            if field.name() == def.sort[0] {
                Arc::new(Int64Array::from(blocks.clone())) as ArrayRef
            } else if field.name() == def.time {
                let times = TimestampMicrosecondArray::from_iter_values(blocks.iter().map(|block| block_time(*block)));
                Arc::new(times.with_timezone("UTC"))
            } else if def.sort.get(1) == Some(&field.name().as_str()) {
                Arc::new(Int64Array::from_iter_values((0..blocks.len()).map(within)))
            } else {
                values(field, blocks.len(), start)
            }
        })
        .collect();
    RecordBatch::try_new(schema, columns).unwrap()
}

fn range(from: i64, to: i64) -> BlockRange {
    BlockRange::new(from, to).unwrap()
}

/// Small files and row groups, so that little data makes many.
fn small() -> LakeOptions {
    LakeOptions { target_file_bytes: 40_000, row_group_rows: 100, index_rows: usize::MAX, ..LakeOptions::default() }
}

/// Stages every table with one row for `blocks`, `transactions` for the rest.
async fn stage(writer: &LakeWriter, range: BlockRange, transactions: usize) -> Result<Staged> {
    let mut staging = writer.stage(range);
    for from in (range.from..=range.to).step_by(10) {
        let part = BlockRange { from, to: (from + 9).min(range.to) };
        for table in Table::ALL {
            let per_block = if table == Table::Blocks { 1 } else { transactions };
            staging.write(table, rows(table, part, per_block)).await?;
        }
    }
    staging.finish().await
}

async fn publish(writer: &LakeWriter, range: BlockRange, transactions: usize) -> Result<i64> {
    let staged = stage(writer, range, transactions).await?;
    writer.publish(vec![staged], Publish { reason: "test".to_string(), ..Publish::default() }).await
}

/// Parquet files on disk, published or not.
fn files_on_disk(dir: &Path) -> usize {
    let folder = |table: Table| std::fs::read_dir(dir.join(table.name())).map_or(0, Iterator::count);
    Table::ALL.into_iter().map(folder).sum()
}

/// A session over one snapshot, on two partitions.
fn session(lake: &Lake, snapshot: &Snapshot) -> SessionContext {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(2));
    for table in Table::ALL {
        context.register_table(table.name(), lake.provider(snapshot, table)).unwrap();
    }
    context
}

/// First value of the only column of a query's only row.
async fn number(context: &SessionContext, sql: &str) -> datafusion::common::Result<i64> {
    let batches = context.sql(sql).await?.collect().await?;
    let column = batches[0].column(0);
    let column = arrow::compute::cast(column, &DataType::Int64)?;
    Ok(arrow::array::AsArray::as_primitive::<arrow::datatypes::Int64Type>(&column).value(0))
}
