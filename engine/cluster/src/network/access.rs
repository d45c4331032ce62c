//! Who may call a process of a cluster: whoever has its secret, or a certificate of its authority.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use quarry_types::{Error, ErrorCode, Result};
use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};

/// The fewest characters of a secret.
const SHORTEST_SECRET: usize = 32;

/// Files of one process, as PEM: its certificate, its key, and the certificate of the authority that signed those of all processes.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
    pub authority: PathBuf,
}

/// How the processes of a cluster know each other.
#[derive(Clone, Default)]
pub struct Access {
    /// The header of each call.
    secret: Option<HeaderValue>,
    tls: Option<Arc<Tls>>,
}

struct Tls {
    identity: Identity,
    authority: Certificate,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("secret", &self.secret.is_some()).field("tls", &self.tls.is_some()).finish()
    }
}

impl Access {
    /// Reads the secret and the certificates of a cluster, as far as it has them.
    ///
    /// # Errors
    ///
    /// A file can't be read, or the secret is too short.
    pub fn read(secret: Option<&Path>, tls: Option<&TlsFiles>) -> Result<Access> {
        let secret = secret.map(read_secret).transpose()?;
        let tls = match tls {
            Some(files) => {
                let identity = Identity::from_pem(read(&files.certificate)?, read(&files.key)?);
                Some(Arc::new(Tls { identity, authority: Certificate::from_pem(read(&files.authority)?) }))
            }
            None => None,
        };
        Ok(Access { secret, tls })
    }

    /// Refuses an address that others reach, if anybody could call it.
    ///
    /// # Errors
    ///
    /// There is neither a secret nor TLS, and the address is not of this machine alone.
    pub fn check_address(&self, address: SocketAddr) -> Result<()> {
        if self.secret.is_some() || self.tls.is_some() || address.ip().is_loopback() {
            return Ok(());
        }
        Err(invalid(format!("A cluster without a secret or TLS listens on 127.0.0.1 only, not on {address}.")))
    }

    /// The scheme of the addresses of this cluster.
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// Whether a call has the secret.
    pub(super) fn allows(&self, headers: &HeaderMap) -> bool {
        let Some(secret) = &self.secret else { return true };
        let sent = headers.get(AUTHORIZATION).map_or(&[][..], HeaderValue::as_bytes);
        verify_slices_are_equal(secret.as_bytes(), sent).is_ok()
    }

    /// Adds the secret to a call.
    pub(super) fn sign(&self, headers: &mut HeaderMap) {
        if let Some(secret) = &self.secret {
            headers.insert(AUTHORIZATION, secret.clone());
        }
    }

    pub(super) fn server_tls(&self) -> Option<ServerTlsConfig> {
        let tls = self.tls.as_ref()?;
        Some(ServerTlsConfig::new().identity(tls.identity.clone()).client_ca_root(tls.authority.clone()))
    }

    pub(super) fn client_tls(&self) -> Option<ClientTlsConfig> {
        let tls = self.tls.as_ref()?;
        Some(ClientTlsConfig::new().identity(tls.identity.clone()).ca_certificate(tls.authority.clone()))
    }
}

fn read_secret(file: &Path) -> Result<HeaderValue> {
    let text = read(file)?;
    let secret = text.trim();
    if secret.len() < SHORTEST_SECRET {
        return Err(invalid(format!(
            "The secret in {} must have {SHORTEST_SECRET} characters or more.",
            file.display()
        )));
    }
    let header = HeaderValue::from_str(&format!("Bearer {secret}"));
    let mut header =
        header.map_err(|_| invalid(format!("The secret in {} must be one line of text.", file.display())))?;
    header.set_sensitive(true);
    Ok(header)
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file)
        .map_err(|error| invalid(format!("The file {} can't be read: {error}.", file.display())))
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_secret(secret: &str) -> Result<Access> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        std::fs::write(&file, secret).unwrap();
        Access::read(Some(&file), None)
    }

    #[test]
    fn only_calls_with_the_secret_are_allowed() {
        let access = with_secret("0123456789abcdef0123456789abcdef\n").unwrap();
        let other = with_secret("0123456789abcdef0123456789abcdeX").unwrap();
        let mut headers = HeaderMap::new();
        assert!(!access.allows(&headers));
        other.sign(&mut headers);
        assert!(!access.allows(&headers));
        access.sign(&mut headers);
        assert!(access.allows(&headers));
        assert!(!format!("{headers:?} {access:?}").contains("0123"));
        assert!(with_secret("short").unwrap_err().message.contains("32 characters"));
    }

    #[test]
    fn without_a_secret_only_this_machine_is_served() {
        let open = Access::default();
        open.check_address("127.0.0.1:8790".parse().unwrap()).unwrap();
        open.check_address("[::1]:8790".parse().unwrap()).unwrap();
        assert!(open.check_address("0.0.0.0:8790".parse().unwrap()).is_err());
        let access = with_secret("0123456789abcdef0123456789abcdef").unwrap();
        access.check_address("0.0.0.0:8790".parse().unwrap()).unwrap();
    }
}
