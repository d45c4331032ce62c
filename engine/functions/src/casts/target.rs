//! Types of many parts, as people write them after `AS`: `ARRAY<JSON>`, `STRUCT<a BIGINT, b VARCHAR>`, `MAP(k, v)`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, MapArray, StructArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, FieldRef, Fields, TimeUnit};
use datafusion::common::Result;
use datafusion::sql::sqlparser::ast::{ArrayElemTypeDef, DataType as Written, ExactNumberInfo, TimezoneInfo};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;

use crate::json::json_field;
use crate::maps::{map_field, no_key_twice};
use quarry_types::invalid;

/// Digits of a decimal that says none, and those behind its point.
const DECIMAL: (u8, i8) = (76, 18);

/// What a value is turned into.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Target {
    /// A text that is JSON.
    Json,
    /// A 256-bit number, which may be below zero when it is signed.
    Number {
        signed: bool,
    },
    Plain(DataType),
    List(Box<Target>),
    Map(Box<Target>, Box<Target>),
    Row(Vec<(String, Target)>),
}

impl Target {
    /// Reads a type as it is written.
    pub fn parse(text: &str) -> Result<Target> {
        let parsed = Parser::new(&GenericDialect {}).try_with_sql(text).and_then(|mut parser| parser.parse_data_type());
        match parsed {
            Ok(written) => Target::of(&written),
            Err(_) => Err(unknown(text)),
        }
    }

    fn of(written: &Written) -> Result<Target> {
        let plain = |data_type| Ok(Target::Plain(data_type));
        match written {
            Written::JSON | Written::JSONB => Ok(Target::Json),
            Written::UInt256 => Ok(Target::Number { signed: false }),
            Written::Int256 => Ok(Target::Number { signed: true }),
            Written::Custom(name, _) if name.to_string().eq_ignore_ascii_case("uint256") => {
                Ok(Target::Number { signed: false })
            }
            Written::Custom(name, _) if name.to_string().eq_ignore_ascii_case("int256") => {
                Ok(Target::Number { signed: true })
            }
            Written::Array(
                ArrayElemTypeDef::AngleBracket(item)
                | ArrayElemTypeDef::SquareBracket(item, _)
                | ArrayElemTypeDef::Parenthesis(item),
            ) => Ok(Target::List(Box::new(Target::of(item)?))),
            Written::Map(key, value) => Ok(Target::Map(Box::new(Target::of(key)?), Box::new(Target::of(value)?))),
            Written::Struct(fields, _) if !fields.is_empty() => {
                let named = fields.iter().enumerate().map(|(place, field)| {
                    let name = match &field.field_name {
                        Some(name) if name.quote_style.is_some() => name.value.clone(),
                        Some(name) => name.value.to_lowercase(),
                        None => format!("c{place}"),
                    };
                    Ok((name, Target::of(&field.field_type)?))
                });
                Ok(Target::Row(named.collect::<Result<_>>()?))
            }
            Written::Boolean | Written::Bool => plain(DataType::Boolean),
            Written::TinyInt(_) | Written::SmallInt(_) | Written::Int2(_) | Written::Int16 => plain(DataType::Int16),
            Written::Int(_) | Written::Integer(_) | Written::Int4(_) | Written::Int32 => plain(DataType::Int32),
            Written::BigInt(_) | Written::Int8(_) | Written::Int64 => plain(DataType::Int64),
            Written::Real | Written::Float4 | Written::Float32 | Written::Float(_) => plain(DataType::Float32),
            Written::Double(_) | Written::DoublePrecision | Written::Float8 | Written::Float64 => {
                plain(DataType::Float64)
            }
            Written::Decimal(digits)
            | Written::Numeric(digits)
            | Written::Dec(digits)
            | Written::BigNumeric(digits)
            | Written::BigDecimal(digits) => decimal(digits, written).map(Target::Plain),
            Written::Varchar(_)
            | Written::Char(_)
            | Written::Text
            | Written::String(_)
            | Written::Character(_)
            | Written::CharacterVarying(_)
            | Written::CharVarying(_)
            | Written::Nvarchar(_) => plain(DataType::Utf8),
            Written::Varbinary(_) | Written::Binary(_) | Written::Bytes(_) | Written::Bytea | Written::Blob(_) => {
                plain(DataType::Binary)
            }
            Written::Date => plain(DataType::Date32),
            Written::Timestamp(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) | Written::Datetime(_) => {
                plain(DataType::Timestamp(TimeUnit::Microsecond, None))
            }
            Written::Timestamp(..) => plain(DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))),
            other => Err(unknown(&other.to_string())),
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
            Target::Plain(data_type) => data_type.clone(),
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

fn unknown(written: &str) -> datafusion::common::DataFusionError {
    invalid(format!("The type {written} is not known here."))
}

fn decimal(digits: &ExactNumberInfo, written: &Written) -> Result<DataType> {
    let (precision, scale) = match *digits {
        ExactNumberInfo::None => DECIMAL,
        ExactNumberInfo::Precision(precision) => {
            (u8::try_from(precision).map_err(|_| unknown(&written.to_string()))?, 0)
        }
        ExactNumberInfo::PrecisionAndScale(precision, scale) => {
            let scale = i8::try_from(scale).map_err(|_| unknown(&written.to_string()))?;
            (u8::try_from(precision).map_err(|_| unknown(&written.to_string()))?, scale)
        }
    };
    let fits = scale >= 0 && precision >= scale.unsigned_abs();
    match precision {
        1..=38 if fits => Ok(DataType::Decimal128(precision, scale)),
        39..=76 if fits => Ok(DataType::Decimal256(precision, scale)),
        _ => Err(unknown(&written.to_string())),
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
    let DataType::Map(entries, ordered) = &data_type else { return Err(invalid("A map is needed here.")) };
    let DataType::Struct(fields) = entries.data_type() else { return Err(invalid("A map is needed here.")) };
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
        let text = Target::Plain(DataType::Utf8);
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
