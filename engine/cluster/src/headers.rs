//! What travels beside a plan: the run that it belongs to, and the settings of its session that differ from DataFusion's defaults.

use std::collections::BTreeMap;

use datafusion::common::{DataFusionError, Result};
use datafusion::config::ConfigOptions;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::run_id::RunId;

const RUN: HeaderName = HeaderName::from_static("quarry-run");
const SETTINGS: HeaderName = HeaderName::from_static("quarry-settings");

/// The headers of a run and its settings.
pub(crate) fn of_run(run: &RunId, options: &ConfigOptions) -> Result<HeaderMap> {
    let defaults: BTreeMap<String, Option<String>> = entries(&ConfigOptions::default());
    let changed: BTreeMap<String, String> = entries(options)
        .into_iter()
        .filter(|(name, value)| defaults.get(name).is_some_and(|default| default != value))
        .filter_map(|(name, value)| Some((name, value?)))
        .collect();
    let settings = serde_json::to_string(&changed).map_err(invalid)?;
    Ok(HeaderMap::from_iter([
        (RUN, HeaderValue::from_str(&run.0).map_err(invalid)?),
        (SETTINGS, HeaderValue::from_str(&settings).map_err(invalid)?),
    ]))
}

/// Applies the settings of headers. Returns the run, and the headers for the tasks that this one reads from.
pub(crate) fn apply(headers: &HeaderMap, options: &mut ConfigOptions) -> Result<(RunId, HeaderMap)> {
    let found = |name: &HeaderName| headers.get(name).ok_or_else(|| invalid(format!("{name} is missing")));
    let (run, settings) = (found(&RUN)?, found(&SETTINGS)?);
    let changed: BTreeMap<String, String> = serde_json::from_slice(settings.as_bytes()).map_err(invalid)?;
    changed.iter().try_for_each(|(name, value)| options.set(name, value))?;
    let id = RunId(run.to_str().map_err(invalid)?.to_string());
    Ok((id, HeaderMap::from_iter([(RUN, run.clone()), (SETTINGS, settings.clone())])))
}

fn entries(options: &ConfigOptions) -> BTreeMap<String, Option<String>> {
    options.entries().into_iter().map(|entry| (entry.key, entry.value)).collect()
}

fn invalid(error: impl ToString) -> DataFusionError {
    DataFusionError::Internal(format!("the headers of a plan: {}", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_arrive() {
        let mut sent = ConfigOptions::default();
        sent.set("datafusion.execution.batch_size", "7").unwrap();
        sent.execution.time_zone = Some("+02:00".to_string());
        sent.sql_parser.parse_float_as_decimal = true;
        let mut arrived = ConfigOptions::default();
        let (sent_by, headers) = (RunId::random(), |run| of_run(run, &sent).unwrap());
        let (run, _) = apply(&headers(&sent_by), &mut arrived).unwrap();
        assert_eq!(run, sent_by);
        assert_eq!(entries(&arrived), entries(&sent));
    }
}
