//! `decode_input(signature, input)` and `decode_event(signature, topics …, data)`: what a call or a log says, by its
//! signature, as a row of typed values.

use std::collections::HashSet;

use alloy_dyn_abi::{DynSolType, DynSolValue, EventExt, JsonAbiExt, Specifier};
use alloy_json_abi::{Event, Function};
use alloy_primitives::B256;
use arrow::array::{ListArray, StructArray, new_empty_array, new_null_array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::Fields;

use crate::decoder::DecodeLimit;
use crate::prelude::*;

/// The most bytes that one call decodes from a batch of rows, on top of four times the size of their data.
const MAX_BYTES: usize = 64 << 20;

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        doc(
            "decode_input(signature, input)",
            "The arguments of a call, decoded by the signature of its function, as a struct. Returns null if the input is for another function or has more than 100,000 values.",
            "select decode_input('transfer(address to, uint256 amount)', input)['amount'] from transactions limit 1",
        )
        .udf(2..=2, input_field, decode_inputs),
        doc(
            "decode_event(signature, topic0, topic1, topic2, topic3, data)",
            "The arguments of a log, decoded by the signature of its event, as a struct. Returns null if the log is of another event or has more than 100,000 values.",
            "select decode_event('Transfer(address indexed from, address indexed to, uint256 value)', topic0, topic1, topic2, topic3, data)['value'] from logs limit 1",
        )
        .udf(2..=6, event_field, decode_events),
        doc(
            "event_signature(signature)",
            "The topic0 of an event: the Keccak-256 hash of its signature without parameter names.",
            "select event_signature('Transfer(address indexed from, address indexed to, uint256 value)')",
        )
        .fallible()
        .udf(1..=1, returns(DataType::FixedSizeBinary(32)), |args, _| hashes(&args[0], |text| Ok(event(text)?.selector().0))),
        doc(
            "selector(signature)",
            "The 4-byte selector of a function: the first bytes of the hash of its signature without parameter names.",
            "select selector('transfer(address to, uint256 amount)')",
        )
        .fallible()
        .udf(1..=1, returns(DataType::FixedSizeBinary(4)), |args, _| hashes(&args[0], |text| Ok(function(text)?.selector().0))),
    ]
}

fn hashes<const WIDTH: usize>(array: &ArrayRef, hash: fn(&str) -> Result<[u8; WIDTH]>) -> Result<ArrayRef> {
    let rows = text_of(array)?.into_iter().map(|text| text.map(hash).transpose());
    fixed(WIDTH as i32, rows.collect::<Result<Vec<_>>>()?)
}

fn function(signature: &str) -> Result<Function> {
    Function::parse(signature.trim()).map_err(|_| {
        invalid(format!(
            "'{signature}' is not a valid function signature; write it as transfer(address to, uint256 amount)."
        ))
    })
}

fn event(signature: &str) -> Result<Event> {
    Event::parse(signature.trim()).map_err(|_| {
        invalid(format!(
            "'{signature}' is not a valid event signature; write it as Transfer(address indexed from, uint256 value)."
        ))
    })
}

/// The signature that a call must spell out, since it decides the type of the result.
fn signature<'a>(args: &'a ReturnFieldArgs) -> Result<&'a str> {
    let literal = args.scalar_arguments.first().copied().flatten();
    literal
        .and_then(|value| value.try_as_str().flatten())
        .ok_or_else(|| invalid("The signature must be a string literal."))
}

fn input_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let function = function(signature(args)?)?;
    let input = args.arg_fields[1].data_type();
    if !is_bytes(input) && !input.is_null() {
        return Err(invalid("decode_input expects a signature and bytes, such as the column input."));
    }
    let types = resolve(function.inputs.iter())?;
    struct_field(function.inputs.iter().map(|input| input.name.as_str()), &types)
}

fn event_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let event = event(signature(args)?)?;
    let types = resolve(event.inputs.iter())?;
    // Of an indexed value without a fixed size only the hash is in the log.
    let logged = types.into_iter().zip(&event.inputs).map(|(kind, input)| match input.indexed && !is_word(&kind) {
        true => DynSolType::FixedBytes(32),
        false => kind,
    });
    struct_field(event.inputs.iter().map(|input| input.name.as_str()), &logged.collect::<Vec<_>>())
}

/// Whether a value of the type takes one word of a log's topics.
fn is_word(kind: &DynSolType) -> bool {
    use DynSolType::{Array, Bytes, FixedArray, String, Tuple};
    !matches!(kind, Bytes | String | Array(_) | FixedArray(..) | Tuple(_))
}

fn resolve<'a, S: Specifier<DynSolType> + 'a>(inputs: impl Iterator<Item = &'a S>) -> Result<Vec<DynSolType>> {
    let wrong = |error| invalid(format!("The signature contains an invalid type: {error}."));
    inputs.map(|input| input.resolve().map_err(wrong)).collect()
}

/// A struct with a field for each argument; one without a name is named after its place.
fn struct_field<'a>(names: impl Iterator<Item = &'a str>, types: &[DynSolType]) -> Result<FieldRef> {
    let mut taken = HashSet::new();
    let fields = names.zip(types).enumerate().map(|(index, (name, kind))| {
        let mut name = if name.is_empty() { format!("arg{index}") } else { name.to_string() };
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        arrow_field(&name, kind)
    });
    let fields: Fields = fields.collect();
    if fields.is_empty() {
        return Err(invalid("The signature has no arguments to decode."));
    }
    Ok(Arc::new(Field::new("decoded", DataType::Struct(fields), true)))
}

/// The field of a Solidity type: small whole numbers are bigint, others 256-bit numbers.
fn arrow_field(name: &str, kind: &DynSolType) -> Field {
    let data_type = match kind {
        DynSolType::Bool => DataType::Boolean,
        DynSolType::Uint(bits) if *bits < 64 => DataType::Int64,
        DynSolType::Int(bits) if *bits <= 64 => DataType::Int64,
        DynSolType::Uint(_) => return quarry_types::uint256::field(name, false).as_ref().clone(),
        DynSolType::Int(_) => return quarry_types::uint256::field(name, true).as_ref().clone(),
        DynSolType::Address => DataType::FixedSizeBinary(20),
        DynSolType::Function => DataType::FixedSizeBinary(24),
        DynSolType::FixedBytes(width) => DataType::FixedSizeBinary(*width as i32),
        DynSolType::Bytes => DataType::Binary,
        DynSolType::String => DataType::Utf8,
        DynSolType::Array(item) | DynSolType::FixedArray(item, _) => {
            DataType::List(Arc::new(arrow_field("item", item)))
        }
        DynSolType::Tuple(items) => {
            let fields = items.iter().enumerate().map(|(index, item)| arrow_field(&format!("arg{index}"), item));
            DataType::Struct(fields.collect())
        }
    };
    Field::new(name, data_type, true)
}

fn decode_inputs(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let Some(text) = first_text(&args[0])? else { return Ok(new_null_array(to.data_type(), args[0].len())) };
    let function = function(text)?;
    let (selector, types) = (function.selector(), resolve(function.inputs.iter())?);
    let mut limit = BatchLimit::new("decode_input");
    let decode = |input: Option<&[u8]>| -> Result<Option<Vec<DynSolValue>>> {
        let Some(body) = input.and_then(|input| input.strip_prefix(selector.as_slice())) else { return Ok(None) };
        Ok(if limit.fits(&types, body)? { function.abi_decode_input(body).ok() } else { None })
    };
    rows(bytes_of(&args[1])?.into_iter().map(decode), to)
}

fn decode_events(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let Some(text) = first_text(&args[0])? else { return Ok(new_null_array(to.data_type(), args[0].len())) };
    let event = event(text)?;
    let topics: Vec<Vec<Option<Vec<u8>>>> = args[1..args.len() - 1].iter().map(topics).collect::<Result<_>>()?;
    let data = bytes_of(&args[args.len() - 1])?;
    let types = resolve(event.inputs.iter().filter(|input| !input.indexed))?;
    let is_words = |bytes: &&Vec<u8>| bytes.len().is_multiple_of(32);
    let mut limit = BatchLimit::new("decode_event");
    let decode = |(row, data): (usize, Option<&[u8]>)| -> Result<Option<Vec<DynSolValue>>> {
        let mut words = Vec::new();
        for topic in topics.iter().filter_map(|column| column[row].as_ref()).filter(is_words) {
            words.extend(topic.chunks_exact(32).map(B256::from_slice));
        }
        let data = data.unwrap_or_default();
        let is_other = !event.anonymous && words.first() != Some(&event.selector());
        if is_other || !limit.fits(&types, data)? {
            return Ok(None);
        }
        let Ok(decoded) = event.decode_log_parts(words, data) else { return Ok(None) };
        let (mut indexed, mut body) = (decoded.indexed.into_iter(), decoded.body.into_iter());
        let values = event.inputs.iter().map(|input| if input.indexed { indexed.next() } else { body.next() });
        Ok(values.collect())
    };
    rows(data.into_iter().enumerate().map(decode), to)
}

/// Limits the size of the values decoded from a batch of rows.
struct BatchLimit {
    function: &'static str,
    bytes: usize,
    /// Without overlapping offsets, decoded values are no more than a few times as large as their data.
    max_bytes: usize,
}

impl BatchLimit {
    fn new(function: &'static str) -> BatchLimit {
        BatchLimit { function, bytes: 0, max_bytes: MAX_BYTES }
    }

    /// Whether the data of a row is of these types and within the limit of a row; an error where all rows together exceed theirs.
    fn fits(&mut self, types: &[DynSolType], data: &[u8]) -> Result<bool> {
        let mut limit = DecodeLimit::default();
        if limit.take(types, data).is_err() {
            return Ok(false);
        }
        self.bytes += limit.taken_since(DecodeLimit::default());
        self.max_bytes += 4 * data.len();
        if self.bytes > self.max_bytes {
            let message =
                format!("{} would produce more than {} bytes or items at once.", self.function, self.max_bytes);
            return Err(refuse(ErrorCode::TooComplex, message));
        }
        Ok(true)
    }
}

/// The bytes of a topic of each row, or of a list of topics one after the other.
fn topics(array: &ArrayRef) -> Result<Vec<Option<Vec<u8>>>> {
    let Some(lists) = array.as_list_opt::<i32>() else {
        return Ok(bytes_of(array)?.into_iter().map(|bytes| bytes.map(<[u8]>::to_vec)).collect());
    };
    let row = |row: usize| {
        let list = lists.is_valid(row).then(|| lists.value(row));
        list.map(|list| Ok(bytes_of(&list)?.into_iter().flatten().flatten().copied().collect())).transpose()
    };
    (0..lists.len()).map(row).collect()
}

fn first_text(array: &ArrayRef) -> Result<Option<&str>> {
    Ok(text_of(array)?.into_iter().flatten().next())
}

/// Decoded rows as a column of structs.
fn rows(decoded: impl Iterator<Item = Result<Option<Vec<DynSolValue>>>>, to: &FieldRef) -> Result<ArrayRef> {
    let DataType::Struct(fields) = to.data_type() else { return Err(invalid("Decoded values must be a struct.")) };
    let mut columns: Vec<Vec<ScalarValue>> = fields.iter().map(|_| Vec::new()).collect();
    let mut valid = Vec::new();
    for row in decoded {
        let row = row?;
        valid.push(row.is_some());
        let mut values = row.unwrap_or_default().into_iter();
        for (column, field) in columns.iter_mut().zip(fields) {
            column.push(match values.next() {
                Some(value) => scalar(value, field.data_type())?,
                None => ScalarValue::try_from(field.data_type())?,
            });
        }
    }
    if valid.is_empty() {
        return Ok(new_empty_array(to.data_type()));
    }
    let columns = columns.into_iter().map(ScalarValue::iter_to_array).collect::<Result<Vec<_>>>()?;
    let nulls = Some(NullBuffer::from(valid));
    Ok(Arc::new(StructArray::try_new(fields.clone(), columns, nulls)?))
}

/// One value in the type of its field.
fn scalar(value: DynSolValue, to: &DataType) -> Result<ScalarValue> {
    let number =
        |number: Number| ScalarValue::FixedSizeBinary(quarry_types::uint256::WIDTH, Some(number.encode().to_vec()));
    Ok(match (value, to) {
        (DynSolValue::Bool(value), _) => ScalarValue::Boolean(Some(value)),
        (DynSolValue::Uint(value, _), DataType::Int64) => ScalarValue::Int64(i64::try_from(value).ok()),
        (DynSolValue::Int(value, _), DataType::Int64) => ScalarValue::Int64(i64::try_from(value).ok()),
        (DynSolValue::Uint(value, _), _) => number(Number::new(false, value)),
        (DynSolValue::Int(value, _), _) => number(Number::new(value.is_negative(), value.unsigned_abs())),
        (DynSolValue::Address(address), _) => ScalarValue::FixedSizeBinary(20, Some(address.to_vec())),
        (DynSolValue::Function(function), _) => ScalarValue::FixedSizeBinary(24, Some(function.to_vec())),
        (DynSolValue::FixedBytes(word, _), DataType::FixedSizeBinary(width)) => {
            ScalarValue::FixedSizeBinary(*width, Some(word[..(*width as usize).min(32)].to_vec()))
        }
        (DynSolValue::Bytes(bytes), _) => ScalarValue::Binary(Some(bytes)),
        (DynSolValue::String(text), _) => ScalarValue::Utf8(Some(text)),
        (DynSolValue::Array(items) | DynSolValue::FixedArray(items), DataType::List(item)) => {
            let items = items.into_iter().map(|value| scalar(value, item.data_type()));
            let items = items.collect::<Result<Vec<ScalarValue>>>()?;
            let values = match items.is_empty() {
                true => new_empty_array(item.data_type()),
                false => ScalarValue::iter_to_array(items)?,
            };
            let offsets = OffsetBuffer::from_lengths([values.len()]);
            ScalarValue::List(Arc::new(ListArray::try_new(item.clone(), offsets, values, None)?))
        }
        (DynSolValue::Tuple(items), DataType::Struct(fields)) => {
            let columns =
                items.into_iter().zip(fields).map(|(value, field)| scalar(value, field.data_type())?.to_array());
            let columns = columns.collect::<Result<Vec<_>>>()?;
            ScalarValue::Struct(Arc::new(StructArray::try_new(fields.clone(), columns, None)?))
        }
        (_, to) => ScalarValue::try_from(to)?,
    })
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256;

    use super::*;

    fn words(numbers: &[usize]) -> Vec<u8> {
        numbers.iter().flat_map(|number| U256::from(*number).to_be_bytes::<32>()).collect()
    }

    #[test]
    fn rows_that_decode_to_much_more_than_their_data_are_refused() {
        let types: [DynSolType; 1] = ["uint256[][]".parse().unwrap()];
        // 300 times the same list of 300 numbers.
        let mut small = words(&[32, 300]);
        (0..300).for_each(|_| small.extend(words(&[300 * 32])));
        small.extend(words(&[300]));
        small.resize(small.len() + 300 * 32, 0);
        let mut limit = BatchLimit::new("decode_input");
        let refused = (0..100).find(|_| limit.fits(&types, &small).is_err());
        assert!(refused.is_some_and(|rows| rows > 5), "{refused:?}");
        // One list of as many numbers as it has.
        let mut list = words(&[32, 1, 32, 9_000]);
        list.resize(list.len() + 9_000 * 32, 0);
        let mut limit = BatchLimit::new("decode_input");
        assert!((0..1_000).all(|_| limit.fits(&types, &list).unwrap()));
    }
}
