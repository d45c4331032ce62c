//! Calls of Discover.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{AddressCard, CountParams, CreatorCard, DiscoverParams, TabCounts};
use super::people::{self, Asked};
use super::store::{self, Search};
use crate::app::App;
use crate::creations::access::Reader;
use crate::creations::card::Card;
use crate::creations::index::Wish;
use crate::creations::model::CreationKind;
use crate::creations::paging::{Listing, PageParams, Window};
use crate::http::{Answer, ApiError, Failure, Query, Reply, Success};

/// Characters of a search.
const LONGEST: usize = 200;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(dashboards))
        .routes(routes!(queries))
        .routes(routes!(projects))
        .routes(routes!(creators))
        .routes(routes!(addresses))
        .routes(routes!(counts))
}

/// Public dashboards.
#[utoipa::path(get, path = "/api/discover/dashboards", tag = "discover", operation_id = "discoverDashboards",
    params(DiscoverParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn dashboards(state: State<App>, reader: Reader, params: Query<DiscoverParams>) -> Answer<Listing<Card>> {
    creations(&state, &reader, CreationKind::Dashboard, params.0).await
}

/// Public queries; their text is searched too.
#[utoipa::path(get, path = "/api/discover/queries", tag = "discover", operation_id = "discoverQueries",
    params(DiscoverParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn queries(state: State<App>, reader: Reader, params: Query<DiscoverParams>) -> Answer<Listing<Card>> {
    creations(&state, &reader, CreationKind::Query, params.0).await
}

/// Public projects.
#[utoipa::path(get, path = "/api/discover/projects", tag = "discover", operation_id = "discoverProjects",
    params(DiscoverParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<Card>>), (status = "default", body = Failure)))]
async fn projects(state: State<App>, reader: Reader, params: Query<DiscoverParams>) -> Answer<Listing<Card>> {
    creations(&state, &reader, CreationKind::Project, params.0).await
}

/// Who has made something public; a search is for the start of the name.
#[utoipa::path(get, path = "/api/discover/creators", tag = "discover", operation_id = "discoverCreators",
    params(DiscoverParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<CreatorCard>>), (status = "default", body = Failure)))]
async fn creators(state: State<App>, reader: Reader, params: Query<DiscoverParams>) -> Answer<Listing<CreatorCard>> {
    let (params, window) = checked(params.0)?;
    let search = params.search.unwrap_or_default();
    let asked = Asked { search: &search, since: params.range.since() };
    Ok(Reply(people::creators(&state.db, reader.id(), &asked, params.sort, window).await?))
}

/// Addresses that people marked or tagged; a search is for the start of the address or for a tag.
#[utoipa::path(get, path = "/api/discover/addresses", tag = "discover", operation_id = "discoverAddresses",
    params(DiscoverParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<Listing<AddressCard>>), (status = "default", body = Failure)))]
async fn addresses(state: State<App>, reader: Reader, params: Query<DiscoverParams>) -> Answer<Listing<AddressCard>> {
    let (params, window) = checked(params.0)?;
    let search = params.search.unwrap_or_default();
    let asked = Asked { search: &search, since: params.range.since() };
    Ok(Reply(people::addresses(&state.db, reader.id(), &asked, params.sort, window).await?))
}

/// How much each tab shows for a search.
#[utoipa::path(get, path = "/api/discover/counts", tag = "discover", operation_id = "discoverCounts",
    params(CountParams), security(("bearer" = []), ()),
    responses((status = 200, body = Success<TabCounts>), (status = "default", body = Failure)))]
async fn counts(state: State<App>, params: Query<CountParams>) -> Answer<TabCounts> {
    let CountParams { search, range } = params.0;
    let (params, _) = checked(DiscoverParams { search, range, ..DiscoverParams::default() })?;
    let (db, since) = (&state.db, params.range.since());
    let search = params.search.unwrap_or_default();
    let wish = Wish::read(&search);
    let of = |kind| Search { kind, wish: &wish, since };
    let asked = Asked { search: &search, since };
    let kinds = [CreationKind::Dashboard, CreationKind::Query, CreationKind::Project].map(of);
    // At once: a person waits for the slowest tab, not for all of them.
    let (dashboards, queries, projects, creators, addresses) = tokio::try_join!(
        store::count(db, &kinds[0]),
        store::count(db, &kinds[1]),
        store::count(db, &kinds[2]),
        people::creators_count(db, &asked),
        people::addresses_count(db, &asked),
    )?;
    Ok(Reply(TabCounts { dashboards, queries, creators, projects, addresses }))
}

async fn creations(app: &App, reader: &Reader, kind: CreationKind, params: DiscoverParams) -> Answer<Listing<Card>> {
    let (params, window) = checked(params)?;
    let wish = Wish::read(&params.search.unwrap_or_default());
    let search = Search { kind, wish: &wish, since: params.range.since() };
    Ok(Reply(store::page(&app.db, reader.id(), &search, params.sort, window).await?))
}

fn checked(params: DiscoverParams) -> Result<(DiscoverParams, Window), ApiError> {
    if params.search.as_ref().is_some_and(|search| search.chars().count() > LONGEST) {
        return Err(ApiError::invalid("search", "A search has at most 200 characters."));
    }
    let window = PageParams { page: params.page, size: params.size }.window()?;
    Ok((params, window))
}
