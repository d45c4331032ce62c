//! The call for the ranking of DApps.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::{Answer, Failure, Query, Reply, Success};
use crate::labels::ranking::{self, Order, Period, Ranked};
use crate::labels::registry::DappType;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// Which DApps, in which order.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RankingParams {
    /// One type only; all when left out.
    #[serde(rename = "type")]
    #[param(inline)]
    dapp_type: Option<DappType>,
    /// `day` when left out: the 1, 7 or 30 days before the head.
    #[param(inline)]
    period: Option<Period>,
    /// `users` when left out.
    #[param(inline)]
    sort: Option<Order>,
}

/// DApps of the registry in their order.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ranking {
    pub items: Vec<Ranked>,
}

/// DApps by users, transactions or volume, with the change against the period before. The day, week or month ends at the
/// head of the chain.
#[utoipa::path(get, path = "/api/dapp/ranking", tag = "dapp", operation_id = "dappRanking", params(RankingParams),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<Ranking>), (status = "default", body = Failure)))]
async fn list(state: State<App>, params: Query<RankingParams>) -> Answer<Ranking> {
    let RankingParams { dapp_type, period, sort } = params.0;
    let items = ranking::ranking(&state, dapp_type, period.unwrap_or_default(), sort.unwrap_or_default()).await?;
    Ok(Reply(Ranking { items }))
}
