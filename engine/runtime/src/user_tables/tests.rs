//! User tables: visibility, kills, quota and uploads.

use std::sync::Arc;

use arrow::array::{Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::*;
use quarry_types::{Error, ErrorCode};

const ADA: &str = "user_ada";

fn schema() -> SchemaRef {
    let fields = vec![Field::new("id", DataType::Int64, true), Field::new("name", DataType::Utf8, true)];
    Arc::new(Schema::new(fields))
}

fn rows(ids: &[i64]) -> RecordBatch {
    let names: Vec<String> = ids.iter().map(|id| format!("n{id}")).collect();
    let columns: Vec<arrow::array::ArrayRef> =
        vec![Arc::new(Int64Array::from(ids.to_vec())), Arc::new(StringArray::from(names))];
    RecordBatch::try_new(schema(), columns).unwrap()
}

fn write(tables: &UserTables, table: &str, mode: WriteMode, ids: &[i64]) -> Result<UserTable> {
    let mut writer = tables.writer(ADA, table, &schema(), mode)?;
    writer.write(&rows(ids))?;
    writer.finish()
}

fn store() -> (tempfile::TempDir, UserTables) {
    let dir = tempfile::tempdir().unwrap();
    let tables = UserTables::new(dir.path(), 1 << 20, NameRules::Users);
    (dir, tables)
}

#[test]
fn table_life_cycle() {
    let (_dir, tables) = store();
    assert!(tables.list(ADA).unwrap().is_empty());
    assert_eq!(write(&tables, "Whales", WriteMode::Create, &[1, 2]).unwrap().rows, 2);
    assert_eq!(write(&tables, "whales", WriteMode::Create, &[1]).unwrap_err().code, ErrorCode::InvalidInput);
    assert_eq!(write(&tables, "whales", WriteMode::Append, &[3]).unwrap().rows, 3);
    assert_eq!(write(&tables, "nothing", WriteMode::Append, &[3]).unwrap_err().code, ErrorCode::NotFound);
    assert_eq!(write(&tables, "whales", WriteMode::Replace, &[9]).unwrap().rows, 1);
    tables.rename(ADA, "whales", "orcas").unwrap();
    let table = tables.get(ADA, "ORCAS").unwrap();
    assert_eq!((table.rows, table.columns[0].type_name.as_str()), (1, "bigint"));
    assert_eq!(tables.usage(ADA).unwrap().0, table.bytes);
    assert!(tables.drop_table(ADA, "orcas").unwrap());
    assert!(!tables.drop_table(ADA, "orcas").unwrap());
    assert_eq!(tables.get(ADA, "orcas").unwrap_err().code, ErrorCode::NotFound);
}

#[test]
fn rows_become_visible_with_finish() {
    let (dir, tables) = store();
    write(&tables, "t", WriteMode::Create, &[1]).unwrap();
    let mut writer = tables.writer(ADA, "t", &schema(), WriteMode::Replace).unwrap();
    writer.write(&rows(&[7, 8, 9])).unwrap();
    assert_eq!(tables.get(ADA, "t").unwrap().rows, 1);
    drop(writer);
    assert_eq!(tables.get(ADA, "t").unwrap().rows, 1);
    let files = std::fs::read_dir(dir.path().join(ADA)).unwrap().flatten();
    let parquet = files.filter(|file| file.file_name().to_string_lossy().ends_with(".parquet")).count();
    assert_eq!(parquet, 1, "an unfinished writer leaves no file");
}

#[test]
fn files_of_killed_processes_are_ignored() {
    let (dir, tables) = store();
    write(&tables, "t", WriteMode::Create, &[1]).unwrap();
    let folder = dir.path().join(ADA);
    // Killed while it wrote rows, and while it wrote the new manifest.
    std::fs::write(folder.join("t-00.parquet"), b"half a file").unwrap();
    std::fs::write(folder.join("tables.json.new"), b"{\"tab").unwrap();
    let again = UserTables::new(dir.path(), 1 << 20, NameRules::Users);
    assert_eq!(again.list(ADA).unwrap().len(), 1);
    assert_eq!(write(&again, "t", WriteMode::Append, &[2]).unwrap().rows, 2);
}

#[test]
fn schemas_have_quotas() {
    let dir = tempfile::tempdir().unwrap();
    let tables = UserTables::new(dir.path(), 100, NameRules::Users);
    assert_eq!(write(&tables, "t", WriteMode::Create, &[1, 2, 3]).unwrap_err().code, ErrorCode::Quota);
    assert!(tables.list(ADA).unwrap().is_empty());
}

/// Changes the manifest of the schema as if this much time had passed.
fn later(dir: &std::path::Path, milliseconds: u64) {
    let file = dir.join(ADA).join("tables.json");
    let text = std::fs::read(&file).unwrap();
    let text = quarry_lake::checksums::strip_checksum(&text).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(text).unwrap();
    for retired in manifest["retired"].as_array_mut().unwrap() {
        retired["at"] = (retired["at"].as_u64().unwrap() - milliseconds).into();
    }
    std::fs::write(&file, manifest.to_string()).unwrap();
}

fn files(dir: &std::path::Path) -> usize {
    let names = std::fs::read_dir(dir.join(ADA)).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".parquet")).count()
}

#[test]
fn replaced_tables_free_disk_space() {
    let (dir, tables) = store();
    let bytes = write(&tables, "t", WriteMode::Create, &[1, 2]).unwrap().bytes;
    let tables = UserTables::new(dir.path(), 2 * bytes, NameRules::Users);
    for _ in 0..3 {
        write(&tables, "t", WriteMode::Replace, &[1, 2]).unwrap();
    }
    let error = write(&tables, "t", WriteMode::Replace, &[1, 2]).unwrap_err();
    assert_eq!((error.code, files(dir.path())), (ErrorCode::Quota, 4), "{error}");
    assert!(tables.drop_table(ADA, "t").unwrap(), "dropping is never refused");
    assert_eq!(write(&tables, "t", WriteMode::Create, &[1, 2]).unwrap_err().code, ErrorCode::Quota);
    // Retired files are removed after a while, and only as many as needed.
    later(dir.path(), 11 * 60 * 1000);
    write(&tables, "t", WriteMode::Create, &[1, 2]).unwrap();
    assert_eq!(files(dir.path()), 4);
    later(dir.path(), 2 * 3600 * 1000);
    tables.clean();
    assert_eq!((files(dir.path()), tables.get(ADA, "t").unwrap().rows), (1, 2));
}

#[test]
fn unlocked_files_of_killed_processes_are_removed() {
    let (dir, tables) = store();
    let mut writer = tables.writer(ADA, "t", &schema(), WriteMode::Create).unwrap();
    writer.write(&rows(&[1])).unwrap();
    std::fs::write(dir.path().join(ADA).join("t-00.parquet"), b"half a file").unwrap();
    tables.clean();
    assert_eq!(files(dir.path()), 2, "a writer may be about to lock it");
    for entry in std::fs::read_dir(dir.path().join(ADA)).unwrap() {
        let file = std::fs::File::options().write(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(3600)).unwrap();
    }
    tables.clean();
    assert_eq!(files(dir.path()), 1);
    assert_eq!(writer.finish().unwrap().rows, 1);
    assert_eq!(tables.list(ADA).unwrap().len(), 1);
}

#[test]
fn names_are_checked_before_anything_is_written() {
    let (dir, tables) = store();
    let bad = Arc::new(Schema::new(vec![Field::new("select", DataType::Int64, true)]));
    let error = tables.writer(ADA, "t", &bad, WriteMode::Create).err().unwrap();
    assert_eq!(error.message, "ColumnName cannot be used, the columnName is db key word!");
    assert!(tables.writer(ADA, "../t", &schema(), WriteMode::Create).is_err());
    assert!(tables.writer("../x", "t", &schema(), WriteMode::Create).is_err());
    assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none());
}

#[test]
fn csv_upload_infers_types() {
    let (dir, tables) = store();
    let file = dir.path().join("in.csv");
    let text = "\u{feff}id,name,amount,day,big,code\n1,\"a, b\",1.5,2024-01-02,100000000000000000000,007\n,,,,,\n";
    std::fs::write(&file, text).unwrap();
    let table = tables.upload(ADA, "up", &file, UploadFormat::Csv, WriteMode::Create).unwrap();
    let types: Vec<&str> = table.columns.iter().map(|column| column.type_name.as_str()).collect();
    assert_eq!(types, ["bigint", "varchar", "double", "date", "decimal(38,0)", "varchar"]);
    assert_eq!((table.rows, table.columns[0].name.as_str()), (2, "id"));

    for broken in ["a,b\n1\n", "a,a\n1,2\n", "", "select\n1\n", "a,\n1,2\n"] {
        std::fs::write(&file, broken).unwrap();
        let error = tables.upload(ADA, "broken", &file, UploadFormat::Csv, WriteMode::Create).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidInput, "{broken:?}: {error}");
    }
    std::fs::write(&file, b"PAR1 and nothing more").unwrap();
    let error = tables.upload(ADA, "broken", &file, UploadFormat::Parquet, WriteMode::Create).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert_eq!(tables.list(ADA).unwrap().len(), 1);
}

#[test]
fn parquet_upload() {
    let (dir, tables) = store();
    let made = write(&tables, "t", WriteMode::Create, &[5, 6]).unwrap();
    let folder = dir.path().join(ADA);
    let file = std::fs::read_dir(&folder).unwrap().flatten().map(|file| file.path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "parquet")).unwrap();
    let table = tables.upload(ADA, "copy", &file, UploadFormat::Parquet, WriteMode::Create).unwrap();
    assert_eq!((table.rows, &table.columns), (2, &made.columns));
}

#[test]
fn rows_are_inserted_by_column_name() {
    let (dir, tables) = store();
    let file = dir.path().join("in.csv");
    let upload = |text: &str, mode: WriteMode| {
        std::fs::write(&file, text).unwrap();
        tables.upload(ADA, "t", &file, UploadFormat::Csv, mode)
    };
    upload("a,b\n1,x\n", WriteMode::Create).unwrap();
    // Text that looks like numbers, empty values, another order, other separators.
    for (rows, text) in
        [(2, "a,b\n2,7\n"), (3, "a,b\n3,\n"), (4, "B,A\ny,4\n"), (5, "a;b\n5;z,z\n"), (6, "a\tb\n6\tw\n")]
    {
        let table = upload(text, WriteMode::Append).unwrap();
        let types: Vec<&str> = table.columns.iter().map(|column| column.type_name.as_str()).collect();
        assert_eq!((table.rows, types), (rows, vec!["bigint", "varchar"]), "{text:?}");
    }
    let refused = |text: &str| upload(text, WriteMode::Append).unwrap_err().message;
    assert_eq!(refused("a,b\n1,x\nmany,y\n"), "'many' on line 3 is not a valid bigint for the column a.");
    assert_eq!(refused("a\n1\n"), "The file has no column b.");
    assert_eq!(refused("a,b,c\n1,x,2\n"), "The table has no column c.");
    assert_eq!(refused("a,b,A\n1,x,2\n"), "The file has the column a twice.");
    assert_eq!(tables.get(ADA, "t").unwrap().rows, 6);
}

/// A Parquet file of one row group with these columns.
fn parquet_file(path: &std::path::Path, columns: Vec<(&str, arrow::array::ArrayRef)>, dictionary: bool) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_compression(parquet::basic::Compression::ZSTD(Default::default()))
        .set_dictionary_enabled(dictionary)
        .build();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn times_and_numbers_of_other_tools_are_converted() {
    use arrow::array::{TimestampNanosecondArray, TimestampSecondArray, UInt64Array};
    let (dir, tables) = store();
    let file = dir.path().join("in.parquet");
    let zoned = TimestampSecondArray::from(vec![0]).with_timezone("Europe/Berlin");
    let columns: Vec<(&str, arrow::array::ArrayRef)> = vec![
        ("z", Arc::new(zoned)),
        ("n", Arc::new(TimestampNanosecondArray::from(vec![-1]))),
        ("u", Arc::new(UInt64Array::from(vec![u64::MAX]))),
    ];
    parquet_file(&file, columns, true);
    let table = tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Create).unwrap();
    let types: Vec<String> = table.arrow.fields().iter().map(|field| field.data_type().to_string()).collect();
    assert_eq!(types, ["Timestamp(µs, \"UTC\")", "Timestamp(µs)", "Decimal128(20, 0)"]);
    assert_eq!(tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Append).unwrap().rows, 2);
    let other: Vec<(&str, arrow::array::ArrayRef)> =
        ["z", "n", "u"].map(|name| (name, Arc::new(StringArray::from(vec!["x"])) as arrow::array::ArrayRef)).into();
    parquet_file(&file, other, true);
    let error = tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Append).unwrap_err();
    assert_eq!(error.message, "The column z is varchar in the file and timestamp in the table.");
}

#[test]
fn decompression_is_limited() {
    let (dir, tables) = store();
    let file = dir.path().join("in.parquet");
    let long = "x".repeat(1_000_000);
    let texts = || Arc::new(StringArray::from(vec![long.as_str(); 100])) as arrow::array::ArrayRef;
    // A hundred megabytes of pages without a dictionary are refused before they are decompressed.
    parquet_file(&file, vec![("a", texts())], false);
    assert!(std::fs::metadata(&file).unwrap().len() < 100_000);
    let error = tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Create).unwrap_err();
    assert!(error.message.starts_with("The column \"a\" decompresses to more than 50 times its size"), "{error}");
    // The same with a false footer.
    write_false_footer(&file);
    let error = tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Create).unwrap_err();
    assert!(error.message.starts_with("The column \"a\" decompresses to more than 50 times its size"), "{error}");
    // With a dictionary the text is there once, however many rows have it.
    parquet_file(&file, vec![("a", texts())], true);
    assert_eq!(tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Create).unwrap().rows, 100);
    assert_eq!(tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Append).unwrap().rows, 200);
}

#[test]
fn decompression_of_lists_is_limited() {
    use arrow::array::{Int64Builder, ListBuilder};
    let (dir, tables) = store();
    let file = dir.path().join("in.parquet");
    let lists = |rows: i64, items: i64| {
        let mut lists = ListBuilder::new(Int64Builder::new());
        for row in 0..rows {
            (0..items).for_each(|item| lists.values().append_value((row * items + item) * 7_919));
            lists.append(true);
        }
        Arc::new(lists.finish()) as arrow::array::ArrayRef
    };
    parquet_file(&file, vec![("a", lists(40, 1_000_000))], false);
    let error = tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Create).unwrap_err();
    assert!(error.message.starts_with("The lists of a row group decompress to more than 256 MiB"), "{error}");
    parquet_file(&file, vec![("a", lists(2, 1_000))], false);
    assert_eq!(tables.upload(ADA, "t", &file, UploadFormat::Parquet, WriteMode::Create).unwrap().rows, 2);
}

/// Rewrites the footer of a Parquet file with a thousand bytes for each column.
fn write_false_footer(path: &std::path::Path) {
    use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
    use std::io::Write;
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&std::fs::File::open(path).unwrap()).unwrap();
    let mut builder = metadata.into_builder();
    for group in builder.take_row_groups() {
        let columns = group
            .columns()
            .iter()
            .map(|column| column.clone().into_builder().set_total_uncompressed_size(1_000).build().unwrap());
        let columns = columns.collect();
        let group = group.into_builder().set_total_byte_size(1_000).set_column_metadata(columns).build().unwrap();
        builder = builder.add_row_group(group);
    }
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    ParquetMetaDataWriter::new(&mut file, &builder.build()).finish().unwrap();
    file.flush().unwrap();
}

#[tokio::test]
async fn bit_flips_never_change_table_rows() {
    use rand::{Rng, SeedableRng};

    let (dir, tables) = store();
    let ids: Vec<i64> = (0..30_000).map(|id| id * 7 % 4_001).collect();
    write(&tables, "t", WriteMode::Create, &ids).unwrap();
    let folder = dir.path().join(ADA);
    let query = async || {
        let manifest = manifest::Manifest::read(&folder)?;
        let context = datafusion::prelude::SessionContext::new();
        let table = provider::provider(&folder, manifest.tables.get("t").expect("the table"))?;
        context.register_table("t", table).unwrap();
        let text = "select count(*), sum(id), min(name), count(distinct name) from t where id >= 5";
        let outcome = context.sql(text).await.unwrap().collect().await;
        let batches = outcome.map_err(|error| {
            let ours = Error::within(&error).expect("an error of ours");
            Error::new(ours.code, ours.message.clone())
        })?;
        Ok::<_, Error>(arrow::util::pretty::pretty_format_batches(&batches).unwrap().to_string())
    };
    let right = query().await.unwrap();
    let mut random = rand::rngs::StdRng::seed_from_u64(31);
    let paths: Vec<std::path::PathBuf> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|known| known == "parquet" || known == "json"))
    {
        let whole = std::fs::read(path).unwrap();
        let mut found = 0;
        for _ in 0..150 {
            let (place, bit) = (random.random_range(0..whole.len()), random.random_range(0..8));
            let mut changed = whole.clone();
            changed[place] ^= 1 << bit;
            std::fs::write(path, changed).unwrap();
            match query().await {
                Ok(rows) => assert_eq!(rows, right, "bit {bit} of byte {place} of {}", path.display()),
                Err(error) => {
                    found += 1;
                    assert_eq!(error.code, ErrorCode::DamagedFile, "bit {bit} of byte {place}: {error}");
                }
            }
        }
        assert!(found > 100, "{found} of 150 in {}", path.display());
        std::fs::write(path, whole).unwrap();
    }
    assert_eq!(query().await.unwrap(), right);
}
