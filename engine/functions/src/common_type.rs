//! The common type of values one of which is chosen (`CASE`, `coalesce`, `UNION` …), so that none of them loses its meaning.

use arrow::datatypes::TimeUnit;
use quarry_types::byte_columns::{is_hex, literal_bytes};

use crate::prelude::*;
use crate::uint256;

/// The common type of values, where DataFusion's rules have none or would lose digits.
#[derive(Debug, Clone, PartialEq)]
pub enum CommonType {
    /// 256-bit numbers among whole numbers.
    Number,
    /// Such numbers among numbers with a fraction.
    Like(DataType),
    /// Bytes of one type.
    Bytes(DataType),
    /// Bytes or such numbers among texts.
    Text,
}

/// The common type of values, each with its type and, for a constant, its value; `None` leaves it to DataFusion's rules.
pub fn common_type<'a>(
    fields: impl IntoIterator<Item = (&'a DataType, Option<&'a ScalarValue>)> + Clone,
) -> Option<CommonType> {
    let mut types = fields.clone().into_iter().filter(|(data_type, _)| !data_type.is_null());
    let any = |test: fn(&DataType) -> bool| fields.clone().into_iter().any(|(data_type, _)| test(data_type));
    let has_fraction = |data_type: &DataType| {
        data_type.is_floating()
            || matches!(data_type, DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) if *scale > 0)
    };
    let has_text = fields.clone().into_iter().any(|(data_type, value)| {
        is_text(data_type) && !value.and_then(ScalarValue::try_as_str).flatten().is_some_and(is_hex)
    });
    if any(is_number) {
        if any(is_text) || any(|other| is_bytes(other) && !is_number(other)) {
            return Some(CommonType::Text);
        }
        let fractions = || fields.clone().into_iter().filter(|(data_type, _)| has_fraction(data_type));
        let floating = fractions().find(|(data_type, _)| data_type.is_floating());
        return Some(match (floating, fractions().next()) {
            (Some(_), _) => CommonType::Like(DataType::Float64),
            // All digits behind the point stay; a number with too many before it is an error.
            (None, Some(_)) => {
                let scales = fractions().map(|(data_type, _)| uint256::scale(data_type));
                CommonType::Like(DataType::Decimal256(76, scales.max().unwrap_or_default()))
            }
            (None, None) => CommonType::Number,
        });
    }
    if !any(is_bytes) {
        let known: Vec<&DataType> = types.map(|(data_type, _)| data_type).collect();
        return common_double(&known).or_else(|| common_time(&known)).map(CommonType::Like);
    }
    if has_text {
        return Some(CommonType::Text);
    }
    let mut others = fields.clone().into_iter().map(|(data_type, _)| data_type).filter(|other| !other.is_null());
    if let Some(first) = others.next()
        && others.all(|other| other == first)
    {
        return Some(CommonType::Bytes(first.clone()));
    }
    let mut width = None;
    let same = types.all(|(data_type, value)| {
        let length = match (data_type, value) {
            (DataType::FixedSizeBinary(width), _) => Some(*width),
            (_, Some(value)) => literal_bytes(value).map(|bytes| bytes.len() as i32),
            _ => None,
        };
        length.is_some() && *width.get_or_insert(length) == length
    });
    let fixed = any(|data_type| matches!(data_type, DataType::FixedSizeBinary(_)));
    Some(CommonType::Bytes(match width.flatten() {
        Some(width) if same && fixed => DataType::FixedSizeBinary(width),
        _ => DataType::Binary,
    }))
}

/// The type of doubles among decimals, also in lists; `None` for anything else. DataFusion's rule rounds doubles to the digits of a
/// decimal, and refuses large ones.
pub fn common_double(types: &[&DataType]) -> Option<DataType> {
    let any = |test: fn(&DataType) -> bool| types.iter().any(|data_type| test(data_type));
    let items: Option<Vec<&DataType>> = types.iter().map(|data_type| item_type(data_type)).collect();
    match items {
        Some(items) if !items.is_empty() => common_double(&items).map(|item| DataType::new_list(item, true)),
        _ => {
            let numbers = types.iter().all(|data_type| data_type.is_numeric() || data_type.is_null());
            (numbers && any(DataType::is_floating) && any(DataType::is_decimal)).then_some(DataType::Float64)
        }
    }
}

/// The type of times among days, also in lists; `None` for anything else. DataFusion's rule takes nanoseconds, which end in 2262.
pub fn common_time(types: &[&DataType]) -> Option<DataType> {
    if let Some(items) = types.iter().map(|data_type| item_type(data_type)).collect::<Option<Vec<_>>>() {
        return if items.is_empty() { None } else { common_time(&items).map(|item| DataType::new_list(item, true)) };
    }
    let is_day = |data_type: &DataType| matches!(data_type, DataType::Date32 | DataType::Date64);
    let is_time =
        |data_type: &DataType| matches!(data_type, DataType::Timestamp(unit, _) if *unit != TimeUnit::Nanosecond);
    let zone = types.iter().find_map(|data_type| match data_type {
        DataType::Timestamp(_, zone) => zone.clone(),
        _ => None,
    });
    let fine = |data_type: &DataType| is_day(data_type) || is_time(data_type) || data_type.is_null();
    let mixed = types.iter().any(|one| is_day(one)) && types.iter().any(|one| is_time(one));
    (mixed && types.iter().all(|one| fine(one))).then_some(DataType::Timestamp(TimeUnit::Microsecond, zone))
}

/// The type of a list's items.
pub(crate) fn item_type(list: &DataType) -> Option<&DataType> {
    match list {
        DataType::List(item) => Some(item.data_type()),
        _ => None,
    }
}
