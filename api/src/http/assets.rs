//! The web pages, embedded in the binary when it was built; every address that is no file is a page of the web app.

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::error::ApiError;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Web;

const INDEX: &str = "index.html";
const NO_PAGES: &str = "<!doctype html><html lang=\"en\"><title>Quarry</title><p>This Quarry was built without its web \
    pages. Run <code>make build</code>, which builds them first; the API is here: <a href=\"/api/docs\">/api/docs</a>.";

/// A file of the web build, or the page that starts the web app.
pub async fn serve(method: Method, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return ApiError::not_found("call").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let msg = "Pages are only read.";
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", msg).into_response();
    }
    if let Some(file) = Web::get(path).filter(|_| path != INDEX) {
        // The build names these files by their content, so a name never means something else later.
        let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        return answer(file, cache);
    }
    if path.starts_with("assets/") {
        return ApiError::not_found("file").into_response();
    }
    match Web::get(INDEX) {
        Some(index) => answer(index, "no-cache"),
        None => (StatusCode::NOT_FOUND, Html(NO_PAGES)).into_response(),
    }
}

fn answer(file: EmbeddedFile, cache: &'static str) -> Response {
    let media = file.metadata.mimetype().to_string();
    let media = HeaderValue::try_from(media).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = [(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, HeaderValue::from_static(cache))];
    (headers, file.data).into_response()
}
