//! Coerces the values of which CASE, `coalesce`, UNION and the like return one to a common type.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Expr, cast};

use super::binary::number_literal;
use quarry_functions::common_type::{CommonType, common_type};

use super::{hex, json, literal};
use quarry_functions::uint256::number_to;
use quarry_functions::{as_hex, int256};
use quarry_types::byte_columns::{is_bytes, literal_bytes};
use quarry_types::invalid;
use quarry_types::uint256::{NUMBER, is_number};

/// The values as one type; JSON among values that are none is text.
pub(super) fn unify(values: Vec<(Expr, FieldRef)>) -> Result<Vec<Expr>> {
    unify_items(json::plain_among_others(values))
}

/// The items of a list as one type. JSON stays as it is among them: the list may become JSON.
pub(super) fn unify_items(values: Vec<(Expr, FieldRef)>) -> Result<Vec<Expr>> {
    let literal = |expr: &Expr| match expr {
        Expr::Literal(value, _) => Some(value.clone()),
        _ => None,
    };
    let known: Vec<_> = values.iter().map(|(expr, field)| (field.data_type().clone(), literal(expr))).collect();
    let same = known.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let kind = common_type(known.iter().map(|(data_type, value)| (data_type, value.as_ref())));
    let Some(kind) = kind.filter(|_| !same) else { return Ok(values.into_iter().map(|(expr, _)| expr).collect()) };
    values.into_iter().map(|(expr, field)| convert(expr, field.data_type(), &kind)).collect()
}

/// One value as the common type.
fn convert(expr: Expr, from: &DataType, to: &CommonType) -> Result<Expr> {
    if from.is_null() {
        let to = match to {
            CommonType::Number => &NUMBER,
            CommonType::Bytes(data_type) | CommonType::Like(data_type) => data_type,
            CommonType::Text => &DataType::Utf8,
        };
        return Ok(Expr::Literal(ScalarValue::try_from(to)?, None));
    }
    match to {
        CommonType::Number if is_number(from) => Ok(expr),
        CommonType::Number => match literal::whole_number(&expr) {
            Some(value) => Ok(number_literal(value.into())),
            None => Ok(int256().call(vec![expr])),
        },
        CommonType::Like(data_type) if is_number(from) => Ok(number_to(expr, data_type)),
        CommonType::Like(data_type @ DataType::Decimal256(..)) if from != data_type => {
            Ok(cast(expr, data_type.clone()))
        }
        CommonType::Like(data_type) if from.is_decimal() && data_type.is_floating() => {
            Ok(cast(expr, data_type.clone()))
        }
        CommonType::Like(moment @ DataType::Timestamp(..)) if from != moment => Ok(cast(expr, moment.clone())),
        CommonType::Like(list @ DataType::List(_)) if from != list => Ok(cast(expr, list.clone())),
        CommonType::Like(_) => Ok(expr),
        CommonType::Text if is_number(from) => Ok(number_to(expr, &DataType::Utf8)),
        CommonType::Text if is_bytes(from) => Ok(as_hex().call(vec![expr])),
        CommonType::Text => Ok(expr),
        CommonType::Bytes(data_type) if from == data_type => Ok(expr),
        CommonType::Bytes(data_type) => match &expr {
            Expr::Literal(value, _) if literal_bytes(value).is_some() => {
                hex::bytes_literal(data_type, literal_bytes(value).unwrap_or_default())
            }
            _ if is_bytes(from) => Ok(cast(expr, data_type.clone())),
            _ => Err(invalid("Bytes and other types can't be combined in one column; cast one of them.")),
        },
    }
}
