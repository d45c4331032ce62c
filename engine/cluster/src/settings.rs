//! The settings of a session as a header: those that differ from DataFusion's defaults.

use std::collections::BTreeMap;

use datafusion::common::{DataFusionError, Result};
use datafusion::config::ConfigOptions;
use http::{HeaderMap, HeaderName, HeaderValue};

const SETTINGS: HeaderName = HeaderName::from_static("quarry-settings");

/// The header of the settings of a session.
pub(crate) fn to_headers(options: &ConfigOptions) -> Result<HeaderMap> {
    let defaults: BTreeMap<String, Option<String>> = entries(&ConfigOptions::default());
    let changed: BTreeMap<String, String> = entries(options)
        .into_iter()
        .filter(|(name, value)| defaults.get(name).is_some_and(|default| default != value))
        .filter_map(|(name, value)| Some((name, value?)))
        .collect();
    let text = serde_json::to_string(&changed).map_err(invalid)?;
    Ok(HeaderMap::from_iter([(SETTINGS, HeaderValue::from_str(&text).map_err(invalid)?)]))
}

/// Applies the settings of a header. Returns the headers for the tasks that this one reads from.
pub(crate) fn apply(headers: &HeaderMap, options: &mut ConfigOptions) -> Result<HeaderMap> {
    let Some(header) = headers.get(SETTINGS) else { return Err(invalid("no settings came with the plan")) };
    let changed: BTreeMap<String, String> = serde_json::from_slice(header.as_bytes()).map_err(invalid)?;
    changed.iter().try_for_each(|(name, value)| options.set(name, value))?;
    Ok(HeaderMap::from_iter([(SETTINGS, header.clone())]))
}

fn entries(options: &ConfigOptions) -> BTreeMap<String, Option<String>> {
    options.entries().into_iter().map(|entry| (entry.key, entry.value)).collect()
}

fn invalid(error: impl ToString) -> DataFusionError {
    DataFusionError::Internal(format!("the settings of a plan: {}", error.to_string()))
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
        apply(&to_headers(&sent).unwrap(), &mut arrived).unwrap();
        assert_eq!(entries(&arrived), entries(&sent));
    }
}
