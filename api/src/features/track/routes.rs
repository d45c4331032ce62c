//! Calls that take tracking events: they answer at once; what is reported is written later, in batches.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{ClickReport, RouteReport};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, ClientAddress, Failure, Json, Reply, Success};
use crate::time::now_ms;
use crate::tracking::{ClickEvent, Event, RouteEvent};

/// Characters of an address or title that are kept.
const TEXT: usize = 500;
/// Characters of a fingerprint that are kept.
const FINGERPRINT: usize = 64;
/// Longest stay on a page that counts, in milliseconds: a tab left open over night is not read.
const LONGEST_STAY: f64 = 86_400_000.0;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(route)).routes(routes!(trigger))
}

/// Reports that a visitor went to another page. Open to visitors.
#[utoipa::path(post, path = "/api/front-track/route", tag = "track", operation_id = "trackRoute",
    request_body = RouteReport, security(("bearer" = []), ()),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn route(state: State<App>, visitor: Visitor, body: Json<RouteReport>) -> Answer<bool> {
    let report = body.0;
    let seconds = report.prepage_browse_time_s * 1000.0;
    let browsed = if report.prepage_browse_time_ms > 0.0 { report.prepage_browse_time_ms } else { seconds };
    let event = RouteEvent {
        at: now_ms(),
        visitor: visitor.key(&report.fingerprint),
        user_name: visitor.user,
        previous_url: page(&report.pre_url),
        previous_title: cut(&report.pre_title, TEXT),
        current_url: page(&report.current_url),
        current_title: cut(&report.current_title, TEXT),
        // Whole milliseconds of a day at most; a number that is none becomes 0.
        browsed_ms: browsed.clamp(0.0, LONGEST_STAY) as i64,
    };
    Ok(Reply(state.tracker.take(Event::Route(event))))
}

/// Reports that a visitor used something on a page. Open to visitors.
#[utoipa::path(post, path = "/api/front-track/trigger", tag = "track", operation_id = "trackTrigger",
    request_body = ClickReport, security(("bearer" = []), ()),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn trigger(state: State<App>, visitor: Visitor, body: Json<ClickReport>) -> Answer<bool> {
    let report = body.0;
    let event = ClickEvent {
        at: now_ms(),
        visitor: visitor.key(&report.fingerprint),
        user_name: visitor.user,
        current_url: page(&report.current_url),
        trigger_type: cut(&report.trigger_type, FINGERPRINT),
        title: cut(&report.title, TEXT),
        behavior: cut(&report.behavior, TEXT),
    };
    Ok(Reply(state.tracker.take(Event::Click(event))))
}

/// Who reports.
struct Visitor {
    /// Empty without a login.
    user: String,
    address: ClientAddress,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, ApiError> {
        let Ok(address) = ClientAddress::from_request_parts(parts, app).await;
        app.limits.events.take(address.0.into()).map_err(ApiError::too_many)?;
        // Whoever's login has just run out is a visitor.
        let user = <CurrentUser as FromRequestParts<App>>::from_request_parts(parts, app).await;
        Ok(Visitor { user: user.map(|user| user.name).unwrap_or_default(), address })
    }
}

impl Visitor {
    /// Tells visitors apart: the browser's word where it gives one, then the login, then the address.
    fn key(&self, fingerprint: &str) -> String {
        let fingerprint = cut(fingerprint, FINGERPRINT);
        match (fingerprint.is_empty(), self.user.is_empty()) {
            (false, _) => fingerprint,
            (true, false) => format!("user:{}", self.user),
            (true, true) => format!("address:{}", self.address.0),
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(most).collect()
}

/// The address without its parameters, which may hold what is nobody's business.
fn page(url: &str) -> String {
    cut(url.split(['?', '#']).next().unwrap_or_default(), TEXT)
}
