//! What is done to every request and answer: ids, logs, security headers, compression, and no panic reaching a client.

use std::any::Any;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;
use tracing::Span;

use super::error::ApiError;
use super::{counts, slow, unread};
use crate::app::App;
use crate::auth::audit;
use crate::auth::token::fill_random;

/// Scripts come from us alone. Styles may be written inline: the component library makes them while it runs.
const CONTENT_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// The same for the pages that other sites may show in a frame.
const FRAMED_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors *";

/// Pages below it show what a share link or everybody may read, act on nothing and use no login.
const FRAMED: &str = "/embed/";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Wraps the routes; the first layer named here is the innermost.
pub fn wrap(routes: Router, app: App) -> Router {
    let header = |name, value| SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value));
    // Parquet and Arrow files are compressed inside.
    let worth_it = DefaultPredicate::new().and(NotForContentType::const_new("application/vnd.apache"));
    let trace = TraceLayer::new_for_http().make_span_with(span).on_request(()).on_response(log).on_failure(());
    routes
        .layer(middleware::from_fn_with_state(app.clone(), unread::bound))
        .layer(middleware::from_fn(slow::bound))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(app.clone(), audit::record))
        // Around the audit, which asks the database too.
        .layer(middleware::from_fn_with_state(app.clone(), while_database_answers))
        .layer(middleware::from_fn_with_state(app, counts::count))
        .layer(CompressionLayer::new().compress_when(worth_it))
        .layer(header(CACHE_CONTROL, "no-store"))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(REFERRER_POLICY, "same-origin"))
        .layer(middleware::from_fn(framing))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(trace)
        .layer(SetRequestIdLayer::new(REQUEST_ID, NewId))
        // A caller's own id could be any text; ours is the one in the log.
        .layer(middleware::map_request(|mut request: Request| async {
            request.headers_mut().remove(REQUEST_ID);
            request
        }))
}

/// Answers a call at once when the platform database is gone, however long the call would wait for it.
async fn while_database_answers(app: State<App>, request: Request, next: Next) -> Response<Body> {
    if !request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    app.db.unless_gone(next.run(request)).await.unwrap_or_else(|| ApiError::database_gone().into_response())
}

/// Says who may show the page in a frame: nobody, but for the pages that are made for it.
async fn framing(request: Request, next: Next) -> Response<Body> {
    let framed = request.uri().path().starts_with(FRAMED);
    let mut response = next.run(request).await;
    let policy = if framed { FRAMED_POLICY } else { CONTENT_POLICY };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(policy));
    if !framed {
        headers.entry(X_FRAME_OPTIONS).or_insert(HeaderValue::from_static("DENY"));
    }
    response
}

#[derive(Debug, Clone, Copy)]
struct NewId;

impl MakeRequestId for NewId {
    fn make_request_id<B>(&mut self, _request: &axum::http::Request<B>) -> Option<RequestId> {
        let mut bytes = [0; 8];
        fill_random(&mut bytes);
        HeaderValue::try_from(hex::encode(bytes)).ok().map(RequestId::new)
    }
}

/// The path only: what follows `?` may hold a ticket.
fn span(request: &Request) -> Span {
    let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", id, method = %request.method(), path = request.uri().path())
}

fn log<B>(response: &Response<B>, took: Duration, _span: &Span) {
    let (status, ms) = (response.status().as_u16(), took.as_secs_f64() * 1000.0);
    if response.status().is_server_error() {
        tracing::warn!(status, ms, "answered");
    } else {
        tracing::debug!(status, ms, "answered");
    }
}

fn panicked(panic: Box<dyn Any + Send>) -> Response<Body> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a text");
    let mut response = ApiError::internal(text.to_string()).into_response();
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
