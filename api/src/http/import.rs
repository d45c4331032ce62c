//! CSV files whose rows are all taken, or none.

use axum::http::StatusCode;
use csv::{ErrorKind, StringRecord};
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::error::ApiError;
use super::fault;

/// Largest file, in bytes.
pub const LARGEST: usize = 5 * 1024 * 1024;
/// Rows of one file.
const ROWS: usize = 50_000;

/// What an import did.
#[derive(Debug, Serialize, ToSchema)]
pub struct Imported {
    /// Rows that were written; a row of a known key replaces the one before.
    pub rows: usize,
}

/// The rows of a file whose first row names the columns.
pub fn rows<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, ApiError> {
    if bytes.len() > LARGEST {
        let msg = "A CSV file may have 5 MB.";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", msg).param("file"));
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    // Without them the first row can't be read either.
    let columns = reader.headers().cloned().unwrap_or_default();
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        let row = row.map_err(|error| wrong(rows.len(), &reason(&error, &columns)))?;
        if rows.len() >= ROWS {
            return Err(wrong(rows.len(), "a file has at most 50,000 rows"));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What the reader says, in our words.
fn reason(error: &csv::Error, columns: &StringRecord) -> String {
    match error.kind() {
        ErrorKind::Deserialize { err, .. } => {
            let column = err.field().and_then(|field| columns.get(usize::try_from(field).ok()?));
            let sentence = fault::told(column.unwrap_or_default(), &err.kind().to_string()).sentence;
            sentence.trim_end_matches('.').to_string()
        }
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the first line has {expected_len} values, this one {len}")
        }
        ErrorKind::Utf8 { .. } => "it is not in UTF-8".to_string(),
        _ => "it is no line of CSV".to_string(),
    }
}

/// What is wrong with a row, counted from 0 without the header.
pub fn wrong(row: usize, why: &str) -> ApiError {
    let msg = format!("Line {} of the file can't be used: {why}.", row + 2);
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_csv", msg).param("file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only how it is read is looked at")]
    struct Row {
        name: String,
        size: u8,
    }

    #[test]
    fn a_row_that_can_not_be_used_is_told_in_our_words() {
        let told = |bytes: &[u8]| rows::<Row>(bytes).unwrap_err().msg;
        assert_eq!(told(b"name\na\n"), "Line 2 of the file can't be used: size is missing.");
        assert_eq!(told(b"name,size\na,1\nb,x\n"), "Line 3 of the file can't be used: size is not an integer.");
        assert_eq!(
            told(b"name,size\na\n"),
            "Line 2 of the file can't be used: the first line has 2 values, this one 1."
        );
        assert_eq!(told(b"name,size\n\xff,1\n"), "Line 2 of the file can't be used: it is not in UTF-8.");
    }
}
