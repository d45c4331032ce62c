//! The driver: the inputs of a job, how their pairs are partitioned and sorted, and the output.

use std::fmt;

use rquickjs::{Exception, Object, Value as Js};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::error_position::driver_error;
use super::sandbox::{Limits, Sandbox, load};
use super::script::Script;
use quarry_types::{Error, ErrorCode, Result};

/// Most inputs of one job, and most partitions of its reducers.
const MAX_INPUTS: usize = 8;
const MAX_PARTITIONS: usize = 16;

/// The order of the values of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Ascending,
    Descending,
}

/// The checked result of a driver.
#[derive(Debug)]
pub(super) struct Driver {
    pub inputs: Vec<Input>,
    /// Whether the mapper takes batches, not rows.
    pub batch: bool,
    /// Partitions of the reducers; `None` for as many as fit the machine.
    pub partitions: Option<usize>,
    pub sort: Option<Sort>,
    /// Names and types of the output's columns.
    pub output: Vec<(String, String)>,
    pub params: Map<String, Value>,
    pub seed: u64,
}

/// One table that is read.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Input {
    pub table: String,
    /// The name that the mapper gets; by default that of the table.
    pub name: Option<String>,
    /// Columns, or expressions of SQL with a name (`value / 1e18 as eth`); by default all columns.
    pub columns: Option<Vec<String>>,
    /// A condition of SQL that rows must meet.
    #[serde(rename = "where")]
    pub filter: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    input: Value,
    columns: Option<Vec<String>>,
    #[serde(rename = "where")]
    filter: Option<String>,
    #[serde(default)]
    batch: bool,
    partitions: Option<usize>,
    sort: Option<String>,
    output: Columns,
    #[serde(default)]
    params: Map<String, Value>,
    #[serde(default)]
    seed: u64,
}

/// The members of an object in the order in which they are written.
struct Columns(Vec<(String, String)>);

/// Runs the text of a driver; `values` are those of its `params`.
pub(super) fn run(driver: &str, values: &Map<String, Value>, limits: Limits) -> Result<Driver> {
    if let Some((name, _)) = values.iter().find(|(_, value)| loses_digits(value)) {
        let message =
            format!("The parameter {name} contains a number that JSON can't represent exactly; write it in quotes.");
        return Err(Error::new(ErrorCode::InvalidInput, message).about("parameters"));
    }
    let sandbox = Sandbox::open(limits, 0, || false)?;
    let params = Value::Object(values.clone()).to_string();
    let json = sandbox.enter(
        Script::Driver,
        |ctx| {
            let globals = Object::new(ctx.clone())?;
            globals.set("params", ctx.json_parse(params.as_str())?)?;
            Ok(globals)
        },
        |ctx, _| {
            let mut answer = load(ctx, driver, Script::Driver)?;
            if let Some(function) = answer.as_function() {
                let params: Js = ctx.globals().get("params")?;
                answer = function.call((params,))?;
            }
            let json = if answer.is_object() { ctx.json_stringify(answer)? } else { None };
            let no_object = || Exception::throw_type(ctx, "the driver must be an object: {input: …, output: {…}}");
            json.ok_or_else(no_object)?.to_string()
        },
    );
    let json = json.map_err(|error| sandbox.locate_loop(error, driver))?;
    let fields: Fields = serde_json::from_str(&json).map_err(|error| {
        let text = error.to_string();
        // A line of the JSON is not a line of the driver.
        unreadable(text.split(" at line ").next().unwrap_or(&text), driver)
    })?;
    check(fields, values, driver)
}

/// Whether JavaScript would read a whole number of a value as another one.
fn loses_digits(value: &Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| number.fract() == 0.0 && number.abs() > EXACT),
        Value::Array(items) => items.iter().any(loses_digits),
        Value::Object(members) => members.values().any(loses_digits),
        _ => false,
    }
}

fn check(fields: Fields, values: &Map<String, Value>, driver: &str) -> Result<Driver> {
    let invalid = |message: String, word: &str| driver_error(message, word, driver);
    let is_list = fields.input.is_array();
    let inputs = match fields.input {
        Value::Array(inputs) => inputs.into_iter().map(|one| input(one, driver)).collect::<Result<Vec<_>>>()?,
        one => vec![input(one, driver)?],
    };
    if inputs.is_empty() || inputs.len() > MAX_INPUTS {
        return Err(invalid(format!("A job must have 1 to {MAX_INPUTS} inputs."), "input"));
    }
    let inputs = match (is_list, fields.columns, fields.filter) {
        (_, None, None) => inputs,
        (false, columns, filter) => inputs
            .into_iter()
            .map(|input| Input {
                columns: input.columns.or(columns.clone()),
                filter: input.filter.or(filter.clone()),
                ..input
            })
            .collect(),
        (true, ..) => {
            return Err(invalid("With a list of inputs, set columns and where on each input.".to_string(), "input"));
        }
    };
    if fields.partitions.is_some_and(|count| !(1..=MAX_PARTITIONS).contains(&count)) {
        return Err(invalid(format!("partitions must be an integer from 1 to {MAX_PARTITIONS}."), "partitions"));
    }
    let sort = match fields.sort.as_deref() {
        None => None,
        Some("ascending" | "asc") => Some(Sort::Ascending),
        Some("descending" | "desc") => Some(Sort::Descending),
        Some(_) => return Err(invalid("sort must be 'ascending' or 'descending'.".to_string(), "sort")),
    };
    if fields.output.0.is_empty() {
        return Err(invalid("output must name at least one column and its type.".to_string(), "output"));
    }
    let mut params = fields.params;
    if let Some(name) = values.keys().find(|name| !params.contains_key(*name)) {
        let message = format!("The driver has no parameter {}.", name.chars().take(40).collect::<String>());
        return Err(Error::new(ErrorCode::InvalidInput, message).about("parameters"));
    }
    params.extend(values.clone());
    Ok(Driver {
        inputs,
        batch: fields.batch,
        partitions: fields.partitions,
        sort,
        output: fields.output.0,
        params,
        seed: fields.seed,
    })
}

fn input(value: Value, driver: &str) -> Result<Input> {
    match value {
        Value::String(table) => Ok(Input { table, name: None, columns: None, filter: None }),
        object => serde_json::from_value(object).map_err(|error| unreadable(&format!("input: {error}"), driver)),
    }
}

/// The error of a field that can't be read, at its name.
fn unreadable(message: &str, driver: &str) -> Error {
    let word = message.split('`').nth(1).unwrap_or_default();
    driver_error(format!("{message}."), word, driver)
}

impl<'de> Deserialize<'de> for Columns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Columns, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Columns;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of column names and types in output")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Columns, A::Error> {
                let mut columns = Vec::new();
                while let Some(column) = map.next_entry()? {
                    columns.push(column);
                }
                Ok(Columns(columns))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}
