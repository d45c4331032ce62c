//! The address a request comes from.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use super::error::ApiError;
use crate::app::App;

/// Address of the client: of the connection, or what the proxy before us says if the settings trust it.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<App> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<ClientAddress, ApiError> {
        // Without a connection (a router called in a test) the caller is this machine.
        let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let direct = connection.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
        let forwarded = app.trust_forwarded_for.then(|| forwarded(parts)).flatten();
        Ok(ClientAddress(forwarded.unwrap_or(direct)))
    }
}

/// The last entry is the one our own proxy wrote; those before it are the client's word.
fn forwarded(parts: &Parts) -> Option<IpAddr> {
    let last = parts.headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}
