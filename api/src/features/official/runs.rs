//! The result of an official query at a resolution. The schedule runs it by day; other resolutions run when somebody asks,
//! once for each run of the schedule.

use quarry_runtime::job::Parameters;
use serde_json::Value;

use super::model::Resolution;
use crate::app::App;
use crate::creations::asked::{self, Asked, AskedOf};
use crate::creations::queries;
use crate::creations::store::Creation;
use crate::http::ApiError;
use crate::jobs::of_query::{self, Shown};

/// The parameter that makes a query fit for other resolutions.
const PARAMETER: &str = "resolution";

/// What there is at a resolution.
pub struct Found {
    pub resolution: Resolution,
    pub resolutions: Vec<Resolution>,
    pub pending: bool,
    pub shown: Option<Shown>,
}

/// The newest result of a query at a resolution, or at the only one that it has.
pub async fn at(app: &App, query: &Creation, wanted: Resolution) -> Result<Found, ApiError> {
    let row = queries::find(&app.db, &query.id).await?;
    let daily = of_query::shown(&app.db, &query.id, "").await?;
    let has_all = row.what.parameters.iter().any(|parameter| parameter.name == PARAMETER);
    let resolutions = if has_all { Resolution::ALL.to_vec() } else { vec![Resolution::Day] };
    if !has_all || wanted == Resolution::Day {
        return Ok(Found { resolution: Resolution::Day, resolutions, pending: false, shown: daily });
    }
    let Some(daily) = daily else {
        // Its first run by day has not ended, so nobody knows yet whether it runs at all.
        return Ok(Found { resolution: wanted, resolutions, pending: true, shown: None });
    };
    let given: Parameters = [(PARAMETER.to_string(), Value::from(wanted.unit()))].into();
    let of = AskedOf { query, row: &row, since: daily.finish_time, revision: daily.revision };
    let Asked { pending, shown } = asked::at(app, of, &given, || Ok(())).await?;
    Ok(Found { resolution: wanted, resolutions, pending, shown })
}
