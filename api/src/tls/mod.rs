//! TLS for HTTP and for clients of PostgreSQL: certificates of the operator, read again when their files change, or a
//! self-made one.

mod files;
mod own;

use std::sync::{Arc, PoisonError, RwLock};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

pub use files::Files;
pub use own::self_made;

/// The certificate in force, with its key; clones are the same.
#[derive(Debug, Clone)]
pub struct Certificate(Arc<RwLock<Arc<CertifiedKey>>>);

impl Certificate {
    fn new(key: CertifiedKey) -> Certificate {
        Certificate(Arc::new(RwLock::new(Arc::new(key))))
    }

    /// Connections from now on are shown another one.
    fn replace(&self, key: CertifiedKey) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(key);
    }

    /// Accepts connections that speak one of these protocols (ALPN), or any when there are none.
    pub fn acceptor(&self, protocols: &[&str]) -> Result<TlsAcceptor, rustls::Error> {
        let builder = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?;
        let mut config = builder.with_no_client_auth().with_cert_resolver(Arc::new(self.clone()));
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _client: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
