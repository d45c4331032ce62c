//! The certificates that a server starts with.

use std::path::{Path, PathBuf};

use tokio_rustls::TlsAcceptor;

use super::CliError;
use crate::config::Settings;
use crate::tls::{Certificate, Files, self_made};

/// File of the self-made certificate and its key.
const OWN: &str = "postgres-tls.pem";

/// The certificate of the settings and its files; `None` when they name none.
pub fn of_settings(settings: &Settings) -> Result<Option<(Certificate, Files)>, CliError> {
    let files = match (&settings.tls_cert.0, &settings.tls_key.0) {
        (None, None) => return Ok(None),
        (Some(certificate), Some(key)) => Files { certificate: PathBuf::from(certificate), key: PathBuf::from(key) },
        _ => {
            let msg = "The settings tls_cert and tls_key belong together: set both or neither.";
            return Err(CliError::Usage(msg.to_string()));
        }
    };
    let certificate = files.load().map_err(CliError::Failed)?;
    Ok(Some((certificate, files)))
}

/// The certificate that a home has of its own.
pub fn own(home: &Path) -> Result<Certificate, CliError> {
    self_made(&home.join(OWN)).map_err(CliError::Failed)
}

/// What accepts connections over TLS that speak one of these protocols, or any when there are none.
pub fn acceptor(certificate: &Certificate, protocols: &[&str]) -> Result<TlsAcceptor, CliError> {
    certificate.acceptor(protocols).map_err(|error| CliError::Failed(format!("TLS can't be set up: {error}.")))
}
