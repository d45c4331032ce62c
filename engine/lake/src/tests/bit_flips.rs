//! One changed bit anywhere in a file: a query that reads it gives the right answer or names the file.

use std::collections::BTreeMap;
use std::ops::Range;

use arrow::compute::concat_batches;
use datafusion::common::ScalarValue;
use datafusion::prelude::{SessionContext, col, lit};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;
use quarry_types::{Error, ErrorCode};

/// Places that are changed in each region of each table.
const PLACES: usize = 6;
const SEED: u64 = 31;

/// Files large enough for dictionaries, several pages and an index.
fn options() -> LakeOptions {
    LakeOptions { row_group_rows: 1500, ..LakeOptions::default() }
}

/// The parts of a file by name.
fn regions(bytes: &[u8], footer: &ParquetMetaData) -> BTreeMap<&'static str, Vec<Range<usize>>> {
    let place = |from: i64, length: i64| from as usize..(from + length) as usize;
    let mut regions: BTreeMap<&'static str, Vec<Range<usize>>> = BTreeMap::new();
    let mut end = 0;
    for column in footer.row_groups().iter().flat_map(|group| group.columns()) {
        let data = column.data_page_offset();
        let (from, length) = column.byte_range();
        let (from, chunk_end) = (from as i64, (from + length) as i64);
        if from < data {
            regions.entry("dictionary").or_default().push(place(from, data - from));
        }
        // The header of the first page, and all pages.
        regions.entry("page header").or_default().push(place(data, 20.min(chunk_end - data)));
        regions.entry("data page").or_default().push(place(data, chunk_end - data));
        if let Some(filter) = column.bloom_filter_offset() {
            let length = i64::from(column.bloom_filter_length().unwrap());
            regions.entry("bloom filter").or_default().push(place(filter, length));
            end = end.max((filter + length) as usize);
        }
        end = end.max(chunk_end as usize);
    }
    // What lies between the rows and the tail, which begins with the checksums of the blocks.
    let footer_length = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize;
    let footer_start = bytes.len() - 8 - footer_length;
    regions.entry("index, checksums and page index").or_default().push(end..footer_start);
    regions.entry("footer").or_default().push(footer_start..bytes.len());
    regions
}

/// What is asked of a table.
#[derive(Debug)]
enum Question {
    Sql(String),
    /// The rows with a value in an indexed column.
    Lookup(&'static str, ScalarValue),
}

/// Queries that read every column, and look single rows up.
async fn questions(context: &SessionContext, table: Table) -> Vec<Question> {
    let (name, def) = (table.name(), table.def());
    let all = def.columns.iter().map(|column| format!("count({})", column.name));
    let (sort, time) = (def.sort[0], def.time);
    let mut questions = vec![
        Question::Sql(format!("select * from {name}")),
        Question::Sql(format!("select count(*), {} from {name}", all.collect::<Vec<_>>().join(", "))),
        Question::Sql(format!("select count(*), min({time}), max({sort}) from {name} where {sort} between 37 and 41")),
    ];
    for column in def.columns.iter().filter(|column| column.indexed) {
        let column = column.name;
        let found = format!("select {column} from {name} where {column} is not null order by {sort} limit 1");
        let found = context.sql(&found).await.unwrap().collect().await.unwrap();
        let held = ScalarValue::try_from_array(found[0].column(0), 0).unwrap();
        let ScalarValue::FixedSizeBinary(width, Some(mut bytes)) = held.clone() else { panic!("{column} is indexed") };
        bytes.reverse();
        questions.push(Question::Lookup(column, held));
        questions.push(Question::Lookup(column, ScalarValue::FixedSizeBinary(width, Some(bytes))));
    }
    questions
}

/// What a query answers, or the error that says what is damaged.
async fn answer(
    context: &SessionContext,
    table: Table,
    question: &Question,
) -> std::result::Result<Option<RecordBatch>, (ErrorCode, String)> {
    let asked = async {
        match question {
            Question::Sql(text) => context.sql(text).await?,
            Question::Lookup(column, value) => {
                context.table(table.name()).await?.filter(col(*column).eq(lit(value.clone())))?
            }
        }
        .collect()
        .await
    };
    match asked.await {
        Ok(batches) if batches.is_empty() => Ok(None),
        Ok(batches) => Ok(Some(concat_batches(&batches[0].schema(), &batches).unwrap())),
        Err(error) => match Error::within(&error) {
            Some(own) => Err((own.code, own.message.clone())),
            None => panic!("{question:?}: {error}"),
        },
    }
}

/// A session of a process that has just begun: nothing is in memory.
async fn fresh(dir: &Path, table: Table) -> Result<SessionContext, Error> {
    let lake = Lake::open_with(dir, options()).await?;
    let snapshot = lake.snapshot().await?;
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    context.register_table(table.name(), lake.provider(&snapshot, table)).unwrap();
    Ok(context)
}

async fn attack(table: Table) {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), options()).await.unwrap();
    publish(&lake.writer().await.unwrap(), range(0, 79), 40).await.unwrap();
    let (path, _) = lake.files(table).await.unwrap().swap_remove(0);
    let name = path.file_name().unwrap().to_str().unwrap().to_string();
    let whole = std::fs::read(&path).unwrap();
    let footer = ParquetMetaDataReader::new()
        .with_page_index_policy(PageIndexPolicy::Optional)
        .parse_and_finish(&std::fs::File::open(&path).unwrap())
        .unwrap();
    let context = fresh(dir.path(), table).await.unwrap();
    let questions = questions(&context, table).await;
    let mut right = Vec::new();
    for question in &questions {
        right.push(answer(&context, table, question).await.unwrap());
    }
    let mut random = StdRng::seed_from_u64(SEED);
    let mut noticed = 0;
    for (region, ranges) in regions(&whole, &footer) {
        for _ in 0..PLACES {
            let range = ranges[random.random_range(0..ranges.len())].clone();
            let (place, bit) = (random.random_range(range), random.random_range(0..8));
            let mut changed = whole.clone();
            changed[place] ^= 1 << bit;
            std::fs::write(&path, &changed).unwrap();
            let context = fresh(dir.path(), table).await.unwrap();
            for (question, right) in questions.iter().zip(&right) {
                let at = format!("{}, {region}, bit {bit} of byte {place}: {question:?}", table.name());
                match answer(&context, table, question).await {
                    Ok(given) => assert!(given == *right, "{at}: another answer"),
                    Err((code, message)) => {
                        noticed += 1;
                        assert_eq!(code, ErrorCode::DamagedFile, "{at}: {message}");
                        assert!(message.contains(&name), "{at}: {message}");
                    }
                }
            }
        }
    }
    assert!(noticed > PLACES * questions.len() / 2, "{}: {noticed} noticed", table.name());
}

#[tokio::test(flavor = "multi_thread")]
async fn bit_flips_never_change_answers() {
    for table in Table::ALL.into_iter().chain(Table::DERIVED) {
        attack(table).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_catalogue_rows_are_detected() {
    for (column, changed) in [
        ("rows", "rows + 1"),
        ("min_block", "min_block + 1"),
        ("bytes", "bytes + 4"),
        ("tail_checksum", "null"),
        ("statistics", "replace(statistics, '\"nulls\":0', '\"nulls\":1')"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let lake = Lake::open_with(dir.path(), options()).await.unwrap();
        publish(&lake.writer().await.unwrap(), range(0, 9), 20).await.unwrap();
        let url = sqlx::sqlite::SqliteConnectOptions::new().filename(dir.path().join("catalogue.sqlite"));
        let pool = sqlx::SqlitePool::connect_with(url).await.unwrap();
        let statement = format!("update files set {column} = {changed} where table_name = 'logs'");
        assert_eq!(sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&pool).await.unwrap().rows_affected(), 1);
        pool.close().await;
        let error = Lake::open(dir.path()).await.err().unwrap_or_else(|| panic!("{column} is not noticed"));
        assert_eq!(error.code, ErrorCode::DamagedFile, "{column}");
        assert!(error.message.contains("catalogue"), "{column}: {}", error.message);
    }
}
