//! Dune's functions of bytes: `bytearray_…`, also by their older names `varbinary_…`. Functions of texts such as `strpos` and
//! `lpad` call them for bytes.

use crate::prelude::*;

/// By how many bytes replacements may lengthen one batch of rows.
const MAX_ADDED_BYTES: usize = 64 << 20;
/// The most bytes that the padded values of one batch of rows take.
const MAX_PADDED_BYTES: usize = 64 << 20;
/// Lengths of addresses and of topics: padded bytes of these have a fixed width, so that they compare as they are. Other widths
/// may mean something else, as that of a uint256 does.
const FIXED_WIDTHS: [i64; 2] = [20, 32];

const TEXTS_ONLY: &str =
    "Expected a string here, got bytes; use bytearray_ltrim, bytearray_rtrim or bytearray_substring for bytes.";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    let shared = [
        bytearray_substring(),
        bytearray_length(),
        bytearray_concat(),
        bytearray_reverse(),
        bytearray_position(),
        bytearray_starts_with(),
        bytearray_replace(),
        bytearray_lpad(),
        bytearray_rpad(),
    ];
    let trims = [
        doc("bytearray_ltrim(bytes)", "Bytes without leading zeros.", "select bytearray_ltrim(0x0000cafe)")
            .aliases(["varbinary_ltrim"])
            .udf(1..=1, takes_bytes(DataType::Binary), |args, _| {
                let trim = |bytes: &[u8]| bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
                map_rows::<BinaryArray, _, _>(bytes_of(&args[0])?, |bytes| Ok(&bytes[trim(bytes)..]))
            }),
        doc("bytearray_rtrim(bytes)", "Bytes without trailing zeros.", "select bytearray_rtrim(0xcafe0000)")
            .aliases(["varbinary_rtrim"])
            .udf(1..=1, takes_bytes(DataType::Binary), |args, _| {
                let end = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                map_rows::<BinaryArray, _, _>(bytes_of(&args[0])?, |bytes| Ok(&bytes[..end(bytes)]))
            }),
    ];
    shared.map(|function| function.as_ref().clone()).into_iter().chain(trims).collect()
}

/// The rule of functions whose first argument is bytes.
pub(super) fn takes_bytes(to: DataType) -> impl Returns {
    let returns = returns(to);
    move |args: &ReturnFieldArgs<'_>| {
        let from = args.arg_fields[0].data_type();
        if !is_bytes(from) && !from.is_null() || is_number(from) {
            let from = type_name(from, false);
            return Err(invalid(format!(
                "Expected bytes here, got {from}; from_hex(…) converts a hex string to bytes."
            )));
        }
        returns(args)
    }
}

/// Places or lengths.
fn integers(array: &ArrayRef) -> Result<Int64Array> {
    int64s(array).map_err(|_| invalid("A position or length must be an integer."))
}

/// An argument that is a constant whole number.
fn constant(args: &ReturnFieldArgs, index: usize) -> Option<i64> {
    match args.scalar_arguments.get(index).copied().flatten()?.cast_to(&DataType::Int64).ok()? {
        ScalarValue::Int64(number) => number,
        _ => None,
    }
}

fn bytes_column(rows: Vec<Option<Vec<u8>>>, to: &FieldRef) -> Result<ArrayRef> {
    match to.data_type() {
        DataType::FixedSizeBinary(width) => fixed(*width, rows),
        _ => Ok(Arc::new(rows.into_iter().collect::<BinaryArray>())),
    }
}

pub(crate) fn bytearray_length() -> Arc<ScalarUDF> {
    shared!(
        doc("bytearray_length(bytes)", "The number of bytes.", "select bytearray_length(0xcafe)")
            .aliases(["varbinary_length"])
            .udf(1..=1, takes_bytes(DataType::Int64), |args, _| lengths(&args[0], 1))
    )
}

/// `bit_length` of bytes.
pub(crate) fn bytearray_bit_length() -> Arc<ScalarUDF> {
    shared!(scalar_udf("bytearray_bit_length", 1..=1, takes_bytes(DataType::Int64), |args, _| lengths(&args[0], 8)))
}

/// The number of bytes, each counted so many times.
fn lengths(array: &ArrayRef, each: i64) -> Result<ArrayRef> {
    map_rows::<Int64Array, _, _>(bytes_of(array)?, |bytes| Ok(bytes.len() as i64 * each))
}

pub(crate) fn bytearray_reverse() -> Arc<ScalarUDF> {
    shared!(
        doc("bytearray_reverse(bytes)", "Bytes in reverse order.", "select bytearray_reverse(0xcafe)")
            .aliases(["varbinary_reverse"])
            .udf(1..=1, takes_bytes(DataType::Binary), |args, _| {
                let reverse = |bytes: &[u8]| Ok(bytes.iter().rev().copied().collect::<Vec<u8>>());
                map_rows::<BinaryArray, _, _>(bytes_of(&args[0])?, reverse)
            })
    )
}

pub(crate) fn bytearray_concat() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_concat(bytes, bytes)",
            "The concatenation of byte strings.",
            "select bytearray_concat(0xca, 0xfe)"
        )
        .aliases(["varbinary_concat"])
        .udf(1..=MANY, takes_bytes(DataType::Binary), |args, _| {
            let columns = args.iter().map(bytes_of).collect::<Result<Vec<_>>>()?;
            let join = |row: usize| columns.iter().map(|column| column[row]).collect::<Option<Vec<_>>>();
            Ok(Arc::new((0..args[0].len()).map(|row| Some(join(row)?.concat())).collect::<BinaryArray>()))
        })
    )
}

pub fn bytearray_substring() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_substring(bytes, start, length)",
            "A slice of bytes. Positions start at 1; a negative start counts from the end.",
            "select bytearray_substring(0xa9059cbb00000001, 1, 4)",
        )
        .aliases(["varbinary_substring"])
        .udf(2..=3, substring_field, substring)
    )
}

/// A part at a constant place inside bytes of a fixed width has a fixed width too: 20 bytes of a topic are an address.
fn substring_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = match (args.arg_fields[0].data_type(), constant(args, 1), constant(args, 2)) {
        (DataType::FixedSizeBinary(width), Some(start), Some(length))
            if start >= 1
                && length >= 1
                && start.saturating_add(length) <= i64::from(*width) + 1
                && length != i64::from(quarry_types::uint256::WIDTH) =>
        {
            DataType::FixedSizeBinary(length as i32)
        }
        _ => DataType::Binary,
    };
    takes_bytes(data_type)(args)
}

fn substring(args: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let starts = integers(&args[1])?;
    let lengths = match args.get(2) {
        Some(lengths) => integers(lengths)?,
        None => Int64Array::from(vec![i64::MAX; starts.len()]),
    };
    let rows = bytes_of(&args[0])?.into_iter().zip(&starts).zip(&lengths);
    let slices = rows.map(|((bytes, start), length)| Some(slice(bytes?, start?, length?).to_vec()));
    bytes_column(slices.collect(), to)
}

/// As Trino's `substr`: there is nothing at 0.
fn slice(bytes: &[u8], start: i64, length: i64) -> &[u8] {
    let count = bytes.len() as i64;
    let first = match start {
        0 => return &[],
        start if start < 0 => count.saturating_add(start),
        start => start - 1,
    };
    if first < 0 || first >= count || length <= 0 {
        return &[];
    }
    let end = first.saturating_add(length).min(count);
    &bytes[first as usize..end as usize]
}

pub(crate) fn bytearray_position() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_position(bytes, part)",
            "The position of the first occurrence of a byte sequence, starting at 1; 0 if it is not found.",
            "select bytearray_position(0x00cafe, 0xcafe)",
        )
        .aliases(["varbinary_position"])
        .udf(2..=2, takes_bytes(DataType::Int64), |args, _| {
            zip_rows::<Int64Array, _, _, _>(bytes_of(&args[0])?, bytes_of(&args[1])?, |bytes, part| {
                Ok(memchr::memmem::find(bytes, part).map_or(0, |index| index as i64 + 1))
            })
        })
    )
}

pub(crate) fn bytearray_starts_with() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_starts_with(bytes, start)",
            "Whether bytes start with a prefix.",
            "select bytearray_starts_with(0xa9059cbb00, 0xa9059cbb)",
        )
        .aliases(["varbinary_starts_with"])
        .udf(2..=2, takes_bytes(DataType::Boolean), |args, _| test(args, |bytes, start| bytes.starts_with(start)))
    )
}

/// `ends_with` of bytes.
pub(crate) fn bytearray_ends_with() -> Arc<ScalarUDF> {
    shared!(scalar_udf("ends_with", 2..=2, takes_bytes(DataType::Boolean), |args, _| {
        test(args, |bytes, end| bytes.ends_with(end))
    }))
}

fn test(args: &[ArrayRef], test: fn(&[u8], &[u8]) -> bool) -> Result<ArrayRef> {
    zip_rows::<BooleanArray, _, _, _>(bytes_of(&args[0])?, bytes_of(&args[1])?, |bytes, part| Ok(test(bytes, part)))
}

/// For functions that only make sense for texts: applied to the hex digits of bytes, their results would surprise.
pub(crate) fn texts_only() -> Arc<ScalarUDF> {
    shared!(scalar_udf("texts_only", 2..=3, |_| Err(invalid(TEXTS_ONLY)), |_, _| Err(invalid(TEXTS_ONLY))))
}

pub(crate) fn bytearray_replace() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_replace(bytes, part, other)",
            "Bytes with every occurrence of a sequence replaced by other bytes.",
            "select bytearray_replace(0xcafe, 0xca, 0x00)",
        )
        .aliases(["varbinary_replace"])
        .udf(3..=3, takes_bytes(DataType::Binary), |args, _| replace(args))
    )
}

fn replace(args: &[ArrayRef]) -> Result<ArrayRef> {
    let replacements = bytes_of(&args[1])?.into_iter().zip(bytes_of(&args[2])?).map(|(part, other)| part.zip(other));
    let mut added = 0;
    zip_rows::<BinaryArray, _, _, _>(bytes_of(&args[0])?, replacements, |bytes, (part, other)| {
        let most = bytes.len() + MAX_ADDED_BYTES.saturating_sub(added);
        let (mut out, mut rest) = (Vec::with_capacity(bytes.len()), bytes);
        while let Some(place) = memchr::memmem::find(rest, part).filter(|_| !part.is_empty()) {
            out.extend_from_slice(&rest[..place]);
            out.extend_from_slice(other);
            rest = &rest[place + part.len()..];
            if out.len() > most {
                let message = format!("bytearray_replace would add more than {MAX_ADDED_BYTES} bytes at once.");
                return Err(refuse(ErrorCode::TooComplex, message));
            }
        }
        out.extend_from_slice(rest);
        added += out.len().saturating_sub(bytes.len());
        Ok(out)
    })
}

/// An address as a topic is `lpad(address, 32, 0x00)`.
pub(crate) fn bytearray_lpad() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_lpad(bytes, length, fill)",
            "Bytes padded on the left with other bytes up to a length; longer ones are truncated at the end.",
            "select bytearray_lpad(0xcafe, 4, 0x00)",
        )
        .udf(3..=3, padded_field, |args, to| pad(args, to, true))
    )
}

pub(crate) fn bytearray_rpad() -> Arc<ScalarUDF> {
    shared!(
        doc(
            "bytearray_rpad(bytes, length, fill)",
            "Bytes padded on the right with other bytes up to a length; longer ones are truncated at the end.",
            "select bytearray_rpad(0xa9059cbb, 32, 0x00)",
        )
        .udf(3..=3, padded_field, |args, to| pad(args, to, false))
    )
}

fn padded_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    takes_bytes(match constant(args, 1).filter(|length| FIXED_WIDTHS.contains(length)) {
        Some(length) => DataType::FixedSizeBinary(length as i32),
        None => DataType::Binary,
    })(args)
}

fn pad(args: &[ArrayRef], to: &FieldRef, left: bool) -> Result<ArrayRef> {
    let (lengths, fills) = (integers(&args[1])?, bytes_of(&args[2])?);
    let mut available = MAX_PADDED_BYTES;
    let rows = bytes_of(&args[0])?.into_iter().zip(&lengths).zip(fills).map(|((bytes, length), fill)| {
        let (Some(bytes), Some(length), Some(fill)) = (bytes, length, fill) else { return Ok(None) };
        let length = usize::try_from(length).map_err(|_| invalid("The length to pad bytes to can't be negative."))?;
        if length <= bytes.len() {
            return Ok(Some(bytes[..length].to_vec()));
        }
        if fill.is_empty() {
            return Err(invalid("The bytes to pad with can't be empty."));
        }
        available = available.checked_sub(length).ok_or_else(|| {
            let message = format!("Padding would produce more than {MAX_PADDED_BYTES} bytes at once.");
            refuse(ErrorCode::TooComplex, message)
        })?;
        let fill = fill.iter().copied().cycle().take(length - bytes.len());
        let bytes = bytes.iter().copied();
        Ok(Some(if left { fill.chain(bytes).collect() } else { bytes.chain(fill).collect() }))
    });
    bytes_column(rows.collect::<Result<_>>()?, to)
}
