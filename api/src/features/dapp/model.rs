//! Shapes of dapps.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::{IntoParams, ToSchema};

use crate::labels::registry::DappType;

/// A dapp.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Dapp {
    pub name: String,
    /// `games`, `finance`, `betting`, `market`, `social`, `others`, `utilities` or `high-risk`.
    pub dapp_type: String,
    /// `https://…`; empty when there is none.
    pub website: String,
    pub note: String,
    /// Addresses that belong to it.
    pub addresses: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

/// A dapp as it shall be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DappForm {
    /// 1 to 50 characters; names the dapp.
    pub name: String,
    pub dapp_type: DappType,
    /// `http://…` or `https://…`, or empty.
    #[serde(default)]
    pub website: String,
    /// Up to 1,000 characters.
    #[serde(default)]
    pub note: String,
}

/// An address of a dapp.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct DappAddress {
    /// `0x` and 40 hexadecimal digits in lower case.
    pub address: String,
    pub dapp_name: String,
    pub note: String,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

/// An address as it shall belong to a dapp.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressForm {
    /// `0x` and 40 hexadecimal digits.
    pub address: String,
    /// 1 to 50 characters.
    pub dapp_name: String,
    /// Up to 200 characters.
    #[serde(default)]
    pub note: String,
}

/// Which dapps or addresses.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DappParams {
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
    /// Part of the dapp's name.
    pub name: Option<String>,
    #[param(inline)]
    pub dapp_type: Option<DappType>,
    /// Part of an address.
    pub address: Option<String>,
}
