//! The spec of a job: the fields of its form.

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime};
use serde::Deserialize;
use serde_json::Value;

use super::script::Script;
use quarry_runtime::user_tables::NameRules;
use quarry_types::{Error, ErrorCode, Result};

/// The checked spec of a job.
#[derive(Debug, Clone)]
pub(super) struct JobSpec {
    /// The table that the rows go to; `None` when they are the result only.
    pub table: Option<String>,
    pub period: Period,
    pub driver: String,
    pub mapper: String,
    pub combiner: Option<String>,
    pub reducer: String,
}

/// From the first moment on, and up to, without, the second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Period {
    pub from: Option<NaiveDateTime>,
    pub until: Option<NaiveDateTime>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    table_name: Option<String>,
    #[serde(default)]
    start_date: Option<String>,
    #[serde(default)]
    end_date: Option<String>,
    #[serde(default)]
    driver: Option<String>,
    #[serde(default)]
    mapper: Option<String>,
    #[serde(default)]
    combiner: Option<String>,
    #[serde(default)]
    reducer: Option<String>,
    #[serde(default)]
    result: Option<String>,
}

/// Reads and checks a spec; an error names the field.
pub(super) fn read(spec: Option<&Value>, names: NameRules, max_bytes: usize) -> Result<JobSpec> {
    let Some(spec) = spec else { return Err(invalid("spec", "A MAPREDUCE job needs a spec.")) };
    let fields =
        Fields::deserialize(spec).map_err(|error| invalid("spec", format!("The spec can't be read: {error}.")))?;
    let rows = match fields.result.as_deref() {
        None | Some("" | "table") => false,
        Some("rows") => true,
        Some(_) => return Err(invalid("result", "The result must be 'table' or 'rows'.")),
    };
    let table = fields.table_name.unwrap_or_default();
    let table = if rows && table.is_empty() { None } else { Some(table.to_lowercase()) };
    if let Some(table) = &table {
        names.table(table).map_err(|error| error.about("tableName"))?;
    }
    let period = Period {
        from: moment(fields.start_date.as_deref(), "startDate", false)?,
        until: moment(fields.end_date.as_deref(), "endDate", true)?,
    };
    if matches!((period.from, period.until), (Some(from), Some(until)) if until <= from) {
        return Err(invalid("endDate", "The end date is before the start date."));
    }
    let text = |text: Option<String>, script: Script| {
        let text = text.filter(|text| !text.trim().is_empty());
        if text.as_ref().is_some_and(|text| text.len() > max_bytes || text.contains('\0')) {
            let message = format!("The {} is longer than {max_bytes} bytes, or is not text.", script.name());
            return Err(invalid(script.name(), message));
        }
        Ok(text)
    };
    let required = |given: Option<String>, script: Script| {
        text(given, script)?.ok_or_else(|| invalid(script.name(), format!("There is no {} to run.", script.name())))
    };
    Ok(JobSpec {
        table,
        period,
        driver: required(fields.driver, Script::Driver)?,
        mapper: required(fields.mapper, Script::Mapper)?,
        combiner: text(fields.combiner, Script::Combiner)?,
        reducer: required(fields.reducer, Script::Reducer)?,
    })
}

/// A day or a moment, UTC. The end of a period is after the day or second that is named.
fn moment(text: Option<&str>, param: &'static str, end: bool) -> Result<Option<NaiveDateTime>> {
    let text = text.unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || invalid(param, "A date must be YYYY-MM-DD or YYYY-MM-DD HH:mm:ss, in UTC.");
    if let Ok(day) = NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        let day = if end { day.checked_add_days(Days::new(1)).ok_or_else(wrong)? } else { day };
        return Ok(day.and_hms_opt(0, 0, 0));
    }
    let plain = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S");
    let moment = match plain {
        Ok(moment) => moment,
        Err(_) => DateTime::parse_from_rfc3339(text).map_err(|_| wrong())?.naive_utc(),
    };
    let moment = if end { moment.checked_add_signed(chrono::Duration::seconds(1)) } else { Some(moment) };
    moment.map(Some).ok_or_else(wrong)
}

fn invalid(param: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidInput, message).about(param)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(change: Value) -> (&'static str, String) {
        let mut spec = json!({"tableName": "t", "driver": "d", "mapper": "m", "reducer": "r"});
        for (name, value) in change.as_object().unwrap() {
            spec[name] = value.clone();
        }
        let error = read(Some(&spec), NameRules::Users, 1_000).unwrap_err();
        (error.param.unwrap_or_default(), error.message)
    }

    #[test]
    fn each_field_that_is_wrong_is_named() {
        let name = "TableName can only contain a-z/A-Z, numbers, _ , must start with character!";
        for bad in ["", "1a", "a-b", "a_name_that_is_too_long"] {
            assert_eq!(wrong(json!({"tableName": bad})), ("tableName", name.to_string()));
        }
        for (change, param) in [
            (json!({"startDate": "yesterday"}), "startDate"),
            (json!({"endDate": "2024-13-01"}), "endDate"),
            (json!({"startDate": "2024-01-02", "endDate": "2024-01-01"}), "endDate"),
            (json!({"driver": " "}), "driver"),
            (json!({"mapper": null}), "mapper"),
            (json!({"reducer": "x".repeat(1_001)}), "reducer"),
            (json!({"combiner": "\u{0}"}), "combiner"),
            (json!({"result": "file"}), "result"),
            (json!({"maper": "x"}), "spec"),
            (json!({"tableName": 7}), "spec"),
        ] {
            assert_eq!(wrong(change).0, param);
        }
        assert_eq!(read(None, NameRules::Users, 10).unwrap_err().param, Some("spec"));
    }

    #[test]
    fn a_period_holds_its_last_day_or_second() {
        let at = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").ok();
        assert_eq!(moment(Some("2024-02-29"), "endDate", true).unwrap(), at("2024-03-01 00:00:00"));
        assert_eq!(moment(Some("2024-02-29 10:00:00"), "endDate", true).unwrap(), at("2024-02-29 10:00:01"));
        assert_eq!(moment(Some("2024-02-29T10:00:00+02:00"), "startDate", false).unwrap(), at("2024-02-29 08:00:00"));
        assert_eq!(moment(Some(" "), "startDate", false).unwrap(), None);
    }
}
