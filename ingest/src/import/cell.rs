//! Converts a value of a foreign file, whatever its type, to the type of the lake.

use alloy::eips::eip4895::Withdrawal;
use alloy_primitives::{Address, B256, U256};
use arrow::array::{Array, ArrayRef, AsArray, new_empty_array};
use arrow::compute::{cast, concat};
use arrow::datatypes::{
    DataType, Decimal128Type, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt64Type,
};

const MICROSECONDS: i64 = 1_000_000;

/// A withdrawal in the format of ethereum-etl; the amount is in gwei.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedWithdrawal {
    index: u64,
    validator_index: u64,
    address: Address,
    amount: u64,
}

impl From<ListedWithdrawal> for Withdrawal {
    fn from(listed: ListedWithdrawal) -> Withdrawal {
        let ListedWithdrawal { index, validator_index, address, amount } = listed;
        Withdrawal { index, validator_index, address, amount }
    }
}

/// A column normalized to one of a few types.
pub(super) enum Cells {
    Signed(ArrayRef),
    Unsigned(ArrayRef),
    Float(ArrayRef),
    Decimal(ArrayRef),
    Text(ArrayRef),
    Bytes(ArrayRef),
    Bool(ArrayRef),
    Time(ArrayRef),
}

/// A non-null value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell<'a> {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Decimal(i128),
    Text(&'a str),
    Bytes(&'a [u8]),
    Bool(bool),
    /// Microseconds UTC.
    Time(i64),
}

impl Cells {
    /// Normalizes the chunks of a column; `None` for a type that no tool uses for such data. Chunks are concatenated
    /// with 64-bit offsets, as those of a file may exceed 2 GiB.
    pub(super) fn of(kind: &DataType, parts: &[ArrayRef]) -> Option<Cells> {
        let to = |target: DataType| {
            let parts: Vec<ArrayRef> = parts.iter().map(|part| cast(part, &target)).collect::<Result<_, _>>().ok()?;
            match parts.is_empty() {
                true => Some(new_empty_array(&target)),
                false => concat(&parts.iter().map(AsRef::as_ref).collect::<Vec<&dyn Array>>()).ok(),
            }
        };
        match kind {
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                to(DataType::Int64).map(Cells::Signed)
            }
            DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => {
                to(DataType::UInt64).map(Cells::Unsigned)
            }
            DataType::Float32 | DataType::Float64 => to(DataType::Float64).map(Cells::Float),
            DataType::Decimal128(_, 0) => to(kind.clone()).map(Cells::Decimal),
            // An untyped column has only nulls.
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => {
                to(DataType::Utf8View).map(Cells::Text)
            }
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
                to(DataType::LargeBinary).map(Cells::Bytes)
            }
            DataType::Boolean => to(DataType::Boolean).map(Cells::Bool),
            DataType::Timestamp(_, _) => to(DataType::Timestamp(TimeUnit::Microsecond, None)).map(Cells::Time),
            _ => None,
        }
    }

    /// The value of a row; `None` for null, and for empty text, which is null in CSV.
    pub(super) fn get(&self, row: usize) -> Option<Cell<'_>> {
        let array = match self {
            Cells::Signed(array) | Cells::Unsigned(array) | Cells::Float(array) | Cells::Decimal(array) => array,
            Cells::Text(array) | Cells::Bytes(array) | Cells::Bool(array) | Cells::Time(array) => array,
        };
        if array.is_null(row) {
            return None;
        }
        Some(match self {
            Cells::Signed(array) => Cell::Signed(array.as_primitive::<Int64Type>().value(row)),
            Cells::Unsigned(array) => Cell::Unsigned(array.as_primitive::<UInt64Type>().value(row)),
            Cells::Float(array) => Cell::Float(array.as_primitive::<Float64Type>().value(row)),
            Cells::Decimal(array) => Cell::Decimal(array.as_primitive::<Decimal128Type>().value(row)),
            Cells::Text(array) => match array.as_string_view().value(row).trim() {
                "" => return None,
                text => Cell::Text(text),
            },
            Cells::Bytes(array) => Cell::Bytes(array.as_binary::<i64>().value(row)),
            Cells::Bool(array) => Cell::Bool(array.as_boolean().value(row)),
            Cells::Time(array) => Cell::Time(array.as_primitive::<TimestampMicrosecondType>().value(row)),
        })
    }
}

impl Cell<'_> {
    /// An exact integer.
    pub(super) fn number(self) -> Option<U256> {
        match self {
            Cell::Signed(number) => u64::try_from(number).ok().map(U256::from),
            Cell::Unsigned(number) => Some(U256::from(number)),
            Cell::Decimal(number) => u128::try_from(number).ok().map(U256::from),
            // A float above 2^53 is inexact.
            Cell::Float(number) => {
                let whole = number >= 0.0 && number.fract() == 0.0 && number <= 9_007_199_254_740_992.0;
                whole.then_some(U256::from(number as u64))
            }
            Cell::Text(text) => match text.strip_prefix("0x") {
                Some(digits) => U256::from_str_radix(digits, 16).ok(),
                None => whole_text(text),
            },
            Cell::Bytes(bytes) if bytes.len() <= 32 => Some(U256::from_be_slice(bytes)),
            Cell::Bool(flag) => Some(U256::from(u8::from(flag))),
            Cell::Bytes(_) | Cell::Time(_) => None,
        }
    }

    /// A non-negative 64-bit integer.
    pub(super) fn int(self) -> Option<i64> {
        self.number().and_then(|number| i64::try_from(number).ok())
    }

    pub(super) fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Cell::Bytes(bytes) => Some(bytes.to_vec()),
            Cell::Text(text) => hex::decode(text.strip_prefix("0x")?).ok(),
            _ => None,
        }
    }

    /// Exactly N bytes.
    pub(super) fn fixed<const N: usize>(self) -> Option<[u8; N]> {
        self.bytes()?.try_into().ok()
    }

    /// Microseconds UTC, from seconds or from text like `2024-01-31 23:59:47 UTC`.
    pub(super) fn time(self) -> Option<i64> {
        match self {
            Cell::Time(micros) => Some(micros),
            Cell::Text(text) if text.contains('-') => {
                let plain = text.trim_end_matches(" UTC").trim_end_matches("+00:00").trim_end_matches('Z');
                arrow::compute::kernels::cast_utils::string_to_timestamp_nanos(plain).ok().map(|nanos| nanos / 1_000)
            }
            other => other.int()?.checked_mul(MICROSECONDS),
        }
    }

    /// A list of 32-byte words in one text, as in CSV.
    pub(super) fn hashes(self) -> Option<Vec<B256>> {
        let Cell::Text(text) = self else { return None };
        text.split(',').map(|word| Cell::Text(word.trim()).fixed().map(B256::new)).collect()
    }

    /// A trace address: `3,0`, or `3_0` in files of cryo.
    pub(super) fn path(self) -> Option<Vec<u32>> {
        let Cell::Text(text) = self else { return None };
        text.split([',', '_']).map(|index| index.trim().parse().ok()).collect()
    }

    /// Withdrawals in one text: comma-separated JSON objects without brackets.
    pub(super) fn withdrawals(self) -> Option<Vec<Withdrawal>> {
        let Cell::Text(text) = self else { return None };
        let listed: Vec<ListedWithdrawal> = serde_json::from_str(&format!("[{text}]")).ok()?;
        Some(listed.into_iter().map(Withdrawal::from).collect())
    }

    pub(super) fn flag(self) -> Option<bool> {
        match self {
            Cell::Bool(flag) => Some(flag),
            Cell::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Cell::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
            other => match other.int()? {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            },
        }
    }
}

pub(super) fn int(cell: Cell<'_>) -> Option<u64> {
    cell.int().and_then(|number| u64::try_from(number).ok())
}

pub(super) fn hash(cell: Cell<'_>) -> Option<B256> {
    cell.fixed().map(B256::new)
}

pub(super) fn address(cell: Cell<'_>) -> Option<Address> {
    cell.fixed().map(Address::new)
}

/// Decimal digits; `7.0`, as pandas writes nullable integers, is 7.
fn whole_text(text: &str) -> Option<U256> {
    let digits = match text.split_once('.') {
        Some((whole, rest)) if !rest.is_empty() && rest.bytes().all(|digit| digit == b'0') => whole,
        Some(_) => return None,
        None => text,
    };
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if plain { U256::from_str_radix(digits, 10).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{BinaryArray, NullArray};

    use super::*;

    #[test]
    fn integers_in_all_notations() {
        let number = |cell: Cell<'_>| cell.number().map(|number| number.to::<u64>());
        for cell in [Cell::Text("31"), Cell::Text("0x1f"), Cell::Text("31.0"), Cell::Float(31.0), Cell::Bytes(&[31])] {
            assert_eq!(number(cell), Some(31), "{cell:?}");
        }
        for cell in [Cell::Text("31.5"), Cell::Text("-1"), Cell::Text("1e3"), Cell::Float(0.5), Cell::Float(1e30)] {
            assert_eq!(number(cell), None, "{cell:?}");
        }
        assert_eq!(Cell::Text("9223372036854775808").int(), None, "over 63 bits");
    }

    #[test]
    fn chunks_are_concatenated_with_large_offsets() {
        let part = |values: &[&[u8]]| Arc::new(BinaryArray::from_vec(values.to_vec())) as ArrayRef;
        let cells = Cells::of(&DataType::Binary, &[part(&[&[1]]), part(&[]), part(&[&[2], &[3, 4]])]).expect("bytes");
        assert_eq!(
            (0..3).map(|row| cells.get(row)).collect::<Vec<_>>(),
            [&[1][..], &[2], &[3, 4]].map(|bytes| Some(Cell::Bytes(bytes)))
        );
        let Cells::Bytes(array) = &cells else { panic!("they are bytes") };
        assert_eq!(array.data_type(), &DataType::LargeBinary);
        assert!(Cells::of(&DataType::Boolean, &[]).is_some(), "a file without rows");
        assert!(Cells::of(&DataType::Date32, &[]).is_none());
        let nothing = Cells::of(&DataType::Null, &[Arc::new(NullArray::new(2))]).expect("a column");
        assert_eq!((nothing.get(0), nothing.get(1)), (None, None));
    }

    #[test]
    fn timestamps_as_numbers_and_text() {
        for cell in [Cell::Unsigned(1_438_269_988), Cell::Text("1438269988"), Cell::Text("2015-07-30 15:26:28 UTC")] {
            assert_eq!(cell.time(), Some(1_438_269_988_000_000), "{cell:?}");
        }
    }

    #[test]
    fn lists_in_one_text() {
        assert_eq!(Cell::Text("3_0").path(), Some(vec![3, 0]));
        assert_eq!(Cell::Text("3,0").path(), Some(vec![3, 0]));
        assert_eq!(Cell::Text("[3]").path(), None);
        let two = format!("{},{}", B256::with_last_byte(1), B256::with_last_byte(2));
        assert_eq!(Cell::Text(&two).hashes(), Some(vec![B256::with_last_byte(1), B256::with_last_byte(2)]));
        assert_eq!(Cell::Text("0x01").hashes(), None);
        let one =
            r#"{"index":7,"validator_index":3,"address":"0x0000000000000000000000000000000000000004","amount":5}"#;
        let expected = Withdrawal { index: 7, validator_index: 3, address: Address::with_last_byte(4), amount: 5 };
        assert_eq!(Cell::Text(&format!("{one},{one}")).withdrawals(), Some(vec![expected, expected]));
        assert_eq!(Cell::Text("{'index': 7}").withdrawals(), None);
    }

    #[test]
    fn binary_and_hexadecimal_bytes() {
        assert_eq!(Cell::Text("0x0102").fixed::<2>(), Some([1, 2]));
        assert_eq!(Cell::Bytes(&[1, 2]).fixed::<2>(), Some([1, 2]));
        assert_eq!(Cell::Text("0x01").fixed::<2>(), None);
        assert_eq!(Cell::Text("0102").bytes(), None, "no prefix");
    }
}
