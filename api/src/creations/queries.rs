//! Saved queries in the database.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use utoipa::ToSchema;

use super::document::bounded;
use crate::db::Db;
use crate::http::ApiError;
use crate::jobs::model::{Kind, Work};

const LONGEST_TEXT: usize = 512 * 1024;
const MOST_PARAMETERS: usize = 50;
/// Most bytes of a spec as JSON.
pub const SPEC_BYTES: usize = 512 * 1024;
const VALUE_BYTES: usize = 64 * 1024;

/// What a parameter of a query takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ParameterType {
    Text,
    Number,
    Date,
    DateRange,
    /// One of `options`, or several of them with `multiple`.
    List,
    /// As `list`, its options are the first column of another query's result.
    QueryList,
}

/// A parameter of a query; its value is bound, never put into the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// As in `{{name}}`.
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ParameterType,
    #[serde(default)]
    pub title: String,
    /// The value where nobody gave one.
    #[serde(default)]
    pub default: Value,
    #[serde(default)]
    pub options: Vec<String>,
    /// Of `queryList`.
    #[serde(default)]
    pub query_id: Option<String>,
    #[serde(default)]
    pub multiple: bool,
    #[serde(default)]
    pub required: bool,
}

/// When a query runs by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Strategy {
    /// Never.
    #[default]
    Manual,
    Hourly,
    /// In the first hour of the day, UTC.
    Daily,
    /// In the first hour of Monday, UTC.
    Weekly,
    /// As `cron` says.
    Cron,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Manual => "manual",
            Strategy::Hourly => "hourly",
            Strategy::Daily => "daily",
            Strategy::Weekly => "weekly",
            Strategy::Cron => "cron",
        }
    }

    pub fn parse(name: &str) -> Option<Strategy> {
        let all = [Strategy::Manual, Strategy::Hourly, Strategy::Daily, Strategy::Weekly, Strategy::Cron];
        all.into_iter().find(|strategy| strategy.name() == name)
    }
}

/// What is run, as a version keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryText {
    pub kind: Kind,
    /// The query; empty for the kinds that have a `spec`.
    #[serde(default)]
    pub text: String,
    /// Of a MAPREDUCE or LABEL query, in place of a text.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub spec: Option<Value>,
    #[serde(default)]
    pub parameters: Vec<Parameter>,
}

impl QueryText {
    /// Refuses what no query can be.
    pub fn check(&self) -> Result<(), ApiError> {
        if self.text.len() > LONGEST_TEXT {
            return Err(ApiError::invalid("text", "A query has at most 512 KB of text."));
        }
        if let Some(spec) = &self.spec {
            if !spec.is_object() {
                return Err(ApiError::invalid("spec", "A spec is an object."));
            }
            bounded(spec, SPEC_BYTES, "spec")?;
        }
        if self.parameters.len() > MOST_PARAMETERS {
            return Err(ApiError::invalid("parameters", format!("A query has at most {MOST_PARAMETERS} parameters.")));
        }
        for (at, parameter) in self.parameters.iter().enumerate() {
            parameter.check()?;
            if self.parameters.iter().take(at).any(|other| other.name == parameter.name) {
                let msg = format!("There are two parameters {}.", parameter.name);
                return Err(ApiError::invalid("parameters", msg));
            }
        }
        Ok(())
    }
}

impl QueryText {
    /// What a job of it runs, with these values.
    pub fn work(self, parameters: BTreeMap<String, Value>) -> Work {
        Work { kind: self.kind, text: self.text, spec: self.spec, parameters, title: String::new() }
    }

    /// The values that the query runs with: those given, and the defaults of the others.
    pub fn values(&self, given: &BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, ApiError> {
        let unknown = given.keys().find(|name| !self.parameters.iter().any(|one| one.name == **name));
        if let Some(name) = unknown {
            let name: String = name.chars().take(40).collect();
            return Err(ApiError::invalid("parameters", format!("The query has no parameter {name}.")));
        }
        let mut values = BTreeMap::new();
        for parameter in &self.parameters {
            let value = given.get(&parameter.name).unwrap_or(&parameter.default);
            bounded(value, VALUE_BYTES, "parameters")?;
            match value {
                Value::Null if parameter.required => {
                    let msg = format!("The parameter {} needs a value.", parameter.name);
                    return Err(ApiError::invalid("parameters", msg));
                }
                // Cypher has no optional parts: there it is null.
                Value::Null if self.kind == Kind::Graph => {
                    values.insert(parameter.name.clone(), Value::Null);
                }
                // Without a value the optional parts of the text that name it are left out.
                Value::Null => {}
                value => {
                    values.insert(parameter.name.clone(), parameter.typed(value));
                }
            }
        }
        Ok(values)
    }
}

/// What a run's values are remembered by: JSON with sorted names, empty without any.
pub fn values_key(given: &BTreeMap<String, Value>) -> Result<String, ApiError> {
    if given.is_empty() { Ok(String::new()) } else { serde_json::to_string(given).map_err(ApiError::internal) }
}

impl Parameter {
    /// The value with its type, so that a number written as a text is a number.
    fn typed(&self, value: &Value) -> Value {
        if value.get("type").is_some() {
            return value.clone();
        }
        let kind = match self.kind {
            ParameterType::Text => "text",
            ParameterType::Number => "number",
            ParameterType::Date => "date",
            ParameterType::DateRange => "range",
            ParameterType::List | ParameterType::QueryList if self.multiple => "list",
            ParameterType::List | ParameterType::QueryList => "text",
        };
        serde_json::json!({"type": kind, "value": value})
    }

    /// Refuses what no parameter can be.
    pub fn check(&self) -> Result<(), ApiError> {
        let letters = |letter: char| letter.is_alphanumeric() || letter == '_';
        let named = (1..=40).contains(&self.name.chars().count()) && self.name.chars().all(letters);
        if !named {
            let msg = "The name of a parameter has 1 to 40 letters, digits or underscores.";
            return Err(ApiError::invalid("parameters", msg));
        }
        let large = self.title.chars().count() > 120
            || self.options.len() > 1_000
            || self.options.iter().any(|option| option.chars().count() > 500);
        if large {
            let msg = "A parameter's title has at most 120 characters, and it has at most 1,000 options of 500.";
            return Err(ApiError::invalid("parameters", msg));
        }
        bounded(&self.default, 16 * 1024, "parameters")
    }
}

/// A query's own row.
#[derive(Debug, Clone)]
pub struct QueryRow {
    pub id: String,
    pub what: QueryText,
    pub database: String,
    pub strategy: Strategy,
    pub cron: String,
    pub paused: bool,
    pub next_run_at: Option<i64>,
}

const COLUMNS: &str = "select id, kind, text, spec, parameters, database_name, strategy, cron, paused, next_run_at \
    from queries";

pub async fn insert(at: &mut AnyConnection, row: &QueryRow) -> Result<(), ApiError> {
    let parameters = serde_json::to_string(&row.what.parameters).map_err(ApiError::internal)?;
    sqlx::query(
        "insert into queries (id, kind, text, spec, parameters, database_name, strategy, cron, paused, next_run_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(&row.id)
    .bind(row.what.kind.name())
    .bind(&row.what.text)
    .bind(spec_text(&row.what))
    .bind(parameters)
    .bind(&row.database)
    .bind(row.strategy.name())
    .bind(&row.cron)
    .bind(i64::from(row.paused))
    .bind(row.next_run_at)
    .execute(at)
    .await?;
    Ok(())
}

/// Writes the row anew; the rights are those of the creation's row, which is changed first. A schedule that stays keeps its
/// next moment: the clock may have moved it on since the row was read.
pub async fn update(at: &mut AnyConnection, row: &QueryRow) -> Result<(), ApiError> {
    let parameters = serde_json::to_string(&row.what.parameters).map_err(ApiError::internal)?;
    sqlx::query(
        "update queries set kind = $2, text = $3, spec = $4, parameters = $5, database_name = $6, strategy = $7,
         cron = $8, paused = $9,
         next_run_at = case when strategy = $7 and cron = $8 and paused = $9 then next_run_at else $10 end
         where id = $1",
    )
    .bind(&row.id)
    .bind(row.what.kind.name())
    .bind(&row.what.text)
    .bind(spec_text(&row.what))
    .bind(parameters)
    .bind(&row.database)
    .bind(row.strategy.name())
    .bind(&row.cron)
    .bind(i64::from(row.paused))
    .bind(row.next_run_at)
    .execute(at)
    .await?;
    Ok(())
}

/// The query's row, for who has read the creation's.
pub async fn find(db: &Db, id: &str) -> Result<QueryRow, ApiError> {
    let statement = format!("{COLUMNS} where id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(id).fetch_optional(db.pool()).await?;
    let row = row.ok_or_else(|| ApiError::not_found("query"))?;
    Ok(query(&row)?)
}

fn spec_text(what: &QueryText) -> String {
    what.spec.as_ref().map(Value::to_string).unwrap_or_default()
}

fn query(row: &AnyRow) -> Result<QueryRow, sqlx::Error> {
    let damaged = |error: serde_json::Error| sqlx::Error::Decode(error.into());
    let unknown = |column: &str| sqlx::Error::Decode(format!("queries.{column} holds an unknown word").into());
    let spec: String = row.try_get("spec")?;
    let parameters: String = row.try_get("parameters")?;
    Ok(QueryRow {
        id: row.try_get("id")?,
        what: QueryText {
            kind: Kind::parse(row.try_get("kind")?).ok_or_else(|| unknown("kind"))?,
            text: row.try_get("text")?,
            spec: if spec.is_empty() { None } else { Some(serde_json::from_str(&spec).map_err(damaged)?) },
            parameters: serde_json::from_str(&parameters).map_err(damaged)?,
        },
        database: row.try_get("database_name")?,
        strategy: Strategy::parse(row.try_get("strategy")?).ok_or_else(|| unknown("strategy"))?,
        cron: row.try_get("cron")?,
        paused: row.try_get::<i64, _>("paused")? != 0,
        next_run_at: row.try_get("next_run_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_those_given_over_the_defaults() {
        let what: QueryText = serde_json::from_value(json!({"kind": "SQL", "text": "select {{n}}", "parameters": [
            {"name": "n", "type": "number", "default": 5},
            {"name": "who", "type": "text", "required": true},
            {"name": "day", "type": "date"},
            {"name": "tags", "type": "list", "multiple": true, "default": ["a"]},
        ]}))
        .unwrap();
        let given = |value: Value| serde_json::from_value::<BTreeMap<String, Value>>(value).unwrap();
        assert!(what.values(&given(json!({}))).is_err());
        assert!(what.values(&given(json!({"who": "x", "other": 1}))).is_err());
        let values = serde_json::to_value(what.values(&given(json!({"who": "x", "n": "7"}))).unwrap()).unwrap();
        let expected = json!({"n": {"type": "number", "value": "7"}, "who": {"type": "text", "value": "x"},
            "tags": {"type": "list", "value": ["a"]}});
        assert_eq!(values, expected);
        assert_eq!(values_key(&given(json!({}))).unwrap(), "");
        assert_eq!(values_key(&given(json!({"b": 1, "a": 2}))).unwrap(), "{\"a\":2,\"b\":1}");
    }
}
