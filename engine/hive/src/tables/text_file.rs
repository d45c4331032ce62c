//! Reads text files into a table.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use arrow::datatypes::SchemaRef;

use super::text_format::TextFormat;
use super::text_rows::rows_of_lines;
use quarry_runtime::job::JobContext;
use quarry_runtime::user_tables::TableWriter;
use quarry_types::{Error, ErrorCode, Result};

/// Limits of one batch of rows.
const BATCH_LINES: usize = 8_192;
const BATCH_BYTES: usize = 8 << 20;
/// Bytes of the longest line.
const MAX_LINE: u64 = 64 << 20;

/// Writes the lines of the files of a path as rows.
pub(crate) async fn read_text_files(
    path: &str,
    columns: &SchemaRef,
    format: &TextFormat,
    writer: &mut TableWriter,
    context: &JobContext,
) -> Result<()> {
    for file in files(path)? {
        context.log(format!("Reads {}.", file.display()));
        let mut lines = Lines::open(&file, format.skip_lines)?;
        loop {
            let batch = lines.next_batch()?;
            if batch.is_empty() {
                break;
            }
            writer.write(&rows_of_lines(&batch, columns, format).map_err(Error::internal)?)?;
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}

/// The files of a path, with or without `file://`: itself, or the files of a folder that Hive would read.
fn files(path: &str) -> Result<Vec<PathBuf>> {
    let path = Path::new(path.strip_prefix("file://").or(path.strip_prefix("file:")).unwrap_or(path));
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| read_error(path, &error))? {
        let entry = entry.map_err(|error| read_error(path, &error))?;
        let hidden = entry.file_name().to_string_lossy().starts_with(['.', '_']);
        if !hidden && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

fn read_error(path: &Path, error: &std::io::Error) -> Error {
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => format!("There is no file {}.", path.display()),
        _ => format!("The file {} can't be read: {error}.", path.display()),
    };
    Error::new(ErrorCode::NotFound, message)
}

/// Reads the lines of a file in batches.
struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    skip: usize,
}

impl Lines {
    fn open(path: &Path, skip: usize) -> Result<Lines> {
        let file = File::open(path).map_err(|error| read_error(path, &error))?;
        Ok(Lines { path: path.to_path_buf(), reader: BufReader::with_capacity(1 << 20, file), skip })
    }

    /// The next lines; none at the end of the file.
    fn next_batch(&mut self) -> Result<Vec<String>> {
        let (mut lines, mut bytes, mut line) = (Vec::new(), 0, Vec::new());
        while lines.len() < BATCH_LINES && bytes < BATCH_BYTES {
            line.clear();
            let mut limited = self.reader.by_ref().take(MAX_LINE);
            let read = limited.read_until(b'\n', &mut line).map_err(|error| read_error(&self.path, &error))?;
            if read == 0 {
                break;
            }
            if read as u64 == MAX_LINE {
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
