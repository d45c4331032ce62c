//! CSV files whose rows are all taken, or none.

use axum::http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::error::ApiError;

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
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        let row = row.map_err(|error| wrong(rows.len(), &error.to_string()))?;
        if rows.len() >= ROWS {
            return Err(wrong(rows.len(), "a file has at most 50,000 rows"));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What is wrong with a row, counted from 0 without the header.
pub fn wrong(row: usize, why: &str) -> ApiError {
    let msg = format!("Line {} of the file can't be used: {why}.", row + 2);
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_csv", msg).param("file")
}
