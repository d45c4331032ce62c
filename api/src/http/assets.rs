//! The web pages, embedded in the binary when it was built; every address that is no file is a page of the web app.
//! Large files are embedded compressed, as `web/build-gzip.ts` wrote them.

use std::borrow::Cow;
use std::io::Read;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use flate2::read::GzDecoder;
use rust_embed::RustEmbed;

use super::error::ApiError;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Web;

const INDEX: &str = "index.html";
const NO_PAGES: &str = "<!doctype html><html lang=\"en\"><title>Quarry</title><p>This Quarry was built without its web \
    pages. Run <code>make build</code>, which builds them first; the API is here: <a href=\"/api/docs\">/api/docs</a>.";

/// A file of the web build, or the page that starts the web app.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return ApiError::not_found("call").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        let msg = "Pages are only read.";
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", msg).into_response();
    }
    if let Some(file) = embedded(path).filter(|_| path != INDEX) {
        // The build names these files by their content, so a name never means something else later.
        let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        return answer(path, file, cache, &headers);
    }
    if path.starts_with("assets/") {
        return ApiError::not_found("file").into_response();
    }
    match embedded(INDEX) {
        Some(index) => answer(INDEX, index, "no-cache", &headers),
        None => (StatusCode::NOT_FOUND, Html(NO_PAGES)).into_response(),
    }
}

/// The content of a file of the web build.
enum Content {
    Plain(Cow<'static, [u8]>),
    Gzip(Cow<'static, [u8]>),
}

fn embedded(path: &str) -> Option<Content> {
    let plain = Web::get(path).map(|file| Content::Plain(file.data));
    plain.or_else(|| Web::get(&format!("{path}.gz")).map(|file| Content::Gzip(file.data)))
}

fn answer(path: &str, content: Content, cache: &'static str, request: &HeaderMap) -> Response {
    let media = mime_guess::from_path(path).first_or_octet_stream();
    let media = HeaderValue::try_from(media.as_ref()).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = [(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, HeaderValue::from_static(cache))];
    let compressed = match content {
        Content::Plain(data) => return (headers, data).into_response(),
        Content::Gzip(data) => data,
    };
    let vary = (header::VARY, HeaderValue::from_static("accept-encoding"));
    if accepts_gzip(request) {
        let encoding = (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        return (headers, [vary, encoding], compressed).into_response();
    }
    let mut data = Vec::new();
    match GzDecoder::new(compressed.as_ref()).read_to_end(&mut data) {
        Ok(_) => (headers, [vary], data).into_response(),
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// Whether a client takes gzip (RFC 9110, 12.5.3). One that does not say so gets the file as it is.
fn accepts_gzip(request: &HeaderMap) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut weights = values.flat_map(|value| value.split(',')).map(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
        (name.trim().to_ascii_lowercase(), weight)
    });
    weights.any(|(name, weight)| weight > 0.0 && matches!(name.as_str(), "gzip" | "x-gzip" | "*"))
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    async fn sent(accepted: &'static str, content: Content) -> (Response<()>, Vec<u8>) {
        let request = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
        let (parts, body) = answer("assets/a.js", content, "no-cache", &request).into_parts();
        (Response::from_parts(parts, ()), to_bytes(body, usize::MAX).await.unwrap().to_vec())
    }

    fn gzip(text: &str) -> Content {
        let mut data = Vec::new();
        flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::fast()).read_to_end(&mut data).unwrap();
        Content::Gzip(data.into())
    }

    #[tokio::test]
    async fn a_compressed_file_is_sent_as_it_is_or_decompressed() {
        for accepted in ["gzip", "deflate, gzip;q=0.5", "br;q=1.0, *;q=0.1"] {
            let (response, body) = sent(accepted, gzip("export {}")).await;
            assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip", "{accepted}");
            assert_eq!(body[..2], [0x1f, 0x8b]);
        }
        for accepted in ["", "br", "gzip;q=0, identity", "gzip;q=x"] {
            let (response, body) = sent(accepted, gzip("export {}")).await;
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING), "{accepted}");
            assert_eq!(body, b"export {}");
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/javascript");
            assert_eq!(response.headers()[header::VARY], "accept-encoding");
        }
        let (response, body) = sent("gzip", Content::Plain(b"a".into())).await;
        assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
        assert_eq!(body, b"a");
    }
}
