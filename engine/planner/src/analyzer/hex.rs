//! Bytes beside hex: the literal becomes bytes of the column's type, never the column text, so that statistics and
//! Bloom filters of the files still prune.

use arrow::datatypes::{DataType, Field};
use datafusion::common::DFSchema;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::string;
use datafusion::logical_expr::expr::{Cast, ScalarFunction};
use datafusion::logical_expr::{Expr, ExprSchemable, lit};

use super::literal;
use quarry_functions::{bytearray_substring, hex_to, lower_hex};
use quarry_types::byte_columns::{has_hex_prefix, is_hex, is_shown, is_text, parse_hex, shows_hex};
use quarry_types::{Error, ErrorCode};

/// `lower(x)` and `upper(x)` of bytes or of hex digits compare like `x` itself.
pub(super) fn strip_case(expr: Expr, schema: &DFSchema) -> Expr {
    match expr {
        Expr::ScalarFunction(ScalarFunction { ref func, ref args })
            if ["lower", "upper"].contains(&func.name()) && args.len() == 1 && is_bytes_or_hex(&args[0], schema) =>
        {
            args[0].clone()
        }
        other => other,
    }
}

/// `substr(bytes, …)` beside a literal of bytes counts bytes, as in Trino; beside a text it counts hex digits, as in BigQuery's
/// tables. A length that is that of the hex text of the literal counts hex digits too.
pub(super) fn bytes_substring(expr: Expr, others: &[Expr], schema: &DFSchema) -> Expr {
    let Expr::ScalarFunction(ScalarFunction { func, args }) = &expr else { return expr };
    let length = args.get(2).and_then(literal::whole_number).and_then(|length| length.to_i128());
    let is_bytes = |other: &Expr| match other {
        Expr::Literal(ScalarValue::Binary(Some(bytes)), _) => {
            length.is_none_or(|length| length != 2 + 2 * bytes.len() as i128)
        }
        _ => false,
    };
    match args.first() {
        Some(text) if func.name() == "substr" && !others.is_empty() && others.iter().all(is_bytes) => {
            let bytes = before_hex(text);
            match bytes.to_field(schema) {
                Ok((_, field)) if shows_hex(&field) => {
                    let rest = args[1..].iter().cloned();
                    bytearray_substring().call(std::iter::once(bytes.clone()).chain(rest).collect())
                }
                _ => expr,
            }
        }
        _ => expr,
    }
}

/// The bytes that `as_hex`, perhaps with a cast to another text type, turned into text for a function that takes text.
fn before_hex(expr: &Expr) -> &Expr {
    let digits = match expr {
        Expr::Cast(Cast { expr: inner, .. }) => inner,
        other => other,
    };
    match digits {
        Expr::ScalarFunction(ScalarFunction { func, args }) if func.name() == "as_hex" && args.len() == 1 => &args[0],
        _ => expr,
    }
}

fn is_bytes_or_hex(expr: &Expr, schema: &DFSchema) -> bool {
    let bytes = expr.to_field(schema).is_ok_and(|(_, field)| shows_hex(&field));
    bytes || literal::text(expr).is_some_and(has_hex_prefix)
}

/// The other side of a comparison with a column of bytes, as bytes of the same type. Errors name what does not fit.
pub(super) fn coerce_to_bytes(column: &Field, other: Expr, schema: &DFSchema) -> Result<Expr> {
    if let Some(text) = literal::text(&other) {
        let bytes = parse_hex(text).filter(|_| has_hex_prefix(text));
        let bytes = bytes.ok_or_else(|| {
            refuse(format!("'{text}' is compared with bytes, so it must be 0x followed by pairs of hex digits."))
        })?;
        return bytes_literal(column.data_type(), bytes);
    }
    if let Expr::Literal(ScalarValue::Binary(Some(bytes)) | ScalarValue::BinaryView(Some(bytes)), _) = &other {
        return bytes_literal(column.data_type(), bytes.clone());
    }
    let (_, field) = other.to_field(schema)?;
    // The stock rule would take the letters of a text for the bytes.
    Ok(match is_text(field.data_type()) {
        true => hex_to(column.data_type()).call(vec![other]),
        false => other,
    })
}

/// The largest and the smallest of bytes and texts are chosen among texts, whose hex has one letter case.
pub(super) fn one_case(name: &str, args: Vec<Expr>, schema: &DFSchema) -> Vec<Expr> {
    let types: Vec<Option<DataType>> = args.iter().map(|arg| arg.get_type(schema).ok()).collect();
    let any = |test: fn(&DataType) -> bool| types.iter().flatten().any(test);
    if !["greatest", "least"].contains(&name) || !any(is_shown) || !any(is_text) {
        return args;
    }
    let lowered = args.into_iter().zip(&types).map(|(arg, data_type)| match data_type {
        // A constant may become bytes.
        Some(data_type) if is_text(data_type) && literal::text(&arg).is_none_or(|text| !is_hex(text)) => {
            lower_hex().call(vec![arg])
        }
        _ => arg,
    });
    lowered.collect()
}

/// A text column against bytes that were written without quotes: text holds them as lower-case hex.
pub(super) fn bytes_as_text(other: &Expr) -> Option<Expr> {
    match other {
        Expr::Literal(ScalarValue::Binary(Some(bytes)), _) => Some(lit(format!("0x{}", ::hex::encode(bytes)))),
        Expr::Literal(ScalarValue::Binary(None), _) => Some(lit(ScalarValue::Utf8(None))),
        _ => None,
    }
}

/// A text beside bytes that were written without quotes: addresses are written with a checksum too.
pub(super) fn lower(expr: Expr) -> Expr {
    let done = matches!(&expr, Expr::ScalarFunction(call) if call.func.name() == "lower");
    match literal::text(&expr) {
        _ if done => expr,
        Some(text) => lit(text.to_lowercase()),
        None => string::lower().call(vec![expr]),
    }
}

/// Bytes as a literal of a type; an error when the type has another width.
pub(super) fn bytes_literal(data_type: &DataType, bytes: Vec<u8>) -> Result<Expr> {
    let value = match data_type {
        DataType::FixedSizeBinary(width) => {
            if bytes.len() != *width as usize {
                let what = match width {
                    20 => "an address has 40".to_string(),
                    32 => "a hash has 64".to_string(),
                    other => format!("this column has {}", other * 2),
                };
                return Err(refuse(format!("0x{} has {} hex digits; {what}.", short_hex(&bytes), bytes.len() * 2)));
            }
            ScalarValue::FixedSizeBinary(*width, Some(bytes))
        }
        DataType::BinaryView => ScalarValue::BinaryView(Some(bytes)),
        DataType::LargeBinary => ScalarValue::LargeBinary(Some(bytes)),
        _ => ScalarValue::Binary(Some(bytes)),
    };
    Ok(Expr::Literal(value, None))
}

/// Hex of bytes, truncated to fit an error message.
fn short_hex(bytes: &[u8]) -> String {
    let digits = ::hex::encode(bytes);
    if digits.len() <= 80 { digits } else { format!("{}…", &digits[..80]) }
}

fn refuse(message: String) -> datafusion::common::DataFusionError {
    datafusion::common::DataFusionError::External(Box::new(Error::new(ErrorCode::InvalidQuery, message)))
}
