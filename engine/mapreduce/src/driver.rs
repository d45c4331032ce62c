//! What the driver says: the inputs, how they are divided and sorted, and the output.

use std::fmt;

use rquickjs::{Exception, Object, Value as Js};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::found::wrong;
use super::part::Part;
use super::sandbox::{Limits, Sandbox, load};
use quarry_types::{Error, ErrorCode, Result};

/// Most inputs of one job, and most parts that reducing is divided into.
const INPUTS: usize = 8;
const PARTITIONS: usize = 16;

/// In which order the values of a key come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Ascending,
    Descending,
}

/// The driver's answer.
#[derive(Debug)]
pub(super) struct Driver {
    pub inputs: Vec<Input>,
    /// Whether the mapper takes batches, not rows.
    pub batch: bool,
    /// Parts that reducing is divided into; `None` for as many as fit the machine.
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
    /// What the mapper is told it is called; the table's name if nothing is said.
    pub name: Option<String>,
    /// Columns, or expressions of SQL with a name (`value / 1e18 as eth`); all columns if nothing is said.
    pub columns: Option<Vec<String>>,
    /// A condition of SQL that rows must meet.
    #[serde(rename = "where")]
    pub filter: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Answer {
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

/// Runs the text of a driver; `given` are values for its `params`.
pub(super) fn read(driver: &str, given: &Map<String, Value>, limits: Limits) -> Result<Driver> {
    if let Some((name, _)) = given.iter().find(|(_, value)| loses_digits(value)) {
        let message =
            format!("The parameter {name} has a number that JSON does not keep to the last digit; write it in quotes.");
        return Err(Error::new(ErrorCode::InvalidInput, message).about("parameters"));
    }
    let sandbox = Sandbox::open(limits, 0, || false)?;
    let params = Value::Object(given.clone()).to_string();
    let json = sandbox.enter(
        Part::Driver,
        |ctx| {
            let known = Object::new(ctx.clone())?;
            known.set("params", ctx.json_parse(params.as_str())?)?;
            Ok(known)
        },
        |ctx, _| {
            let mut answer = load(ctx, driver, Part::Driver)?;
            if let Some(function) = answer.as_function() {
                let params: Js = ctx.globals().get("params")?;
                answer = function.call((params,))?;
            }
            let json = if answer.is_object() { ctx.json_stringify(answer)? } else { None };
            let nothing = || Exception::throw_type(ctx, "the driver is an object: {input: …, output: {…}}");
            json.ok_or_else(nothing)?.to_string()
        },
    );
    let json = json.map_err(|error| sandbox.with_loop(error, driver))?;
    let answer: Answer = serde_json::from_str(&json).map_err(|error| {
        let text = error.to_string();
        // The line of the JSON means nothing to who wrote JavaScript.
        unread(text.split(" at line ").next().unwrap_or(&text), driver)
    })?;
    checked(answer, given, driver)
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

fn checked(answer: Answer, given: &Map<String, Value>, driver: &str) -> Result<Driver> {
    let invalid = |message: String, word: &str| wrong(message, word, driver);
    let several = answer.input.is_array();
    let inputs = match answer.input {
        Value::Array(inputs) => inputs.into_iter().map(|one| input(one, driver)).collect::<Result<Vec<_>>>()?,
        one => vec![input(one, driver)?],
    };
    if inputs.is_empty() || inputs.len() > INPUTS {
        return Err(invalid(format!("A job has 1 to {INPUTS} inputs."), "input"));
    }
    let inputs = match (several, answer.columns, answer.filter) {
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
            return Err(invalid("With several inputs each has its own columns and where.".to_string(), "input"));
        }
    };
    if answer.partitions.is_some_and(|count| !(1..=PARTITIONS).contains(&count)) {
        return Err(invalid(format!("partitions is a number from 1 to {PARTITIONS}."), "partitions"));
    }
    let sort = match answer.sort.as_deref() {
        None => None,
        Some("ascending" | "asc") => Some(Sort::Ascending),
        Some("descending" | "desc") => Some(Sort::Descending),
        Some(_) => return Err(invalid("sort is 'ascending' or 'descending'.".to_string(), "sort")),
    };
    if answer.output.0.is_empty() {
        return Err(invalid("output names at least one column and its type.".to_string(), "output"));
    }
    let mut params = answer.params;
    if let Some(name) = given.keys().find(|name| !params.contains_key(*name)) {
        let message = format!("The driver has no parameter {}.", name.chars().take(40).collect::<String>());
        return Err(Error::new(ErrorCode::InvalidInput, message).about("parameters"));
    }
    params.extend(given.clone());
    Ok(Driver {
        inputs,
        batch: answer.batch,
        partitions: answer.partitions,
        sort,
        output: answer.output.0,
        params,
        seed: answer.seed,
    })
}

fn input(value: Value, driver: &str) -> Result<Input> {
    match value {
        Value::String(table) => Ok(Input { table, name: None, columns: None, filter: None }),
        object => serde_json::from_value(object).map_err(|error| unread(&format!("input: {error}"), driver)),
    }
}

/// What could not be read, at the word in question.
fn unread(message: &str, driver: &str) -> Error {
    let word = message.split('`').nth(1).unwrap_or_default();
    wrong(format!("{message}."), word, driver)
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
