//! Rows of the output: the values that a reducer emits, checked against the types that the driver gives the columns.

use std::collections::HashMap;
use std::sync::Arc;

use alloy_primitives::U256;
use alloy_primitives::aliases::U512;
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_empty_array};
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::common::utils::SingleRowListArrayBuilder;
use rquickjs::convert::Coerced;
use rquickjs::{Function, Object, Value};

use super::codec::Codec;
use super::error_position::driver_error;
use quarry_types::meaning::MEANING;
use quarry_types::uint256::Number;
use quarry_types::{Error, Result};

/// Names of the types, as results show them.
const TYPES: &str = "boolean, int, bigint, double, varchar, uint256, int256, address, hash, bytes, timestamp, date, and array(…) of these";
const MICROSECONDS_A_DAY: i64 = 86_400_000_000;
/// Milliseconds from 1970 to the begin of the year 1 and to the end of the year 9999.
const FIRST_TIME: f64 = -62_135_596_800_000.0;
const LAST_TIME: f64 = 253_402_300_799_999.0;
/// Parts of a microsecond that a number of milliseconds may be off by, as 0.001 is.
const SMALLEST_PART: f64 = 0.25;

/// The columns that the driver names.
pub(super) fn schema(columns: &[(String, String)], driver: &str) -> Result<SchemaRef> {
    let fields = columns.iter().map(|(name, type_name)| {
        field(name, type_name).ok_or_else(|| {
            let message = format!("The output column {name} can't have type {type_name}. Supported types are {TYPES}.");
            driver_error(message, type_name, driver)
        })
    });
    Ok(Arc::new(Schema::new(fields.collect::<Result<Vec<_>>>()?)))
}

fn field(name: &str, type_name: &str) -> Option<Field> {
    let type_name = type_name.trim().to_lowercase();
    if let Some(item) = type_name.strip_prefix("array(").and_then(|rest| rest.strip_suffix(')')) {
        // A list in a list has no type that every reader of tables knows.
        let item = field("item", item).filter(|item| !item.data_type().is_nested())?;
        return Some(Field::new(name, DataType::List(Arc::new(item)), true));
    }
    let data_type = match type_name.as_str() {
        "boolean" | "bool" => DataType::Boolean,
        "int" | "integer" => DataType::Int32,
        "bigint" | "long" => DataType::Int64,
        "double" | "number" | "float" => DataType::Float64,
        "varchar" | "string" | "text" => DataType::Utf8,
        "uint256" | "int256" => {
            return Some(quarry_types::uint256::field(name, type_name == "int256").as_ref().clone());
        }
        "address" => DataType::FixedSizeBinary(20),
        "hash" => DataType::FixedSizeBinary(32),
        "bytes" => DataType::Binary,
        "timestamp" => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        "date" => DataType::Date32,
        _ => return None,
    };
    let field = Field::new(name, data_type, true);
    Some(match type_name.as_str() {
        "address" | "hash" => field.with_metadata(HashMap::from([(MEANING.to_string(), type_name)])),
        _ => field,
    })
}

/// Rows that were emitted and not yet sent.
pub(super) struct Rows {
    schema: SchemaRef,
    columns: Vec<Vec<ScalarValue>>,
}

impl Rows {
    pub fn new(schema: &SchemaRef) -> Rows {
        Rows { schema: Arc::clone(schema), columns: schema.fields().iter().map(|_| Vec::new()).collect() }
    }

    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Adds one row.
    pub fn add(&mut self, cells: Vec<ScalarValue>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
    }

    /// Takes the rows out as a batch.
    pub fn take(&mut self) -> Result<RecordBatch> {
        let rows = self.len();
        let column = |(cells, field): (&mut Vec<ScalarValue>, &FieldRef)| -> Result<ArrayRef> {
            let array = ScalarValue::iter_to_array(std::mem::take(cells)).map_err(Error::internal)?;
            // The items of a list carry their meaning in the field.
            if array.data_type() == field.data_type() {
                return Ok(array);
            }
            arrow::compute::cast(&array, field.data_type()).map_err(Error::internal)
        };
        let columns = self.columns.iter_mut().zip(self.schema.fields()).map(column).collect::<Result<Vec<_>>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options).map_err(Error::internal)
    }
}

/// The cells of an emitted row: an object with the names of the columns, or a value for each column in their order.
pub(super) fn cells<'js>(
    codec: &Codec<'js>,
    schema: &SchemaRef,
    values: &[Value<'js>],
) -> rquickjs::Result<Vec<ScalarValue>> {
    let fields = schema.fields();
    let mut row: Vec<Option<Value<'js>>> = vec![None; fields.len()];
    let object = values.first().and_then(Value::as_object).filter(|object| is_row(object));
    match object {
        Some(object) if values.len() == 1 => {
            for member in object.props::<String, Value>() {
                let (name, value) = member?;
                let Some(at) = fields.iter().position(|field| *field.name() == name) else {
                    return Err(codec.refuse(&format!("the output has no column {name}")));
                };
                row[at] = Some(value);
            }
        }
        _ if values.len() == fields.len() => row = values.iter().cloned().map(Some).collect(),
        _ => {
            let message = format!(
                "emit expects an object of columns, or {} values: {}",
                fields.len(),
                fields.iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(", ")
            );
            return Err(codec.refuse(&message));
        }
    }
    let cells = row.iter().zip(fields).map(|(value, field)| match value {
        Some(value) => cell(codec, value, field),
        None => null(codec, field),
    });
    cells.collect()
}

/// Whether a single argument is a whole row.
fn is_row(object: &Object<'_>) -> bool {
    !object.is_array() && !object.is_function() && !is_date(object)
}

fn is_date(object: &Object<'_>) -> bool {
    object.get::<_, Option<Function>>("getTime").is_ok_and(|getter| getter.is_some())
}

fn null(codec: &Codec<'_>, field: &Field) -> rquickjs::Result<ScalarValue> {
    ScalarValue::try_from(field.data_type()).map_err(|_| codec.refuse("a column of this type can't be null"))
}

/// One value as its column holds it.
fn cell<'js>(codec: &Codec<'js>, value: &Value<'js>, field: &Field) -> rquickjs::Result<ScalarValue> {
    if value.is_null() || value.is_undefined() {
        return null(codec, field);
    }
    let fits = match field.data_type() {
        DataType::Boolean => value.as_bool().map(|truth| ScalarValue::Boolean(Some(truth))),
        DataType::Int32 => whole(codec, value)?
            .and_then(to_i128)
            .and_then(|number| i32::try_from(number).ok().map(|number| ScalarValue::Int32(Some(number)))),
        DataType::Int64 => whole(codec, value)?
            .and_then(to_i128)
            .and_then(|number| i64::try_from(number).ok().map(|number| ScalarValue::Int64(Some(number)))),
        DataType::Float64 => match value.as_number() {
            Some(number) => Some(ScalarValue::Float64(Some(number))),
            None if value.is_big_int() => exact_double(&value.get::<Coerced<String>>()?.0),
            None => None,
        },
        DataType::Utf8 if value.is_string() || value.is_number() || value.is_bool() || value.is_big_int() => {
            Some(ScalarValue::Utf8(Some(text(codec, value)?)))
        }
        DataType::FixedSizeBinary(quarry_types::uint256::WIDTH) => {
            let signed = quarry_types::uint256::is_signed(field);
            whole(codec, value)?.and_then(|(negative, magnitude)| number(negative, magnitude, signed))
        }
        DataType::FixedSizeBinary(width) => bytes(value)?
            .filter(|bytes| bytes.len() == *width as usize)
            .map(|bytes| ScalarValue::FixedSizeBinary(*width, Some(bytes))),
        DataType::Binary => bytes(value)?.map(|bytes| ScalarValue::Binary(Some(bytes))),
        DataType::Timestamp(..) => {
            microseconds(codec, value)?.map(|time| ScalarValue::TimestampMicrosecond(Some(time), Some("UTC".into())))
        }
        DataType::Date32 => microseconds(codec, value)?
            .map(|time| ScalarValue::Date32(Some(time.div_euclid(MICROSECONDS_A_DAY) as i32))),
        DataType::List(item) => match value.as_array() {
            Some(list) => {
                let items = list.iter::<Value>().map(|one| cell(codec, &one?, item));
                let items = items.collect::<rquickjs::Result<Vec<_>>>()?;
                let items = match items.is_empty() {
                    true => new_empty_array(item.data_type()),
                    false => ScalarValue::iter_to_array(items)
                        .map_err(|_| codec.refuse("a column has a type that is not supported"))?,
                };
                // With its own field, so that a list and a null are of one type.
                Some(SingleRowListArrayBuilder::new(items).with_field(item).build_list_scalar())
            }
            None => None,
        },
        _ => None,
    };
    fits.ok_or_else(|| {
        let shown: String = value.get::<Coerced<String>>().map_or_else(|_| "a value".to_string(), |text| text.0);
        let shown: String = shown.chars().take(60).collect();
        codec.refuse(&format!("the column {} expects {}, got {shown}", field.name(), takes(field)))
    })
}

fn takes(field: &Field) -> &'static str {
    match field.data_type() {
        DataType::Boolean => "true or false",
        DataType::Int32 => "a 32-bit integer",
        DataType::Int64 => "a 64-bit integer",
        DataType::Float64 => "a number",
        DataType::Utf8 => "a string",
        DataType::FixedSizeBinary(quarry_types::uint256::WIDTH) if quarry_types::uint256::is_signed(field) => {
            "a 256-bit integer"
        }
        DataType::FixedSizeBinary(quarry_types::uint256::WIDTH) => "an integer from 0 to 2^256 - 1",
        DataType::FixedSizeBinary(20) => "an address (0x and 40 hex digits)",
        DataType::FixedSizeBinary(_) => "a hash (0x and 64 hex digits)",
        DataType::Binary => "bytes (0x and pairs of hex digits)",
        DataType::List(_) => "a list",
        _ => "milliseconds since 1970 or a Date, in the years 1 to 9999 and in whole microseconds",
    }
}

/// Sign and magnitude of a BigInt, or of a Number that is whole and small enough to be exact.
fn whole<'js>(codec: &Codec<'js>, value: &Value<'js>) -> rquickjs::Result<Option<(bool, U512)>> {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    if let Some(big) = value.as_big_int() {
        return codec.whole(big).map(Some);
    }
    let number = value.as_number().filter(|number| number.fract() == 0.0 && number.abs() <= EXACT);
    Ok(number.map(|number| (number < 0.0, U512::from(number.abs() as u64))))
}

fn to_i128((negative, magnitude): (bool, U512)) -> Option<i128> {
    let magnitude = i128::try_from(magnitude).ok()?;
    Some(if negative { -magnitude } else { magnitude })
}

fn number(negative: bool, magnitude: U512, signed: bool) -> Option<ScalarValue> {
    let bytes = magnitude.to_be_bytes::<64>();
    let (beyond, bytes) = bytes.split_at(32);
    let magnitude = beyond.iter().all(|byte| *byte == 0).then(|| U256::from_be_slice(bytes))?;
    let number = Number::new(negative, magnitude);
    let fits = if signed { number.to_twos_complement().is_some() } else { !number.is_negative() };
    fits.then(|| ScalarValue::FixedSizeBinary(quarry_types::uint256::WIDTH, Some(number.encode().to_vec())))
}

fn text(codec: &Codec<'_>, value: &Value<'_>) -> rquickjs::Result<String> {
    match value.as_string() {
        Some(text) => text.to_string().map_err(|_| codec.refuse("a string contains an unpaired surrogate")),
        None => Ok(value.get::<Coerced<String>>()?.0),
    }
}

fn bytes(value: &Value<'_>) -> rquickjs::Result<Option<Vec<u8>>> {
    let Some(text) = value.as_string() else { return Ok(None) };
    let text = text.to_string()?;
    Ok(text.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok()))
}

/// A whole number as a double that is the same number.
fn exact_double(digits: &str) -> Option<ScalarValue> {
    let double: f64 = digits.parse().ok()?;
    (double.is_finite() && format!("{double:.0}") == digits).then_some(ScalarValue::Float64(Some(double)))
}

/// A time in microseconds, within the years 1 to 9999. Milliseconds may have parts that are whole microseconds.
fn microseconds<'js>(codec: &Codec<'js>, value: &Value<'js>) -> rquickjs::Result<Option<i64>> {
    let time = match value.as_object().filter(|object| is_date(object)) {
        Some(date) => {
            date.get::<_, Function>("getTime")?.call::<_, Value>((rquickjs::function::This(date.clone()),))?.as_number()
        }
        None => match value.as_number() {
            Some(number) => Some(number),
            None => whole(codec, value)?.and_then(to_i128).map(|number| number as f64),
        },
    };
    let Some(time) = time.filter(|time| (FIRST_TIME..=LAST_TIME).contains(time)) else { return Ok(None) };
    let (whole, part) = (time.floor(), (time - time.floor()) * 1000.0);
    let exact = (part - part.round()).abs() < SMALLEST_PART;
    Ok(exact.then(|| whole as i64 * 1000 + part.round() as i64))
}
