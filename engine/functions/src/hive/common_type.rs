//! The common type of values in an array, a map, `greatest`.

use arrow::datatypes::TimeUnit;

use crate::prelude::*;

/// The type to which all the types convert without loss: numbers widen, days become times, other types that differ become texts.
/// Null converts to everything; `None` of nothing but nulls.
pub(super) fn common_type<'a>(types: impl IntoIterator<Item = &'a DataType>) -> Option<DataType> {
    let mut types = types.into_iter().filter(|data_type| !data_type.is_null());
    let first = match types.next()? {
        DataType::Utf8View | DataType::LargeUtf8 => DataType::Utf8,
        first => first.clone(),
    };
    Some(types.fold(first, |common, data_type| both(&common, data_type)))
}

fn both(a: &DataType, b: &DataType) -> DataType {
    if a == b {
        return a.clone();
    }
    match (a, b) {
        (DataType::List(left), DataType::List(right)) => {
            DataType::new_list(common_type([left.data_type(), right.data_type()]).unwrap_or(DataType::Null), true)
        }
        (DataType::Struct(left), DataType::Struct(right)) if left.len() == right.len() => {
            let fields = left.iter().zip(right).map(|(left, right)| {
                let data_type = common_type([left.data_type(), right.data_type()]).unwrap_or(DataType::Null);
                Arc::new(left.as_ref().clone().with_data_type(data_type).with_nullable(true))
            });
            DataType::Struct(fields.collect())
        }
        (DataType::Date32, DataType::Timestamp(..)) | (DataType::Timestamp(..), DataType::Date32) => {
            DataType::Timestamp(TimeUnit::Nanosecond, None)
        }
        (a, b) if a.is_numeric() && b.is_numeric() => numbers(a, b),
        _ => DataType::Utf8,
    }
}

fn numbers(a: &DataType, b: &DataType) -> DataType {
    if a.is_floating() || b.is_floating() {
        let double = [a, b].contains(&&DataType::Float64);
        return if double { DataType::Float64 } else { DataType::Float32 };
    }
    if a.is_integer() && b.is_integer() {
        return if digits(a).0 >= digits(b).0 { a.clone() } else { b.clone() };
    }
    let ((before_a, after_a), (before_b, after_b)) = (digits(a), digits(b));
    let (before, after) = (before_a.max(before_b), after_a.max(after_b));
    let after = after.min(38 - before.min(38));
    DataType::Decimal128((before.min(38) + after).max(1) as u8, after as i8)
}

/// Digits before and behind the point.
fn digits(data_type: &DataType) -> (i16, i16) {
    match data_type {
        DataType::Int8 => (3, 0),
        DataType::Int16 | DataType::UInt8 => (5, 0),
        DataType::Int32 | DataType::UInt16 => (10, 0),
        DataType::Decimal128(precision, scale) | DataType::Decimal256(precision, scale) => {
            (i16::from(*precision) - i16::from(*scale), i16::from(*scale))
        }
        _ => (19, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DataType::{Date32, Decimal128, Float32, Float64, Int32, Int64, Null, Utf8};

    #[test]
    fn values_have_a_common_type() {
        for (types, expected) in [
            (vec![Int32, Int64, Null], Some(Int64)),
            (vec![Int64, Float32], Some(Float32)),
            (vec![Decimal128(5, 2), Int32], Some(Decimal128(12, 2))),
            (vec![Decimal128(5, 2), Float32], Some(Float32)),
            (vec![Decimal128(5, 2), Float32, Float64], Some(Float64)),
            (vec![Int32, Utf8, Date32], Some(Utf8)),
            (vec![Null, Null], None),
        ] {
            assert_eq!(common_type(&types), expected, "{types:?}");
        }
    }
}
