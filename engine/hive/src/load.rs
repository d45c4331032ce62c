//! `LOAD DATA [LOCAL] INPATH 'file' [OVERWRITE] INTO TABLE t [PARTITION (…)]`: the rows of text files into a table. Only commands
//! read files, with the rights of whoever types them; a server's files are none of its users' business.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::Schema;

use super::cursor::Cursor;
use super::reader::{Insert, Partition, Reader, partitions};
use super::script::Script;
use super::text_format::TextFormat;
use super::{build, text_rows, write};
use quarry_functions::hive::types;
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::WriteMode;
use quarry_types::{Error, ErrorCode, Result};

/// Lines that become one batch of rows, if they are no longer together than [`BATCH_BYTES`].
const BATCH_LINES: usize = 8_192;
const BATCH_BYTES: usize = 8 << 20;
/// Bytes of the longest line.
const LONGEST_LINE: u64 = 64 << 20;

#[derive(Debug)]
pub(super) struct Load {
    path: String,
    overwrite: bool,
    pub table: String,
    partition: Partition,
}

pub(super) fn load(mut cursor: Cursor<'_>, reader: &Reader<'_>) -> Result<Load> {
    if !reader.settings.files {
        return Err(cursor.refuse("Queries name no files; upload the file as a table and query that."));
    }
    let usage = "Write LOAD DATA [LOCAL] INPATH 'file' [OVERWRITE] INTO TABLE name [PARTITION (column = value)].";
    cursor.take("data");
    cursor.take("local");
    let path = if cursor.take("inpath") { cursor.text() } else { None };
    let Some(path) = path else { return Err(cursor.refuse(usage)) };
    let overwrite = cursor.take("overwrite");
    if !cursor.take_all(&["into", "table"]) {
        return Err(cursor.refuse(usage));
    }
    let table = cursor.name()?;
    let partition = partitions(&mut cursor, reader.bound)?.pop().unwrap_or_default();
    cursor.end()?;
    Ok(Load { path, overwrite, table, partition })
}

/// Adds the rows of the files to the table, or puts them in the place of those that are there.
pub(super) async fn run(script: &mut Script, load: Load, context: &JobContext) -> Result<i64> {
    let target = script.existing(&load.table)?;
    let schema = target.tables.get(&target.schema, &target.table)?.arrow;
    let format = TextFormat::of(&schema);
    if let Some(other) = &format.other {
        let message = format!("LOAD DATA reads lines of text, and the table {} asks for {other}.", load.table);
        return Err(Error::new(ErrorCode::NotAllowed, message));
    }
    // What PARTITION gives a value stands in no file.
    let given = |name: &str| load.partition.iter().any(|(part, value)| value.is_some() && *part == name.to_lowercase());
    let columns = schema.fields().iter().filter(|field| !given(field.name()));
    let columns: Vec<_> = columns.map(|field| types::query_field(field.as_ref().clone()).with_nullable(true)).collect();
    let columns = Arc::new(Schema::new(columns));
    let aside = script.loaded()?;
    let mut writer = aside.tables.writer(&aside.schema, &aside.table, &columns, WriteMode::Replace)?;
    for file in files(&load.path)? {
        context.log(format!("Reads {}.", file.display()));
        let mut lines = Lines::open(&file, format.skip)?;
        loop {
            let batch = lines.next()?;
            if batch.is_empty() {
                break;
            }
            writer.write(&text_rows::batch(&batch, &columns, &format).map_err(Error::internal)?)?;
            tokio::task::yield_now().await;
        }
    }
    writer.finish()?;
    let insert = Insert {
        table: load.table,
        overwrite: load.overwrite,
        whole: false,
        partition: load.partition,
        if_not_exists: false,
        columns: Vec::new(),
        query: Box::new(build::everything(&aside.table)?),
    };
    let rows = write::insert(script, insert, context).await;
    aside.tables.drop_table(&aside.schema, &aside.table)?;
    rows
}

/// The files of a path, `file://` before it or not: itself, or those of a folder that Hive would read.
fn files(path: &str) -> Result<Vec<PathBuf>> {
    let path = Path::new(path.strip_prefix("file://").or(path.strip_prefix("file:")).unwrap_or(path));
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| unread(path, &error))? {
        let entry = entry.map_err(|error| unread(path, &error))?;
        let hidden = entry.file_name().to_string_lossy().starts_with(['.', '_']);
        if !hidden && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

fn unread(path: &Path, error: &std::io::Error) -> Error {
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => format!("There is no file {}.", path.display()),
        _ => format!("The file {} can't be read: {error}.", path.display()),
    };
    Error::new(ErrorCode::NotFound, message)
}

/// The lines of a file, some at once.
struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    skip: usize,
}

impl Lines {
    fn open(path: &Path, skip: usize) -> Result<Lines> {
        let file = File::open(path).map_err(|error| unread(path, &error))?;
        Ok(Lines { path: path.to_path_buf(), reader: BufReader::with_capacity(1 << 20, file), skip })
    }

    /// The next lines; none at the end of the file.
    fn next(&mut self) -> Result<Vec<String>> {
        let (mut lines, mut bytes, mut line) = (Vec::new(), 0, Vec::new());
        while lines.len() < BATCH_LINES && bytes < BATCH_BYTES {
            line.clear();
            let mut limited = self.reader.by_ref().take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut line).map_err(|error| unread(&self.path, &error))?;
            if read == 0 {
                break;
            }
            if read as u64 == LONGEST_LINE {
                let message = format!("A line of {} is longer than 64 MB.", self.path.display());
                return Err(Error::new(ErrorCode::TooComplex, message));
            }
            if self.skip > 0 {
                self.skip -= 1;
                continue;
            }
            bytes += read;
            let end = [b"\r\n".as_slice(), b"\n"].into_iter().find_map(|end| line.strip_suffix(end));
            lines.push(String::from_utf8_lossy(end.unwrap_or(&line)).into_owned());
        }
        Ok(lines)
    }
}
