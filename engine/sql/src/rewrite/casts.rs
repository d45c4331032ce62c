//! Types of other dialects in casts: `uint256`, `varbinary`, `FLOAT64`, `NUMERIC` …

use datafusion::sql::sqlparser::ast::{
    CastKind, CharacterLength, DataType, ExactNumberInfo, Expr, Parens, SetExpr, TimezoneInfo, Value,
};

use super::ast::{call, number, text};
use quarry_functions::{CAST_AS, ROUND_TIME};
use quarry_planner::analyzer::completed;
use quarry_types::byte_columns::parse_hex;

/// `uint256 '5'`, `timestamp '2026-03-01'`: a text with its type before it.
pub(super) fn typed(expr: &mut Expr) {
    let Expr::TypedString(typed) = expr else { return };
    let function = match &typed.data_type {
        DataType::UInt256 => "uint256",
        DataType::Int256 => "int256",
        DataType::JSON | DataType::JSONB => "json_parse",
        other => {
            let shortened = shortened(other);
            typed.data_type = known(other);
            with_all_digits(&mut typed.value.value);
            if let Some((function, length)) = shortened {
                *expr = call(function, vec![expr.clone(), number(&length.to_string())]);
            }
            return;
        }
    };
    *expr = call(function, vec![Expr::Value(typed.value.clone())]);
}

/// `2024-1-1 5:00` with all the digits that the planner asks of a time.
fn with_all_digits(value: &mut Value) {
    if let Value::SingleQuotedString(text) = value
        && let Some(completed) = completed(text)
    {
        *text = completed;
    }
}

/// Hides casts to decimals in `VALUES` from what undoes the planner's own casts of doubles there.
pub(super) fn of_values(body: &mut SetExpr) {
    match body {
        SetExpr::Values(values) => {
            let columns = values.rows.first().map_or(0, |row| row.content.len());
            for column in 0..columns {
                let mut cells: Vec<&mut Expr> =
                    values.rows.iter_mut().filter_map(|row| row.content.get_mut(column)).collect();
                bytes_in_quotes(&mut cells);
                let of = |row: &Parens<Vec<Expr>>| row.content.get(column).and_then(wide);
                let Some(function) = values.rows.iter().find_map(of) else { continue };
                // Next to a 256-bit number what is null or a plain number is one too: a column has one meaning.
                for cell in values.rows.iter_mut().filter_map(|row| row.content.get_mut(column)) {
                    if matches!(cell, Expr::Value(value) if matches!(value.value, Value::Null | Value::Number(..))) {
                        *cell = call(function, vec![cell.clone()]);
                    }
                }
            }
            for cell in values.rows.iter_mut().flat_map(|row| &mut row.content) {
                if let Expr::Cast {
                    data_type: DataType::Decimal(_) | DataType::Numeric(_) | DataType::Dec(_), ..
                } = cell
                {
                    *cell = call("numeric", vec![cell.clone()]);
                }
            }
        }
        SetExpr::SetOperation { left, right, .. } => {
            of_values(left);
            of_values(right);
        }
        _ => {}
    }
}

/// `'0xab'` in a column of `VALUES` that has bytes without quotes: bytes too, since a column has one meaning.
fn bytes_in_quotes(cells: &mut [&mut Expr]) {
    let is_bytes =
        |cell: &Expr| matches!(cell, Expr::Value(value) if matches!(value.value, Value::HexStringLiteral(_)));
    if !cells.iter().any(|cell| is_bytes(cell)) {
        return;
    }
    for cell in cells {
        let Expr::Value(value) = &mut **cell else { continue };
        let Value::SingleQuotedString(text) = &value.value else { continue };
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
            && parse_hex(text).is_some()
        {
            value.value = Value::HexStringLiteral(digits.to_string());
        }
    }
}

/// The function of the 256-bit type that a cell of `VALUES` has by its form.
fn wide(cell: &Expr) -> Option<&'static str> {
    let data_type = match cell {
        Expr::TypedString(typed) => &typed.data_type,
        Expr::Cast { data_type, .. } => data_type,
        _ => return None,
    };
    match data_type {
        DataType::UInt256 => Some("uint256"),
        DataType::Int256 => Some("int256"),
        DataType::Custom(name, _) if name.to_string().eq_ignore_ascii_case("uint256") => Some("uint256"),
        DataType::Custom(name, _) if name.to_string().eq_ignore_ascii_case("int256") => Some("int256"),
        _ => None,
    }
}

/// A cast in terms the planner knows.
pub(super) fn rewrite(cast: &mut Expr) {
    let Expr::Cast { kind, expr, data_type, .. } = cast else { return };
    let lenient = matches!(kind, CastKind::TryCast | CastKind::SafeCast);
    // Snowflake's values of any type are JSON here.
    if let DataType::Custom(name, _) = &*data_type
        && ["variant", "object"].iter().any(|any| name.to_string().eq_ignore_ascii_case(any))
    {
        *cast = call("to_json", vec![expr.as_ref().clone()]);
        return;
    }
    if has_parts(data_type) {
        // PostgreSQL and DuckDB, who write casts so, read a text that they cast to JSON.
        let of_parts = match (&*kind, &*data_type) {
            (CastKind::DoubleColon, DataType::JSON | DataType::JSONB) => {
                call("json_parse", vec![expr.as_ref().clone()])
            }
            _ => call(CAST_AS, vec![expr.as_ref().clone(), text(&data_type.to_string().replace("JSONB", "JSON"))]),
        };
        *cast = if lenient { call("try", vec![of_parts]) } else { of_parts };
        return;
    }
    let function = match data_type {
        DataType::UInt256 => Some(if lenient { "try_uint256" } else { "uint256" }),
        DataType::Int256 => Some(if lenient { "try_int256" } else { "int256" }),
        DataType::Custom(name, _) if name.to_string().eq_ignore_ascii_case("uint256") => {
            Some(if lenient { "try_uint256" } else { "uint256" })
        }
        DataType::Custom(name, _) if name.to_string().eq_ignore_ascii_case("int256") => {
            Some(if lenient { "try_int256" } else { "int256" })
        }
        // Without a number of digits the number keeps those it has.
        DataType::Numeric(ExactNumberInfo::None)
        | DataType::Decimal(ExactNumberInfo::None)
        | DataType::Dec(ExactNumberInfo::None)
        | DataType::BigNumeric(ExactNumberInfo::None)
        | DataType::BigDecimal(ExactNumberInfo::None)
            if !lenient =>
        {
            Some("numeric")
        }
        _ => None,
    };
    if let Some(function) = function {
        *cast = call(function, vec![expr.as_ref().clone()]);
        return;
    }
    let shortened = shortened(data_type);
    *data_type = known(data_type);
    if let (DataType::Timestamp(..) | DataType::Date, Expr::Value(value)) = (&*data_type, expr.as_mut()) {
        with_all_digits(&mut value.value);
    }
    if let Some((function, length)) = shortened {
        *cast = call(function, vec![cast.clone(), number(&length.to_string())]);
    }
}

/// What is done behind a cast to a type with a length, and that length: the planner reads over it, or cuts times towards 1970.
fn shortened(data_type: &DataType) -> Option<(&'static str, u64)> {
    match data_type {
        DataType::Varchar(Some(CharacterLength::IntegerLength { length, .. }))
        | DataType::Nvarchar(Some(CharacterLength::IntegerLength { length, .. }))
        | DataType::CharacterVarying(Some(CharacterLength::IntegerLength { length, .. }))
        | DataType::CharVarying(Some(CharacterLength::IntegerLength { length, .. }))
        | DataType::Character(Some(CharacterLength::IntegerLength { length, .. }))
        | DataType::Char(Some(CharacterLength::IntegerLength { length, .. }))
        | DataType::String(Some(length)) => Some(("left", *length)),
        DataType::Timestamp(Some(digits), _) if *digits < 6 => Some((ROUND_TIME, *digits)),
        _ => None,
    }
}

/// Whether a type is JSON or has others in it.
fn has_parts(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::JSON | DataType::JSONB | DataType::Array(_) | DataType::Map(..) | DataType::Struct(..)
    )
}

fn known(data_type: &DataType) -> DataType {
    match data_type {
        // As in PostgreSQL and Snowflake: 64 bits, unless fewer digits are asked for.
        DataType::Float(ExactNumberInfo::Precision(bits)) if *bits <= 24 => DataType::Real,
        DataType::Float(_) | DataType::Float64 => DataType::Double(ExactNumberInfo::None),
        DataType::Float32 => DataType::Real,
        DataType::Int64 => DataType::BigInt(None),
        DataType::Int32 => DataType::Int(None),
        DataType::Int16 => DataType::SmallInt(None),
        DataType::Bytes(_) | DataType::Varbinary(_) | DataType::Binary(_) | DataType::Blob(_) => DataType::Bytea,
        DataType::Numeric(ExactNumberInfo::None)
        | DataType::Decimal(ExactNumberInfo::None)
        | DataType::Dec(ExactNumberInfo::None)
        | DataType::BigNumeric(ExactNumberInfo::None)
        | DataType::BigDecimal(ExactNumberInfo::None) => DataType::Decimal(ExactNumberInfo::PrecisionAndScale(76, 18)),
        DataType::Custom(name, digits) if name.to_string().eq_ignore_ascii_case("number") => {
            DataType::Decimal(match digits.iter().map(|digits| digits.parse::<u64>()).collect::<Vec<_>>().as_slice() {
                [Ok(digits)] => ExactNumberInfo::PrecisionAndScale(*digits, 0),
                [Ok(digits), Ok(behind)] => {
                    ExactNumberInfo::PrecisionAndScale(*digits, i64::try_from(*behind).unwrap_or(i64::MAX))
                }
                _ => ExactNumberInfo::PrecisionAndScale(38, 0),
            })
        }
        DataType::Dec(digits) | DataType::BigNumeric(digits) | DataType::BigDecimal(digits) => {
            DataType::Decimal(*digits)
        }
        // Microseconds, as the chain's tables have: years 1 to 9999 and more, where nanoseconds end in 2262.
        DataType::TimestampNtz(_)
        | DataType::Datetime(_)
        | DataType::Timestamp(None, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => {
            DataType::Timestamp(Some(6), TimezoneInfo::None)
        }
        DataType::Timestamp(Some(_), zone) => DataType::Timestamp(Some(6), *zone),
        DataType::Character(_)
        | DataType::CharacterVarying(_)
        | DataType::CharVarying(_)
        | DataType::Nvarchar(_)
        | DataType::String(_)
        | DataType::Varchar(_) => DataType::Varchar(None),
        other => other.clone(),
    }
}
