//! All routes of the server, and the OpenAPI document made from them.

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::app::App;
use crate::features::{
    address, assistant, audit, chain, cluster, creation, creator, dapp, dashboard, data_link, decoder, discover,
    engine, favorite, feedback, file, graph, health, interceptor, job, label, letter, metric, model, official, people,
    platform, profile, project, query, record, role, score, table, tag, track, user, visualization, web_access,
    white_paper,
};
use crate::http::document::Document;
use crate::http::{ApiError, Reply, assets, counts, layers};
use crate::ws;

/// The routes that the OpenAPI document names.
fn calls() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(user::routes::routes())
        .merge(query::routes::routes())
        .merge(visualization::routes::routes())
        .merge(graph::routes::routes())
        .merge(dashboard::routes::routes())
        .merge(project::routes::routes())
        .merge(creation::routes::routes())
        .merge(favorite::routes::routes())
        .merge(tag::routes::routes())
        .merge(discover::routes::routes())
        .merge(creator::routes::routes())
        .merge(address::routes::routes())
        .merge(official::routes::routes())
        .merge(job::routes::routes())
        .merge(file::routes::routes())
        .merge(engine::routes::routes())
        .merge(chain::routes::routes())
        .merge(chain::rpc::routes())
        .merge(profile::routes::routes())
        .merge(label::catalogue::routes())
        .merge(label::own::routes())
        .merge(label::desk::routes())
        .merge(letter::routes::routes())
        .merge(feedback::routes::routes())
        .merge(track::routes::routes())
        .merge(people::routes::routes())
        .merge(role::routes::routes())
        .merge(interceptor::routes::routes())
        .merge(record::routes::routes())
        .merge(audit::routes::routes())
        .merge(score::routes::routes())
        .merge(white_paper::routes::routes())
        .merge(web_access::routes::routes())
        .merge(dapp::info::routes())
        .merge(dapp::reflect::routes())
        .merge(dapp::ranking::routes())
        .merge(platform::routes::routes())
        .merge(data_link::routes::routes())
        .merge(cluster::routes::routes())
        .merge(table::routes::routes())
        .merge(metric::routes::routes())
        .merge(model::routes::routes())
        .merge(decoder::routes::routes())
        .merge(decoder::signatures::routes())
        .merge(assistant::routes::routes())
        .merge(ws::routes::routes())
        .merge(health::routes::routes())
}

/// The OpenAPI document.
pub fn document() -> utoipa::openapi::OpenApi {
    calls().into_openapi()
}

/// The server's routes.
pub fn router(app: App) -> Router {
    let (calls, document) = calls().split_for_parts();
    let document = || async { axum::Json(document) };
    let docs = SwaggerUi::new("/api/docs").config(Config::from("/api/openapi.json"));
    let routes = calls
        .route("/api/openapi.json", get(document))
        .merge(docs)
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "This address takes another method.")
        })
        .fallback(assets::serve)
        .with_state(app.clone());
    layers::wrap(routes, app)
}

/// The routes of the admin listener: figures that are nobody else's business.
pub fn admin_router(app: App) -> Router {
    Router::new()
        .route("/metrics", get(|state: axum::extract::State<App>| async move { counts::text(&state) }))
        .route("/healthz", get(|| async { Reply(true) }))
        .with_state(app)
}

/// The routes of the health listener.
pub fn health_router(app: App) -> Router {
    let (routes, _) = health::routes::routes().split_for_parts();
    routes.with_state(app)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `api/openapi.json` is what the web's client is generated from, so a change of it is a change to review.
    /// Run with `UPDATE_EXPECT=1` to write it anew.
    #[test]
    fn the_document_is_the_one_in_the_repository() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        let mut now = document().to_pretty_json().unwrap();
        now.push('\n');
        #[expect(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
        if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| !value.is_empty()) {
            std::fs::write(file, &now).unwrap();
        }
        let kept = std::fs::read_to_string(file).unwrap();
        assert!(kept == now, "api/openapi.json is not what the routes say; run this test with UPDATE_EXPECT=1");
    }
}
