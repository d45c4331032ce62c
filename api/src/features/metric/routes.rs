//! Calls of the metrics API. Answers are bare: points, or a CSV file; failures are in the envelope.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, ORIGIN, REFERER, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use quarry_metrics as metrics;
use quarry_metrics::Metric;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{BulkParams, MetricList, MetricPoint, MetricView, PointParams, find};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, ClientAddress, Failure, Path, Query, Reply, Success};
use crate::keys::Shown;
use crate::series::{Body, Form, Wanted};

const KEY: &str = "x-api-key";

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(metadata)).routes(routes!(bulk)).routes(routes!(series))
}

/// Every metric: what it means, how it is made, its unit and its resolutions. Open to visitors.
#[utoipa::path(get, path = "/api/v1/metrics/metadata", tag = "metrics", operation_id = "metrics",
    responses((status = 200, body = Success<MetricList>), (status = "default", body = Failure)))]
async fn metadata(state: State<App>) -> Answer<MetricList> {
    let contracts = state.engine.lake().info().await?.contracts;
    let series = state.series.current().await?;
    Ok(Reply(MetricList {
        metrics: metrics::all().iter().map(|metric| MetricView::new(metric, &contracts)).collect(),
        assets: vec!["ETH"],
        first_block: series.head.map(|_| series.from),
        head: series.head.map(|(number, _)| number),
        head_time: series.head.map(|(_, time)| time),
    }))
}

/// A metric by hour, day, week or month, in time order: `[{"t":…,"v":…}]`, or CSV with the columns `t`, `v` and `partial`.
/// Needs an API key in the header `X-Api-Key` or the parameter `api_key`, or a login.
#[utoipa::path(get, path = "/api/v1/metrics/{category}/{metric}", tag = "metrics", operation_id = "metric",
    params(("category" = String, Path, description = "One of the nine categories."),
        ("metric" = String, Path, description = "The metric's name."), PointParams),
    security(("apiKey" = []), ("apiKeyParameter" = []), ("bearer" = [])),
    responses((status = 200, content((Vec<MetricPoint> = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The points are still those of the tag in `If-None-Match`."),
        (status = "default", body = Failure)))]
async fn series(
    state: State<App>,
    ClientAddress(address): ClientAddress,
    user: Option<CurrentUser>,
    headers: HeaderMap,
    path: Path<(String, String)>,
    params: Query<PointParams>,
) -> Result<Response, ApiError> {
    let metric = find(&path.0.0, &path.0.1);
    let named = metric.as_ref().map_or_else(|_| Vec::new(), |metric| vec![metric.path()]);
    admit(&state, Shown { address, referrer: referrer(&headers) }, user, &headers, &params.0, &named).await?;
    answer(&state, &headers, &params.0.wanted(vec![metric?], false)?).await
}

/// Several metrics at once: `{"category/metric":[{"t":…,"v":…}],…}`, or CSV with a column for each.
#[utoipa::path(get, path = "/api/v1/metrics/bulk", tag = "metrics", operation_id = "metricsBulk",
    params(BulkParams), security(("apiKey" = []), ("apiKeyParameter" = []), ("bearer" = [])),
    responses((status = 200, content((std::collections::BTreeMap<String, Vec<MetricPoint>> = "application/json"),
            (String = "text/csv"))),
        (status = 304, description = "The points are still those of the tag in `If-None-Match`."),
        (status = "default", body = Failure)))]
async fn bulk(
    state: State<App>,
    ClientAddress(address): ClientAddress,
    user: Option<CurrentUser>,
    headers: HeaderMap,
    params: Query<BulkParams>,
) -> Result<Response, ApiError> {
    let key = PointParams { api_key: params.0.api_key.clone(), ..PointParams::default() };
    let named = params.0.split();
    let paths =
        named.as_ref().map_or_else(|_| Vec::new(), |(all, _)| all.iter().map(|metric| Metric::path(metric)).collect());
    admit(&state, Shown { address, referrer: referrer(&headers) }, user, &headers, &key, &paths).await?;
    let (metrics, params) = named?;
    answer(&state, &headers, &params.wanted(metrics, true)?).await
}

/// Lets in whoever has a key that may, or a login.
async fn admit(
    app: &App,
    shown: Shown<'_>,
    user: Option<CurrentUser>,
    headers: &HeaderMap,
    params: &PointParams,
    metrics: &[String],
) -> Result<(), ApiError> {
    let header = headers.get(KEY).map(|key| key.to_str().unwrap_or_default()).filter(|key| !key.is_empty());
    let Some(key) = header.or(params.api_key.as_deref()).filter(|key| !key.is_empty()) else {
        let msg = "This call needs an API key, in the header X-Api-Key or the parameter api_key.";
        return user.map(drop).ok_or_else(|| ApiError::new(StatusCode::UNAUTHORIZED, "api_key_missing", msg));
    };
    app.keys.admit(key, shown, metrics).await
}

/// Where the page is that asks.
fn referrer(headers: &HeaderMap) -> Option<&str> {
    headers.get(REFERER).or_else(|| headers.get(ORIGIN)).and_then(|page| page.to_str().ok())
}

async fn answer(app: &App, headers: &HeaderMap, wanted: &Wanted) -> Result<Response, ApiError> {
    let body = app.series.body(wanted).await?;
    let asked = headers.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    let mut response = match holds(asked, &body) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => body.bytes.clone().into_response(),
    };
    let header = response.headers_mut();
    header.insert(
        CONTENT_TYPE,
        HeaderValue::from_static(match wanted.form {
            Form::Json => "application/json",
            Form::Csv => "text/csv; charset=utf-8",
        }),
    );
    header.insert(ETAG, body.etag.clone());
    // A reorganisation may change even what is closed, so the tag is always asked for again in the end.
    header.insert(
        CACHE_CONTROL,
        HeaderValue::from_static(match body.closed {
            true => "private, max-age=60",
            false => "private, no-cache",
        }),
    );
    // A key in the address must not travel on.
    header.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// Whether a client has this body already. A proxy may have made the tag a weak one.
fn holds(tags: &str, body: &Body) -> bool {
    let ours = body.etag.to_str().unwrap_or_default();
    tags.split(',').map(|tag| tag.trim().trim_start_matches("W/")).any(|tag| tag == ours || tag == "*")
}
