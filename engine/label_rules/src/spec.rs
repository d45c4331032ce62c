//! The spec of a label job: a JSON object that names a rule, its inputs and its parameters.

use chrono::{Days, Months, NaiveDate};
use serde_json::{Map, Value, json};

use crate::rule::{Field, Number, Parameter, ParameterKind, Rule};
use crate::rules;
use quarry_runtime::job::Parameters;
use quarry_types::{Error, ErrorCode, Result};

/// Digits after the point of a number.
const SCALE: usize = 18;
/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// A well-formed spec. [`Spec::period`] checks its period with the lake.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    pub rule: &'static Rule,
    /// The inputs as text.
    inputs: Map<String, Value>,
    /// The parameters as the queries take them.
    parameters: Parameters,
    /// The parameters as the user wrote them, or their defaults.
    displayed_parameters: Map<String, Value>,
}

/// The period of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Period {
    pub from: NaiveDate,
    /// The day after the last.
    pub to: NaiveDate,
    /// As shown in the rows.
    pub name: String,
}

impl Spec {
    /// Reads a spec. Errors name the field.
    pub fn read(spec: &Value) -> Result<Spec> {
        let Value::Object(fields) = spec else {
            return Err(wrong("spec", "The spec of a label job must be an object."));
        };
        let rule = rule(fields.get("label"))?;
        let mut inputs = Map::new();
        for (name, value) in fields {
            if ["label", "parameters"].contains(&name.as_str()) || is_empty(value) {
                continue;
            }
            let Some(field) = Field::ALL.into_iter().find(|field| field.name() == name) else {
                return Err(wrong("spec", format!("A label job has no field {}.", shorten(name))));
            };
            if !rule.takes(field) {
                return Err(wrong(
                    field.name(),
                    format!("The label {} does not accept the field {}.", rule.name, field.name()),
                ));
            }
            inputs.insert(name.clone(), Value::String(input(field, value)?));
        }
        for needed in rule.inputs.iter().filter(|input| input.required) {
            if !inputs.contains_key(needed.field.name()) {
                let message = format!("The label {} needs the field {}.", rule.name, needed.field.name());
                return Err(wrong(needed.field.name(), message));
            }
        }
        let mut read = Spec { rule, inputs, parameters: Parameters::default(), displayed_parameters: Map::new() };
        read.read_parameters(fields.get("parameters"))?;
        if let (Some(start), Some(end)) = (read.day(Field::StartDate), read.day(Field::EndDate))
            && start > end
        {
            return Err(wrong("endDate", "The end date can't be before the start date."));
        }
        Ok(read)
    }

    fn read_parameters(&mut self, parameters: Option<&Value>) -> Result<()> {
        let empty = Map::new();
        let values = match parameters {
            None | Some(Value::Null) => &empty,
            Some(Value::Object(values)) => values,
            Some(_) => return Err(wrong("parameters", "The parameters of a label job must be an object.")),
        };
        if let Some(name) = values.keys().find(|name| !self.rule.parameters.iter().any(|known| known.name == **name)) {
            let message = format!("The label {} has no parameter {}.", self.rule.name, shorten(name));
            return Err(wrong("parameters", message));
        }
        for parameter in self.rule.parameters {
            let value = values.get(parameter.name).filter(|value| !is_empty(value));
            let text = match value {
                None => parameter.default.to_string(),
                Some(Value::String(text)) => text.trim().to_string(),
                Some(Value::Number(number)) => number.to_string(),
                Some(_) => return Err(invalid_number(parameter)),
            };
            let digits = scaled(&text).ok_or_else(|| invalid_number(parameter))?;
            let bound = |bound: Number| scaled(&bound.to_string()).unwrap_or_default();
            let whole = parameter.kind != ParameterKind::Whole || !text.contains('.');
            if digits < bound(parameter.min) || digits > bound(parameter.max) || !whole {
                return Err(invalid_number(parameter));
            }
            let bound = if parameter.kind == ParameterKind::Ether { digits.to_string() } else { text.clone() };
            self.parameters.insert(parameter.name.to_string(), json!({ "type": "number", "value": bound }));
            self.displayed_parameters.insert(parameter.name.to_string(), Value::String(text));
        }
        Ok(())
    }

    fn text(&self, field: Field) -> Option<&str> {
        self.inputs.get(field.name()).and_then(Value::as_str)
    }

    fn day(&self, field: Field) -> Option<NaiveDate> {
        self.text(field).and_then(day)
    }

    /// The DApp of the spec.
    pub fn dapp(&self) -> Option<&str> {
        self.text(Field::DappName)
    }

    /// The period on a lake whose first and last block have these times, in microseconds since 1970.
    pub fn period(&self, first: i64, head: i64) -> Result<Period> {
        let [first, last] = [first, head].map(|at| NaiveDate::default() + Days::new(at.max(0).div_euclid(DAY) as u64));
        if self.rule.takes(Field::Month) {
            let month_of = |day: NaiveDate| day.format("%Y-%m").to_string();
            let name = self.text(Field::Month).map_or_else(|| month_of(last), str::to_string);
            let from = month(&name).ok_or_else(|| wrong("month", MONTH_FORM))?;
            if name < month_of(first) || name > month_of(last) {
                let message = format!("Chain data is available from {first} to {last}; {name} is outside that range.");
                return Err(wrong("month", message));
            }
            return Ok(Period { from, to: from + Months::new(1), name });
        }
        let from = self.day(Field::StartDate).unwrap_or(first);
        let to = self.day(Field::EndDate).unwrap_or(last);
        if from > last {
            return Err(wrong("startDate", format!("Chain data is available up to {last}; {from} is later.")));
        }
        if to < first {
            return Err(wrong("endDate", format!("Chain data is available from {first}; {to} is earlier.")));
        }
        // Later days have no rows, and may be beyond the years of SQL.
        Ok(Period { from, to: to.min(last) + Days::new(1), name: format!("{from}/{to}") })
    }

    /// The parameters of the queries.
    pub fn values(&self, period: &Period) -> Parameters {
        let mut values = self.parameters.clone();
        let mut set = |name: &str, text: String| values.insert(name.to_string(), Value::String(text));
        set("from", period.from.to_string());
        set("to", period.to.to_string());
        let names = [
            (Field::ContractAddress, "contract"),
            (Field::Eoa, "eoa"),
            (Field::DappName, "dapp"),
            (Field::Erc721, "nft"),
        ];
        for (field, name) in names {
            if let Some(text) = self.text(field) {
                set(name, text.to_string());
            }
        }
        values
    }

    /// The name of the set of labels: runs with the same rule and inputs replace each other's labels, whatever their parameters.
    pub fn set(&self, period: &Period) -> String {
        let mut inputs = self.inputs.clone();
        if self.rule.takes(Field::Month) {
            inputs.insert(Field::Month.name().to_string(), Value::String(period.name.clone()));
        }
        let key = format!("{} {}", self.rule.id, Value::Object(inputs));
        let digest = alloy_primitives::keccak256(key);
        format!("{}_{}", self.rule.id.to_lowercase(), hex::encode(&digest[..12]))
    }

    /// Inputs and parameters as JSON for users.
    pub fn described(&self) -> Value {
        let mut all = self.inputs.clone();
        if !self.displayed_parameters.is_empty() {
            all.insert("parameters".to_string(), Value::Object(self.displayed_parameters.clone()));
        }
        Value::Object(all)
    }
}

const MONTH_FORM: &str = "A month must be written like 2026-10.";

fn rule(name: Option<&Value>) -> Result<&'static Rule> {
    let Some(Value::String(name)) = name else { return Err(wrong("label", "Specify which label to look for.")) };
    let wanted = name.trim();
    let known = rules::ALL.iter().find(|rule| rule.name == wanted || rule.id.eq_ignore_ascii_case(wanted));
    known.ok_or_else(|| wrong("label", format!("There is no label {}.", shorten(wanted))))
}

/// Checks and normalizes the text of a field.
fn input(field: Field, value: &Value) -> Result<String> {
    let Value::String(text) = value else {
        return Err(wrong(field.name(), format!("The field {} must be a string.", field.name())));
    };
    let text = text.trim();
    match field {
        Field::Eoa | Field::ContractAddress | Field::Erc721 => {
            let digits = text.strip_prefix("0x").unwrap_or_default();
            if digits.len() != 40 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(wrong(field.name(), "An address must be 0x followed by 40 hexadecimal digits."));
            }
            Ok(text.to_lowercase())
        }
        Field::StartDate | Field::EndDate => match day(text) {
            Some(day) => Ok(day.to_string()),
            None => Err(wrong(field.name(), "A date must be written like 2026-10-31.")),
        },
        Field::Month => match month(text) {
            Some(_) => Ok(text.to_string()),
            None => Err(wrong(field.name(), MONTH_FORM)),
        },
        Field::DappName if text.chars().count() > 50 => {
            Err(wrong(field.name(), "A DApp name can have at most 50 characters."))
        }
        Field::DappName => Ok(text.to_string()),
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn day(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| shape && text > "1970")
}

fn month(text: &str) -> Option<NaiveDate> {
    if text.len() == 7 { day(&format!("{text}-01")) } else { None }
}

/// A decimal text in units of 10^-18.
fn scaled(text: &str) -> Option<u128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all(whole) || !all(fraction) || whole.len() > 18 || fraction.len() > SCALE {
        return None;
    }
    format!("{whole}{fraction:0<SCALE$}").parse().ok()
}

fn invalid_number(parameter: &Parameter) -> Error {
    let Parameter { name, min, max, .. } = parameter;
    let whole = if parameter.kind == ParameterKind::Whole { "an integer" } else { "a number" };
    wrong("parameters", format!("The parameter {name} must be {whole} from {min} to {max}."))
}

fn wrong(param: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidInput, message).about(param)
}

/// Shortens an input for a message.
fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}
