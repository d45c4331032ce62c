//! Values one of which is chosen (`CASE`, `coalesce`, `UNION` …): how they get one type without losing what they mean.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Expr, cast};

use super::binary::number_literal;
use super::times::{item, moments};
use super::{hex, literal};
use crate::functions::bytes::{is_bytes, is_text};
use crate::functions::uint256::{NUMBER, is_number, number_to};
use crate::functions::{as_hex, int256, invalid};

/// What a choice between values of these types is, where the stock rules don't know or would garble it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Chosen {
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
pub(crate) fn chosen<'a>(
    fields: impl IntoIterator<Item = (&'a DataType, Option<&'a ScalarValue>)> + Clone,
) -> Option<Chosen> {
    let mut types = fields.clone().into_iter().filter(|(data_type, _)| !data_type.is_null());
    let any = |test: fn(&DataType) -> bool| fields.clone().into_iter().any(|(data_type, _)| test(data_type));
    let fraction = |data_type: &DataType| {
        data_type.is_floating()
            || matches!(data_type, DataType::Decimal128(_, s) | DataType::Decimal256(_, s) if *s > 0)
    };
    let text = fields.clone().into_iter().any(|(data_type, value)| {
        is_text(data_type) && !value.and_then(ScalarValue::try_as_str).flatten().is_some_and(hex::is_hex)
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
            (_, Some(value)) => literal::bytes(value).map(|bytes| bytes.len() as i32),
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
pub(super) fn doubles(types: &[&DataType]) -> Option<DataType> {
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

/// The values as one type.
pub(super) fn unify(values: Vec<(Expr, FieldRef)>) -> Result<Vec<Expr>> {
    let literal = |expr: &Expr| match expr {
        Expr::Literal(value, _) => Some(value.clone()),
        _ => None,
    };
    let known: Vec<_> = values.iter().map(|(expr, field)| (field.data_type().clone(), literal(expr))).collect();
    let same = known.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let kind = chosen(known.iter().map(|(data_type, value)| (data_type, value.as_ref())));
    let Some(kind) = kind.filter(|_| !same) else { return Ok(values.into_iter().map(|(expr, _)| expr).collect()) };
    values.into_iter().map(|(expr, field)| convert(expr, field.data_type(), &kind)).collect()
}

/// One value as what was chosen.
fn convert(expr: Expr, from: &DataType, to: &Chosen) -> Result<Expr> {
    if from.is_null() {
        let to = match to {
            Chosen::Number => &NUMBER,
            Chosen::Bytes(data_type) | Chosen::Like(data_type) => data_type,
            Chosen::Text => &DataType::Utf8,
        };
        return Ok(Expr::Literal(ScalarValue::try_from(to)?, None));
    }
    match to {
        Chosen::Number if is_number(from) => Ok(expr),
        Chosen::Number => match literal::whole_number(&expr) {
            Some(value) => Ok(number_literal(value.into())),
            None => Ok(int256().call(vec![expr])),
        },
        Chosen::Like(data_type) if is_number(from) => Ok(number_to(expr, data_type)),
        Chosen::Like(data_type @ DataType::Decimal256(..)) if from != data_type => Ok(cast(expr, data_type.clone())),
        Chosen::Like(data_type) if from.is_decimal() && data_type.is_floating() => Ok(cast(expr, data_type.clone())),
        Chosen::Like(moment @ DataType::Timestamp(..)) if from != moment => Ok(cast(expr, moment.clone())),
        Chosen::Like(list @ DataType::List(_)) if from != list => Ok(cast(expr, list.clone())),
        Chosen::Like(_) => Ok(expr),
        Chosen::Text if is_number(from) => Ok(number_to(expr, &DataType::Utf8)),
        Chosen::Text if is_bytes(from) => Ok(as_hex().call(vec![expr])),
        Chosen::Text => Ok(expr),
        Chosen::Bytes(data_type) if from == data_type => Ok(expr),
        Chosen::Bytes(data_type) => match &expr {
            Expr::Literal(value, _) if literal::bytes(value).is_some() => {
                hex::bytes_literal(data_type, literal::bytes(value).unwrap_or_default())
            }
            _ if is_bytes(from) => Ok(cast(expr, data_type.clone())),
            _ => Err(invalid("Bytes and other values can't be one column; cast one of them.")),
        },
    }
}
