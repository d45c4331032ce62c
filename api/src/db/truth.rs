//! Truth values, which both databases keep as 0 or 1.

use serde::{Serialize, Serializer};
use sqlx::any::{Any, AnyTypeInfo, AnyValueRef};
use sqlx::error::BoxDynError;
use utoipa::openapi::schema::{ObjectBuilder, Type as SchemaType};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// A truth value of a row: 0 is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Truth(pub bool);

impl sqlx::Type<Any> for Truth {
    fn type_info() -> AnyTypeInfo {
        <i64 as sqlx::Type<Any>>::type_info()
    }

    fn compatible(kind: &AnyTypeInfo) -> bool {
        <i64 as sqlx::Type<Any>>::compatible(kind)
    }
}

impl<'r> sqlx::Decode<'r, Any> for Truth {
    fn decode(value: AnyValueRef<'r>) -> Result<Truth, BoxDynError> {
        <i64 as sqlx::Decode<Any>>::decode(value).map(|number| Truth(number != 0))
    }
}

impl Serialize for Truth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.0)
    }
}

impl PartialSchema for Truth {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(SchemaType::Boolean).into()
    }
}

impl ToSchema for Truth {}
