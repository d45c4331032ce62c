//! Calls for scores and revenue.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{EntryForm, EntryParams, RevenueParams, RevenueTotals, RuleForm};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::{Revenue as RevenueArea, Scores};
use crate::auth::{Allowed, CurrentUser, accounts};
use crate::credits::{self, CreditEntry, CreditRule, DayCredits, Filter, Revenue};
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Path, Query, Reply, Success};
use crate::time::now_ms;

/// Milliseconds of a day, and days of the charts.
const DAY: i64 = 86_400_000;
const DAYS: i64 = 30;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(own))
        .routes(routes!(rules))
        .routes(routes!(change_rule))
        .routes(routes!(entries))
        .routes(routes!(write))
        .routes(routes!(revenue))
        .routes(routes!(totals))
        .routes(routes!(days))
}

/// The caller's own entries, newest first.
#[utoipa::path(get, path = "/api/user/credit/list", tag = "user", operation_id = "credits", params(Page),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<CreditEntry>>), (status = "default", body = Failure)))]
async fn own(state: State<App>, user: CurrentUser, page: Query<Page>) -> Answer<Paged<CreditEntry>> {
    let filter = Filter { user_id: Some(user.id), ..Filter::default() };
    Ok(Reply(credits::entries(&state.db, &filter, page.0).await?))
}

/// What earns credits, and how many.
#[utoipa::path(get, path = "/api/system/score/rule/list", tag = "system", operation_id = "scoreRules",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<CreditRule>>), (status = "default", body = Failure)))]
async fn rules(state: State<App>, _by: Allowed<Scores>) -> Answer<Vec<CreditRule>> {
    Ok(Reply(credits::rules(&state.db).await?))
}

/// Changes a rule; it counts from now on.
#[utoipa::path(put, path = "/api/system/score/rule/{key}", tag = "system", operation_id = "changeScoreRule",
    params(("key" = String, Path)), request_body = RuleForm, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn change_rule(state: State<App>, by: Allowed<Scores>, key: Path<String>, body: Json<RuleForm>) -> Answer<bool> {
    let RuleForm { points, enabled, note } = body.0;
    if !(-1_000..=1_000).contains(&points) {
        return Err(ApiError::invalid("points", "A rule gives -1,000 to 1,000 credits."));
    }
    if note.chars().count() > 200 {
        return Err(ApiError::invalid("note", "A note has at most 200 characters."));
    }
    if !credits::change_rule(&state.db, &key.0, points, enabled, &note).await? {
        return Err(ApiError::not_found("rule"));
    }
    by.note(if enabled { Deed::RuleOn } else { Deed::RuleOff }, &[("rule", &key.0), ("points", &points)]);
    Ok(Reply(true))
}

/// The ledger, newest first.
#[utoipa::path(get, path = "/api/system/score/entry/list", tag = "system", operation_id = "scoreEntries",
    params(EntryParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<CreditEntry>>), (status = "default", body = Failure)))]
async fn entries(state: State<App>, _by: Allowed<Scores>, query: Query<EntryParams>) -> Answer<Paged<CreditEntry>> {
    let params = query.0;
    let filter = Filter {
        user_id: None,
        user_name: params.user_name.as_deref(),
        rule: params.rule.as_deref(),
        from: params.from,
        to: params.to,
    };
    let page = Page { page: params.page, size: params.size };
    Ok(Reply(credits::entries(&state.db, &filter, page).await?))
}

/// Credits or debits a user by hand; answers the id of the entry.
#[utoipa::path(post, path = "/api/system/score/entry/create", tag = "system", operation_id = "writeScoreEntry",
    request_body = EntryForm, security(("bearer" = [])),
    responses((status = 200, body = Success<i64>), (status = "default", body = Failure)))]
async fn write(state: State<App>, by: Allowed<Scores>, body: Json<EntryForm>) -> Answer<i64> {
    let EntryForm { user_name, points, note } = body.0;
    if points == 0 || !(-1_000_000..=1_000_000).contains(&points) {
        return Err(ApiError::invalid("points", "An entry has -1,000,000 to 1,000,000 credits, not 0."));
    }
    if !(1..=200).contains(&note.trim().chars().count()) {
        return Err(ApiError::invalid("note", "A note has 1 to 200 characters."));
    }
    let account = accounts::find(&state.db, &user_name).await?;
    let account = account.ok_or_else(|| ApiError::no_such_user().param("userName"))?;
    let id = credits::write(&state.db, account.id, points, note.trim()).await?;
    by.note(Deed::EntryWritten, &[("name", &user_name), ("points", &points), ("note", &note.trim())]);
    Ok(Reply(id))
}

/// What each user gained, the most first.
#[utoipa::path(get, path = "/api/system/revenue/list", tag = "system", operation_id = "revenue",
    params(RevenueParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<Revenue>>), (status = "default", body = Failure)))]
async fn revenue(state: State<App>, _by: Allowed<RevenueArea>, query: Query<RevenueParams>) -> Answer<Paged<Revenue>> {
    let RevenueParams { page, size, user_name } = query.0;
    Ok(Reply(credits::revenue(&state.db, user_name.as_deref(), Page { page, size }).await?))
}

/// Credits of everybody together.
#[utoipa::path(get, path = "/api/system/revenue/summary", tag = "system", operation_id = "revenueSummary",
    security(("bearer" = [])),
    responses((status = 200, body = Success<RevenueTotals>), (status = "default", body = Failure)))]
async fn totals(state: State<App>, _by: Allowed<RevenueArea>) -> Answer<RevenueTotals> {
    let (credits, holders) = credits::totals(&state.db).await?;
    Ok(Reply(RevenueTotals { credits, holders }))
}

/// Credits per day in UTC and rule, of the last 30 days, oldest first; days without any are missing.
#[utoipa::path(get, path = "/api/system/revenue/days", tag = "system", operation_id = "revenueDays",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<DayCredits>>), (status = "default", body = Failure)))]
async fn days(state: State<App>, _by: Allowed<RevenueArea>) -> Answer<Vec<DayCredits>> {
    let from = now_ms() / DAY * DAY - (DAYS - 1) * DAY;
    Ok(Reply(credits::days(&state.db, from).await?))
}
