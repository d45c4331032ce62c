//! What a widget shows at values of the dashboard's filters, for readers who can't run its query themselves: visitors, and
//! people who may see a dashboard but not the query behind it. The query runs for its owner, who offered the filters; so only
//! what a filter of the dashboard sets can be given, and only queries of the dashboard's owner are run.

use axum::extract::State;
use quarry_runtime::job::Parameters;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Filtered, WidgetFilter};
use super::widgets;
use crate::app::App;
use crate::creations::access::Reader;
use crate::creations::asked::{self, Asked, AskedOf};
use crate::creations::dashboards::content::{DashboardContent, WidgetContent};
use crate::creations::model::CreationKind;
use crate::creations::queries::QueryText;
use crate::creations::results::{self, RowParams};
use crate::creations::{dashboards, queries, store as creations};
use crate::http::{Answer, ApiError, ClientAddress, Failure, Json, Reply, Success};
use crate::jobs::of_query;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(filter))
}

/// Rows of a widget at values of the dashboard's filters. The query is run for its owner where nobody asked for these
/// values yet; a run takes at most some seconds of the answer, and asking again shows its rows.
#[utoipa::path(post, path = "/api/dashboard/widget/filter", tag = "dashboard", operation_id = "filterWidget",
    request_body = WidgetFilter, security(("bearer" = []), ()),
    responses((status = 200, body = Success<Filtered>), (status = "default", body = Failure)))]
async fn filter(
    state: State<App>,
    reader: Reader,
    ClientAddress(address): ClientAddress,
    body: Json<WidgetFilter>,
) -> Answer<Filtered> {
    let WidgetFilter { id, widget_id, share, values, offset, limit } = body.0;
    let (db, reader) = (&state.db, reader.with(share));
    let dashboard = creations::readable(db, &reader, CreationKind::Dashboard, &id).await?;
    let content = dashboards::find(db, &id).await?;
    let missing = || ApiError::not_found("widget");
    let widget = content.widgets.iter().find(|widget| widget.id == widget_id).ok_or_else(missing)?;
    let source = widgets::source(db, &reader, Some(dashboard.owner_id), &widget.content).await?.ok_or_else(missing)?;
    let query = creations::any(db, &source.query_id).await?.ok_or_else(missing)?;
    let row = queries::find(db, &query.id).await?;
    let given = given(&content, &widget.content, &row.what, values)?;
    let own = of_query::shown(db, &query.id, "").await?;
    let Asked { pending, shown } = if given.is_empty() {
        Asked { pending: false, shown: own }
    } else if query.owner_id == dashboard.owner_id {
        let (since, revision) = own.map_or((0, query.revision), |own| (own.finish_time, own.revision));
        let permit = || state.limits.visitor_runs.take(address.into()).map_err(ApiError::too_many);
        asked::at(&state, AskedOf { query: &query, row: &row, since, revision }, &given, permit).await?
    } else {
        return Err(ApiError::forbidden());
    };
    let result = match shown {
        Some(shown) => {
            let rows = RowParams { offset, limit };
            Some(results::rows(&state, &reader, source.official, shown, rows).await?)
        }
        None => None,
    };
    Ok(Reply(Filtered { pending, result }))
}

/// The query's parameters with the values that the filters give; filters that do not concern it are left out.
fn given(
    content: &DashboardContent,
    widget: &WidgetContent,
    what: &QueryText,
    values: Parameters,
) -> Result<Parameters, ApiError> {
    let mapped = match widget {
        WidgetContent::Visualization { parameters, .. } => Some(parameters),
        _ => None,
    };
    let mut given = Parameters::new();
    for (filter, value) in values {
        if !content.parameters.iter().any(|parameter| parameter.name == filter) {
            return Err(ApiError::invalid("values", "The dashboard has no such filter."));
        }
        let name = mapped.and_then(|mapped| mapped.get(&filter)).unwrap_or(&filter);
        if what.parameters.iter().any(|parameter| parameter.name == *name) {
            given.insert(name.clone(), value);
        }
    }
    Ok(given)
}
