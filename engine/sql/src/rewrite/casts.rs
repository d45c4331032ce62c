//! Types of other dialects in casts, typed strings and `VALUES`: `uint256`, `varbinary`, `FLOAT64`, `NUMERIC` …

use datafusion::sql::sqlparser::ast::{
    CastKind, CharacterLength, DataType, ExactNumberInfo, Expr, SetExpr, TimezoneInfo, Value,
};

use super::ast::{call, call_with, number, text};
use quarry_functions::times::time_of_text::completed;
use quarry_functions::{CAST_AS, ROUND_TIME};
use quarry_types::byte_columns::parse_hex;

/// A cast as the planner reads it.
pub(super) fn rewrite(cast: &mut Expr) {
    let Expr::Cast { kind, expr, data_type, .. } = cast else { return };
    let lenient = matches!(kind, CastKind::TryCast | CastKind::SafeCast);
    // Snowflake's values of any type are JSON here.
    if is_custom(data_type, "variant") || is_custom(data_type, "object") {
        *cast = call_with("to_json", [expr]);
        return;
    }
    if is_json_or_nested(data_type) {
        // PostgreSQL and DuckDB, which write casts with `::`, read a text that is cast to JSON.
        let is_parsed = *kind == CastKind::DoubleColon && matches!(data_type, DataType::JSON | DataType::JSONB);
        let inner = match is_parsed {
            true => call_with("json_parse", [expr]),
            false => call_with(CAST_AS, [expr, &text(&data_type.to_string().replace("JSONB", "JSON"))]),
        };
        *cast = if lenient { call("try", vec![inner]) } else { inner };
        return;
    }
    let function = match wide_integer(data_type) {
        Some(function) if lenient => Some(format!("try_{function}")),
        Some(function) => Some(function.to_string()),
        // Without a precision, a number keeps its own.
        None if is_decimal_without_precision(data_type) && !lenient => Some("numeric".to_string()),
        None => None,
    };
    if let Some(function) = function {
        *cast = call_with(&function, [expr]);
        return;
    }
    let shortened = shortened(data_type);
    *data_type = plannable(data_type);
    if let (DataType::Timestamp(..) | DataType::Date, Expr::Value(value)) = (&*data_type, expr.as_mut()) {
        complete_time(&mut value.value);
    }
    if let Some((function, length)) = shortened {
        *cast = call(function, vec![cast.clone(), number(length)]);
    }
}

/// The same for a text after its type: `uint256 '5'`, `timestamp '2026-03-01'`.
pub(super) fn rewrite_typed_string(expr: &mut Expr) {
    let Expr::TypedString(typed) = expr else { return };
    let function = match &typed.data_type {
        DataType::JSON | DataType::JSONB => Some("json_parse"),
        other => wide_integer(other),
    };
    if let Some(function) = function {
        *expr = call(function, vec![Expr::Value(typed.value.clone())]);
        return;
    }
    let shortened = shortened(&typed.data_type);
    typed.data_type = plannable(&typed.data_type);
    complete_time(&mut typed.value.value);
    if let Some((function, length)) = shortened {
        *expr = call(function, vec![expr.clone(), number(length)]);
    }
}

/// `2024-1-1 5:00` with all the digits that the planner expects in a time.
fn complete_time(value: &mut Value) {
    if let Value::SingleQuotedString(text) = value
        && let Some(completed) = completed(text)
    {
        *text = completed;
    }
}

/// Gives each column of `VALUES` one meaning. Casts to decimals are hidden from the rule that undoes the planner's own casts of
/// doubles there.
pub(super) fn unify_values(body: &mut SetExpr) {
    match body {
        SetExpr::Values(values) => {
            let width = values.rows.first().map_or(0, |row| row.content.len());
            for column in 0..width {
                let cells = values.rows.iter_mut().filter_map(|row| row.content.get_mut(column));
                unify_column(&mut cells.collect::<Vec<&mut Expr>>());
            }
            for cell in values.rows.iter_mut().flat_map(|row| &mut row.content) {
                if let Expr::Cast {
                    data_type: DataType::Decimal(_) | DataType::Numeric(_) | DataType::Dec(_), ..
                } = cell
                {
                    *cell = call_with("numeric", [cell]);
                }
            }
        }
        SetExpr::SetOperation { left, right, .. } => {
            unify_values(left);
            unify_values(right);
        }
        _ => {}
    }
}

/// Beside hex without quotes, `'0xab'` is bytes too. Beside a 256-bit number, nulls and plain numbers are 256-bit numbers too.
fn unify_column(cells: &mut [&mut Expr]) {
    let is_hex = |cell: &Expr| matches!(cell, Expr::Value(value) if matches!(value.value, Value::HexStringLiteral(_)));
    if cells.iter().any(|cell| is_hex(cell)) {
        for cell in cells.iter_mut() {
            if let Expr::Value(literal) = &mut **cell
                && let Value::SingleQuotedString(text) = &literal.value
                && parse_hex(text).is_some()
                && let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
            {
                literal.value = Value::HexStringLiteral(digits.to_string());
            }
        }
    }
    let wide = |cell: &Expr| match cell {
        Expr::Cast { data_type, .. } => wide_integer(data_type),
        Expr::TypedString(typed) => wide_integer(&typed.data_type),
        _ => None,
    };
    let Some(function) = cells.iter().find_map(|cell| wide(cell)) else { return };
    for cell in cells.iter_mut() {
        if matches!(cell, Expr::Value(value) if matches!(value.value, Value::Null | Value::Number(..))) {
            **cell = call_with(function, [cell]);
        }
    }
}

fn is_custom(data_type: &DataType, known: &str) -> bool {
    matches!(data_type, DataType::Custom(name, _) if name.to_string().eq_ignore_ascii_case(known))
}

/// The function for a 256-bit type.
fn wide_integer(data_type: &DataType) -> Option<&'static str> {
    match data_type {
        DataType::UInt256 => Some("uint256"),
        DataType::Int256 => Some("int256"),
        other => ["uint256", "int256"].into_iter().find(|known| is_custom(other, known)),
    }
}

fn is_decimal_without_precision(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Numeric(ExactNumberInfo::None)
            | DataType::Decimal(ExactNumberInfo::None)
            | DataType::Dec(ExactNumberInfo::None)
            | DataType::BigNumeric(ExactNumberInfo::None)
            | DataType::BigDecimal(ExactNumberInfo::None)
    )
}

fn is_json_or_nested(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::JSON | DataType::JSONB | DataType::Array(_) | DataType::Map(..) | DataType::Struct(..)
    )
}

/// The function that shortens a value to the length of its type, and that length. The planner ignores lengths of text, and cuts
/// times towards 1970.
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

/// The type as the planner knows it. A `TypePlanner` could not do this: it would have to repeat the planner's checks of decimals,
/// and does not know the session's time zone.
fn plannable(data_type: &DataType) -> DataType {
    match data_type {
        // As in PostgreSQL and Snowflake: 64 bits, unless fewer are given.
        DataType::Float(ExactNumberInfo::Precision(bits)) if *bits <= 24 => DataType::Real,
        DataType::Float(_) | DataType::Float64 => DataType::Double(ExactNumberInfo::None),
        DataType::Float32 => DataType::Real,
        DataType::Int64 => DataType::BigInt(None),
        DataType::Int32 => DataType::Int(None),
        DataType::Int16 => DataType::SmallInt(None),
        DataType::Bytes(_) | DataType::Varbinary(_) | DataType::Binary(_) | DataType::Blob(_) => DataType::Bytea,
        other if is_decimal_without_precision(other) => DataType::Decimal(ExactNumberInfo::PrecisionAndScale(76, 18)),
        DataType::Custom(_, digits) if is_custom(data_type, "number") => {
            let digits: Vec<Option<u64>> = digits.iter().map(|digits| digits.parse().ok()).collect();
            DataType::Decimal(match digits.as_slice() {
                [Some(precision)] => ExactNumberInfo::PrecisionAndScale(*precision, 0),
                [Some(precision), Some(scale)] => {
                    ExactNumberInfo::PrecisionAndScale(*precision, i64::try_from(*scale).unwrap_or(i64::MAX))
                }
                _ => ExactNumberInfo::PrecisionAndScale(38, 0),
            })
        }
        DataType::Dec(digits) | DataType::BigNumeric(digits) | DataType::BigDecimal(digits) => {
            DataType::Decimal(*digits)
        }
        // Microseconds, as in the chain's tables: nanoseconds end in the year 2262.
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
