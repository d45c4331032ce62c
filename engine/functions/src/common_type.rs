//! The type of values one of which is chosen (`CASE`, `coalesce`, `UNION` …), so that none of them loses what it means.

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::ScalarValue;
use quarry_types::uint256::is_number;

use quarry_types::byte_columns::{is_bytes, is_hex, is_text, literal_bytes};

/// What a choice between values of these types is, where the stock rules don't know or would garble it.
#[derive(Debug, Clone, PartialEq)]
pub enum Chosen {
    /// 256-bit numbers among whole numbers.
    Number,
    /// Such numbers among numbers with a fraction.
    Like(DataType),
    /// Bytes of one type.
    Bytes(DataType),
    /// Bytes or such numbers among texts.
    Text,
}

/// What the values have in common; `None` leaves it to the stock rules. `literal` tells the text or bytes a value spells
/// out.
pub fn chosen<'a>(fields: impl IntoIterator<Item = (&'a DataType, Option<&'a ScalarValue>)> + Clone) -> Option<Chosen> {
    let mut types = fields.clone().into_iter().filter(|(data_type, _)| !data_type.is_null());
    let any = |test: fn(&DataType) -> bool| fields.clone().into_iter().any(|(data_type, _)| test(data_type));
    let fraction = |data_type: &DataType| {
        data_type.is_floating()
            || matches!(data_type, DataType::Decimal128(_, s) | DataType::Decimal256(_, s) if *s > 0)
    };
    let text = fields.clone().into_iter().any(|(data_type, value)| {
        is_text(data_type) && !value.and_then(ScalarValue::try_as_str).flatten().is_some_and(is_hex)
    });
    if any(is_number) {
        if any(is_text) || any(|other| is_bytes(other) && !is_number(other)) {
            return Some(Chosen::Text);
        }
        let fractions = || fields.clone().into_iter().filter(|(data_type, _)| fraction(data_type));
        let floating = fractions().find(|(data_type, _)| data_type.is_floating());
        return Some(match (floating, fractions().next()) {
            (Some(_), _) => Chosen::Like(DataType::Float64),
            // All digits behind the point stay; what needs more before it than are left is an error.
            (None, Some(_)) => {
                let places = fractions().map(|(data_type, _)| match data_type {
                    DataType::Decimal128(_, places) | DataType::Decimal256(_, places) => *places,
                    _ => 0,
                });
                Chosen::Like(DataType::Decimal256(76, places.max().unwrap_or_default()))
            }
            (None, None) => Chosen::Number,
        });
    }
    if !any(is_bytes) {
        let known: Vec<&DataType> = types.map(|(data_type, _)| data_type).collect();
        return doubles(&known).or_else(|| moments(&known)).map(Chosen::Like);
    }
    if text {
        return Some(Chosen::Text);
    }
    let mut others = fields.clone().into_iter().map(|(data_type, _)| data_type).filter(|other| !other.is_null());
    if let Some(first) = others.next()
        && others.all(|other| other == first)
    {
        return Some(Chosen::Bytes(first.clone()));
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
    Some(Chosen::Bytes(match width.flatten() {
        Some(width) if same && fixed => DataType::FixedSizeBinary(width),
        _ => DataType::Binary,
    }))
}

/// The type of doubles among decimals, also in lists; `None` for anything else. The stock rule rounds doubles to the digits of
/// a decimal, and refuses large ones.
pub fn doubles(types: &[&DataType]) -> Option<DataType> {
    let any = |test: fn(&DataType) -> bool| types.iter().any(|data_type| test(data_type));
    let items: Option<Vec<&DataType>> = types.iter().map(|data_type| item(data_type)).collect();
    match items {
        Some(items) if !items.is_empty() => doubles(&items).map(|item| DataType::new_list(item, true)),
        _ => {
            let numbers = types.iter().all(|data_type| data_type.is_numeric() || data_type.is_null());
            (numbers && any(DataType::is_floating) && any(DataType::is_decimal)).then_some(DataType::Float64)
        }
    }
}

/// The type of times among days, also in lists; `None` for anything else. The stock rule takes nanoseconds, which end in 2262.
pub fn moments(types: &[&DataType]) -> Option<DataType> {
    if let Some(items) = types.iter().map(|data_type| item(data_type)).collect::<Option<Vec<_>>>() {
        return if items.is_empty() { None } else { moments(&items).map(|item| DataType::new_list(item, true)) };
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
fn item(list: &DataType) -> Option<&DataType> {
    match list {
        DataType::List(item) => Some(item.data_type()),
        _ => None,
    }
}
