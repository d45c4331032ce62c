//! The call for an address page.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::addresses::AddressFigures;
use crate::app::App;
use crate::creations::access::Reader;
use crate::creations::model::EntityKind;
use crate::creations::{favorites, rules, tags};
use crate::http::{Answer, Failure, Query, Reply, Success};
use crate::labels::of_address;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(detail))
}

/// Which address.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AddressParams {
    /// 0x and 40 hexadecimal digits in either letter case.
    pub address: String,
}

/// An address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressView {
    /// In small letters.
    pub address: String,
    pub figures: AddressFigures,
    pub tags: Vec<String>,
    pub favorites: i64,
    pub favorited: bool,
}

/// Balance, activity, labels and tags of an address.
#[utoipa::path(get, path = "/api/address/detail", tag = "address", operation_id = "address", params(AddressParams),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<AddressView>), (status = "default", body = Failure)))]
async fn detail(state: State<App>, reader: Reader, params: Query<AddressParams>) -> Answer<AddressView> {
    let address = rules::address(&params.0.address)?;
    let db = &state.db;
    let mut figures = state.addresses.figures(&address).await?.as_ref().clone();
    figures.labels = of_address::read(&state, &reader, &address).await?;
    let known = sqlx::query("select favorites from addresses where address = $1")
        .bind(&address)
        .fetch_optional(db.pool())
        .await?;
    let favorites = known.map(|row| row.try_get("favorites")).transpose()?.unwrap_or(0);
    let kind = EntityKind::Address.name();
    Ok(Reply(AddressView {
        tags: tags::of_entity(db.pool(), kind, &address).await?,
        favorited: favorites::is_marked(db, reader.id(), kind, &address).await?,
        favorites,
        figures,
        address,
    }))
}
