//! Nested types as people write them after `AS`: `ARRAY<JSON>`, `STRUCT<a BIGINT, b VARCHAR>`, `MAP(k, v)`.

use arrow::array::{MapArray, StructArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{Fields, TimeUnit};
use datafusion::sql::sqlparser::ast::{ArrayElemTypeDef, DataType as SqlType, ExactNumberInfo, TimezoneInfo};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use crate::json::json_field;
use crate::maps::{map_field, no_key_twice};
use crate::prelude::*;

/// Precision and scale of a decimal without any.
const DECIMAL: (u8, i8) = (76, 18);

/// The type that a value is cast to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    /// A text that is JSON.
    Json,
    /// A 256-bit number, which may be below zero when it is signed.
    Number {
        signed: bool,
    },
    Arrow(DataType),
    List(Box<Target>),
    Map(Box<Target>, Box<Target>),
    Row(Vec<(String, Target)>),
}

impl Target {
    /// Reads a type as it is written.
    pub fn parse(text: &str) -> Result<Target> {
        let parsed = Parser::new(&GenericDialect {}).try_with_sql(text).and_then(|mut parser| parser.parse_data_type());
        match parsed {
            Ok(written) => Target::from_sql(&written),
            Err(_) => Err(unknown(text)),
        }
    }

    fn from_sql(written: &SqlType) -> Result<Target> {
        let arrow = |data_type| Ok(Target::Arrow(data_type));
        match written {
            SqlType::JSON | SqlType::JSONB => Ok(Target::Json),
            SqlType::UInt256 => Ok(Target::Number { signed: false }),
            SqlType::Int256 => Ok(Target::Number { signed: true }),
            SqlType::Custom(name, _) if name.to_string().eq_ignore_ascii_case("uint256") => {
                Ok(Target::Number { signed: false })
            }
            SqlType::Custom(name, _) if name.to_string().eq_ignore_ascii_case("int256") => {
                Ok(Target::Number { signed: true })
            }
            SqlType::Array(
                ArrayElemTypeDef::AngleBracket(item)
                | ArrayElemTypeDef::SquareBracket(item, _)
                | ArrayElemTypeDef::Parenthesis(item),
            ) => Ok(Target::List(Box::new(Target::from_sql(item)?))),
            SqlType::Map(key, value) => {
                Ok(Target::Map(Box::new(Target::from_sql(key)?), Box::new(Target::from_sql(value)?)))
            }
            SqlType::Struct(fields, _) if !fields.is_empty() => {
                let named = fields.iter().enumerate().map(|(place, field)| {
                    let name = match &field.field_name {
                        Some(name) if name.quote_style.is_some() => name.value.clone(),
                        Some(name) => name.value.to_lowercase(),
                        None => format!("c{place}"),
                    };
                    Ok((name, Target::from_sql(&field.field_type)?))
                });
                Ok(Target::Row(named.collect::<Result<_>>()?))
            }
            SqlType::Boolean | SqlType::Bool => arrow(DataType::Boolean),
            SqlType::TinyInt(_) | SqlType::SmallInt(_) | SqlType::Int2(_) | SqlType::Int16 => arrow(DataType::Int16),
            SqlType::Int(_) | SqlType::Integer(_) | SqlType::Int4(_) | SqlType::Int32 => arrow(DataType::Int32),
            SqlType::BigInt(_) | SqlType::Int8(_) | SqlType::Int64 => arrow(DataType::Int64),
            SqlType::Real | SqlType::Float4 | SqlType::Float32 | SqlType::Float(_) => arrow(DataType::Float32),
            SqlType::Double(_) | SqlType::DoublePrecision | SqlType::Float8 | SqlType::Float64 => {
                arrow(DataType::Float64)
            }
            SqlType::Decimal(digits)
            | SqlType::Numeric(digits)
            | SqlType::Dec(digits)
            | SqlType::BigNumeric(digits)
            | SqlType::BigDecimal(digits) => decimal(digits, written).map(Target::Arrow),
            SqlType::Varchar(_)
            | SqlType::Char(_)
            | SqlType::Text
            | SqlType::String(_)
            | SqlType::Character(_)
            | SqlType::CharacterVarying(_)
            | SqlType::CharVarying(_)
            | SqlType::Nvarchar(_) => arrow(DataType::Utf8),
            SqlType::Varbinary(_) | SqlType::Binary(_) | SqlType::Bytes(_) | SqlType::Bytea | SqlType::Blob(_) => {
                arrow(DataType::Binary)
            }
            SqlType::Date => arrow(DataType::Date32),
            SqlType::Timestamp(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) | SqlType::Datetime(_) => {
                arrow(DataType::Timestamp(TimeUnit::Microsecond, None))
            }
            SqlType::Timestamp(..) => arrow(DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))),
            other => Err(unknown(other)),
        }
    }

    /// The field of such values.
    pub fn field(&self, name: &str) -> FieldRef {
        match self {
            Target::Json => Arc::new(json_field().with_name(name)),
            Target::Number { signed } => quarry_types::uint256::field(name, *signed),
            other => Arc::new(Field::new(name, other.data_type(), true)),
        }
    }

    pub fn data_type(&self) -> DataType {
        match self {
            Target::Json => DataType::Utf8,
            Target::Number { .. } => quarry_types::uint256::NUMBER,
            Target::Arrow(data_type) => data_type.clone(),
            Target::List(item) => DataType::List(item.field("item")),
            Target::Map(key, value) => map_field(&key.data_type(), &value.data_type()).data_type().clone(),
            Target::Row(fields) => DataType::Struct(Target::fields(fields)),
        }
    }

    /// The fields of a row.
    pub fn fields(fields: &[(String, Target)]) -> Fields {
        fields.iter().map(|(name, target)| target.field(name)).collect()
    }
}

fn unknown(written: impl std::fmt::Display) -> DataFusionError {
    invalid(format!("The type {written} is not supported here."))
}

fn decimal(digits: &ExactNumberInfo, written: &SqlType) -> Result<DataType> {
    let (precision, scale) = match *digits {
        ExactNumberInfo::None => DECIMAL,
        ExactNumberInfo::Precision(precision) => (u8::try_from(precision).map_err(|_| unknown(written))?, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => {
            let scale = i8::try_from(scale).map_err(|_| unknown(written))?;
            (u8::try_from(precision).map_err(|_| unknown(written))?, scale)
        }
    };
    let fits = scale >= 0 && precision >= scale.unsigned_abs();
    match precision {
        1..=38 if fits => Ok(DataType::Decimal128(precision, scale)),
        39..=76 if fits => Ok(DataType::Decimal256(precision, scale)),
        _ => Err(unknown(written)),
    }
}

/// A column of maps of a type; a duplicate key in a map is an error.
pub(super) fn map(
    keys: ArrayRef,
    items: ArrayRef,
    offsets: OffsetBuffer<i32>,
    nulls: Option<NullBuffer>,
    to: &Target,
) -> Result<ArrayRef> {
    let data_type = to.data_type();
    let DataType::Map(entries, ordered) = &data_type else { return Err(invalid("Expected a map here.")) };
    let DataType::Struct(fields) = entries.data_type() else { return Err(invalid("Expected a map here.")) };
    if keys.null_count() > 0 {
        return Err(invalid("The key of a map can't be null."));
    }
    let pairs = StructArray::try_new(fields.clone(), vec![keys, items], None)?;
    let maps = MapArray::try_new(entries.clone(), offsets, pairs, nulls, *ordered)?;
    no_key_twice(&maps)?;
    Ok(Arc::new(maps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read() {
        let json = || Box::new(Target::Json);
        assert_eq!(Target::parse("ARRAY<JSON>").unwrap(), Target::List(json()));
        assert_eq!(Target::parse("JSON[]").unwrap(), Target::List(json()));
        let text = Target::Arrow(DataType::Utf8);
        assert_eq!(Target::parse("MAP(VARCHAR, JSON)").unwrap(), Target::Map(Box::new(text.clone()), json()));
        let fields = vec![("a".to_string(), Target::Number { signed: false }), ("c1".to_string(), text)];
        assert_eq!(
            Target::parse("ARRAY<STRUCT<A UINT256, TEXT>>").unwrap(),
            Target::List(Box::new(Target::Row(fields)))
        );
        for wrong in ["ARRAY<POINT>", "DECIMAL(80,2)", "DECIMAL(3,5)", "MAP("] {
            let known = Target::parse(wrong);
            assert!(known.is_err(), "{wrong}: {known:?}");
        }
    }
}
