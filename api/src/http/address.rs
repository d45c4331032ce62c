//! Where a request comes from: the address, and what the browser says it is.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;

use crate::app::App;

/// Characters of the browser's name that are kept.
const AGENT: usize = 200;

/// Address of the client: of the connection, or what the proxy before us says if the settings trust it.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

/// Who the client says it is.
#[derive(Debug, Clone)]
pub struct Client {
    pub address: IpAddr,
    /// The header `User-Agent`, cut to 200 characters.
    pub agent: String,
}

/// The place that limits count for: an address of IPv4, or the first half of one of IPv6, whose other half a client chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            address @ IpAddr::V4(_) => address,
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
        })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<ClientAddress, Infallible> {
        // Without a connection (a router called in a test) the caller is this machine.
        let connection = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let direct = connection.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
        let forwarded = app.trust_forwarded_for.then(|| forwarded(parts)).flatten();
        // A socket for both families shows `::ffff:192.0.2.1`, which keys and limits know as `192.0.2.1`.
        Ok(ClientAddress(forwarded.unwrap_or(direct).to_canonical()))
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Client, Infallible> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, app).await?;
        let agent = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
        Ok(Client { address, agent: agent.chars().take(AGENT).collect() })
    }
}

/// The last entry is the one our own proxy wrote; those before it are the client's word.
fn forwarded(parts: &Parts) -> Option<IpAddr> {
    let last = parts.headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_of_ipv6_is_at_one_place_however_it_calls_itself() {
        let network = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff:1:2:3"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }
}
