//! Lists of the back office as CSV files.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::error::ApiError;

/// A CSV file with one header row of the fields' names; cells that a spreadsheet would run are made text.
pub fn csv<T: Serialize>(name: &str, items: &[T]) -> Result<Response, ApiError> {
    let mut plain = csv::Writer::from_writer(Vec::new());
    for item in items {
        plain.serialize(item).map_err(ApiError::internal)?;
    }
    let plain = plain.into_inner().map_err(|error| ApiError::internal(error.to_string()))?;
    let mut safe = csv::Writer::from_writer(Vec::new());
    for record in csv::ReaderBuilder::new().has_headers(false).from_reader(plain.as_slice()).records() {
        let record = record.map_err(ApiError::internal)?;
        safe.write_record(record.iter().map(cell)).map_err(ApiError::internal)?;
    }
    let safe = safe.into_inner().map_err(|error| ApiError::internal(error.to_string()))?;
    let name = HeaderValue::try_from(format!("attachment; filename=\"quarry-{name}.csv\""));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (header::CONTENT_DISPOSITION, name.map_err(ApiError::internal)?),
    ];
    Ok((headers, safe).into_response())
}

/// Numbers below zero stay numbers.
fn cell(text: &str) -> String {
    let runs = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if runs { format!("'{text}") } else { text.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Row {
        user_name: &'static str,
        points: i64,
    }

    #[tokio::test]
    async fn a_file_has_a_header_and_no_formulas() {
        let rows = [Row { user_name: "=1+1", points: -5 }, Row { user_name: "a,\"b\"", points: 7 }];
        let answer = csv("users", &rows).unwrap();
        assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"quarry-users.csv\"");
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        assert_eq!(body, "userName,points\n'=1+1,-5\n\"a,\"\"b\"\"\",7\n");
    }
}
